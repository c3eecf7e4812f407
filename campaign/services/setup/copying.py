"""Copying a campaign for another year: everything that was set up, nothing that was sent in."""

from calendar import isleap
from datetime import timedelta

from django.db import IntegrityError, transaction

from campaign.models import Campaign, Task, Topic, Track
from campaign.services.setup.campaigns import at_this_moment, name_taken, new_slug, of_name
from campaign.services.telling import trail
from limelight.formats.topics.inex import TOPIC_FIELDS

CAMPAIGN_FIELDS = (
    "series",
    "summary",
    "description",
    "contact",
    "agreement",
    "needs_approval",
    "gates_topics",
    "gates_collection",
)
TRACK_FIELDS = ("slug", "name", "description", "position")
NOT_COPIED = ("id", "track", "opens_at", "closes_at", "published_at", "assessments_while_open", "generation")
TASK_FIELDS = tuple(field.name for field in Task._meta.concrete_fields if field.name not in NOT_COPIED)
COPIED_OF_TOPIC = ("number", "position", *TOPIC_FIELDS)


def first_opening(campaign):
    """Return when the first task of a campaign opens; None without tasks."""
    tasks = Task.objects.filter(track__campaign=campaign)
    return tasks.order_by("opens_at").values_list("opens_at", flat=True).first()


def copy_campaign(campaign, *, by, name, year, opens_at=None, with_collections=True, with_topics=False):
    """Copy a campaign's settings, tracks, tasks and organisers into a new one that nobody sees yet.

    Dates move by whole years, or, where the new first opening is given, all by as much as that one.
    """
    first = first_opening(campaign)
    shift = opens_at - first if opens_at and first else None
    try:
        with transaction.atomic():
            return _copied(by, campaign, name, year, shift, with_collections, with_topics)
    except IntegrityError:
        raise at_this_moment() from None


def _copied(by, campaign, name, year, shift, with_collections, with_topics):
    if same := of_name(name, year).first():
        raise name_taken(same)
    settings = {field: getattr(campaign, field) for field in CAMPAIGN_FIELDS}
    made = Campaign.objects.create(slug=new_slug(name), name=name, year=year, **settings)
    made.organisers.set({*campaign.organisers.all(), by.user})
    for track in campaign.tracks.prefetch_related("tasks", "topics"):
        _copy_track(track, made, year - campaign.year, shift, with_collections, with_topics)
    trail.record(made, trail.COPIED, f"campaign {made.name} from {campaign.name}", by=by, source=campaign.slug)
    trail.record(campaign, trail.COPIED, f"campaign {campaign.name} into {made.name}", by=by, copy=made.slug)
    return made


def _copy_track(track, made, years, shift, with_collections, with_topics):
    settings = {field: getattr(track, field) for field in TRACK_FIELDS}
    copied = Track.objects.create(campaign=made, collection=track.collection if with_collections else None, **settings)
    for task in track.tasks.all():
        opens_at, closes_at = (moved(moment, years, shift) for moment in (task.opens_at, task.closes_at))
        if closes_at <= opens_at:  # a task of a few hours around a leap day
            closes_at = opens_at + (task.closes_at - task.opens_at)
        Task.objects.create(
            track=copied,
            opens_at=opens_at,
            closes_at=closes_at,
            **{field: getattr(task, field) for field in TASK_FIELDS},
        )
    if with_topics:
        Topic.objects.bulk_create(
            Topic(track=copied, **{field: getattr(topic, field) for field in COPIED_OF_TOPIC})
            for topic in track.topics.all()
        )


def moved(moment, years, shift=None):
    """Return a moment moved by whole years (29 February becomes 28 February), or by a given time.

    >>> from datetime import UTC, datetime
    >>> moved(datetime(2024, 2, 29, 12, tzinfo=UTC), 1).isoformat()
    '2025-02-28T12:00:00+00:00'
    """
    if shift is not None:
        return moment + shift
    year = moment.year + years
    if (moment.month, moment.day) == (2, 29) and not isleap(year):
        moment -= timedelta(days=1)
    return moment.replace(year=year)
