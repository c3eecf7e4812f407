"""What other sites and their machines are told of the results: only what any visitor may know."""

from django.conf import settings
from django.db.models import Count, Max
from django.urls import reverse
from django.utils import timezone

from campaign.models import Track
from campaign.services.permissions.visitors import (
    open_collections,
    open_topics,
    public_campaigns,
    public_tasks,
    shows_scores,
)
from evaluation.cards import Card
from evaluation.models import Edition
from evaluation.services.podiums import podiums_of
from limelight.moments import ANYWHERE_ON_EARTH, day_and_time
from limelight.wording import counted

LONGEST_SITEMAP = 50_000
"""Addresses in one sitemap, by the protocol."""


def absolute(path):
    """Return an address of this site in full, as other machines need it."""
    return f"{settings.SITE_URL}{path}"


def card_of(task):
    """Return what the card of a task's board says."""
    edition = Edition.objects.live_for(task)
    places = podiums_of([edition]).get(edition.pk, []) if edition else []
    return Card(
        above=f"{task.track.campaign.name} › {task.track.name}",
        heading=task.name,
        places=tuple((f"{place.rank}", place.run, place.team, f"{place.score:.4f}") for place in places),
        sentence="" if places else _how_it_stands(task),
        below=_size_of(edition) if places else task.get_kind_display(),
    )


def _how_it_stands(task):
    """Say when runs are taken, or that results are still to come."""
    now = timezone.now()
    if now < task.opens_at:
        return f"Opens {day_and_time(task.opens_at, ANYWHERE_ON_EARTH)}"
    if task.is_open(now):
        return f"Open until {day_and_time(task.closes_at, ANYWHERE_ON_EARTH)}"
    return "Closed; no results to show yet."


def _size_of(edition):
    """Say how large a board is and what ranks it."""
    on_board = edition.evaluations.on_board().aggregate(runs=Count("pk"), teams=Count("run__team", distinct=True))
    counts = [
        counted(on_board["runs"], "run"),
        counted(on_board["teams"], "team"),
        counted(len(edition.topic_numbers), "topic"),
    ]
    return " · ".join([*counts, f"ranked by {edition.official_measure}", f"edition {edition.number}"])


def sitemap_entries():
    """Yield the addresses that everybody may open, each with the moment of its last change where that is known."""
    yield reverse("home"), None
    for campaign in public_campaigns():
        yield campaign.get_absolute_url(), None
    live = Edition.objects.live().filter(task__track__campaign__is_public=True)
    changed = dict(live.values_list("task_id").annotate(Max("live_at")))
    for task in public_tasks():
        yield task.get_absolute_url(), changed.get(task.pk) if shows_scores(task) else None
    for track in Track.objects.filter(campaign__in=public_campaigns()).select_related("campaign"):
        yield track.get_absolute_url(), None
    tracks = Track.objects.filter(topics__in=open_topics()).distinct().select_related("campaign")
    for track in tracks:
        yield reverse("topics", args=[track.campaign.slug, track.slug]), None
    for collection in open_collections():
        yield collection.get_absolute_url(), None
    for topic in open_topics().select_related("track__campaign")[:LONGEST_SITEMAP].iterator():
        yield topic.get_absolute_url(), None
