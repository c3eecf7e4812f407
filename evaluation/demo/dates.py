"""When the demo's runs came in: one after the other before their task closed, not all at the moment of loading."""

from datetime import timedelta

from django.utils import timezone

from campaign.models import Run

APART = timedelta(minutes=37)


def date_runs(track):
    """Let a track's runs have come in before its tasks closed and before anybody could see a score."""
    for task in track.tasks.all():
        last = min(task.closes_at, timezone.now()) - timedelta(hours=1)
        runs = list(task.runs.order_by("pk"))
        for place, run in enumerate(reversed(runs)):
            run.created_at = last - place * APART
        Run.objects.bulk_update(runs, ["created_at"])
