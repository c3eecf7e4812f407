"""Scoring elements without their collection: a layout of text made from nothing but the elements' sizes.

Every listed element becomes a span of its own size, its listed parts lie inside it one after the other, and what is
highlighted in it and in none of its parts follows them. So each listed element shares with the highlights exactly the
characters that the assessments say, and elements that don't nest don't overlap.
"""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from limelight.formats.assessments.columns import COLUMNS, SIZES, UNKNOWN, JudgementColumns
from limelight.formats.assessments.element_columns import ElementColumns
from limelight.formats.assessments.xml_highlights import JudgedFile, XmlHighlights
from limelight.formats.problems import WARNING, Problem, ProblemList
from limelight.text.documents import Span


class Layout:
    """The spans of one document's listed elements."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self.parents = {path: nearest_listed(path, sizes) for path in sizes}
        deepest_first = sorted(sizes, key=lambda path: path.count("/"), reverse=True)
        inside = dict.fromkeys(sizes, 0)
        self.lengths = {}
        for path in deepest_first:
            self.lengths[path] = max(sizes[path], inside[path])
            if (parent := self.parents[path]) is not None:
                inside[parent] += self.lengths[path]
        self.inside = inside
        self.swollen = [path for path in sizes if self.lengths[path] > sizes[path]]
        self.offsets = {}
        cursors: dict[str | None, int] = {None: 0}
        for path in sorted(sizes, key=lambda path: path.count("/")):
            parent = self.parents[path]
            self.offsets[path] = cursors[path] = cursors[parent]
            cursors[parent] += self.lengths[path]
        self.length = cursors[None]

    def spans(self) -> dict[str, Span]:
        """Return the elements' offsets and lengths by path."""
        return {path: (offset, self.lengths[path]) for path, offset in self.offsets.items()}

    def highlighted(self, highlighted_sizes: Mapping[str, int]) -> tuple[list[Span], list[str]]:
        """Return the highlighted spans of one topic, and the elements in which they find no room."""
        within = dict.fromkeys(self.offsets, 0)
        for path in highlighted_sizes:
            if (parent := self.parents[path]) is not None:
                within[parent] += highlighted_sizes[path]
        spans, cramped = [], []
        for path, size in highlighted_sizes.items():
            own, room = size - within[path], self.lengths[path] - self.inside[path]
            if own < 0 or own > room:
                cramped.append(path)
            own = min(own, room)
            if own > 0:
                spans.append((self.offsets[path] + self.inside[path], own))
        return sorted(spans), cramped


def nearest_listed(path: str, listed: Collection[str]) -> str | None:
    """Return the nearest listed element around another, or None.

    >>> nearest_listed("/a[1]/b[1]/c[1]/d[2]", {"/a[1]", "/a[1]/b[1]"})
    '/a[1]/b[1]'
    """
    while path := path.rpartition("/")[0]:
        if path in listed:
            return path
    return None


def sized_highlights(highlights: XmlHighlights) -> tuple[JudgementColumns, dict[str, dict[str, Span]], list[Problem]]:
    """Return judgements on sizes, the spans of each document's elements, and the warnings."""
    elements, problems = highlights.elements, ProblemList()
    sizes = _sizes_by_document(elements, problems)
    layouts = {document: Layout(listed) for document, listed in sizes.items()}
    for document, layout in layouts.items():
        if layout.swollen:
            message = (
                f"The parts of {layout.swollen[0]} in document {document} have more characters than the whole. "
                "The sum of the parts is taken."
            )
            problems.add(message, "element-size", severity=WARNING)
    rsizes: dict[tuple[str, str], dict[str, int]] = {}
    rows = zip(elements.topic.tolist(), elements.document.tolist(), elements.path.tolist(), strict=True)
    for index, (topic, document, path) in enumerate(rows):
        key = (elements.topics[topic], elements.documents[document])
        rsizes.setdefault(key, {})[elements.paths[path]] = int(elements.highlighted_size[index])
    columns = _columns(highlights, layouts, rsizes, problems)
    spans = {document: layout.spans() for document, layout in layouts.items()}
    return columns, spans, problems.in_order()


def _sizes_by_document(elements: ElementColumns, problems: ProblemList) -> dict[str, dict[str, int]]:
    sizes: dict[str, dict[str, int]] = {}
    rows = zip(elements.document.tolist(), elements.path.tolist(), elements.size.tolist(), strict=True)
    for index, (document_number, path_number, size) in enumerate(rows):
        document, path = elements.documents[document_number], elements.paths[path_number]
        listed = sizes.setdefault(document, {})
        if listed.get(path, size) != size:
            message = f"{path} of document {document} has {size} characters here and {listed[path]} for another topic."
            line, topic = int(elements.line[index]), elements.topics[elements.topic[index]]
            message += " The larger number is taken."
            problems.add(message, "element-size", line=line, topic=topic, severity=WARNING)
        listed[path] = max(size, listed.get(path, 0))
    return sizes


def _columns(
    highlights: XmlHighlights,
    layouts: Mapping[str, Layout],
    rsizes: Mapping[tuple[str, str], Mapping[str, int]],
    problems: ProblemList,
) -> JudgementColumns:
    topics = tuple(dict.fromkeys(judged.topic for judged in highlights.files))
    documents = tuple(dict.fromkeys(judged.document for judged in highlights.files))
    topic_numbers = {name: number for number, name in enumerate(topics)}
    numbers = {name: number for number, name in enumerate(documents)}
    rows, passages = [], []
    for index, judged in enumerate(highlights.files):
        layout = layouts.get(judged.document)
        listed = rsizes.get((judged.topic, judged.document), {})
        if layout is not None and listed:
            spans, cramped = layout.highlighted(listed)
        else:
            spans, cramped = _passages_in_a_row(judged), []
        if cramped:
            message = (
                f"the highlighted characters of {cramped[0]} in document {judged.document} don't fit its parts. "
                "As many as fit are taken."
            )
            line, topic, member = judged.line, judged.topic, judged.member
            problems.add(message, "element-size", line=line, topic=topic, severity=WARNING, member=member)
        passages += [(index, *span) for span in spans]
        length = layout.length if layout and _has_root(layout) else UNKNOWN
        rows.append((topic_numbers[judged.topic], numbers[judged.document], length, UNKNOWN, judged.line))
    judgements = np.array(rows, dtype=np.int64).reshape(-1, 5).T
    placed = np.array(passages, dtype=np.int64).reshape(-1, 3).T
    columns = (*judgements, *placed)
    arrays: dict[str, Any] = {name: np.ascontiguousarray(column) for name, column in zip(COLUMNS, columns, strict=True)}
    return JudgementColumns(topics, documents, **arrays, axis=SIZES)


def _passages_in_a_row(judged: JudgedFile) -> list[Span]:
    sizes = [passage.size for passage in judged.passages if passage.size > 0]
    offsets = np.cumsum([0, *sizes]).tolist()
    return list(zip(offsets, sizes, strict=False))


def _has_root(layout: Layout) -> bool:
    return any(path.count("/") == 1 for path in layout.offsets)
