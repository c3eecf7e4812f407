"""What organisers do to runs: to one at once, to many after a question with numbers, and back again as one deed."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_POST

from campaign.models import Run
from campaign.services.acting import By
from campaign.services.refusals import Refused, Stale
from campaign.services.runs import rejections
from campaign.views.desk.frame import desk_page
from campaign.views.questions import answered, ask
from evaluation.services import bulk_deeds
from evaluation.views.desk.runs import narrowed_runs, runs_page
from limelight.formats.fields import whole_number
from limelight.wording import counted

TAB = "desk-runs"
CHANGED = "This changed after you were asked, and nothing was done. These are the numbers now."
DEEDS = {
    "retry": ("Try again what failed in {}?", "Try {} again"),
    "re-evaluate": ("Re-evaluate {}?", "Re-evaluate {}"),
    "reject": ("Reject {}?", "Reject {}"),
    "reinstate": ("Take the rejection of {} back?", "Reinstate {}"),
}


@desk_page
@require_POST
def deed(request, campaign):
    """Do something to the runs that were ticked, or to all that the list was narrowed to; many are asked about."""
    ticked = {whole_number(key) for key in request.POST.getlist("runs")} - {None}
    runs, narrowed = narrowed_runs(campaign, request.POST)
    wants_all, name, reason = (
        request.POST.get("which") == "all",
        request.POST.get("deed"),
        request.POST.get("reason", ""),
    )
    if not wants_all:
        runs = Run.objects.filter(task__track__campaign=campaign, pk__in=ticked)
    try:
        look = _look(name, list(runs.for_lists()), reason, wants_all)
        is_bulk = wants_all or len(look.runs) > 1 or name == "re-evaluate"
        if is_bulk and answered(request) != look.seen:
            return _question(request, campaign, name, look, reason)
        try:
            told = _do(name, look, reason, By(request.user))
        except Stale:
            return _question(request, campaign, name, _look(name, list(runs.for_lists()), reason, wants_all), reason)
    except Refused as refusal:
        return runs_page(request, campaign, refusal.reason, reason, ticked, status=422)
    messages.success(request, told)
    kept = {field: request.POST[field] for field in (*narrowed, "page") if request.POST.get(field)}
    return redirect(f"{reverse(TAB, args=[campaign.slug])}{f'?{urlencode(kept)}' if kept else ''}")


def _look(name, chosen, reason, wants_all):
    if not chosen:
        raise Refused("Tick at least one run.")
    if name not in DEEDS:
        raise Http404
    if name == "reject":
        rejections.checked_reason(reason)
    look = bulk_deeds.outlook(name, chosen)
    deeds = {run.rejection_id for run in look.runs}
    if name == "reinstate" and wants_all and len(deeds) > 1:
        raise Refused(
            f"These {len(look.runs):,} runs were rejected in {len(deeds):,} deeds, for reasons of their own. Take one "
            "of the deeds below back, or tick the runs that should come back."
        )
    return look


def _do(name, look, reason, by):
    """Do a deed to runs; returns what to say."""
    runs, seen = look.runs, look.seen
    if name == "retry":
        return f"{counted(bulk_deeds.rerun(runs, by=by, deed=name, seen=seen), 'failed step')} started again."
    if name == "re-evaluate":
        retried, started = bulk_deeds.rerun(runs, by=by, deed=name, seen=seen)
        told = [f"{counted(retried, 'failed step')} started again."] if retried else []
        told += [f"{counted(len(started), 'new edition')} begun; the Boards tab shows how far."] if started else []
        return " ".join(told)
    if name == "reject":
        rejected = rejections.reject(runs, by=by, reason=reason, seen=seen)
        whose = "Its team has" if len(rejected) == 1 else "Their teams have"
        told = '{} rejected. {} been told. <a href="#rejections">To take it back</a>'
        return format_html(told, counted(len(rejected), "run"), whose)
    return _told_back(*rejections.reinstate(runs, by=by, seen=seen))


def _told_back(back, in_the_way):
    names = [f"{run.team.name} has another run named {run.name} in {run.task.name} by now." for run in in_the_way]
    if not back:
        raise Refused(f"{' '.join(names[:5])} Rename {'that one' if len(names) == 1 else 'those'} first.")
    stay = f" {counted(len(names), 'run')} stayed rejected: {' '.join(names[:5])}" if names else ""
    return f"{counted(len(back), 'run')} reinstated.{stay}"


@desk_page
@require_POST
def take_back(request, campaign, pk):
    """Take a rejection back as the one deed it was, after a question with numbers."""
    rejection = get_object_or_404(campaign.rejections.select_related("made_by"), pk=pk)
    try:
        look = bulk_deeds.take_back_outlook(rejection)
        if answered(request) != look.seen:
            return _question(request, campaign, "reinstate", look, rejection.reason)
        try:
            told = _told_back(*rejections.take_back(rejection, by=By(request.user), seen=look.seen))
        except Stale:
            return _question(request, campaign, "reinstate", bulk_deeds.take_back_outlook(rejection), rejection.reason)
    except Refused as refusal:
        messages.info(
            request, "This had been taken back already." if not rejections.runs_of(rejection) else refusal.reason
        )
    else:
        messages.success(request, told)
    return redirect(TAB, campaign.slug)


def _question(request, campaign, name, look, reason):
    heading, button = DEEDS[name]
    many = counted(len(look.runs), "run")
    return ask(
        request,
        campaign,
        heading=heading.format(many),
        sentences=_sentences(name, look, reason),
        tables=_tables(name, look),
        button=button.format(many),
        seen=look.seen,
        tab=TAB,
        grave=name == "reject",
        changed=CHANGED if answered(request) else "",
    )


def _sentences(name, look, reason):
    people = "1 person is" if look.people == 1 else f"{look.people:,} people are"
    if name == "reject":
        yield f"What the teams read: {rejections.checked_reason(reason)}"
        emptied = ", ".join(task.name for task in look.emptied)
        if emptied:
            yield f"Nothing would be left on the board of {emptied}."
        yield (
            f"Rejected runs leave every board and use up no quota; scores stay stored. {people} told, each once. "
            "It can be taken back as one: these runs come back then, and no others."
        )
    elif name == "reinstate":
        if reason.strip():
            yield f"They were rejected with: {reason.strip()}"
        yield (
            "They count again. Those that had passed the check are back on their boards, the others are checked. "
            f"{people} told, each once."
        )
    elif name == "re-evaluate":
        yield (
            "What failed starts again. For runs that are scored, a new edition of their task is built in the "
            "background, with all its runs; the boards stay as they are until it is done. It can be abandoned on the "
            "Boards tab."
        )
    else:
        yield "Checks and scorings that failed on our side start again. Boards show the runs as they are scored."


def _tables(name, look):
    changes_boards = name in ("reject", "reinstate")
    rows = []
    for one in look.tasks:
        row = [f"{one.task.name} ({one.task.track.name})", one.runs]
        if changes_boards:
            row += ["–", "–"] if one.lines_now is None else [one.lines_now, one.lines_then]
        rows.append(row)
    head = ["Task", "Runs", *(["On the board now", "Then"] if changes_boards else [])]
    by_team = [[team.name, count] for team, count in look.teams]
    return [
        {"caption": "By task", "head": head, "rows": rows, "numbers": True},
        {"caption": "By team", "head": ["Team", "Runs"], "rows": by_team, "numbers": True},
    ]
