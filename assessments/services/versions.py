"""Versions of a track's assessments: their notes, and what changed from one to another."""

from dataclasses import dataclass

from django.db import transaction

from assessments.models import AssessmentSet
from assessments.services.loading import load_judgements
from campaign.services.refusals import Refused
from campaign.services.telling.audit import refuse_stale, values_of
from campaign.services.telling.trail import CHANGED, record
from limelight.analysis.differences import NotComparable, topic_differences


def version_of(track, number):
    """Return the assessments of a track that have a number; refuses where there are none."""
    found = track.assessment_sets.filter(version=number).first()
    if found is None:
        raise Refused(f"{track.name} has no assessments v{number}.", "version")
    return found


def shown_notes(assessment_set):
    """Return what the form for a version's notes shows."""
    return values_of(assessment_set, ("notes",))


def change_notes(assessment_set, *, by, notes, seen=""):
    """Write what a version is about anew; the judgements stay as they are. Returns the version."""
    with transaction.atomic():
        row = AssessmentSet.objects.select_for_update().get(pk=assessment_set.pk)
        if row.notes == notes:
            return row
        refuse_stale(f"the notes of v{row.version}", shown_notes(row), seen)
        track = row.track
        subject = f"notes of assessments v{row.version} of {track.name}"
        record(track.campaign, CHANGED, subject, by=by, before=row.notes, after=notes)
        row.notes = notes
        row.save(update_fields=["notes"])
    return row


@dataclass(frozen=True, slots=True)
class VersionDifference:
    """What changed from one version to another, topic by topic."""

    old: AssessmentSet
    new: AssessmentSet
    topics: list

    @property
    def changed_topics(self):
        """Return the topics in which something changed."""
        return [topic for topic in self.topics if topic.documents]

    @property
    def totals(self):
        """Add up what changed."""
        names = ("added", "dropped", "changed", "unchanged", "gained", "lost")
        return {name: sum(getattr(topic, name) for topic in self.topics) for name in names}


def differences_between(old, new):
    """Compare two versions; raises NotComparable where they count differently."""
    if AssessmentSet.Content.ELEMENTS in (old.content, new.content):
        raise NotComparable("Grades of elements are kept as they were imported and are not compared.")
    return VersionDifference(old, new, topic_differences(_columns(old), _columns(new)))


def _columns(assessment_set):
    return load_judgements(assessment_set.columns_file, assessment_set.content)
