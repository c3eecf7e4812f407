"""Setting up tracks and their tasks."""

from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect
from django.utils.html import format_html
from django.views.decorators.http import require_POST

from campaign.forms.attempting import attempted
from campaign.forms.setup import TrackForm
from campaign.forms.tasks import TaskForm
from campaign.models import Task, Track
from campaign.services.acting import By
from campaign.services.people.conflicts import seen_people
from campaign.services.setup import task_settings, tracks
from campaign.services.telling.audit import fingerprint, stale_sentence
from campaign.task_defaults import BY_KEY, DEFAULTS
from campaign.views.buttons import pressed
from campaign.views.desk.frame import desk_page, render_desk
from campaign.views.questions import answered
from limelight.kinds import SCORED
from limelight.wording import counted


def rechecked_sentence(count):
    """Say that runs are checked anew, where they are."""
    if not count:
        return ""
    return f" {counted(count, 'run')} {'is' if count == 1 else 'are'} checked again in the background."


def track_of(campaign, slug):
    """Return a track of a campaign by its address."""
    return get_object_or_404(Track.objects.select_related("campaign", "collection"), campaign=campaign, slug=slug)


def task_of(campaign, track, slug):
    """Return a task of a campaign by its address."""
    tasks = Task.objects.select_related("track__campaign")
    return get_object_or_404(tasks, track__campaign=campaign, track__slug=track, slug=slug)


@desk_page
def new_track(request, campaign):
    """Make a track."""
    form = TrackForm(
        request.POST if request.method == "POST" else None, collections=tracks.usable_collections(request.user)
    )
    if form.is_valid() and (question := _question(request, campaign, form, None)):
        return question
    if made := attempted(form, tracks.create_track, campaign, by=By(request.user)):
        messages.success(request, format_html("The track <bdi>{}</bdi> is made.", made.name))
        return redirect("desk-setup", campaign.slug)
    return _track_page(request, campaign, form, None)


@desk_page
def edit_track(request, campaign, track):
    """Change a track."""
    track = track_of(campaign, track)
    offered = tracks.usable_collections(request.user)
    offered += [track.collection] if track.collection else []
    people = track.assessors.order_by("username").values_list("username", flat=True)
    initial = {"name": track.name, "description": track.description, "collection": track.collection}
    form = TrackForm(
        request.POST if request.method == "POST" else None,
        collections=offered,
        initial=initial | {"assessors": ", ".join(people)},
    )
    seen = request.POST.get("seen", "")
    if request.method == "POST" and (told := stale_sentence("this track", tracks.shown_track(track), seen)):
        form.add_error(None, told)
    if form.is_valid() and (question := _question(request, campaign, form, track)):
        return question
    if changed := attempted(form, tracks.change_track, track, by=By(request.user), seen=seen):
        messages.success(request, f"The track is saved.{rechecked_sentence(changed[1])}")
        return redirect("track-edit", campaign.slug, track.slug)
    return _track_page(request, campaign, form, track)


def _question(request, campaign, form, track):
    """Ask what many would notice; None where nobody would, or it was said yes to.

    That is assessors who are in a team that takes part, and runs that other documents send through the check again.
    """
    found = tracks.new_assessors_who_take_part(campaign, form.cleaned_data["assessors"], track)
    runs = tracks.runs_to_recheck(track, form.cleaned_data) if track else 0
    about = fingerprint({"assessors": seen_people([person for person, _ in found]), "runs": runs})
    if not (found or runs) or answered(request) == about:
        return None
    told = []
    if found:
        named = "; ".join(f"{person.display_name} ({person.username}) is in {team.name}" for person, team in found)
        told.append(f"{named}. Assessors may know the answer key.")
    if runs:
        told.append(
            f"With other documents {counted(runs, 'valid run')} would be checked again, and those that no longer fit "
            "would leave the board; their teams are told."
        )
    return _track_page(request, campaign, form, track, " ".join(told), about)


def _track_page(request, campaign, form, track, question="", about=""):
    return render_desk(
        request,
        "desk/track.html",
        campaign,
        {"form": form, "track": track, "question": question, "about": about, **_seen(track)},
        tab="desk-setup",
        status=422 if form.errors or question else 200,
    )


def _seen(track):
    """Return what the page keeps of a track, for saving and for deleting it."""
    if track is None:
        return {}
    return {
        "seen": fingerprint(tracks.shown_track(track)),
        "seen_contents": fingerprint(tracks.contents_of(track)),
    }


@desk_page
@require_POST
def move_track(request, campaign, track):
    """Move a track up or down."""
    _move(request, tracks.move_track, track=track_of(campaign, track))
    return redirect("desk-setup", campaign.slug)


def _move(request, move, **what):
    """Move something one place, if it stands where the page showed it."""
    down, seen = request.POST.get("way") == "down", request.POST.get("seen", "")
    pressed(request, move, by=By(request.user), down=down, seen=seen, **what)


@desk_page
@require_POST
def delete_track(request, campaign, track):
    """Delete a track without runs."""
    track = track_of(campaign, track)
    told, seen = format_html("The track <bdi>{}</bdi> is deleted.", track.name), request.POST.get("seen", "")
    if pressed(request, tracks.delete_track, track, by=By(request.user), seen=seen, told=told):
        return redirect("desk-setup", campaign.slug)
    return redirect("track-edit", campaign.slug, track.slug)


@desk_page
def new_task(request, campaign, track):
    """Offer the tasks of INEX, then make one of them."""
    track = track_of(campaign, track)
    defaults = BY_KEY.get(request.GET.get("like", ""))
    if request.method != "POST" and defaults is None:
        return render_desk(
            request,
            "desk/task_kinds.html",
            campaign,
            {"track": track, "defaults": DEFAULTS, "scored_kinds": SCORED},
            tab="desk-setup",
        )
    form = TaskForm(request.POST if request.method == "POST" else None, initial=defaults.settings if defaults else None)
    if request.method == "POST":
        form.add_faults(track)
    if made := attempted(form, task_settings.create_task, track, by=By(request.user)):
        messages.success(request, format_html("The task <bdi>{}</bdi> is made.", made.name))
        return redirect("desk-setup", campaign.slug)
    return _task_page(request, campaign, form, track, None, defaults)


@desk_page
def edit_task(request, campaign, track, task):
    """Change a task."""
    found = task_of(campaign, track, task)
    form = TaskForm(request.POST if request.method == "POST" else None, instance=task_of(campaign, track, task))
    seen = request.POST.get("seen", "")
    if request.method == "POST":
        form.add_faults(found.track, seen)
    if form.is_valid():
        form.questions = task_settings.questions_about(found, form.answers())
        if form.questions and answered(request) != form.about:
            return _task_page(request, campaign, form, found.track, found, None)
    if changed := attempted(form, task_settings.change_task, found, by=By(request.user), seen=seen):
        messages.success(request, f"The task is saved.{rechecked_sentence(changed[1])}")
        return redirect("task-edit", campaign.slug, track, found.slug)
    return _task_page(request, campaign, form, found.track, found, None)


def _task_page(request, campaign, form, track, task, defaults):
    return render_desk(
        request,
        "desk/task.html",
        campaign,
        {"form": form, "track": track, "task": task, "defaults": defaults},
        tab="desk-setup",
        status=422 if form.errors or form.questions else 200,
    )


@desk_page
@require_POST
def move_task(request, campaign, track, task):
    """Move a task up or down."""
    _move(request, task_settings.move_task, task=task_of(campaign, track, task))
    return redirect("desk-setup", campaign.slug)


@desk_page
@require_POST
def delete_task(request, campaign, track, task):
    """Delete a task without runs."""
    task = task_of(campaign, track, task)
    told, seen = format_html("The task <bdi>{}</bdi> is deleted.", task.name), request.POST.get("seen", "")
    if pressed(request, task_settings.delete_task, task, by=By(request.user), seen=seen, told=told):
        return redirect("desk-setup", campaign.slug)
    return redirect("task-edit", campaign.slug, track, task.slug)
