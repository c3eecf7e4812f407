"""Highlighted text in the XML form of 2005 to 2008: passages between points, and the sizes of elements."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from limelight.formats import fields
from limelight.formats.assessments.columns import CHARACTERS, COLUMNS, UNKNOWN, JudgementColumns
from limelight.formats.assessments.element_columns import TOO_SMALL, UNASSESSED, ElementColumns, ElementsBuilder
from limelight.formats.assessments.xml_files import XmlFile, XmlReader, attribute, size
from limelight.formats.fields import FieldError
from limelight.formats.opening import Limits, refuse
from limelight.formats.problems import FormatError, Problem, ProblemList
from limelight.formats.safe_xml import Element, line_of
from limelight.text.documents import Lookup, Span, Spans, normal_path

EXHAUSTIVITIES = {"0": 0, "1": 1, "2": 2, "?": TOO_SMALL}


@dataclass(slots=True)
class JudgedFile:
    """One judged document: its entry point and passages as points, not yet placed in a text."""

    topic: str
    document: str
    line: int
    member: str | None
    entry_point: str = ""
    passages: list["PointedPassage"] = field(default_factory=list)


@dataclass(slots=True)
class PointedPassage:
    """A highlighted passage from one point to another; `size` counts merged white space once."""

    start: str
    end: str
    size: int
    line: int


@dataclass(frozen=True, slots=True)
class XmlHighlights:
    """What XML assessments hold before they are placed, on characters or on sizes."""

    files: tuple[JudgedFile, ...]
    elements: ElementColumns


def read_xml_highlight_files(
    files: Iterable[XmlFile], limits: Limits, problems: ProblemList | None = None
) -> tuple[XmlHighlights, list[Problem]]:
    """Return the highlights of (member name, topics) pairs, and the warnings about them."""
    problems = ProblemList() if problems is None else problems
    reader = HighlightReader(ElementsBuilder(limits), problems)
    for member, topics in files:
        reader.read(topics, member)
    if problems.has_errors():
        raise FormatError(problems.in_order())
    if not reader.files:
        refuse("The file holds no judgements.", "empty-file")
    reader.files.sort(key=lambda judged: reader.builder.topics[judged.topic])
    return XmlHighlights(tuple(reader.files), reader.builder.columns()), problems.in_order()


class HighlightReader(XmlReader):
    """Reads files that hold an entry point, passages and elements."""

    foreign_tags = ("path",)

    def __init__(self, builder: ElementsBuilder, problems: ProblemList) -> None:
        super().__init__(builder, problems)
        self.files: list[JudgedFile] = []

    def read_file(self, judged: Element, topic: int, document: int, member: str | None) -> None:
        """Take one judged document."""
        texts = self.builder.topics.texts[topic], self.builder.documents.texts[document]
        file = JudgedFile(*texts, line_of(judged), member)
        self.files.append(file)
        paths: set[str] = set()
        for child in judged:
            if child.tag == "best-entry-point":
                file.entry_point = self.attempt(child, member, topic, self._path, child, "path") or ""
            elif child.tag == "passage":
                passage = self.attempt(child, member, topic, self._passage, child)
                if passage is not None:
                    file.passages.append(passage)
            elif child.tag == "element":
                row = self.attempt(child, member, topic, self._element, child, paths)
                if row is not None:
                    self.builder.add(topic, document, *row, 0, line_of(child))

    def _path(self, element: Element, name: str) -> str:
        return fields.path(fields.name(attribute(element, name), "path", self.builder.paths.limit))

    def _passage(self, element: Element) -> PointedPassage:
        start, end = self._path(element, "start"), self._path(element, "end")
        characters = UNKNOWN if element.get("size") is None else size(element, "size", "size of the passage")
        return PointedPassage(start, end, characters, line_of(element))

    def _element(self, element: Element, paths: set[str]) -> tuple[int, int, int, int, int]:
        path = normal_path(self._path(element, "path"))
        if path in paths:
            raise FieldError(
                f"the element {path} is listed twice in its file. Remove one of the two.", "duplicate-judgement"
            )
        paths.add(path)
        exhaustivity = element.get("exhaustivity", "").strip()
        if exhaustivity and exhaustivity not in EXHAUSTIVITIES:
            message = f"the exhaustivity {fields.shown(exhaustivity)} isn't one. It is 0, 1, 2 or ?."
            raise FieldError(message, "grade")
        whole, highlighted = size(element, "size", "size of the element"), size(element, "rsize", "highlighted size")
        if highlighted > whole:
            message = f"the element {path} has {highlighted} highlighted characters, but only {whole} in all."
            raise FieldError(message, "element-size")
        grade = EXHAUSTIVITIES.get(exhaustivity, UNASSESSED)
        return self.builder.paths[path], grade, UNASSESSED, whole, highlighted


def placed_highlights(highlights: XmlHighlights, lookup: Lookup) -> tuple[JudgementColumns, list[Problem]]:
    """Return the judgements on the characters of a collection, and the problems; `lookup` as for `placed`."""
    problems = ProblemList()
    topics = tuple(dict.fromkeys(judged.topic for judged in highlights.files))
    documents = tuple(dict.fromkeys(judged.document for judged in highlights.files))
    numbers = {name: number for number, name in enumerate(documents)}
    topic_numbers = {name: number for number, name in enumerate(topics)}
    rows, spans, lengths = [], [], {}
    for index, judged in enumerate(highlights.files):
        places = lookup(judged.document)
        if places is None and (judged.passages or judged.entry_point):
            note(
                problems, judged, f"document {judged.document} isn't in the collection, so its passages have no place."
            )
        entry_point, length = UNKNOWN, UNKNOWN
        if places is not None:
            if judged.document not in lengths:
                lengths[judged.document] = text_length(places)
            length = lengths[judged.document]
            entry_point = placed_entry_point(judged, places, problems)
            spans += [(index, *span) for span in placed_passages(judged, places, problems)]
        rows.append((topic_numbers[judged.topic], numbers[judged.document], length, entry_point, judged.line))
    if problems.has_errors():
        raise FormatError(problems.in_order())
    judgements = np.array(rows, dtype=np.int64).reshape(-1, 5).T
    passages = np.array(spans, dtype=np.int64).reshape(-1, 3).T
    columns = (*judgements, *passages)
    arrays: dict[str, Any] = {name: np.ascontiguousarray(column) for name, column in zip(COLUMNS, columns, strict=True)}
    return JudgementColumns(topics, documents, **arrays, axis=CHARACTERS), problems.in_order()


def placed_entry_point(judged: JudgedFile, places: Spans, problems: ProblemList) -> int:
    """Return the offset of a document's entry point."""
    if not judged.entry_point:
        return UNKNOWN
    place = places.get(judged.entry_point)
    if place is None:
        note(problems, judged, f"the entry point {judged.entry_point} isn't in document {judged.document}.")
        return UNKNOWN
    return place[0]


def placed_passages(judged: JudgedFile, places: Spans, problems: ProblemList) -> list[Span]:
    """Return the spans of a document's passages in order."""
    spans = []
    for passage in judged.passages:
        start, end = places.get(passage.start), places.get(passage.end)
        if start is None or end is None or sum(end) < start[0]:
            message = f"the passage from {passage.start} to {passage.end} isn't in document {judged.document}."
            note(problems, judged, message, passage.line)
        else:
            spans.append((start[0], sum(end) - start[0]))
    spans.sort()
    reached = 0
    for offset, length in spans:
        if length and offset < reached:
            message = f"two passages of document {judged.document} overlap at character {offset}. Join them into one."
            note(problems, judged, message, rule="passage-overlap")
        reached = max(reached, offset + length)
    return spans


def text_length(places: Spans) -> int:
    """Return the length of the text that places belong to."""
    return max((offset + length for _, (offset, length) in places.items()), default=0)


def note(
    problems: ProblemList, judged: JudgedFile, message: str, line: int | None = None, rule: str = "unknown-place"
) -> None:
    """Note a problem with a judged document."""
    problems.add(message, rule, line=line or judged.line, topic=judged.topic, member=judged.member)
