"""Pages of campaigns and tracks, with who leads on their boards."""

from dataclasses import dataclass

from django.db.models import Count
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from campaign.citations import citation
from campaign.models import Campaign, Document, Topic, Track
from campaign.services.permissions.roles import organises
from campaign.services.permissions.seeing import may_see_collection, may_see_topics
from campaign.services.permissions.submitting import open_tasks
from campaign.timelines import timeline_of
from campaign.views.finding import campaign_or_404, seen_track_or_404
from evaluation.services.archive import archive_of
from evaluation.services.leaders import leaders_of
from evaluation.services.participants import participants_of
from evaluation.services.sharing import absolute


@dataclass(frozen=True, slots=True)
class ShownTrack:
    """A track with how many topics and documents it has, and whether these may be read."""

    track: Track
    topic_count: int
    topics_are_open: bool
    document_count: int
    documents_are_open: bool


@require_safe
def archive(request):
    """List the campaigns by year, and those of one series where that is asked for."""
    campaigns = Campaign.objects.listed_for(request.user).with_tracks()
    asked = request.GET.get("series", "").strip()
    return render(request, "evaluation/campaign_list.html", {"archive": archive_of(campaigns, asked)})


@require_safe
def campaign(request, campaign):
    """Show a campaign with its tracks, tasks and deadlines, who leads, who takes part, and how to cite it."""
    campaign, now = campaign_or_404(request.user, campaign), timezone.now()
    tracks = list(campaign.tracks.all())
    tasks = [task for track in tracks for task in track.tasks.all()]
    for track in tracks:
        track.campaign = campaign
        for task in track.tasks.all():
            task.track = track
    context = {
        "campaign": campaign,
        "tracks": _shown(request.user, tracks),
        "leaders": leaders_of(tasks, now),
        "timeline": timeline_of(tasks, now),
        "participants": participants_of(tasks, now),
        "cited": citation(
            campaign.slug, campaign.name, campaign.year, absolute(campaign.get_absolute_url()), now.date()
        ),
        "now": now,
        "organises": organises(request.user, campaign),
        "open_tasks": open_tasks(request.user, campaign),
    }
    return render(request, "evaluation/campaign_detail.html", context)


@require_safe
def track(request, campaign, track):
    """Show a track: what it is about, over which documents and topics, and its tasks with who leads."""
    track = seen_track_or_404(request.user, campaign, track)
    tasks = list(track.tasks.all())
    for task in tasks:
        task.track = track
    context = {
        "campaign": track.campaign,
        "shown": _shown(request.user, [track])[0],
        "tasks": tasks,
        "leaders": leaders_of(tasks),
        "open_tasks": open_tasks(request.user, track.campaign),
        "now": timezone.now(),
    }
    return render(request, "evaluation/track_detail.html", context)


def _shown(user, tracks):
    """Return tracks with what somebody may know of their topics and documents, in as many queries for any number."""
    collections = {track.collection for track in tracks if track.collection}
    readable = {collection for collection in collections if may_see_collection(user, collection)}
    topics = dict(Topic.objects.filter(track__in=tracks).order_by().values_list("track").annotate(Count("pk")))
    documents = dict(
        Document.objects.filter(collection__in=collections).order_by().values_list("collection").annotate(Count("pk"))
    )
    return [
        ShownTrack(
            track,
            topics.get(track.pk, 0),
            may_see_topics(user, track),
            documents.get(track.collection_id, 0),
            track.collection in readable,
        )
        for track in tracks
    ]
