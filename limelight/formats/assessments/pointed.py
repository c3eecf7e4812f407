"""Highlighted characters as the XML form of 2005 to 2008 tells them: points, and the sizes of the elements around.

Points count raw characters; sizes count a run of white space once. So every character belongs to a unit, and the
characters of a run of white space to the same one: a size is a number of units.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from limelight.arrays import Integers
from limelight.formats.assessments.columns import UNKNOWN, JudgementColumns
from limelight.formats.assessments.element_columns import UNASSESSED, ElementsBuilder
from limelight.formats.assessments.xml_highlights import JudgedFile, PointedPassage, XmlHighlights, note
from limelight.formats.fields import FieldError
from limelight.formats.opening import Limits
from limelight.formats.problems import WARNING, FormatError, Problem, ProblemList
from limelight.text.documents import DocumentText, Span, offset_point

Documents = Callable[[str], DocumentText | None]
"""Gives a document with its text by id, None for one that isn't known."""

WHITE_SPACE = tuple(map(ord, " \t\n\r"))


def pointed_highlights(
    judgements: JudgementColumns, documents: Documents, *, limits: Limits = Limits()
) -> tuple[XmlHighlights, list[Problem]]:
    """Return judgements on characters as XML highlights, and the warnings; raise FormatError with every problem.

    `documents` gives a document with its text by id, or None for an unknown one.
    """
    problems, builder, files = ProblemList(), ElementsBuilder(limits), []
    for topic, name, length, entry_point, line, spans in _rows(judgements):
        judged = JudgedFile(topic, name, line, None)
        files.append(judged)
        numbers = builder.topics[topic], builder.documents[name]
        builder.judge(*numbers)
        if not spans and entry_point == UNKNOWN:
            continue
        document = _document(judged, length, max([entry_point, *map(sum, spans)]), documents, problems)
        if document is None:
            continue
        if entry_point != UNKNOWN:
            judged.entry_point = offset_point(document, entry_point) or ""
        units = units_of(document.text)
        judged.passages = [_passage(document, units, offset, size, line) for offset, size in spans]
        for path, whole, highlighted in highlighted_elements(document, units, spans):
            try:
                row = builder.paths[path], UNASSESSED, UNASSESSED, whole, highlighted, 0, line
            except FieldError as error:
                note(problems, judged, str(error), rule=error.rule)
            else:
                builder.add(*numbers, *row)
    if problems.has_errors():
        raise FormatError(problems.in_order())
    return XmlHighlights(tuple(files), builder.columns()), problems.in_order()


def _rows(judgements: JudgementColumns) -> Iterator[tuple[str, str, int, int, int, list[Span]]]:
    """Yield each judgement: topic, document, length, entry point, line, and the spans of its passages."""
    bounds = np.searchsorted(judgements.judgement, np.arange(len(judgements) + 1)).tolist()
    spans = list(zip(judgements.offset.tolist(), judgements.length.tolist(), strict=True))
    names = ("topic", "document", "document_length", "entry_point", "line")
    rows = zip(*(getattr(judgements, name).tolist() for name in names), strict=True)
    for index, (topic, document, *numbers) in enumerate(rows):
        passages = spans[bounds[index] : bounds[index + 1]]
        yield judgements.topics[topic], judgements.documents[document], *numbers, passages


def _document(
    judged: JudgedFile, length: int, end: int, documents: Documents, problems: ProblemList
) -> DocumentText | None:
    """Return the document that was judged, or note why its characters have no points."""
    document = documents(judged.document)
    name, topic = judged.document, judged.topic
    if document is None:
        note(problems, judged, f"document {name} isn't in the collection, so its passages have no place.")
        return None
    if end > len(document):
        message = (
            f"document {name} of topic {topic} is judged up to character {end}, but has only {len(document)} "
            "in the collection."
        )
        note(problems, judged, message, rule="past-the-end")
        return None
    if length not in (UNKNOWN, len(document)):
        message = (
            f"document {name} has {length} characters here, but {len(document)} in the collection. "
            "The collection's number is taken."
        )
        problems.add(message, "document-length", line=judged.line, topic=topic, severity=WARNING)
    return document


def _passage(document: DocumentText, units: Integers, offset: int, length: int, line: int) -> PointedPassage:
    start, end = offset_point(document, offset), offset_point(document, offset + length, ends=True)
    size = int(units[offset + length - 1] - units[offset]) + 1 if length else 0
    return PointedPassage(start or "", end or "", size, line)


def units_of(text: str) -> Integers:
    """Number the characters of a text, all of a run of white space alike.

    >>> units_of("a  b").tolist()
    [0, 1, 1, 2]
    """
    blank = np.isin(np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32), WHITE_SPACE)
    continues = blank & np.append(False, blank[:-1]) if len(blank) else blank
    return np.cumsum(~continues) - 1


def highlighted_elements(document: DocumentText, units: Integers, spans: Sequence[Span]) -> list[tuple[str, int, int]]:
    """Return path, size and highlighted size of each element with highlighted text, in document order."""
    highlighted = np.concatenate([np.arange(0), *(np.arange(offset, offset + length) for offset, length in spans)])
    places = np.array([element[1:] for element in document.elements], dtype=np.int64).reshape(-1, 2)
    starts, ends = places[:, 0], places.sum(axis=1)
    first, last = np.searchsorted(highlighted, starts), np.searchsorted(highlighted, ends)
    touched = np.flatnonzero(first < last)
    starts, ends, first, last = starts[touched], ends[touched], first[touched], last[touched]
    found = units[highlighted]
    new = np.append(True, found[1:] != found[:-1]) if len(found) else np.zeros(0, dtype=bool)
    before = np.append(0, np.cumsum(new))
    sizes = units[ends - 1] - units[starts] + 1
    # A run of white space that began before the element is highlighted in the element all the same.
    inside = before[last] - before[first] + ~new[first]
    paths = [document.elements[number].path for number in touched.tolist()]
    return list(zip(paths, sizes.tolist(), inside.tolist(), strict=True))
