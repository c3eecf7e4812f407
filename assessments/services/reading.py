"""Reading a file of assessments for a track: what is in it, or every problem."""

import json
from dataclasses import dataclass
from io import BytesIO

from assessments.models import AssessmentSet, GradedJudgement
from campaign.machinery.storage import store, store_columns
from campaign.services.documents.collections import element_spans
from campaign.services.setup.topics import LONGEST_NUMBER
from limelight.formats.assessments.reading import Assessments, read_assessments
from limelight.formats.opening import Limits
from limelight.formats.problems import FormatError, Problem

Content = AssessmentSet.Content
LIMITS = Limits(path_size=GradedJudgement._meta.get_field("path").max_length)


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file of assessments that was read for a track: what it holds, and what is worth saying about it."""

    assessments: Assessments
    problems: list
    missing_topics: tuple = ()

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


def read_for_track(track, stream, *, makes_topics=False, progress=None):
    """Read a file of assessments and hold it against the track's topics; raises FormatError with every problem.

    Topics that the track doesn't have are problems, unless they are to be made.
    """
    stream.seek(0)
    lookup = element_spans(track.collection)
    assessments, problems = read_assessments(stream, lookup=lookup, limits=LIMITS, progress=progress)
    read = ReadFile(assessments, problems, tuple(missing_topics(track, _columns(assessments).topics)))
    lines = first_lines(read.columns)
    refused = [
        problem
        for topic in read.missing_topics
        if (problem := _about_missing(track, topic, lines.get(topic), makes_topics))
    ]
    if refused:
        raise FormatError([*refused, *problems])
    return read


def _columns(assessments):
    return ReadFile(assessments, []).columns


def missing_topics(track, numbers):
    """Return those of the topics' numbers that a track doesn't have, in their order."""
    known = set(track.topics.values_list("number", flat=True))
    return [number for number in numbers if number not in known]


def first_lines(columns):
    """Return the first line of each topic."""
    lines = zip(columns.topic[::-1].tolist(), columns.line[::-1].tolist(), strict=True)
    return {columns.topics[topic]: line for topic, line in lines}


def _about_missing(track, topic, line, makes_topics):
    if not makes_topics:
        message = f"Topic {topic} is not a topic of {track.name}. Import the topics first, or correct the number."
        return Problem(message, rule="unknown-topic", line=line, topic=topic)
    if len(topic) > LONGEST_NUMBER or "/" in topic:
        message = (
            f"Topic {topic} cannot be made. A topic's number has at most {LONGEST_NUMBER} characters and no slash."
        )
        return Problem(message, rule="topic-id", line=line, topic=topic)
    return None


def store_derived(read):
    """Store the columns for scoring, and the places of elements where only sizes are known; tells where.

    Files are named by what is in them: the same upload, read on another collection, is another file.
    """
    if read.content == Content.ELEMENTS:
        return {}
    files = {"columns_file": store_columns(read.columns)}
    if read.assessments.element_spans is not None:
        places = json.dumps(read.assessments.element_spans).encode()
        files["places_file"] = store(BytesIO(places), "places").name
    return files
