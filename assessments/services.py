"""Importing assessments: one transaction, the next version of a track's judgements."""

from dataclasses import dataclass
from io import BytesIO

import numpy as np
from django.db import transaction
from django.db.models import Count, Max, Q, Sum

from assessments.formats.columns import UNKNOWN, JudgementColumns
from assessments.formats.highlights import read_highlights, write_highlights
from assessments.models import AssessmentSet, Judgement
from campaign.formats.problems import FormatError, Problem
from campaign.models import Track
from campaign.services.storage import open_stored, store, store_columns

COLUMNS_VERSION = 1


@dataclass(frozen=True, slots=True)
class ReadAssessments:
    """A file of assessments that was read for a track, and what is worth saying about it."""

    columns: JudgementColumns
    problems: list


def read_for_track(track, stream):
    """Read a file of assessments and hold it against the track's topics; raises FormatError with every problem."""
    columns, problems = read_highlights(stream)
    known = set(track.topics.values_list("number", flat=True))
    first_line = {topic: int(columns.line[columns.topic == index].min()) for index, topic in enumerate(columns.topics)}
    unknown = [
        Problem(
            f"Topic {topic} is not a topic of {track.name}. Import the topics first, or correct the number.",
            rule="unknown-topic",
            line=first_line[topic],
            topic=topic,
        )
        for topic in columns.topics
        if topic not in known
    ]
    if unknown:
        raise FormatError(unknown)
    return ReadAssessments(columns, problems)


def import_assessments(track, stream, *, file_name, user=None, notes=""):
    """Import a file of highlighted passages as the track's next version; all of it or nothing."""
    columns = read_for_track(track, stream).columns
    stored = store(stream, "assessments")
    columns_name = f"columns/{stored.sha256[:2]}/{stored.sha256}-judgements-v{COLUMNS_VERSION}.npz"
    columns_file = store_columns(columns_name, columns)
    highlighted = columns.relevant_characters
    with transaction.atomic():
        Track.objects.select_for_update().get(pk=track.pk)
        newest = track.assessment_sets.aggregate(newest=Max("version"))["newest"] or 0
        assessment_set = AssessmentSet.objects.create(
            track=track,
            version=newest + 1,
            notes=notes,
            axis=columns.axis,
            imported_by=user,
            file_name=file_name,
            sha256=stored.sha256,
            stored_file=stored.name,
            columns_file=columns_file,
            topic_count=len(columns.topics),
            judgement_count=len(columns),
            relevant_count=int((highlighted > 0).sum()),
            highlighted_characters=int(highlighted.sum()),
        )
        Judgement.objects.bulk_create(_judgements(assessment_set, columns, highlighted), batch_size=500)
    return assessment_set


def load_judgements(columns_file):
    """Return the judgements of an assessment set as columns."""
    with open_stored(columns_file) as stream:
        return JudgementColumns.load(stream)


def highlights_text(assessment_set):
    """Return an assessment set as a file in the text form of 2008 to 2010."""
    target = BytesIO()
    write_highlights(load_judgements(assessment_set.columns_file), target)
    return target.getvalue()


def _judgements(assessment_set, columns, highlighted):
    topics = dict(assessment_set.track.topics.values_list("number", "pk"))
    bounds = np.searchsorted(columns.judgement, np.arange(len(columns) + 1)).tolist()
    spans = np.column_stack([columns.offset, columns.length]).tolist()
    lengths, entry_points = columns.document_length.tolist(), columns.entry_point.tolist()
    for index, (topic, document) in enumerate(zip(columns.topic.tolist(), columns.document.tolist(), strict=True)):
        yield Judgement(
            assessment_set=assessment_set,
            topic_id=topics[columns.topics[topic]],
            document=columns.documents[document],
            document_length=None if lengths[index] == UNKNOWN else lengths[index],
            highlighted=int(highlighted[index]),
            entry_point=None if entry_points[index] == UNKNOWN else entry_points[index],
            spans=spans[bounds[index] : bounds[index + 1]],
        )


@dataclass(frozen=True, slots=True)
class JudgedTrack:
    """A track's newest assessments, topic by topic."""

    track: Track
    assessment_set: AssessmentSet | None
    topics: list


def judged_topics(track):
    """Count, for each topic of a track, what the newest assessment set says about it."""
    newest = track.assessment_sets.order_by("-version").first()
    topics = track.topics.annotate(
        judged=Count("judgements", filter=Q(judgements__assessment_set=newest)),
        relevant=Count("judgements", filter=Q(judgements__assessment_set=newest, judgements__highlighted__gt=0)),
        highlighted=Sum("judgements__highlighted", filter=Q(judgements__assessment_set=newest), default=0),
    )
    return JudgedTrack(track, newest, list(topics))
