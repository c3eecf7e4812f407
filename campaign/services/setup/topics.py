"""Topics of a track: what an uploaded file would change, and changing it."""

import os
import re
from dataclasses import dataclass, field

from django.db import transaction

from campaign.addresses import names_a_topic
from campaign.later import topics_in_use
from campaign.machinery.places import dry_run_places
from campaign.machinery.storage import Damaged, open_stored, store
from campaign.models import Topic, Track
from campaign.services.acting import MACHINERY
from campaign.services.generations import raise_generation
from campaign.services.refusals import Refused, Stale
from campaign.services.runs.rechecks import recheck_track
from campaign.services.telling import trail
from campaign.services.telling.audit import changed_since, fingerprint
from limelight.formats.problems import FormatError, Problem
from limelight.formats.topics.inex import TOPIC_FIELDS, read_topics
from limelight.wording import counted

FOLDER = "topics"
LONGEST_NUMBER = Topic._meta.get_field("number").max_length
SHOWN = 10
COLLIDES = (
    "the topic's number would lead to another page: it may not hold “/documents/”, or have “.” or “..” between slashes."
)


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
    seen: str = ""
    """What the page keeps of the track's topics, to see later whether they are still the same."""

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
    size = upload.seek(0, os.SEEK_END)
    with dry_run_places(size).one():
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


def shown_topics(track):
    """Return a track's topics as a preview is made from them."""
    return {"topics": list(track.topics.order_by("number").values_list("number", *TOPIC_FIELDS))}


def compared(track, records):
    """Sort the topics of a file into new, changed and unchanged."""
    preview = TopicPreview(seen=fingerprint(shown_topics(track)))
    known = {topic.number: topic for topic in track.topics.all()}
    for record in records:
        topic = known.pop(record.identifier, None)
        if topic is None:
            preview.new.append(record)
        elif any(getattr(topic, part) != getattr(record, part) for part in TOPIC_FIELDS):
            preview.changed.append(record)
        else:
            preview.unchanged.append(record)
    preview.missing = len(known)
    return preview


def preview_stored(track, sha256):
    """Tell anew what a file that was previewed would change, named by its SHA-256."""
    preview = compared(track, _stored_records(sha256))
    preview.sha256 = sha256
    return preview


def confirm_topics(track, *, by, sha256, file_name="", seen=""):
    """Take over the topics of a file that was previewed; returns None where they changed since it was looked at."""
    records = _stored_records(sha256)
    with transaction.atomic():
        Track.objects.select_for_update().get(pk=track.pk)
        if changed_since(shown_topics(track), seen):
            return None
        return take_topics(track, by=by, records=records, sha256=sha256, file_name=file_name)


def _stored_records(sha256):
    if not re.fullmatch(r"[0-9a-f]{64}", sha256):
        raise Refused("This preview is out of date. Upload the file once more.")
    try:
        with open_stored(f"{FOLDER}/{sha256[:2]}/{sha256}") as stream:
            return read_records(stream)
    except Damaged:
        raise Refused("This preview is out of date. Upload the file once more.") from None


def take_topics(track, *, by=MACHINERY, records, **source):
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
            raise_generation(*track.tasks.all())
            trail.record(
                track.campaign,
                trail.IMPORTED,
                f"topics of {track.name}",
                by=by,
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
    if astray := [record for record in records if not names_a_topic(record.identifier)]:
        raise FormatError([Problem(COLLIDES, "name", record.line) for record in astray])
    return records


def _texts(record):
    return {part: getattr(record, part) for part in TOPIC_FIELDS}


@dataclass(frozen=True, slots=True)
class Removal:
    """What removing topics would do: to which of them, and how many runs of each task are checked again."""

    numbers: list
    runs_by_task: list
    seen: str
    """What the question keeps, to see at the answer whether it is still the same."""

    @property
    def run_count(self):
        """Count the runs that are checked again."""
        return sum(count for _, count in self.runs_by_task)


def removal_of(track, numbers):
    """Tell what removing topics would do; refuses what something refers to."""
    wanted = list(dict.fromkeys(re.split(r"[\s,;]+", numbers.strip()))) if numbers.strip() else []
    if not wanted:
        raise Refused("Write the numbers of the topics that are to go.")
    known = set(track.topics.filter(number__in=wanted).values_list("number", flat=True))
    if strangers := [number for number in wanted if number not in known]:
        raise Refused(f"{track.name} has no topic {', '.join(strangers[:SHOWN])}. Nothing was removed.")
    if kept := topics_in_use(track.topics.filter(number__in=wanted)):
        raise Refused(
            f"Topic {', '.join(kept[:SHOWN])} is in assessments or in a pool, and those stay. Nothing was removed."
        )
    by_task = [(task, task.runs.valid().count()) for task in track.tasks.all()]
    shown = list(track.topics.filter(number__in=wanted).order_by("pk").values_list("number", *TOPIC_FIELDS))
    return Removal(wanted, by_task, fingerprint({"topics": shown, "runs": [count for _, count in by_task]}))


def remove_topics(track, *, by, numbers, seen=""):
    """Remove topics that nothing refers to; runs that answer them are refused when they are checked again.

    Returns the numbers, and how many runs are checked again. `seen` is what was kept when it was asked.
    """
    with transaction.atomic():
        Track.objects.select_for_update().get(pk=track.pk)
        removal = removal_of(track, numbers)
        if seen and seen != removal.seen:
            raise Stale("The topics or runs changed after you were asked. Nothing was removed.")
        track.topics.filter(number__in=removal.numbers).delete()
        rechecked = recheck_track(track)
        details = {"topics": removal.numbers} | ({"rechecked": rechecked} if rechecked else {})
        trail.record(track.campaign, trail.DELETED, f"topics of {track.name}", by=by, **details)
    return removal.numbers, rechecked
