"""Which run is better than which: a test for every pair of runs over the same topics.

Runs are rows, topics columns. Runs are ordered by decreasing mean, or as told; `p[i, j]` asks whether the run at place
i is better than the one at place j behind it.
"""

from dataclasses import dataclass

import numpy as np

from evaluation.statistics.resampling import RESAMPLES, SEED, bootstrap_means, largest_differences, signs
from evaluation.statistics.student import upper_tail

LEVEL = 0.05
EQUAL = 1e-12
"""A difference of means no larger than this is none: the last digits of a sum depend on its order."""


@dataclass(frozen=True, slots=True, eq=False)
class SignificanceMatrix:
    """The p-values of all pairs; `order` tells which run stands at each place, NaN fills the other half.

    A pair is significant when p is below the level and the run that stands first has the higher mean; under another
    measure's order it need not have.
    `resolution` is the smallest p-value above 0 that the test can give.
    """

    method: str
    order: tuple[int, ...]
    means: np.ndarray
    p: np.ndarray
    significant: np.ndarray
    level: float
    resolution: float
    warning: str = ""

    @property
    def pair_count(self):
        """Count the pairs."""
        return len(self.order) * (len(self.order) - 1) // 2

    @property
    def significant_count(self):
        """Count the significant pairs."""
        return int(self.significant.sum())


def bootstrap(scores, *, variant="percentile", order=None, level=LEVEL, resamples=RESAMPLES, seed=SEED):
    """Test one-tailed by resampling topics: p = share of resampled mean differences that are not above 0.

    The same resamples serve all pairs. `shift` moves the resampled differences to a mean of 0 and counts those at least
    as large as the observed one.
    """
    scores, order = _ordered(scores, order)
    means = bootstrap_means(scores, resamples, seed)
    observed = scores.mean(axis=1)
    p = _empty(len(scores))
    for place in range(len(scores) - 1):
        differences = means[place] - means[place + 1 :]
        if variant == "shift":
            expected = (observed[place] - observed[place + 1 :])[:, np.newaxis]
            counted = differences - expected >= expected - EQUAL
        else:
            counted = differences <= EQUAL
        p[place, place + 1 :] = np.count_nonzero(counted, axis=1) / resamples
    return _matrix(f"bootstrap ({variant})", order, observed, p, level, 1 / resamples)


def randomisation(scores, *, tails=2, order=None, level=LEVEL, resamples=RESAMPLES, seed=SEED):
    """Test by swapping the two runs' scores topic by topic: p = (count + 1) / (B + 1)."""
    scores, order = _ordered(scores, order)
    swapped = scores @ signs(scores.shape[1], resamples, seed).T / scores.shape[1]
    observed = scores.mean(axis=1)
    p = _empty(len(scores))
    for place in range(len(scores) - 1):
        differences = swapped[place] - swapped[place + 1 :]
        expected = (observed[place] - observed[place + 1 :])[:, np.newaxis]
        reached = np.abs(differences) >= np.abs(expected) - EQUAL if tails == 2 else differences >= expected - EQUAL
        p[place, place + 1 :] = (np.count_nonzero(reached, axis=1) + 1) / (resamples + 1)
    return _matrix("paired randomisation", order, observed, p, level, 1 / (resamples + 1))


def t_test(scores, *, tails=2, order=None, level=LEVEL):
    """Test by Student's t on the paired differences: t = mean / (standard deviation / sqrt(topics))."""
    scores, order = _ordered(scores, order)
    topics = scores.shape[1]
    t = _empty(len(scores))
    for place in range(len(scores) - 1):
        differences = scores[place] - scores[place + 1 :]
        mean = differences.mean(axis=1)
        error = differences.std(axis=1, ddof=1) / np.sqrt(topics) if topics > 1 else np.full(len(mean), np.inf)
        steady = error <= EQUAL
        t[place, place + 1 :] = mean / np.where(steady, 1.0, error)
        t[place, place + 1 :][steady] = np.where(np.abs(mean[steady]) <= EQUAL, 0, np.copysign(np.inf, mean[steady]))
    p = np.minimum(tails * upper_tail(np.abs(t) if tails == 2 else t, max(topics - 1, 1)), 1.0)
    return _matrix("paired t-test", order, scores.mean(axis=1), p, level, 0.0)


def tukey_hsd(scores, *, order=None, level=LEVEL, resamples=RESAMPLES, seed=SEED):
    """Test all pairs at once by randomised Tukey HSD: how often chance alone spreads the runs as far apart.

    p = (count + 1) / (B + 1) over the largest differences of shuffled runs; no further correction for many pairs is
    needed.
    """
    scores, order = _ordered(scores, order)
    largest = np.sort(largest_differences(scores, resamples, seed))
    observed = scores.mean(axis=1)
    differences = np.abs(observed[:, np.newaxis] - observed)
    reached = resamples - np.searchsorted(largest, differences - EQUAL)
    p = np.where(np.triu(np.ones_like(differences, dtype=bool), 1), (reached + 1) / (resamples + 1), np.nan)
    return _matrix("randomised Tukey HSD", order, observed, p, level, 1 / (resamples + 1))


def holm(matrix):
    """Correct a matrix for the number of its pairs by Holm's step-down method; says so when no pair can pass."""
    upper = np.triu_indices(len(matrix.order), 1)
    values = np.maximum(matrix.p[upper], matrix.resolution)
    by_size = np.argsort(values, kind="stable")
    factors = len(values) - np.arange(len(values))
    adjusted = np.empty(len(values))
    adjusted[by_size] = np.minimum(np.maximum.accumulate(values[by_size] * factors), 1.0)
    p = _empty(len(matrix.order))
    p[upper] = adjusted
    warning = ""
    if len(values) and matrix.resolution * len(values) >= matrix.level:
        needed = int(np.ceil(len(values) / matrix.level))
        warning = (
            f"With {len(values):,} pairs Holm's correction can't find any of them significant: the smallest p-value "
            f"these resamples can give is {matrix.resolution:.2g}. Take more than {needed:,} resamples."
        )
    return _matrix(f"{matrix.method}, Holm", matrix.order, matrix.means, p, matrix.level, matrix.resolution, warning)


def p_text(p, resolution=0.0):
    """Write a p-value as people do; 0 among B resamples is only known to be below 1/B.

    >>> p_text(0.0, 1 / 1000), p_text(0.0123)
    ('< 0.001', '0.012')
    """
    if p == 0 and resolution > 0:
        return f"< {resolution:.4g}"
    return "< 0.001" if 0 <= p < 0.001 else f"{p:.3f}"


TESTS = {"tukey": tukey_hsd, "bootstrap": bootstrap, "randomisation": randomisation, "t-test": t_test}
"""Tests by the names that the command line and pages use; the first is the default for many runs."""


def _ordered(scores, order):
    scores = np.asarray(scores, dtype=np.float64)
    if order is None:
        order = np.argsort(-scores.mean(axis=1), kind="stable") if scores.size else range(len(scores))
    order = tuple(int(place) for place in order)
    return np.ascontiguousarray(scores[list(order)]), order


def _empty(run_count):
    return np.full((run_count, run_count), np.nan)


def _matrix(method, order, means, p, level, resolution, warning=""):
    with np.errstate(invalid="ignore"):
        significant = (p < level) & (means[:, np.newaxis] > means)
    return SignificanceMatrix(method, order, means, p, significant, level, resolution, warning)
