"""Two runs over the same topics: how far apart their means are, and what other topics would make of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from limelight.analysis.ranking import TIE
from limelight.analysis.statistics.student import quantile, upper_tail
from limelight.arrays import Reals

MOST_COMPARED = 6
"""So many runs are compared pair by pair; a table of more would be read for its smallest p-value."""

PAIRED_T = "paired t"
"""What sentences call the test that intervals belong to."""


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The mean difference of two runs over their topics, with the standard error of that mean.

    `better` and `worse` count the topics on which the first run is above and below the other. `p` is that of the paired
    t-test, two-tailed.
    """

    mean: float
    error: float
    topic_count: int
    better: int
    worse: int
    p: float

    @property
    def is_steady(self) -> bool:
        """Return whether all topics differ by the same amount."""
        return self.error <= TIE

    def half_width(self, level: float = 0.05) -> float:
        """Return t(1 - level / 2, n - 1) * s / sqrt(n): what the interval reaches to either side of the mean."""
        if self.topic_count < 2:
            return np.inf
        return 0.0 if self.is_steady else quantile(1 - level / 2, self.topic_count - 1) * self.error

    def interval(self, level: float = 0.05) -> tuple[float, float]:
        """Return both ends of the interval; it leaves out 0 exactly where p is below the level."""
        half = self.half_width(level)
        return self.mean - half, self.mean + half


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """Two named runs, the one with the higher mean first; `p` is that of a test, corrected for the number of pairs."""

    better: str
    other: str
    difference: PairedDifference
    p: float
    pair_count: int
    test: str = PAIRED_T

    def differs(self, level: float = 0.05) -> bool:
        """Return whether the topics can tell the two apart: never one topic by itself."""
        return self.difference.topic_count > 1 and abs(self.difference.mean) > TIE and self.p < level


def compared_pairs(names: Sequence[str], scores: Reals) -> list[ComparedPair]:
    """Compare every pair of up to six runs: intervals each by itself, p-values with Holm's correction over the pairs.

    >>> pairs = compared_pairs(["a", "b"], np.array([[0.2, 0.4, 0.3], [0.3, 0.7, 0.5]]))
    >>> [(pair.better, pair.other, round(pair.difference.mean, 4), round(pair.p, 4)) for pair in pairs]
    [('b', 'a', 0.2, 0.0742)]
    """
    if not 2 <= len(names) <= MOST_COMPARED:
        return []
    means = scores.mean(axis=1)
    places = [
        (one, other) if means[one] >= means[other] else (other, one)
        for one, other in combinations(range(len(names)), 2)
    ]
    found = [paired_difference(scores[one], scores[other]) for one, other in places]
    corrected = holm_corrected(np.array([difference.p for difference in found]))
    return [
        ComparedPair(names[one], names[other], difference, float(p), len(found))
        for (one, other), difference, p in zip(places, found, corrected, strict=True)
    ]


def holm_corrected(p: Reals) -> Reals:
    """Correct p-values for their number by Holm's step-down method.

    >>> holm_corrected(np.array([0.01, 0.04, 0.03])).round(4).tolist()
    [0.03, 0.06, 0.06]
    """
    by_size = np.argsort(p, kind="stable")
    corrected = np.empty(len(p))
    factors = len(p) - np.arange(len(p))
    corrected[by_size] = np.minimum(np.maximum.accumulate(p[by_size] * factors), 1.0)
    return corrected


def paired_difference(one: ArrayLike, other: ArrayLike) -> PairedDifference:
    """Return what two runs differ by: mean of the differences, s / sqrt(n), and p of t = mean / (s / sqrt(n)).

    A single topic tells nothing: its error is infinite.

    >>> found = paired_difference([0.1, 0.0, 0.2, 0.0, 0.3], [0.0, 0.0, 0.0, 0.1, 0.0])
    >>> round(found.mean, 4), round(found.p, 4), [round(end, 6) for end in found.interval()]
    (0.1, 0.2302, [-0.096324, 0.296324])
    """
    differences = np.asarray(one, dtype=np.float64) - np.asarray(other, dtype=np.float64)
    count = len(differences)
    mean = float(differences.mean()) if count else 0.0
    error = float(differences.std(ddof=1) / np.sqrt(count)) if count > 1 else np.inf
    return PairedDifference(
        mean=mean,
        error=error,
        topic_count=count,
        better=int((differences > TIE).sum()),
        worse=int((differences < -TIE).sum()),
        p=_two_tailed(mean, error, count),
    )


def _two_tailed(mean: float, error: float, count: int) -> float:
    if abs(mean) <= TIE:
        return 1.0
    t = abs(mean) / error if error > TIE else np.inf
    return float(2 * upper_tail(t, max(count - 1, 1)))
