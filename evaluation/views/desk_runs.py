"""The runs of a campaign on its desk: find, try again, score anew, reject, look at failures, take away."""

from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import FileResponse, Http404
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from campaign.models import Run, Task, Team
from campaign.services.notifications import counted
from campaign.services.refusals import Refused
from campaign.services.rejections import reinstate, reject
from campaign.services.run_archives import archive_of
from campaign.views.desk_pages import desk_page, render_desk
from evaluation.services import reruns
from evaluation.services.progress import STATE_WORDS, in_state, with_progress

RUNS_A_PAGE = 50
JOBS_SHOWN = 200


@desk_page
@require_safe
def runs(request, campaign):
    """List the runs of a campaign, narrowed to a task, a team, a state or words."""
    return _runs(request, campaign)


def _runs(request, campaign, refused=None, reason="", ticked=(), status=200):
    asked = request.GET if request.method != "POST" else request.POST
    found, narrowed = _narrowed(campaign, asked)
    page = Paginator(found.for_lists().order_by("-created_at", "-pk"), RUNS_A_PAGE).get_page(asked.get("page"))
    context = {
        "runs": with_progress(page, request.user),
        "page": page,
        "tasks": Task.objects.filter(track__campaign=campaign).select_related("track"),
        "teams": Team.objects.filter(runs__task__track__campaign=campaign).distinct().order_by("name"),
        "states": STATE_WORDS,
        "narrowed": narrowed,
        "is_narrowed": any(narrowed.values()),
        "refused": refused,
        "reason": reason,
        "ticked": ticked,
        "waiting": len(reruns.queue_of(campaign)),
    }
    return render_desk(request, "desk/runs.html", campaign, context, tab="desk-runs", status=status)


def _narrowed(campaign, asked):
    """Return the runs that a form asks for, and what of it was understood."""
    found = Run.objects.filter(task__track__campaign=campaign)
    narrowed = {name: asked.get(name, "").strip() for name in ("task", "team", "state", "words")}
    if not _is_key(narrowed["task"]):
        narrowed["task"] = ""
    if narrowed["state"] not in STATE_WORDS:
        narrowed["state"] = ""
    if narrowed["task"]:
        found = found.filter(task=int(narrowed["task"]))
    if narrowed["team"]:
        found = found.filter(team__slug=narrowed["team"])
    if narrowed["state"]:
        found = in_state(found, narrowed["state"])
    if narrowed["words"]:
        words = narrowed["words"].replace("\x00", "")
        fields = ("name", "description", "team__name", "file_name", "sha256", "failure_reference")
        by_field = Q(evaluations__failure_reference__iexact=words)
        for field in fields:
            by_field |= Q(**{f"{field}__icontains": words})
        found = found.filter(by_field).distinct()
    return found, narrowed


def _is_key(text):
    return text.isascii() and text.isdigit() and len(text) < 18


@desk_page
@require_POST
def deed(request, campaign):
    """Do something to the runs that were ticked, or to all that the list was narrowed to."""
    ticked = {int(key) for key in request.POST.getlist("runs") if _is_key(key)}
    found, narrowed = _narrowed(campaign, request.POST)
    if request.POST.get("which") != "all":
        found = Run.objects.filter(task__track__campaign=campaign, pk__in=ticked)
    chosen = list(found.for_lists())
    reason = request.POST.get("reason", "")
    try:
        if not chosen:
            raise Refused("Tick at least one run.")
        told = _do(request.POST.get("deed"), chosen, reason, request.user)
    except Refused as refusal:
        return _runs(request, campaign, refusal.reason, reason, ticked, status=422)
    messages.success(request, told)
    kept = {name: request.POST[name] for name in (*narrowed, "page") if request.POST.get(name)}
    return redirect(f"{reverse('desk-runs', args=[campaign.slug])}{f'?{urlencode(kept)}' if kept else ''}")


def _do(deed, chosen, reason, user):
    """Do a deed to runs; returns what to say."""
    if deed == "retry":
        count = reruns.retry(chosen, user)
        if not count:
            raise Refused("Nothing about these runs has failed, so there is nothing to try again.")
        return f"{counted(count, 'failed step')} started again."
    if deed == "re-evaluate":
        retried, started = reruns.reevaluate(chosen, user)
        told = [f"{counted(retried, 'failed step')} started again."] if retried else []
        told += [f"{counted(len(started), 'new edition')} begun; the Boards tab shows how far."] if started else []
        return " ".join(told)
    if deed == "reject":
        rejected = reject(chosen, reason, user)
        if not rejected:
            raise Refused("These runs are withdrawn or rejected already.")
        whose = "Its team has" if len(rejected) == 1 else "Their teams have"
        return f"{counted(len(rejected), 'run')} rejected. {whose} been told."
    if deed == "reinstate":
        count = sum(reinstate(run, user) for run in chosen)
        if not count:
            raise Refused("None of these runs was rejected by an organiser.")
        left = len(chosen) - count
        others = f" {counted(left, 'run')} had not been rejected by an organiser." if left else ""
        return f"{counted(count, 'run')} reinstated.{others}"
    raise Http404


@desk_page
@require_safe
def queue(request, campaign):
    """Show what waits or is being worked on: since when, how often tried, and who has it."""
    jobs = reruns.queue_of(campaign)
    return render_desk(
        request, "desk/queue.html", campaign, {"jobs": jobs[:JOBS_SHOWN], "count": len(jobs)}, tab="desk-runs"
    )


@desk_page
@require_safe
def failure(request, campaign, pk):
    """Show what failed about a run, with the traceback."""
    run = get_object_or_404(Run.objects.for_lists(), pk=pk, task__track__campaign=campaign)
    context = {"run": run, "failures": reruns.failures_of(run)}
    return render_desk(request, "desk/failure.html", campaign, context, tab="desk-runs")


@desk_page
@require_safe
def archive(request, campaign):
    """Send all valid runs of a task, or of the campaign, in one zip with an index."""
    tasks = Task.objects.filter(track__campaign=campaign)
    wanted, name = request.GET.get("task", ""), campaign.slug
    if wanted:
        if not _is_key(wanted):
            raise Http404
        task = get_object_or_404(tasks.select_related("track"), pk=int(wanted))
        tasks, name = [task], f"{name}-{task.track.slug}-{task.slug}"
    return FileResponse(archive_of(list(tasks)), as_attachment=True, filename=f"{name}-runs.zip")
