"""The boards of a campaign on its desk: what is live, what is being built, and what was before."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from assessments.services.versions import version_of
from campaign.services.acting import By
from campaign.services.refusals import Refused
from campaign.services.telling.audit import fingerprint, stale_sentence
from campaign.views.desk.frame import desk_page, render_desk
from evaluation.forms import MeasuresForm
from evaluation.models import Edition
from evaluation.services import decisions
from evaluation.services.building import building_of
from evaluation.services.editions import NewerEditions, newest_edition
from evaluation.services.track_boards import track_boards
from limelight.formats.fields import whole_number
from limelight.scoring.evaluators import ENGINE_VERSION
from limelight.wording import LONGEST_REMARK, counted

DECISIONS = {
    "pause": (decisions.pause, "Paused. What a worker has begun is finished; nothing else is begun."),
    "resume": (decisions.resume, "The building goes on."),
    "abandon": (decisions.abandon, "Abandoned. The boards stay as they are."),
    "look": (decisions.wait_for_look, "The new boards wait for a look when they are built. You will be told."),
}


@desk_page
@require_safe
def boards(request, campaign):
    """Show the live edition of every task, what is being built, and the history."""
    return _boards(request, campaign)


def _boards(request, campaign, refused=None, status=200):
    tracks = campaign.tracks.select_related("collection").prefetch_related("tasks")
    context = {"tracks": [track_boards(track) for track in tracks], "refused": refused, "engine": ENGINE_VERSION}
    return render_desk(request, "desk/boards.html", campaign, context, tab="desk-boards", status=status)


@desk_page
@require_POST
def activate(request, campaign):
    """Build new editions of all tasks of a track on the assessments that were chosen."""
    track = _posted_track(request, campaign)
    version, notes = (
        whole_number(request.POST.get("version", "")),
        request.POST.get("notes", "").strip()[:LONGEST_REMARK],
    )
    if version is None:
        return _boards(request, campaign, "Choose a version of the assessments.", status=422)
    how = _how(request) | {"notes": notes, "warnings_seen": request.POST.get("warnings") == "seen"}
    try:
        return _begun(request, campaign, track, _activate, track, version, **how)
    except decisions.Unseen as unseen:
        shown = {"track": track, "assessment_set": unseen.assessment_set, "posted": request.POST}
        return render_desk(request, "desk/activate.html", campaign, shown, tab="desk-boards", status=422)


def _activate(track, version, **how):
    return decisions.activate(version_of(track, version), **how)


@desk_page
@require_POST
def build_anew(request, campaign, track):
    """Build new editions of one task of a track, or of all, with what is set now."""
    track = get_object_or_404(campaign.tracks, slug=track)
    tasks = [task for task in track.tasks.all() if request.POST.get("task", "") in ("", task.slug)]
    if not request.POST.get("task"):
        tasks = [task for task in tasks if task.editions.scoring().exists()]
    how = _how(request) | {"notes": request.POST.get("notes", "").strip()[:LONGEST_REMARK]}
    return _begun(request, campaign, track, decisions.rebuild, tasks, **how)


@desk_page
@require_POST
def roll_back(request, campaign, track):
    """Build the boards of a track as they were with an earlier edition."""
    track = get_object_or_404(campaign.tracks, slug=track)
    number = whole_number(request.POST.get("edition", ""))
    edition = get_object_or_404(Edition.objects.select_related("task__track__campaign"), pk=number, task__track=track)
    notes = f"Back to how it was with edition {edition.number} of {edition.task.name}."
    how = {"by": By(request.user), "seen": request.POST.get("seen"), "notes": notes}
    return _begun(request, campaign, track, decisions.roll_back, edition, **how)


@desk_page
@require_POST
def decide(request, campaign, track, deed):
    """Pause, resume, give up, look first, or go live: when all is scored, or without the runs that failed."""
    track = get_object_or_404(campaign.tracks, slug=track)
    if deed not in (*DECISIONS, "go-live", "when-ready"):
        raise Http404
    try:
        told = _decided(track, deed, By(request.user), request.POST.get("seen"))
    except NewerEditions as overtaken:
        messages.info(request, overtaken.reason)
    except Refused as refusal:
        messages.error(request, refusal.reason)
    else:
        if told:
            messages.success(request, told)
        else:
            messages.info(request, "Nothing was done: that had been done already, or the boards had switched by then.")
    return redirect("desk-boards", campaign.slug)


def _decided(track, deed, by, seen):
    """Do what was decided about what is being built; returns what to say, or nothing where nothing was done."""
    switched = f"The boards of {track.name} have switched."
    if deed == "go-live":
        decisions.go_live_despite_failures(track, by=by, seen=seen)
        return switched
    if deed == "when-ready":
        is_live = decisions.go_live_when_ready(track, by=by, seen=seen)
        later = "The new boards go live as soon as every run is scored."
        return None if is_live is None else switched if is_live else later
    change, told = DECISIONS[deed]
    return told if change(track, by=by, seen=seen) else None


@desk_page
@require_safe
def building(request, campaign, track):
    """Show how far the new editions of a track are; when they are built or live, the whole page is fetched again."""
    track = get_object_or_404(campaign.tracks, slug=track)
    building = building_of(track)
    if building is None or building.is_built:
        response = HttpResponse(headers={"HX-Refresh": "true"})
    else:
        response = render(
            request, "desk/_building.html", {"campaign": campaign, "track": track, "building": building, "polled": True}
        )
    add_never_cache_headers(response)
    return response


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def measures(request, campaign, track, task):
    """Change a task's official measure, profile and parameters; a task with a board gets a new edition."""
    track = get_object_or_404(campaign.tracks, slug=track)
    task = get_object_or_404(track.tasks.select_related("track__campaign"), slug=task)
    if not task.traits.is_scored:
        raise Http404
    form = MeasuresForm(request.POST or None, task=task)
    shown, seen = decisions.shown_measures(task), request.POST.get("as_shown", "")
    if form.is_bound and (told := stale_sentence(f"the measures of {task.name}", shown, seen)):
        form.add_error(None, told)
    live = task.editions.live().first()
    if form.is_bound and form.is_valid():
        answers = form.cleaned_data
        try:
            started = decisions.change_measures(
                task,
                profile=answers["profile"],
                parameters=form.given(),
                official=answers["official_measure"],
                notes=answers["notes"],
                as_shown=seen,
                **_how(request),
            )
        except NewerEditions as overtaken:
            return _told_stale(request, campaign, overtaken)
        except Refused as refusal:
            form.add_error(refusal.field, refusal.reason)
        else:
            if started:
                return _told_of(request, campaign, track, started)
            told = "are as before, so no edition was built" if live else "are saved"
            messages.success(request, f"The measures of {task.name} {told}.")
            return redirect("desk-boards", campaign.slug)
    context = {"task": task, "track": track, "form": form, "live": live, "newest": newest_edition(track)}
    context["as_shown"] = fingerprint(shown)
    return render_desk(
        request, "desk/measures.html", campaign, context, tab="desk-boards", status=422 if form.is_bound else 200
    )


def _posted_track(request, campaign):
    """Return the track that a form names, by its slug or its key."""
    named = request.POST.get("track", "")
    for track in campaign.tracks.all():
        if named in (track.slug, str(track.pk)):
            return track
    raise Http404


def _how(request):
    """Return who begins editions, what was seen before, and whether they are to wait for a look."""
    waits_for_look = request.POST.get("goes_live") == "look"
    return {"by": By(request.user), "seen": request.POST.get("seen"), "waits_for_look": waits_for_look}


def _begun(request, campaign, track, begin, *what, **how):
    """Begin editions, and say what came of it."""
    try:
        started = begin(*what, **how)
    except NewerEditions as overtaken:
        return _told_stale(request, campaign, overtaken)
    except decisions.Unseen:
        raise
    except Refused as refusal:
        return _boards(request, campaign, refusal.reason, status=422)
    return _told_of(request, campaign, track, started)


def _told_stale(request, campaign, overtaken):
    messages.info(request, overtaken.reason)
    return redirect("desk-boards", campaign.slug)


def _told_of(request, campaign, track, started):
    number, building = counted(len(started), "new edition"), building_of(track)
    is_or_are = "is" if len(started) == 1 else "are"
    state = "live" if building is None else "built and waiting for your look" if building.is_built else "being built"
    messages.success(request, f"{number} of {track.name} {is_or_are} {state}.")
    return redirect("desk-boards", campaign.slug)
