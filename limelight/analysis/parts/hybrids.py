"""Hybrids of two runs: which documents, in which order, with which text, each from one run or from the other.

A hybrid is made of the results of both runs and is scored by the engine like any run. With everything from one run it
is that run. Documents that both runs return are *shared*; order and text are exchanged only there.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from limelight.arrays import Flags, Integers
from limelight.formats.columns import RunColumns
from limelight.formats.matching import matched
from limelight.scoring.articles import articles_of
from limelight.scoring.evaluators import laid_for_scoring
from limelight.scoring.first_read import NOBODY, earliest_covering, smallest_within
from limelight.scoring.profiles import Parameters
from limelight.scoring.spans import Highlights, LaidRun
from limelight.scoring.topicwise import bounds_of, cumulative, places, totals

ONE, OTHER = SIDES = (0, 1)
"""Which of the two runs an ingredient is taken from."""

DOCUMENT_WIDTH = 1 << 33
"""Places between the beginnings of two documents on one axis: no document is as long."""

ROWS = ("topic", "document", "judgement", "offset", "length", "relevant", "unmapped")


def laid_alike(
    highlights: Highlights,
    one: RunColumns,
    other: RunColumns,
    parameters: Parameters,
    document_lengths: Mapping[str, int] | None = None,
) -> tuple[LaidRun, LaidRun]:
    """Lay two runs onto the highlights, with their documents numbered alike."""
    first, second = (laid_for_scoring(highlights, run, parameters, document_lengths) for run in (one, other))
    number = matched(other.documents, {name: place for place, name in enumerate(one.documents)})
    new = np.flatnonzero(number < 0)
    number[new] = len(one.documents) + np.arange(len(new))
    count = len(one.documents) + len(new)
    return (
        replace(first, document_count=count),
        replace(second, document=number[second.document], document_count=count),
    )


class Hybrids:
    """All hybrids of two runs that were laid alike; results and articles of the second run follow those of the first.

    `returned` counts the documents of each run and topic, `shared` those that both return.
    """

    def __init__(self, one: LaidRun, other: LaidRun) -> None:
        """Find the documents that both runs return."""
        sides = (one, other)
        self.highlights = one.highlights
        self._document_count = one.document_count
        self._columns: dict[str, Any] = {name: _behind(*(getattr(laid, name) for laid in sides)) for name in ROWS}
        self._articles = tuple(articles_of(laid) for laid in sides)
        self._keys = tuple(
            laid.document_key[articles.first] for laid, articles in zip(sides, self._articles, strict=True)
        )
        self._are_shared = tuple(np.isin(self._keys[side], self._keys[1 - side]) for side in SIDES)
        self.returned = np.stack([np.diff(articles.bounds) for articles in self._articles])
        self.shared: Integers = totals(self._are_shared[ONE], self._articles[ONE].bounds)

    def rows(self, documents: int, order: int, text: int) -> Integers:
        """Return the results of a hybrid in its order, by their places in both runs; topics stand together."""
        raise NotImplementedError

    def laid(self, documents: int, order: int, text: int) -> LaidRun:
        """Return a hybrid, laid onto the highlights; each ingredient is that of ONE run or of the OTHER."""
        rows = self.rows(documents, order, text)
        columns = {name: column[rows] for name, column in self._columns.items()}
        bounds = bounds_of(columns["topic"], len(self.highlights.topics))
        return LaidRun(highlights=self.highlights, bounds=bounds, document_count=self._document_count, **columns)


class InContextHybrids(Hybrids):
    """Ranked documents: places held by shared documents are filled from the top in the order of a run.

    Documents that one run alone returns keep their places and their results.
    """

    def __init__(self, one: LaidRun, other: LaidRun) -> None:
        """Number the articles of both runs, and find the twin of each shared one."""
        super().__init__(one, other)
        first, second = self._articles
        article = _behind(first.article, second.article + len(first.first))
        self._by_article = np.argsort(article, kind="stable")
        self._counts = np.bincount(article, minlength=len(first.first) + len(second.first))
        self._numbers = (np.arange(len(first.first)), len(first.first) + np.arange(len(second.first)))
        by_key = (self._shared(side)[np.argsort(self._keys[side][self._are_shared[side]])] for side in SIDES)
        one_of_them, its_twin = by_key
        self._twin = np.arange(len(self._counts))
        self._twin[one_of_them], self._twin[its_twin] = its_twin, one_of_them

    def rows(self, documents: int, order: int, text: int) -> Integers:
        """Return the results of a hybrid, those of each document together."""
        articles = self._numbers[documents].copy()
        in_order = self._shared(order)
        articles[self._are_shared[documents]] = in_order if order == text else self._twin[in_order]
        counts = self._counts[articles]
        starts = (np.cumsum(self._counts) - self._counts)[articles]
        return self._by_article[np.repeat(starts - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())]

    def _shared(self, side: int) -> Integers:
        return self._numbers[side][self._are_shared[side]]


class FocusedHybrids(Hybrids):
    """Ranked text: a run's results in shared documents stand in the order in which a run returns the same text.

    A result stands where the first one that overlaps it does; where none does, behind the last of its document. The
    results in other documents stay, in proportion, where they are.
    """

    def __init__(self, one: LaidRun, other: LaidRun) -> None:
        """Find the results in shared documents."""
        super().__init__(one, other)
        numbers = (np.arange(len(one)), len(one) + np.arange(len(other)))
        inside = [self._are_shared[side][self._articles[side].article] for side in SIDES]
        self._inside: tuple[Flags, ...] = tuple(inside)
        self._shared = tuple(numbers[side][inside[side]] for side in SIDES)
        self._others = tuple(numbers[side][~inside[side]] for side in SIDES)
        self._bounds = tuple(laid.bounds for laid in (one, other))
        self._document_key = _behind(one.document_key, other.document_key)
        self._ordered = {
            (order, text): self._shared[text] if order == text else self._in_order(order, text)
            for order in SIDES
            for text in SIDES
        }

    def rows(self, documents: int, order: int, text: int) -> Integers:
        """Return the results of a hybrid: k * M // m results of the shared text stand before each other result.

        k of the m results that the run returns in shared documents stand before it there; M are there now.
        """
        ordered, others = self._ordered[order, text], self._others[documents]
        topic, topic_count = self._columns["topic"], len(self.highlights.topics)
        ordered_bounds = bounds_of(topic[ordered], topic_count)
        inside, bounds = self._inside[documents], self._bounds[documents]
        before = cumulative(inside, bounds)[~inside]
        held = np.maximum(totals(inside, bounds), 1)
        slot = before * np.diff(ordered_bounds)[topic[others]] // held[topic[others]]
        rows = _behind(others, ordered)
        return rows[np.lexsort((_behind(2 * slot, 2 * places(ordered_bounds) - 1), topic[rows]))]

    def _in_order(self, order: int, text: int) -> Integers:
        # Results are numbered by topic and rank, so that a number is a place in the run.
        ours, theirs = self._shared[text], self._shared[order]
        document = np.unique(self._document_key[_behind(theirs, ours)], return_inverse=True)[1]
        their_document, document = document[: len(theirs)], document[len(theirs) :]
        first = self._first_overlapping(theirs, their_document, ours, document)
        last = np.zeros(len(theirs), dtype=np.int64)
        np.maximum.at(last, their_document, theirs)
        alone = first == NOBODY
        place = np.where(alone, last[document], first)
        return ours[np.argsort(2 * place + alone, kind="stable")]

    def _first_overlapping(
        self, theirs: Integers, their_document: Integers, ours: Integers, document: Integers
    ) -> Integers:
        start, end = self._stretches(ours, document)
        their_start, their_end = self._stretches(theirs, their_document)
        cuts = np.unique(np.concatenate((start, end, their_start, their_end)))
        covering, wanted = np.flatnonzero(their_start < their_end), np.flatnonzero(start < end)
        left, right = (np.searchsorted(cuts, ends[covering]) for ends in (their_start, their_end))
        coverer = earliest_covering(left, right, len(cuts))
        place = np.append(theirs[covering], NOBODY)[np.minimum(coverer, len(covering))]
        first = np.full(len(ours), NOBODY)
        first[wanted] = smallest_within(place, *(np.searchsorted(cuts, ends[wanted]) for ends in (start, end)))
        return first

    def _stretches(self, rows: Integers, document: Integers) -> tuple[Integers, Integers]:
        start = document * DOCUMENT_WIDTH + self._columns["offset"][rows]
        return start, start + np.where(self._columns["unmapped"][rows], 0, self._columns["length"][rows])


def _behind(one: Any, other: Any) -> Any:
    return np.concatenate((one, other))
