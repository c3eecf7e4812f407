"""Importing assessments of any format: one transaction, the next version of a track's judgements."""

from dataclasses import dataclass

import numpy as np
from django.db import transaction
from django.db.models import Max

from assessments.models import AssessmentSet, GradedJudgement, Judgement
from assessments.services.inspection import placeholders, warned_of
from assessments.services.merging import merge_read
from assessments.services.reading import missing_topics, read_for_track, store_derived
from campaign.machinery.storage import open_stored, store
from campaign.models import Topic, Track
from campaign.services.acting import MACHINERY, By
from campaign.services.refusals import Refused
from campaign.services.runs.rechecks import recheck_track
from campaign.services.telling.trail import IMPORTED, record
from limelight.analysis.counting import topic_counts, totals
from limelight.formats.assessments.columns import CHARACTERS, UNKNOWN
from limelight.formats.assessments.element_columns import UNASSESSED
from limelight.formats.assessments.reading import is_xml
from limelight.scoring.evaluators import topics_that_count

BATCH = 500
Content = AssessmentSet.Content


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a version comes from: the file as it was uploaded, by whom, on which way, and what they noted."""

    file_name: str
    sha256: str
    stored_file: str
    by: By = MACHINERY
    notes: str = ""
    warnings: tuple = ()


def import_assessments(track, *, by=MACHINERY, stream, file_name, makes_topics=False, **origin):
    """Import a file of assessments as the track's next version; all of it or nothing."""
    read = read_for_track(track, stream, makes_topics=makes_topics)
    return import_read(track, by=by, read=read, stream=stream, file_name=file_name, makes_topics=makes_topics, **origin)


def import_read(track, *, by, read, stream, file_name, makes_topics=False, merges=False, seen=None, **origin):
    """Import a file that has been read as the track's next version, with notes and what was warned of."""
    stored = store(stream, "assessments")
    origin.setdefault("warnings", warned_of(read.problems))
    origin = Origin(file_name, stored.sha256, stored.name, by, **origin)
    files = None if merges else store_derived(read)
    return write_version(track, read, files, origin, makes_topics=makes_topics, merges=merges, seen=seen)


class NewerVersion(Refused):
    """Another version came in after somebody looked."""


def write_version(track, read, files, origin, *, makes_topics=False, merges=False, seen=None):
    """Write the next version of a track's judgements, with the topics it lacks if they are to be made.

    Where it `merges`, the topics that the file does not judge are those of the newest version. `seen` is the number of
    the version that was the newest when somebody decided, 0 for none; after another one they are asked again.
    """
    with transaction.atomic():
        Track.objects.select_for_update().get(pk=track.pk)
        newest = track.assessment_sets.order_by("-version").first()
        number = newest.version if newest else 0
        if seen is not None and seen != number:
            raise NewerVersion(f"v{number} came in since you looked. Compare this file with it, and decide again.")
        if merges:
            read = merge_read(newest, read)
            files = store_derived(read)
        made = _make_topics(track, read.columns.topics, makes_topics)
        if made:
            recheck_track(track)  # runs may have been refused for answering these
        assessment_set = AssessmentSet.objects.create(
            track=track,
            version=number + 1,
            collection=Track.objects.get(pk=track.pk).collection,
            merged_into=newest if merges else None,
            notes=origin.notes,
            content=read.content,
            axis=getattr(read.columns, "axis", CHARACTERS),
            imported_by=origin.by.user,
            file_name=origin.file_name,
            sha256=origin.sha256,
            stored_file=origin.stored_file,
            warnings=_warnings(track, read, origin, newest if merges else None),
            was_xml=not merges and _is_xml(origin.stored_file),
            topic_numbers=_topic_numbers(read),
            **_counts(read),
            **files,
        )
        topics = dict(track.topics.values_list("number", "pk"))
        rows = {Content.HIGHLIGHTS: _highlights, Content.GRADES: _grades, Content.ELEMENTS: _elements}[read.content]
        model = GradedJudgement if read.content == Content.ELEMENTS else Judgement
        model.objects.bulk_create(rows(assessment_set, read.columns, topics), batch_size=BATCH)
        record(
            track.campaign,
            IMPORTED,
            f"assessments v{assessment_set.version} of {track.name}",
            by=origin.by,
            file=origin.file_name,
            sha256=origin.sha256,
            notes=origin.notes,
            topics=assessment_set.topic_count,
            judgements=assessment_set.judgement_count,
            made_topics=made,
            **({"merged_into": f"v{number}"} if merges else {}),
        )
    return assessment_set


def _make_topics(track, numbers, makes_topics):
    """Make the topics that a track lacks, or refuse; returns their numbers."""
    missing = missing_topics(track, numbers)
    if missing and not makes_topics:
        named = f"Topic {missing[0]} is" if len(missing) == 1 else f"{len(missing)} topics, {missing[0]} first, are"
        raise Refused(f"{named} no longer in {track.name}. Read the file again.")
    last = track.topics.aggregate(last=Max("position"))["last"] or 0
    Topic.objects.bulk_create(
        Topic(track=track, number=number, position=position) for position, number in enumerate(missing, last + 1)
    )
    return missing


def _warnings(track, read, origin, base):
    """Return what the import warned of; whether entry points are placeholders is seen in what is written.

    What was warned of in the version that it is merged into holds for the topics that come from there.
    """
    found = {warning["rule"]: warning for warning in warned_of(placeholders(track, read))}
    for warning in origin.warnings:
        found.setdefault(warning["rule"], warning)
    for warning in base.warnings if base else ():
        told = f"In v{base.version}, into which it was merged: {warning['message']}"
        found.setdefault(warning["rule"], warning | {"message": told})
    return list(found.values())


def _is_xml(stored_file):
    with open_stored(stored_file) as stream:
        return is_xml(stream)


def _topic_numbers(read):
    """Return the topics that count, kept so that nobody has to compile all highlights to know them."""
    return [] if read.content == Content.ELEMENTS else list(topics_that_count(read.columns))


def _counts(read):
    by_topic = topic_counts(read.columns)
    counted = totals(by_topic)
    return {
        "topic_counts": {one.topic: [one.relevant, one.highlighted] for one in by_topic},
        "topic_count": counted["topics"],
        "judgement_count": len(read.columns),
        "relevant_count": counted["relevant"],
        "highlighted_characters": counted["highlighted"],
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
