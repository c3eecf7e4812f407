"""Which addresses machines are told of: those that any visitor may open, in parts that are not too long."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db.models import Max, QuerySet
from django.urls import reverse

from campaign.models import Run, Team, Track
from campaign.services.permissions.visitors import (
    open_collections,
    open_topics,
    public_campaigns,
    public_tasks,
    shows_scores,
)
from evaluation.models import Edition
from evaluation.services.participants import named_on_boards

PART = 5_000
"""Addresses in one file; where there are more, the sitemap names its parts."""
MOST_PARTS = 50


@dataclass(frozen=True, slots=True)
class Section:
    """Pages of one kind: rows that can be counted and cut, and what is told of one, address and last change."""

    rows: Sequence | QuerySet
    told: Callable
    count: int

    @classmethod
    def of(cls, rows, told):
        """Count the rows, once."""
        return cls(rows, told, rows.count() if isinstance(rows, QuerySet) else len(rows))


def parts_of(sections):
    """Return how many files the addresses need."""
    total = sum(section.count for section in sections)
    return min(MOST_PARTS, max(1, -(-total // PART)))


def entries_of(sections, part=1):
    """Yield the addresses of a part, each with the moment of its last change where that is known."""
    first, last = (part - 1) * PART, part * PART
    for section in sections:
        if first < section.count and last > 0:
            yield from map(section.told, section.rows[max(0, first) : last])
        first, last = first - section.count, last - section.count


def sitemap_sections():
    """Return what everybody may open: places, topics, documents' collections, and where names are open runs and teams.

    Runs stand in the order of their codes, which tells nothing of when they came.
    """
    tasks = list(public_tasks())
    live = Edition.objects.live().filter(task__track__campaign__is_public=True)
    changed = dict(live.values_list("task_id").annotate(Max("live_at")))
    named = named_on_boards(tasks)
    addresses = {task.pk: task.address for task in tasks}
    topics = open_topics().select_related("track__campaign")
    with_topics = Track.objects.filter(topics__in=open_topics()).distinct().select_related("campaign")
    return [
        Section.of([reverse("home"), reverse("campaigns")], lambda path: (path, None)),
        Section.of(list(public_campaigns()), _page),
        Section.of(tasks, lambda task: (task.get_absolute_url(), changed.get(task.pk) if shows_scores(task) else None)),
        Section.of(list(Track.objects.filter(campaign__in=public_campaigns()).select_related("campaign")), _page),
        Section.of(list(with_topics), lambda track: (reverse("topics", args=[track.campaign.slug, track.slug]), None)),
        Section.of(list(open_collections()), _page),
        Section.of(Team.objects.filter(pk__in=named.values("run__team")).order_by("slug"), _page),
        Section.of(topics, _page),
        Section.of(
            Run.objects.filter(pk__in=named.values("run")).only("code", "task_id").order_by("task", "code"),
            lambda run: (reverse("public-run", args=[*addresses[run.task_id], run.code]), None),
        ),
    ]


def _page(row):
    return row.get_absolute_url(), None
