"""The boards of a campaign on its desk: what is live, what is being built, and what was before."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaign.services.notifications import counted
from campaign.services.refusals import Refused
from campaign.views.desk_pages import desk_page, render_desk
from evaluation.evaluators import EVALUATORS
from evaluation.forms import MeasuresForm
from evaluation.models import Edition
from evaluation.services import building as decisions

DECISIONS = {
    "pause": (decisions.pause, "Paused. What a worker has begun is finished; nothing else is begun."),
    "resume": (decisions.resume, "The building goes on."),
    "abandon": (decisions.abandon, "Abandoned. The boards stay as they are."),
}


@desk_page
@require_safe
def boards(request, campaign):
    """Show the live edition of every task, what is being built, and the history."""
    return _boards(request, campaign)


def _boards(request, campaign, refused=None, status=200):
    tracks = []
    for track in campaign.tracks.select_related("collection").prefetch_related("tasks"):
        editions = Edition.objects.filter(task__track=track).select_related("task", "assessment_set", "started_by")
        newest = list(editions.order_by("-pk"))
        live = {edition.task_id: edition for edition in newest if edition.state == Edition.State.LIVE}
        tracks.append(
            {
                "track": track,
                "tasks": [(task, live.get(task.pk), task.kind in EVALUATORS) for task in track.tasks.all()],
                "building": decisions.building_of(track),
                "behind": decisions.behind_collection(track),
                "versions": list(track.assessment_sets.order_by("-version")),
                "live_versions": {edition.assessment_set.version for edition in live.values()},
                "history": newest,
                "newest": newest[0].pk if newest else 0,
                "is_scored": bool(live),
            }
        )
    return render_desk(
        request, "desk/boards.html", campaign, {"tracks": tracks, "refused": refused}, tab="desk-boards", status=status
    )


@desk_page
@require_POST
def activate(request, campaign):
    """Build new editions of all tasks of a track on the assessments that were chosen."""
    track = _posted_track(request, campaign)
    version, notes = request.POST.get("version", ""), request.POST.get("notes", "").strip()[:2000]
    if not (version.isascii() and version.isdigit() and len(version) < 9):
        return _boards(request, campaign, "Choose a version of the assessments.", status=422)
    if _is_stale(request, track):
        return _told_stale(request, campaign)
    try:
        started = decisions.activate_version(track, int(version), user=request.user, notes=notes)
    except Refused as refusal:
        return _boards(request, campaign, refusal.reason, status=422)
    return _told_of(request, campaign, track, started)


@desk_page
@require_POST
def build_anew(request, campaign, track):
    """Build new editions of one task of a track, or of all, with what is set now."""
    track = get_object_or_404(campaign.tracks, slug=track)
    if _is_stale(request, track):
        return _told_stale(request, campaign)
    tasks = [task for task in track.tasks.all() if request.POST.get("task", "") in ("", task.slug)]
    if not request.POST.get("task"):
        tasks = [task for task in tasks if task.editions.scoring().exists()]
    try:
        started = decisions.rebuild(tasks, user=request.user, notes=request.POST.get("notes", "").strip()[:2000])
    except Refused as refusal:
        return _boards(request, campaign, refusal.reason, status=422)
    return _told_of(request, campaign, track, started)


@desk_page
@require_POST
def roll_back(request, campaign, track):
    """Build the boards of a track as they were with an earlier edition."""
    track = get_object_or_404(campaign.tracks, slug=track)
    number = request.POST.get("edition", "")
    if not (number.isascii() and number.isdigit() and len(number) < 18):
        raise Http404
    edition = get_object_or_404(Edition.objects.select_related("task__track__campaign"), pk=number, task__track=track)
    if _is_stale(request, track):
        return _told_stale(request, campaign)
    notes = f"Back to how it was with edition {edition.number} of {edition.task.name}."
    try:
        started = decisions.roll_back(edition, user=request.user, notes=notes)
    except Refused as refusal:
        return _boards(request, campaign, refusal.reason, status=422)
    return _told_of(request, campaign, track, started)


@desk_page
@require_POST
def decide(request, campaign, track, deed):
    """Pause, resume or give up what is being built, or go live without the runs that failed."""
    track = get_object_or_404(campaign.tracks, slug=track)
    if deed == "go-live":
        try:
            decisions.go_live_despite_failures(track, request.user)
        except Refused as refusal:
            messages.error(request, refusal.reason)
        else:
            messages.success(request, f"The boards of {track.name} have switched.")
    elif deed in DECISIONS:
        change, told = DECISIONS[deed]
        if change(track, request.user):
            messages.success(request, told)
        else:
            messages.info(request, "Nothing was done: that had been done already, or the boards had switched by then.")
    else:
        raise Http404
    return redirect("desk-boards", campaign.slug)


@desk_page
@require_safe
def building(request, campaign, track):
    """Show how far the new editions of a track are; when they are done, the whole page is fetched again."""
    track = get_object_or_404(campaign.tracks, slug=track)
    found = decisions.building_of(track)
    if found is None:
        response = HttpResponse(headers={"HX-Refresh": "true"})
    else:
        response = render(
            request, "desk/_building.html", {"campaign": campaign, "track": track, "building": found, "polled": True}
        )
    add_never_cache_headers(response)
    return response


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def measures(request, campaign, track, task):
    """Change a task's profile and parameters; a task with a board gets a new edition."""
    track = get_object_or_404(campaign.tracks, slug=track)
    task = get_object_or_404(track.tasks.select_related("track__campaign"), slug=task)
    if task.kind not in EVALUATORS:
        raise Http404
    form = MeasuresForm(request.POST or None, task=task)
    live = task.editions.live().first()
    if form.is_bound and form.is_valid():
        answers = form.cleaned_data
        try:
            started = decisions.change_measures(
                task, answers["profile"], form.given(), user=request.user, notes=answers["notes"]
            )
        except Refused as refusal:
            form.add_error(None, refusal.reason)
        else:
            if started:
                return _told_of(request, campaign, track, started)
            told = "are as before, so no edition was built" if live else "are saved"
            messages.success(request, f"The measures of {task.name} {told}.")
            return redirect("desk-boards", campaign.slug)
    context = {"task": task, "track": track, "form": form, "live": live}
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


def _is_stale(request, track):
    """Tell whether an edition was begun after the page was opened that this form was on, by a second click perhaps."""
    seen = request.POST.get("seen", "")
    newest = Edition.objects.filter(task__track=track).order_by("-pk").values_list("pk", flat=True).first() or 0
    return bool(seen) and seen != str(newest)


def _told_stale(request, campaign):
    messages.info(
        request, "Nothing was done: new editions were begun after you opened this page. Here is how things stand now."
    )
    return redirect("desk-boards", campaign.slug)


def _told_of(request, campaign, track, started):
    number = counted(len(started), "new edition")
    if decisions.building_of(track):
        messages.success(request, f"{number} of {track.name} {'is' if len(started) == 1 else 'are'} being built.")
    else:
        messages.success(request, f"{number} of {track.name} {'is' if len(started) == 1 else 'are'} live.")
    return redirect("desk-boards", campaign.slug)
