"""Pages of campaigns and tracks, with who leads on their boards."""

from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from campaign.services.permissions.seeing import may_see_collection, may_see_topics
from campaign.services.permissions.submitting import open_tasks
from campaign.views.finding import seen_track_or_404
from evaluation.services.leaders import leaders_of


@require_safe
def track(request, campaign, track):
    """Show a track: what it is about, over which documents and topics, and its tasks with who leads."""
    track = seen_track_or_404(request.user, campaign, track)
    tasks = list(track.tasks.all())
    for task in tasks:
        task.track = track
    context = {
        "campaign": track.campaign,
        "track": track,
        "tasks": tasks,
        "leaders": leaders_of(tasks),
        "topics_visible": may_see_topics(request.user, track),
        "collection_visible": track.collection is not None and may_see_collection(request.user, track.collection),
        "open_tasks": open_tasks(request.user, track.campaign),
        "now": timezone.now(),
    }
    return render(request, "evaluation/track_detail.html", context)
