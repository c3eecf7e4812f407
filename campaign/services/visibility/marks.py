"""Marks of what visitors can see of a track: as long as one stays the same, so does every page made from it."""

from django.utils import timezone

from campaign.models import Task
from campaign.services.permissions.seeing import board_view_of


def mark_of(track_id):
    """Return a value that changes with everything visitors see of a track's results, in one statement.

    The generation changes with what is written; what opens by itself, a deadline, a publication or the end of an
    embargo, is asked of the clock. None where the track is gone.
    """
    now = timezone.now()
    tasks = Task.objects.filter(track=track_id).select_related("track__campaign").order_by("pk")
    return tuple(_mark(task, now) for task in tasks) or None


def _mark(task, now):
    campaign = task.track.campaign
    return (
        task.pk,
        task.generation,
        board_view_of(None, task, now).visibility_class,
        now < task.opens_at,
        task.is_open(now),
        task.is_published(now),
        (campaign.is_public, campaign.gates_topics, campaign.gates_collection),
    )
