"""Focused and Thorough: precision and recall in characters, interpolated at 101 recall levels (INEX 2007, 4)."""

from functools import cached_property
from itertools import pairwise

import numpy as np

from limelight.arrays import Integers, Reals
from limelight.measures.measure import Curve, Measure
from limelight.scoring.articles import Articles, RunningArticles, articles_of, running_articles
from limelight.scoring.first_read import first_retrieved
from limelight.scoring.profiles import Parameters
from limelight.scoring.spans import LaidRun
from limelight.scoring.topicwise import (
    at_rank,
    cumulative,
    held_from,
    means_at,
    ratio,
    running_means_at,
    spread,
    totals,
)

RECALL_LEVELS = 101
REPORTED_LEVELS = (0, 1, 5, 10)
INEX_2007 = "INEX 2007 Evaluation Measures"


def precision_at(found: Integers, read: Integers, bounds: Integers, rank: int) -> Reals:
    """P[r] = sum of rsize(p_i) / sum of size(p_i) over i = 1 .. r, from these sums (INEX 2007, Eq. 1).

    >>> precision_at(np.array([25, 75]), np.array([50, 100]), np.array([0, 2]), rank=2).tolist()
    [0.75]
    """
    return ratio(at_rank(found, bounds, rank), at_rank(read, bounds, rank))


def recall_at(found: Integers, bounds: Integers, total_relevant: Integers, rank: int) -> Reals:
    """R[r] = sum of rsize(p_i) / Trel over i = 1 .. r, from these sums (INEX 2007, Eq. 2).

    >>> recall_at(np.array([25, 75]), np.array([0, 2]), np.array([100]), rank=1).tolist()
    [0.25]
    """
    return ratio(at_rank(found, bounds, rank), total_relevant)


def interpolated_precisions(
    relevant: Integers, found: Integers, read: Integers, bounds: Integers, total_relevant: Integers
) -> Reals:
    """iP[x] = largest P[r] over the ranks with R[r] >= x, 0 where x is not reached (INEX 2007, section 4.2).

    One row a topic, one column for each of the recall levels 0.00, 0.01 .. 1.00. Level j / 100 is reached when
    100 * retrieved relevant characters >= j * Trel, compared in integers. The paper doesn't say what an unreached level
    scores: 0, as at INEX.

    >>> relevant, found, read = np.array([25, 50]), np.array([25, 75]), np.array([50, 100])
    >>> curve = interpolated_precisions(relevant, found, read, np.array([0, 2]), np.array([100]))
    >>> curve[0, [0, 25, 26, 75, 76]].tolist()
    [0.75, 0.75, 0.75, 0.75, 0.0]
    """
    table = np.zeros((len(bounds) - 1, RECALL_LEVELS))
    # Precision only rises where relevant text is added: all other ranks can be left out.
    rising = np.flatnonzero(relevant)
    if not len(rising):
        return table
    found = found[rising]
    precision = found / read[rising]
    topic = np.searchsorted(bounds, rising, side="right") - 1
    level = np.minimum(100 * found // total_relevant[topic], RECALL_LEVELS - 1)
    cell = topic * RECALL_LEVELS + level
    first = np.flatnonzero(np.concatenate(([True], cell[1:] != cell[:-1])))
    table.flat[cell[first]] = np.maximum.reduceat(precision, first)
    return np.maximum.accumulate(table[:, ::-1], axis=1)[:, ::-1]


def running_interpolated_precisions(found: Integers, read: Integers, bounds: Integers, total: Integers) -> Reals:
    """Return the row of `interpolated_precisions` that each list would have if it ended at each of its results.

    A row a result: for the lists of a few topics, not of whole runs.

    >>> found, read = np.array([25, 75]), np.array([50, 100])
    >>> running_interpolated_precisions(found, read, np.array([0, 2]), np.array([100]))[:, [0, 25, 26, 75]].tolist()
    [[0.5, 0.5, 0.0, 0.0], [0.75, 0.75, 0.75, 0.75]]
    """
    level = np.minimum(100 * found // spread(total, bounds), RECALL_LEVELS - 1)
    is_reached = np.arange(RECALL_LEVELS) <= level[:, np.newaxis]
    table = np.where(is_reached, ratio(found, read)[:, np.newaxis], 0.0)
    for start, end in pairwise(bounds):
        np.maximum.accumulate(table[start:end], axis=0, out=table[start:end])
    return table


def interpolated_average_precision(curve: Reals) -> Reals:
    """IAP = mean of iP over the 101 recall levels 0.00 .. 1.00 (INEX 2007, section 4.2).

    >>> curve = np.where(np.arange(101) <= 75, 3 / 4, 0)[np.newaxis]
    >>> interpolated_average_precision(curve).tolist()    # 76/101 * 3/4
    [0.5643564356435643]
    """
    return curve.sum(axis=1) / RECALL_LEVELS


def average_precision(
    relevant: Integers, found: Integers, read: Integers, bounds: Integers, total_relevant: Integers
) -> Reals:
    """AP = sum of rel(p_r) P[r] / sum of rel(p_r) * R[|R|] (INEX 2007, Eq. 3, as printed).

    The mean is over retrieved relevant ranks; a result is relevant when it adds relevant characters.

    >>> found, read = np.array([25, 75]), np.array([50, 100])
    >>> average_precision(np.array([25, 50]), found, read, np.array([0, 2]), np.array([100])).tolist()
    [0.46875]
    """
    adding = np.flatnonzero(relevant)
    return means_at(adding, found[adding] / read[adding], bounds) * ratio(totals(relevant, bounds), total_relevant)


def f1(precision: Reals, recall: Reals) -> Reals:
    """F1 = 2 P R / (P + R), 0 where both are 0.

    >>> f1(np.array([0.5, 0.0]), np.array([1.0, 0.0])).tolist()
    [0.6666666666666666, 0.0]
    """
    return ratio(2 * precision * recall, precision + recall)


class FocusedScoring:
    """The arrays that the measures of one focused or thorough run share, each made when first asked for."""

    def __init__(self, laid: LaidRun, parameters: Parameters) -> None:
        """Keep the run; nothing is computed yet."""
        self.laid = laid
        self.parameters = parameters
        self.bounds = laid.bounds
        self.total_relevant = laid.highlights.topic_relevant

    @cached_property
    def _retrieved(self) -> tuple[Integers, Integers]:
        laid = self.laid
        if self.parameters.get("overlap") == "new":
            return first_retrieved(laid, self.articles.article)
        unmapped_size = self.parameters.get("unmapped_size", 0)
        sizes = np.where(laid.unmapped, unmapped_size, laid.length) if laid.unmapped.any() else laid.length
        return sizes, laid.relevant

    @property
    def sizes(self) -> Integers:
        """The characters of each result."""
        return self._retrieved[0]

    @property
    def relevant(self) -> Integers:
        """The highlighted characters of each result."""
        return self._retrieved[1]

    @cached_property
    def articles(self) -> Articles:
        """The run reduced to its documents."""
        return articles_of(self.laid)

    @cached_property
    def interpolated(self) -> Reals:
        """Interpolated precision at the 101 recall levels, a row a topic."""
        return interpolated_precisions(self.relevant, self.found, self.read, self.bounds, self.total_relevant)

    @cached_property
    def found(self) -> Integers:
        """Highlighted characters up to each rank."""
        return cumulative(self.relevant, self.bounds)

    @cached_property
    def read(self) -> Integers:
        """Characters up to each rank."""
        return cumulative(self.sizes, self.bounds)

    @cached_property
    def running_interpolated(self) -> Reals:
        """Interpolated precision at the 101 recall levels of the list up to each result."""
        return running_interpolated_precisions(self.found, self.read, self.bounds, self.total_relevant)

    @property
    def running_character_precision(self) -> Reals:
        """Precision in characters up to each rank."""
        return ratio(self.found, self.read)

    @property
    def running_character_recall(self) -> Reals:
        """Recall in characters up to each rank."""
        return ratio(self.found, spread(self.total_relevant, self.bounds))

    @property
    def running_average_precision(self) -> Reals:
        """Precision averaged over the results that add highlighted text, times recall, up to each rank."""
        return (
            running_means_at(self.relevant > 0, self.running_character_precision, self.bounds)
            * self.running_character_recall
        )

    def held_recall(self, rank: int) -> Reals:
        """Return recall in characters up to each rank, and from a rank on that at it."""
        return held_from(self.running_character_recall, self.bounds, rank)

    @cached_property
    def running_articles(self) -> RunningArticles:
        """The articles up to each rank."""
        return running_articles(self.articles, self.bounds)

    @property
    def running_article_precision(self) -> Reals:
        """Share of the articles up to each rank that hold highlighted text."""
        return ratio(self.running_articles.found, self.running_articles.retrieved)

    @property
    def running_article_recall(self) -> Reals:
        """Share of the articles with highlighted text that are retrieved up to each rank."""
        return ratio(self.running_articles.found, spread(self.laid.highlights.relevant_documents, self.bounds))

    @cached_property
    def share_sums(self) -> Reals:
        """Shares of highlighted text in each result, added up to each rank."""
        return cumulative(ratio(self.relevant, self.sizes), self.bounds)

    @cached_property
    def character_precision(self) -> Reals:
        """Precision of the whole list in characters."""
        return ratio(totals(self.relevant, self.bounds), totals(self.sizes, self.bounds))

    @cached_property
    def character_recall(self) -> Reals:
        """Recall of the whole list in characters."""
        return ratio(totals(self.relevant, self.bounds), self.total_relevant)

    @cached_property
    def article_precision(self) -> Reals:
        """Share of the retrieved articles that hold highlighted text."""
        return ratio(totals(self.articles.relevant, self.articles.bounds), np.diff(self.articles.bounds))

    @cached_property
    def article_recall(self) -> Reals:
        """Share of the articles with highlighted text that are retrieved."""
        return ratio(totals(self.articles.relevant, self.articles.bounds), self.laid.highlights.relevant_documents)


def interpolated_measures(parameters: Parameters) -> tuple[Measure[FocusedScoring], ...]:
    """Return the reported measures of a focused or thorough task."""
    return (
        Measure(
            name="iMAP",
            topic_name="iAP",
            heading="iMAP",
            label="Mean interpolated average precision",
            explanation="Interpolated precision averaged over the 101 recall levels, then over topics; later papers "
            "call it MAiP.",
            equation="iAP = mean of iP[x] over x = 0.00, 0.01 .. 1.00",
            source=f"{INEX_2007}, section 4.2",
            values=lambda scoring: interpolated_average_precision(scoring.interpolated),
            running=lambda scoring: interpolated_average_precision(scoring.running_interpolated),
            reported=True,
        ),
        *(_interpolated_precision_at(level) for level in REPORTED_LEVELS),
    )


def _interpolated_precision_at(level: int) -> Measure[FocusedScoring]:
    return Measure(
        name=f"iP[{level / 100:.2f}]",
        topic_name=f"iP[{level / 100:.2f}]",
        heading="iP[x]",
        label=f"Interpolated precision at {level} % recall",
        explanation=f"The best precision in characters at any rank that has found at least {level} % of the "
        "highlighted text.",
        equation="iP[x] = max P[r] over r with R[r] >= x",
        source=f"{INEX_2007}, section 4.2",
        values=lambda scoring: scoring.interpolated[:, level],
        running=lambda scoring: scoring.running_interpolated[:, level],
        reported=True,
    )


CURVES: tuple[Curve[FocusedScoring], ...] = (
    Curve(
        name="iP",
        label="Interpolated precision",
        explanation="Interpolated precision at the 101 recall levels, averaged over topics.",
        horizontal="Recall",
        vertical="Interpolated precision",
        values=lambda scoring: scoring.interpolated,
    ),
)
