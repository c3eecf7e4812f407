"""Importing assessments of any format: one transaction, the next version of a track's judgements."""

import json
from dataclasses import dataclass

import numpy as np
from django.db import transaction
from django.db.models import Max

from assessments.formats.columns import CHARACTERS, UNKNOWN
from assessments.formats.elements import UNASSESSED
from assessments.formats.reading import Assessments, read_assessments
from assessments.models import AssessmentSet, GradedJudgement, Judgement
from campaign.formats.problems import FormatError, Problem
from campaign.models import Track
from campaign.services.collections import element_spans
from campaign.services.storage import store, store_bytes, store_columns

COLUMNS_VERSION = 1
BATCH = 500
Content = AssessmentSet.Content


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file of assessments that was read for a track: what it holds, and what is worth saying about it."""

    assessments: Assessments
    problems: list

    @property
    def content(self):
        """Tell what kind of assessments these are."""
        if self.assessments.judgements is not None:
            return Content.HIGHLIGHTS
        return Content.GRADES if self.assessments.grades is not None else Content.ELEMENTS

    @property
    def columns(self):
        """Return the judgements, whatever their kind."""
        found = self.assessments
        return {
            Content.HIGHLIGHTS: found.judgements,
            Content.GRADES: found.grades,
            Content.ELEMENTS: found.elements,
        }[self.content]


def read_for_track(track, stream):
    """Read a file of assessments and hold it against the track's topics; raises FormatError with every problem."""
    stream.seek(0)
    assessments, problems = read_assessments(stream, lookup=element_spans(track.collection))
    read = ReadFile(assessments, problems)
    known = set(track.topics.values_list("number", flat=True))
    lines = dict(zip(read.columns.topic[::-1].tolist(), read.columns.line[::-1].tolist(), strict=True))
    unknown = [
        Problem(
            f"Topic {topic} is not a topic of {track.name}. Import the topics first, or correct the number.",
            rule="unknown-topic",
            line=lines.get(number),
            topic=topic,
        )
        for number, topic in enumerate(read.columns.topics)
        if topic not in known
    ]
    if unknown:
        raise FormatError(unknown)
    return read


def import_assessments(track, stream, *, file_name, user=None, notes=""):
    """Import a file of assessments as the track's next version; all of it or nothing."""
    read = read_for_track(track, stream)
    stored = store(stream, "assessments")
    rows = {
        Content.HIGHLIGHTS: _highlights,
        Content.GRADES: _grades,
        Content.ELEMENTS: _elements,
    }[read.content]
    counts, files = _counts(read), _files(read, f"columns/{stored.sha256[:2]}/{stored.sha256}")
    with transaction.atomic():
        Track.objects.select_for_update().get(pk=track.pk)
        newest = track.assessment_sets.aggregate(newest=Max("version"))["newest"] or 0
        assessment_set = AssessmentSet.objects.create(
            track=track,
            version=newest + 1,
            notes=notes,
            content=read.content,
            axis=getattr(read.columns, "axis", CHARACTERS),
            imported_by=user,
            file_name=file_name,
            sha256=stored.sha256,
            stored_file=stored.name,
            **counts,
            **files,
        )
        topics = dict(track.topics.values_list("number", "pk"))
        model = GradedJudgement if read.content == Content.ELEMENTS else Judgement
        model.objects.bulk_create(rows(assessment_set, read.columns, topics), batch_size=BATCH)
    return assessment_set


def _files(read, name):
    """Store the columns for scoring, and the places of elements where only sizes are known."""
    if read.content == Content.ELEMENTS:
        return {}
    kind = f"{read.content}-{getattr(read.columns, 'axis', 'documents')}"
    files = {"columns_file": store_columns(f"{name}-{kind}-v{COLUMNS_VERSION}", read.columns)}
    if read.assessments.element_spans is not None:
        places = json.dumps(read.assessments.element_spans).encode()
        files["places_file"] = store_bytes(f"{name}-places-v{COLUMNS_VERSION}.json", places)
    return files


def _counts(read):
    columns, highlighted = read.columns, 0
    if read.content == Content.HIGHLIGHTS:
        relevant = int((columns.relevant_characters > 0).sum())
        highlighted = int(columns.relevant_characters.sum())
    elif read.content == Content.GRADES:
        relevant = int((columns.grade > 0).sum())
    else:
        relevant = len(set(zip(columns.topic.tolist(), columns.document.tolist(), strict=True)))
    return {
        "topic_count": len(columns.topics),
        "judgement_count": len(columns),
        "relevant_count": relevant,
        "highlighted_characters": highlighted,
    }


def _highlights(assessment_set, columns, topics):
    highlighted = columns.relevant_characters.tolist()
    bounds = np.searchsorted(columns.judgement, np.arange(len(columns) + 1)).tolist()
    spans = np.column_stack([columns.offset, columns.length]).tolist()
    lengths, entry_points = columns.document_length.tolist(), columns.entry_point.tolist()
    for index, (topic, document) in enumerate(zip(columns.topic.tolist(), columns.document.tolist(), strict=True)):
        yield Judgement(
            assessment_set=assessment_set,
            topic_id=topics[columns.topics[topic]],
            document=columns.documents[document],
            document_length=None if lengths[index] == UNKNOWN else lengths[index],
            highlighted=highlighted[index],
            entry_point=None if entry_points[index] == UNKNOWN else entry_points[index],
            spans=spans[bounds[index] : bounds[index + 1]],
        )


def _grades(assessment_set, columns, topics):
    rows = zip(columns.topic.tolist(), columns.document.tolist(), columns.grade.tolist(), strict=True)
    for topic, document, grade in rows:
        yield Judgement(
            assessment_set=assessment_set,
            topic_id=topics[columns.topics[topic]],
            document=columns.documents[document],
            highlighted=0,
            grade=grade,
        )


def _elements(assessment_set, columns, topics):
    for index in range(len(columns)):
        yield GradedJudgement(
            assessment_set=assessment_set,
            topic_id=topics[columns.topics[columns.topic[index]]],
            document=columns.documents[columns.document[index]],
            path=columns.paths[columns.path[index]],
            exhaustivity=_known(columns.exhaustivity[index]),
            specificity=_known(columns.specificity[index]),
            size=_known(columns.size[index]),
            is_inferred=bool(columns.inferred[index]),
        )


def _known(number):
    return None if number <= UNASSESSED else int(number)
