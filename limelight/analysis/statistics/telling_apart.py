"""Which runs of a board the topics can tell apart, all pairs at once, and what ranks that leaves to each of them.

Runs are rows, topics columns. The family is all scored runs of a board: whoever shows fewer of them tests no fewer.
Two runs are told apart by the paired t-test, more by Tukey's HSD over shuffled residuals.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from limelight.analysis.ranking import TIE, ranks
from limelight.analysis.statistics.paired import PairedDifference, paired_difference
from limelight.analysis.statistics.resampling import SEED, largest_differences
from limelight.arrays import Flags, Reals

DRAWS = 2_000
LEVEL = 0.05
LEAST_TOPICS = 10
LEAST_RUNS = 2
Means = Sequence[float] | Reals


@dataclass(frozen=True, slots=True, eq=False)
class ToldApart:
    """What is known of every pair of a family: level and wording are chosen by whoever reads it.

    `draws` are the shuffled runs' largest differences, rising; two runs have `pair` instead, and no draws.
    """

    means: Reals
    p: Reals
    draws: Reals
    pair: PairedDifference | None = None

    @property
    def method(self) -> str:
        """Return the test in words."""
        return "Tukey HSD" if self.pair is None else "paired t-test"

    def critical_difference(self, level: float = LEVEL) -> float:
        """Return the difference of means above which two runs differ."""
        return critical_difference(self.draws, level) if self.pair is None else self.pair.half_width(level)

    def different(self, level: float = LEVEL) -> Flags:
        """Return for each pair whether it differs."""
        return self.p < level

    def ranges(self, level: float = LEVEL) -> list[tuple[int, int]]:
        """Return for each run the ranks that it may truly have."""
        return rank_ranges(self.means, self.different(level))

    def leading(self, level: float = LEVEL) -> list[bool]:
        """Return for each run whether it cannot be told from the first."""
        return leading_group(self.means, self.different(level))


def tell_apart(scores: ArrayLike, resamples: int = DRAWS, seed: int = SEED) -> ToldApart:
    """Test every pair of a family of runs.

    >>> told = tell_apart([[0.5, 0.7, 0.3, 0.6], [0.4, 0.6, 0.5, 0.4]])
    >>> told.method, told.ranges(), told.leading()
    ('paired t-test', [(1, 2), (1, 2)], [True, True])
    """
    scores = np.asarray(scores, dtype=np.float64)
    means = scores.mean(axis=1) if scores.size else np.zeros(len(scores))
    if len(scores) == 2:
        pair = paired_difference(*scores)
        return ToldApart(means, np.array([[1.0, pair.p], [pair.p, 1.0]]), np.zeros(0), pair)
    draws = residual_draws(scores, resamples, seed)
    return ToldApart(means, pair_p(draws, means), draws)


def why_not_told(run_count: int, topic_count: int) -> str:
    """Say why a board shows no ranges; nothing where it may show them.

    >>> why_not_told(12, 4), why_not_told(12, 15)
    ('too few topics to tell runs apart', '')
    """
    if topic_count < LEAST_TOPICS:
        return "too few topics to tell runs apart"
    return "too few runs to tell apart" if run_count < LEAST_RUNS else ""


def residuals(scores: ArrayLike) -> Reals:
    """Return what each run's mean leaves over: r = (x - m) * sqrt(n / (n - 1)).

    >>> residuals([[0.2, 0.4], [0.9, 0.9]]).round(4).tolist()
    [[-0.1414, 0.1414], [0.0, 0.0]]
    """
    scores = np.asarray(scores, dtype=np.float64)
    topics = scores.shape[1]
    return (scores - scores.mean(axis=1, keepdims=True)) * np.sqrt(topics / (topics - 1))


def residual_draws(scores: ArrayLike, resamples: int = DRAWS, seed: int = SEED) -> Reals:
    """Return, rising, how far the best and the worst of equally good runs would lie apart by the choice of topics.

    Residuals are shuffled among the runs within every topic: without the runs' own means, so that bad runs do not blunt
    the test for the others. A single topic has no residuals and tells nothing: its draws are infinite.
    """
    scores = np.asarray(scores, dtype=np.float64)
    if not scores.size or scores.shape[1] < 2:
        return np.full(resamples, np.inf)
    left = residuals(scores)
    # Sorted, so that the same seed gives the same draws in whatever order the runs are given.
    in_order = np.lexsort(left.round(12).T[::-1])
    return np.sort(largest_differences(left[in_order], resamples, seed))


def critical_difference(draws: Reals, level: float = LEVEL) -> float:
    """Return the difference of means above which p is below the level: the k-th largest draw.

    k = ceil(level * (B + 1)) - 1. With so few draws that no p is below the level there is no such difference.

    >>> critical_difference(np.arange(1.0, 100.0)), critical_difference(np.arange(1.0, 10.0))
    (96.0, inf)
    """
    p = np.arange(1, len(draws) + 1) / (len(draws) + 1)
    below = int(np.count_nonzero(p < level))
    return float(draws[-below]) if below else np.inf


def pair_p(draws: Reals, means: Means) -> Reals:
    """Return p = (draws at least as large as the difference + 1) / (B + 1) for each pair of runs, 1 on the diagonal.

    >>> pair_p(np.array([0.1, 0.2, 0.3]), [0.5, 0.25]).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    means = np.asarray(means, dtype=np.float64)
    return _p(draws, np.abs(means[:, np.newaxis] - means))


def _p(draws: Reals, differences: Reals) -> Reals:
    reached = len(draws) - np.searchsorted(draws, differences - TIE)
    return (reached + 1) / (len(draws) + 1)


def rank_ranges(means: Means, different: Flags) -> list[tuple[int, int]]:
    """Return for each run the first and the last rank that it may truly have.

    The first is 1 + the number of runs that differ and stand above, the last the number of all runs less those that
    differ and stand below. Runs with equal means share a range that holds the ranges of all of them.

    >>> apart = np.abs(np.subtract.outer([0.5, 0.46, 0.4, 0.3], [0.5, 0.46, 0.4, 0.3])) > 0.12
    >>> rank_ranges([0.5, 0.46, 0.4, 0.3], apart)
    [(1, 3), (1, 3), (1, 4), (3, 4)]
    """
    means = np.asarray(means, dtype=np.float64)
    above = means > means[:, np.newaxis]
    first = 1 + (different & above).sum(axis=1)
    last = len(means) - (different & above.T).sum(axis=1)
    shared = np.array(ranks(means.tolist()))
    equal = [shared == rank for rank in shared]
    return [(int(first[tied].min()), int(last[tied].max())) for tied in equal]


def ranges_of(wanted: Sequence[int], draws: Reals, means: Means, level: float = LEVEL) -> list[tuple[int, int]]:
    """Return the ranges of some runs of a family, given by their places among its means, without all pairs.

    >>> ranges_of([0, 2], np.linspace(0.0, 0.12, 99), [0.5, 0.46, 0.4, 0.3])
    [(1, 3), (1, 4)]
    """
    means = np.asarray(means, dtype=np.float64)
    shared = np.array(ranks(means.tolist()))
    found = []
    for place in wanted:
        tied = means[shared == shared[place]][:, np.newaxis]
        different = _p(draws, np.abs(tied - means)) < level
        first = 1 + (different & (means > tied)).sum(axis=1)
        last = len(means) - (different & (means < tied)).sum(axis=1)
        found.append((int(first.min()), int(last.max())))
    return found


def leading_group(means: Means, different: Flags) -> list[bool]:
    """Return for each run whether it cannot be told from the first, or from one of those that share the lead."""
    firsts = np.array(ranks(np.asarray(means, dtype=np.float64).tolist())) == 1
    return [bool((~row[firsts]).any()) for row in different]


def sharing_the_lead(draws: Reals, means: Means, level: float = LEVEL) -> int:
    """Return how many runs the leading group has, without holding all pairs against each other.

    >>> sharing_the_lead(np.linspace(0.0, 0.1, 99), [0.5, 0.45, 0.3])
    2
    """
    means = np.asarray(means, dtype=np.float64)
    return int(np.count_nonzero(_p(draws, means.max() - means) >= level))
