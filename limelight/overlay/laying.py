"""A document with what is highlighted in it and what one or two runs return of it, laid over each other.

Places are characters (Unicode code points) of the document's raw text. The document is cut wherever something begins or
ends; the segments follow each other without a gap, so that their text joined is the document's text.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from limelight.arrays import Flags, Integers
from limelight.kinds import Kind
from limelight.text.documents import Span
from limelight.text.spans import Range, joined, size

HIT, MISS, WASTE = "hit", "miss", "waste"
RETURNED = "returned"
"""Returned text of which nobody may know, or nobody knows, whether it is relevant."""
LIT = "lit"
"""Highlighted text where no text is returned that could hit or miss it, or where two runs do so differently."""
PASSAGE, APART = "passage", "apart"
"""Further places to go to: a returned passage, and highlighted text that one of two runs found alone."""
BELOW, ABOVE = "below", "above"
"""Where the first and the second run have their line."""

MOST_LAYERS = 2


class Result(NamedTuple):
    """A result of a run in the document: its rank as people read it, and where it lies (None: not known)."""

    label: str
    offset: int | None
    length: int
    path: str = ""

    @property
    def number(self) -> str:
        """Its rank without the sign, for anchors."""
        return self.label.removeprefix("#")


@dataclass(frozen=True)
class Layer:
    """What one run returns of the document, in its order.

    `unplaced` are the characters that its results without a known place count for, `score` is S(d) in tasks that score
    documents. Without `is_measured` it may not be told what the run found.
    """

    name: str
    results: tuple[Result, ...] = ()
    is_measured: bool = True
    unplaced: int = 0
    score: float | None = None

    @property
    def spans(self) -> list[Span]:
        """The places of its results, as far as they are known."""
        return [(result.offset, result.length) for result in self.results if result.offset is not None]

    @cached_property
    def ranges(self) -> list[Range]:
        """The characters that it returns."""
        return joined(self.spans)

    @property
    def overlaps(self) -> bool:
        """Whether it returns some text more than once."""
        return sum(length for _, length in self.spans) > size(self.ranges)

    @property
    def entry(self) -> int | None:
        """Where its first result begins."""
        return self.results[0].offset if self.results else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What the assessments say of a document for a topic.

    `is_judged` is False where nobody judged it, None where that is not known because the assessments list only relevant
    documents, and not this one. `grade` is that of a whole document, where assessors gave one; `length` is how long the
    assessments say that the document is, 0 where they don't.
    """

    highlighted: tuple[Span, ...] = ()
    entry_point: int | None = None
    is_judged: bool | None = True
    grade: int | None = None
    length: int = 0


class Segment(NamedTuple):
    """A piece of text that is wholly highlighted or not, and wholly returned by each layer or not."""

    begin: int
    end: int
    highlighted: bool
    by: tuple[bool, ...]


@dataclass(frozen=True)
class Overlay:
    """What is laid over a document of so many characters, for a task of a kind.

    `judgement` is None where one may not know it. Of the layers the first is the run that is looked at.
    """

    kind: Kind
    length: int
    layers: tuple[Layer, ...]
    judgement: Judgement | None = None

    @property
    def is_judged(self) -> bool:
        """Whether it is known which of the text is relevant."""
        return self.judgement is not None and bool(self.judgement.is_judged)

    @property
    def returns_text(self) -> bool:
        """Whether results are stretches of text that can hit or miss something."""
        return self.kind.needs_text

    @property
    def is_double(self) -> bool:
        """Whether two runs are laid over the document."""
        return len(self.layers) > 1

    @cached_property
    def highlighted(self) -> list[Range]:
        """The highlighted characters."""
        return joined(self.judgement.highlighted) if self.judgement is not None else []

    @property
    def entry_point(self) -> int | None:
        """Where the assessor would begin to read."""
        return self.judgement.entry_point if self.judgement is not None else None

    @property
    def shows_entries(self) -> bool:
        """Whether the runs' entry points say something: they are what is returned, or can be held against another."""
        return self.kind.has_places and (self.kind.returns_points or self.entry_point is not None)

    @cached_property
    def extent(self) -> int:
        """How far anything reaches: at least to the end of the document."""
        ends = [end for _, end in self.highlighted]
        ends += [offset + length for layer in self.layers for offset, length in layer.spans]
        return max([self.length, *ends, self.entry_point or 0, 1])

    @cached_property
    def columns(self) -> tuple[Integers, Flags, Flags]:
        """Where the segments begin and the last one ends, which are highlighted, and by which layers each is returned.

        The document is cut where something begins or ends.
        """
        sets = [self.highlighted, *(layer.ranges if self.returns_text else [] for layer in self.layers)]
        edges = [np.array(ranges, dtype=np.int64).reshape(-1, 2) for ranges in sets]
        inside = np.concatenate([places.ravel() for places in edges])
        cuts = np.unique(np.concatenate(([0, self.extent], np.clip(inside, 0, self.extent))))
        flags = [covered(places, cuts[:-1]) for places in edges]
        return cuts, flags[0], np.stack(flags[1:], axis=1)

    @cached_property
    def segments(self) -> list[Segment]:
        """The document from its beginning to its end."""
        cuts, lit, by = (column.tolist() for column in self.columns)
        return list(map(Segment, cuts, cuts[1:], lit, map(tuple, by)))

    def marks_of(self, segment: Segment) -> tuple[str, ...]:
        """Say how a segment is marked: hit, miss, waste or returned; with two runs, lit and a line below and above."""
        if not self.returns_text:
            return (LIT,) if segment.highlighted else ()
        if not self.is_double:
            mark = self._mark(segment, 0, is_told=self.is_judged)
            return (mark,) if mark else ()
        lines = (
            f"{side}-{self._line(segment, layer)}"
            for side, layer, is_there in zip((BELOW, ABOVE), self.layers, segment.by, strict=True)
            if is_there
        )
        return (LIT, *lines) if segment.highlighted else tuple(lines)

    def stops_of(self, segment: Segment) -> tuple[str, ...]:
        """Say what a segment is to somebody who goes from place to place."""
        if not self.returns_text:
            return (LIT,) if segment.highlighted else ()
        if not self.is_judged:
            return (PASSAGE,) if any(segment.by) else ()
        if not segment.highlighted:
            return ()
        if not any(segment.by):
            return (MISS,)
        return (HIT,) if all(segment.by) else (HIT, APART)

    def labels_of(self, layer: Layer) -> list[list[str]]:
        """Return for each segment which results of a layer hold it, in the order of their places."""
        coming = sorted((result for result in layer.results if result.offset is not None), key=_begin, reverse=True)
        holding: list[Result] = []
        labels = []
        for segment in self.segments:
            while coming and _begin(coming[-1]) <= segment.begin:
                holding.append(coming.pop())
            holding = [result for result in holding if _begin(result) + result.length > segment.begin]
            labels.append([result.label for result in holding])
        return labels

    def _mark(self, segment: Segment, number: int, *, is_told: bool) -> str:
        if not is_told:
            return RETURNED if segment.by[number] else ""
        if segment.by[number]:
            return HIT if segment.highlighted else WASTE
        return MISS if segment.highlighted else ""

    def _line(self, segment: Segment, layer: Layer) -> str:
        if not (self.is_judged and layer.is_measured):
            return RETURNED
        return HIT if segment.highlighted else WASTE


def _begin(result: Result) -> int:
    return result.offset or 0


def covered(edges: Integers, places: Integers) -> Flags:
    """Return which places lie in one of some joined ranges, given as rows of begin and end.

    >>> covered(np.array([[0, 3], [5, 6]]), np.array([0, 3, 5, 6])).tolist()
    [True, False, True, False]
    """
    begun = np.searchsorted(edges[:, 0], places, side="right")
    ended = np.searchsorted(edges[:, 1], places, side="right")
    flags: Flags = begun > ended
    return flags


def results_of(lines: Iterable[tuple[int, Sequence[tuple[int | None, int, str]]]]) -> tuple[Result, ...]:
    """Return the results of lines of a ranked list, given as rank and places; several of a line are numbered in it.

    >>> [result.label for result in results_of([(1, [(0, 5, "")]), (3, [(9, 2, ""), (20, 4, "")])])]
    ['#1', '#3.1', '#3.2']
    """
    return tuple(
        Result(f"#{rank}" if len(places) == 1 else f"#{rank}.{number}", *place)
        for rank, places in lines
        for number, place in enumerate(places, start=1)
    )
