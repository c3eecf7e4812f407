"""Topics of a track: what an uploaded file would change, and changing it."""

import re
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from django.db import transaction
from django.db.models import Q

from campaign.formats.problems import FormatError, Problem
from campaign.formats.topics import read_topics
from campaign.models import Topic, Track
from campaign.services import trail
from campaign.services.notifications import counted
from campaign.services.rechecks import recheck_track
from campaign.services.refusals import Refused
from campaign.services.storage import open_stored, store

FOLDER = "topics"
PARTS = ("title", "castitle", "phrasetitle", "description", "narrative")
LONGEST_NUMBER = Topic._meta.get_field("number").max_length
SHOWN = 10


@dataclass
class TopicPreview:
    """What a file of topics would change in a track."""

    sha256: str = ""
    new: list = field(default_factory=list)
    changed: list = field(default_factory=list)
    unchanged: list = field(default_factory=list)
    missing: int = 0
    problems: list = field(default_factory=list)
    rechecked: int = 0

    @property
    def first(self):
        """Return the first topics that would be new or changed."""
        return [*self.new, *self.changed][:SHOWN]

    @property
    def count(self):
        """Count the topics of the file."""
        return len(self.new) + len(self.changed) + len(self.unchanged)

    @property
    def sentence(self):
        """Say how many topics are new, changed and unchanged."""
        kinds = (f"{len(self.new):,} new", f"{len(self.changed):,} changed", f"{len(self.unchanged):,} unchanged")
        return f"{counted(self.count, 'topic')}: {', '.join(kinds)}"


def preview_upload(track, upload):
    """Keep an uploaded file and tell what it would change; a file that cannot be read is not kept."""
    preview = preview_topics(track, upload)
    if not preview.problems:
        preview.sha256 = store(upload, FOLDER).sha256
    return preview


def preview_topics(track, stream):
    """Tell what a file of topics would change in a track."""
    stream.seek(0)
    try:
        return compared(track, read_records(stream))
    except FormatError as error:
        return TopicPreview(problems=list(error.problems))


def compared(track, records):
    """Sort the topics of a file into new, changed and unchanged."""
    preview = TopicPreview()
    known = {topic.number: topic for topic in track.topics.all()}
    for record in records:
        topic = known.pop(record.identifier, None)
        if topic is None:
            preview.new.append(record)
        elif any(getattr(topic, part) != getattr(record, part) for part in PARTS):
            preview.changed.append(record)
        else:
            preview.unchanged.append(record)
    preview.missing = len(known)
    return preview


def confirm_topics(*, user, track, sha256, file_name=""):
    """Take over the topics of a file that was previewed, named by its SHA-256."""
    if not re.fullmatch(r"[0-9a-f]{64}", sha256):
        raise Refused("This preview is out of date. Upload the file once more.")
    try:
        with open_stored(f"{FOLDER}/{sha256[:2]}/{sha256}") as stream:
            records = read_records(stream)
    except FileNotFoundError:
        raise Refused("This preview is out of date. Upload the file once more.") from None
    return take_topics(track, records, actor=user, sha256=sha256, file_name=file_name)


def take_topics(track, records, *, actor=None, through=None, **source):
    """Add new topics to a track and bring known ones up to date, in one step; new numbers check its runs again."""
    with transaction.atomic():
        Track.objects.select_for_update().get(pk=track.pk)
        preview = compared(track, records)
        last = track.topics.order_by("-position").values_list("position", flat=True).first() or 0
        Topic.objects.bulk_create(
            Topic(track=track, number=record.identifier, position=position, **_texts(record))
            for position, record in enumerate(preview.new, start=last + 1)
        )
        for record in preview.changed:
            Topic.objects.filter(track=track, number=record.identifier).update(**_texts(record))
        if preview.new:
            preview.rechecked = recheck_track(track)
        if preview.new or preview.changed:
            trail.record(
                track.campaign,
                trail.IMPORTED,
                f"topics of {track.name}",
                actor=actor,
                through=through,
                new=len(preview.new),
                changed=len(preview.changed),
                unchanged=len(preview.unchanged),
                **source,
            )
    return preview


def read_records(stream):
    """Return the topics of a file whose numbers can be kept; raise FormatError with every problem."""
    records = read_topics(stream)
    long = [record for record in records if len(record.identifier) > LONGEST_NUMBER]
    if long:
        message = f"the topic's number is longer than {LONGEST_NUMBER} characters, the most that is kept."
        raise FormatError([Problem(message, "name-size", record.line) for record in long])
    return records


def _texts(record):
    return {part: getattr(record, part) for part in PARTS}


def remove_topics(*, user, track, numbers):
    """Remove topics that nothing refers to; runs that answer them are refused when they are checked again.

    Returns the numbers, and how many runs are checked again.
    """
    wanted = list(dict.fromkeys(re.split(r"[\s,;]+", numbers.strip()))) if numbers.strip() else []
    if not wanted:
        raise Refused("Write the numbers of the topics that are to go.")
    with transaction.atomic():
        Track.objects.select_for_update().get(pk=track.pk)
        known = set(track.topics.filter(number__in=wanted).values_list("number", flat=True))
        if strangers := [number for number in wanted if number not in known]:
            raise Refused(f"{track.name} has no topic {', '.join(strangers[:SHOWN])}. Nothing was removed.")
        found = track.topics.filter(number__in=wanted)
        referred = ("judgements", "graded_judgements", "pooled_documents")
        used = found.filter(reduce(or_, (Q(**{f"{name}__isnull": False}) for name in referred))).distinct()
        if kept := list(used.values_list("number", flat=True)):
            raise Refused(
                f"Topic {', '.join(kept[:SHOWN])} is in assessments or in a pool, and those stay. Nothing was removed."
            )
        found.delete()
        rechecked = recheck_track(track)
        details = {"topics": wanted} | ({"rechecked": rechecked} if rechecked else {})
        trail.record(track.campaign, trail.DELETED, f"topics of {track.name}", actor=user, **details)
    return wanted, rechecked
