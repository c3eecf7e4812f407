"""Writing assessments again: as highlights in text, as qrels, or as XML in one document or an archive."""

from collections.abc import Iterator
from typing import BinaryIO

from limelight.formats.assessments.columns import SIZES, UNKNOWN
from limelight.formats.assessments.document_grades import grades_of_highlights, write_grades
from limelight.formats.assessments.highlights import write_highlights
from limelight.formats.assessments.pointed import Documents, pointed_highlights
from limelight.formats.assessments.reading import Assessments
from limelight.formats.assessments.xml_writing import (
    WrittenTopic,
    graded_topics,
    highlighted_topics,
    write_archive,
    write_document,
)
from limelight.formats.problems import Problem

HIGHLIGHTS, QRELS, XML, ZIP = "highlights", "qrels", "xml", "zip"
FORMS = (HIGHLIGHTS, QRELS, XML, ZIP)


class Unwritable(ValueError):
    """Assessments can't be written in a form; with the documents some of them could."""

    def __init__(self, message: str, *, needs_documents: bool = False) -> None:
        self.needs_documents = needs_documents
        super().__init__(message)


def write_assessments(
    assessments: Assessments, form: str, target: BinaryIO, documents: Documents | None = None
) -> list[Problem]:
    """Write assessments to a binary file in one of FORMS, and return the warnings.

    XML highlights keep their own points. Offsets become points with the help of `documents`, which gives a document by
    id; what the documents contradict raises FormatError with every problem, what can't be written at all Unwritable.
    """
    if form in (XML, ZIP):
        topics, notes = _topics(assessments, form, documents)
        (write_document if form == XML else write_archive)(topics, target)
        return notes
    judgements, grades = assessments.judgements, assessments.grades
    if form == QRELS and grades is not None:
        write_grades(grades, target)
    elif form == QRELS and judgements is not None:
        write_grades(grades_of_highlights(judgements), target)
    elif form == HIGHLIGHTS and judgements is not None and judgements.axis != SIZES:
        write_highlights(judgements, target)
    else:
        raise unwritable(assessments, form)
    return []


def _topics(
    assessments: Assessments, form: str, documents: Documents | None
) -> tuple[Iterator[WrittenTopic], list[Problem]]:
    judgements = assessments.judgements
    if assessments.highlights is not None:
        return highlighted_topics(assessments.highlights), []
    if judgements is None and assessments.elements is not None:
        return graded_topics(assessments.elements), []
    if judgements is None or judgements.axis == SIZES:
        raise unwritable(assessments, form)
    if documents is None and (len(judgements.offset) or (judgements.entry_point != UNKNOWN).any()):
        raise unwritable(assessments, form)
    highlights, notes = pointed_highlights(judgements, documents or (lambda name: None))
    return highlighted_topics(highlights), notes


def unwritable(assessments: Assessments, form: str) -> Unwritable:
    """Say what assessments hold that a form has no words for."""
    if assessments.judgements is not None:
        held, needs = ("sizes of elements" if assessments.judgements.axis == SIZES else "offsets"), True
    else:
        held, needs = ("grades of documents" if assessments.grades is not None else "grades of elements"), False
    return Unwritable(f"holds {held}, which can't be written as {form}.", needs_documents=needs)
