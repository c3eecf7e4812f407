"""Setting up tracks and their tasks."""

from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect
from django.utils.html import format_html
from django.views.decorators.http import require_POST

from campaign.models import Task, Track
from campaign.services import task_settings, tracks
from campaign.services.notifications import counted
from campaign.services.refusals import Refused
from campaign.setup_forms import TrackForm
from campaign.task_defaults import BY_KEY, DEFAULTS
from campaign.task_forms import TaskForm
from campaign.views.desk_pages import desk_page, render_desk
from evaluation.evaluators import EVALUATORS

CHANGED_MEANWHILE = (
    "Somebody changed this task after you opened the page. Nothing of yours is saved, and nothing is lost: it stands "
    "below. Look at the task in another tab; saved now, yours replaces theirs."
)


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
    if request.method == "POST" and form.is_valid():
        try:
            made = tracks.create_track(user=request.user, campaign=campaign, **form.cleaned_data)
        except Refused as refusal:
            form.add_error(refusal.field, refusal.reason)
        else:
            messages.success(request, format_html("The track <bdi>{}</bdi> is made.", made.name))
            return redirect("desk-setup", campaign.slug)
    return _track_page(request, campaign, form, None)


@desk_page
def edit_track(request, campaign, track):
    """Change a track."""
    found = track_of(campaign, track)
    offered = tracks.usable_collections(request.user)
    offered += [found.collection] if found.collection else []
    people = found.assessors.order_by("username").values_list("username", flat=True)
    initial = {"name": found.name, "description": found.description, "collection": found.collection}
    form = TrackForm(
        request.POST if request.method == "POST" else None,
        collections=offered,
        initial=initial | {"assessors": ", ".join(people)},
    )
    if request.method == "POST" and form.is_valid():
        try:
            _, rechecked = tracks.change_track(user=request.user, track=found, **form.cleaned_data)
        except Refused as refusal:
            form.add_error(refusal.field, refusal.reason)
        else:
            messages.success(request, f"The track is saved.{rechecked_sentence(rechecked)}")
            return redirect("track-edit", campaign.slug, found.slug)
    return _track_page(request, campaign, form, found)


def _track_page(request, campaign, form, track):
    return render_desk(
        request,
        "desk/track.html",
        campaign,
        {"form": form, "track": track},
        tab="desk-setup",
        status=422 if form.errors else 200,
    )


@desk_page
@require_POST
def move_track(request, campaign, track):
    """Move a track up or down."""
    tracks.move_track(user=request.user, track=track_of(campaign, track), down=request.POST.get("way") == "down")
    return redirect("desk-setup", campaign.slug)


@desk_page
@require_POST
def delete_track(request, campaign, track):
    """Delete a track without runs."""
    found = track_of(campaign, track)
    try:
        tracks.delete_track(user=request.user, track=found)
    except Refused as refusal:
        messages.error(request, refusal.reason)
        return redirect("track-edit", campaign.slug, found.slug)
    messages.success(request, format_html("The track <bdi>{}</bdi> is deleted.", found.name))
    return redirect("desk-setup", campaign.slug)


@desk_page
def new_task(request, campaign, track):
    """Offer the tasks of INEX, then make one of them."""
    found = track_of(campaign, track)
    defaults = BY_KEY.get(request.GET.get("like", ""))
    if request.method != "POST" and defaults is None:
        return render_desk(
            request,
            "desk/task_kinds.html",
            campaign,
            {"track": found, "defaults": DEFAULTS, "scored_kinds": EVALUATORS},
            tab="desk-setup",
        )
    form = TaskForm(request.POST if request.method == "POST" else None, initial=defaults.settings if defaults else None)
    if request.method == "POST" and form.is_valid():
        try:
            made = task_settings.create_task(user=request.user, track=found, **form.answers())
        except Refused as refusal:
            form.add_error(refusal.field, refusal.reason)
        else:
            messages.success(request, format_html("The task <bdi>{}</bdi> is made.", made.name))
            return redirect("desk-setup", campaign.slug)
    return _task_page(request, campaign, form, found, None, defaults)


@desk_page
def edit_task(request, campaign, track, task):
    """Change a task."""
    found = task_of(campaign, track, task)
    form = TaskForm(request.POST if request.method == "POST" else None, instance=task_of(campaign, track, task))
    if request.method == "POST" and request.POST.get("seen", form.shown) != form.shown:
        form.add_error(None, CHANGED_MEANWHILE)
    if request.method == "POST" and form.is_valid():
        to_recheck = task_settings.runs_to_recheck(found, form.answers())
        if to_recheck and request.POST.get("sure") != "yes":
            form.asks_about = to_recheck
            return _task_page(request, campaign, form, found.track, found, None)
        try:
            _, rechecked = task_settings.change_task(user=request.user, task=found, **form.answers())
        except Refused as refusal:
            form.add_error(refusal.field, refusal.reason)
        else:
            messages.success(request, f"The task is saved.{rechecked_sentence(rechecked)}")
            return redirect("task-edit", campaign.slug, track, found.slug)
    return _task_page(request, campaign, form, found.track, found, None)


def _task_page(request, campaign, form, track, task, defaults):
    return render_desk(
        request,
        "desk/task.html",
        campaign,
        {"form": form, "track": track, "task": task, "defaults": defaults},
        tab="desk-setup",
        status=422 if form.errors or form.asks_about else 200,
    )


@desk_page
@require_POST
def move_task(request, campaign, track, task):
    """Move a task up or down."""
    task_settings.move_task(
        user=request.user, task=task_of(campaign, track, task), down=request.POST.get("way") == "down"
    )
    return redirect("desk-setup", campaign.slug)


@desk_page
@require_POST
def delete_task(request, campaign, track, task):
    """Delete a task without runs."""
    found = task_of(campaign, track, task)
    try:
        task_settings.delete_task(user=request.user, task=found)
    except Refused as refusal:
        messages.error(request, refusal.reason)
        return redirect("task-edit", campaign.slug, track, found.slug)
    messages.success(request, format_html("The task <bdi>{}</bdi> is deleted.", found.name))
    return redirect("desk-setup", campaign.slug)
