"""Which run is better than which: a test for every pair of runs over the same topics.

Runs are rows, topics columns. Every pair is tested in the direction of the higher mean, so that what is significant
doesn't depend on the order in which runs are shown: by decreasing mean, or as told.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from limelight.analysis.ranking import TIE
from limelight.analysis.statistics.paired import holm_corrected
from limelight.analysis.statistics.resampling import RESAMPLES, SEED, bootstrap_means, largest_differences, signs
from limelight.analysis.statistics.student import upper_tail
from limelight.analysis.statistics.telling_apart import (
    DRAWS,
    LEVEL,
    critical_difference,
    pair_p,
    residual_draws,
)
from limelight.arrays import Flags, Reals

VARIANTS = ("percentile", "shift")
"""The two ways of reading a bootstrap; the first is the default."""


@dataclass(frozen=True, slots=True, eq=False)
class SignificanceMatrix:
    """The p-values of all pairs; `order` tells which run stands at each place.

    A pair has its p-value in the row of the run with the higher mean and the column of the other, NaN in the mirror
    place. In the order of the means that is above the diagonal; in another order it may stand below as well. A pair is
    significant when p is below the level. `resolution` is the smallest p-value above 0 that the test can give,
    `critical_difference` the difference of means above which every pair is significant, where the test has one.
    """

    method: str
    order: tuple[int, ...]
    means: Reals
    p: Reals
    significant: Flags
    level: float
    resolution: float
    warning: str = ""
    tails: int = 2
    critical_difference: float | None = None

    @property
    def pair_count(self) -> int:
        """Count the pairs."""
        return len(self.order) * (len(self.order) - 1) // 2

    @property
    def significant_count(self) -> int:
        """Count the significant pairs, whichever of the two runs stands first."""
        return int(self.significant.sum())

    @property
    def different(self) -> Flags:
        """Return for each pair of places whether the runs differ, in whichever direction."""
        return self.significant | self.significant.T

    @property
    def upset_count(self) -> int:
        """Count the significant pairs in which the better run stands behind the other."""
        return int(np.tril(self.significant).sum())

    def p_of(self, place: int, other: int) -> float:
        """Return the p-value of the pair of runs at two places."""
        return float(np.fmax(self.p[place, other], self.p[other, place]))

    def tells_apart(self, place: int, other: int) -> bool:
        """Return whether the runs at two places differ significantly."""
        return bool(self.significant[place, other] or self.significant[other, place])

    def in_order(self, order: Sequence[int]) -> "SignificanceMatrix":
        """Return the same matrix with the runs in another order."""
        place_of = {run: place for place, run in enumerate(self.order)}
        places = [place_of[run] for run in order]
        crossed = np.ix_(places, places)
        return replace(
            self,
            order=tuple(int(run) for run in order),
            means=self.means[places],
            p=self.p[crossed],
            significant=self.significant[crossed],
        )


def own_order(scores: ArrayLike) -> tuple[int, ...]:
    """Return the places of runs by decreasing mean; runs with the same mean keep the order they came in.

    >>> own_order([[0.1, 0.3], [0.5, 0.5], [0.3, 0.1]])
    (1, 0, 2)
    """
    scores = np.asarray(scores, dtype=np.float64)
    order = np.argsort(-scores.mean(axis=1), kind="stable") if scores.size else range(len(scores))
    return tuple(int(place) for place in order)


def bootstrap(
    scores: ArrayLike,
    *,
    variant: str = VARIANTS[0],
    tails: int = 1,
    order: Sequence[int] | None = None,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> SignificanceMatrix:
    """Test one-tailed by resampling topics: p = share of resampled mean differences that are not above 0.

    The same resamples serve all pairs. `shift` moves the resampled differences to a mean of 0 and counts those at least
    as large as the observed one, in either direction for two tails; of the percentiles two tails are twice the one.
    """
    scores, own = _ordered(scores)
    means = bootstrap_means(scores, resamples, seed)
    observed = scores.mean(axis=1)
    p = _empty(len(scores))
    for place in range(len(scores) - 1):
        differences = means[place] - means[place + 1 :]
        if variant == "shift":
            expected = (observed[place] - observed[place + 1 :])[:, np.newaxis]
            moved = differences - expected
            counted = (np.abs(moved) if tails == 2 else moved) >= expected - TIE
        else:
            counted = differences <= TIE
        p[place, place + 1 :] = np.count_nonzero(counted, axis=1) / resamples
    doubled = tails if variant != "shift" else 1
    p = np.minimum(doubled * p, 1.0)
    return _matrix(f"bootstrap ({variant})", own, observed, p, level, doubled / resamples, tails=tails, order=order)


def randomisation(
    scores: ArrayLike,
    *,
    tails: int = 2,
    order: Sequence[int] | None = None,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> SignificanceMatrix:
    """Test by swapping the two runs' scores topic by topic: p = (count + 1) / (B + 1)."""
    scores, own = _ordered(scores)
    swapped = scores @ signs(scores.shape[1], resamples, seed).T / scores.shape[1]
    observed = scores.mean(axis=1)
    p = _empty(len(scores))
    for place in range(len(scores) - 1):
        differences = swapped[place] - swapped[place + 1 :]
        expected = (observed[place] - observed[place + 1 :])[:, np.newaxis]
        reached = np.abs(differences) >= np.abs(expected) - TIE if tails == 2 else differences >= expected - TIE
        p[place, place + 1 :] = (np.count_nonzero(reached, axis=1) + 1) / (resamples + 1)
    return _matrix("paired randomisation", own, observed, p, level, 1 / (resamples + 1), tails=tails, order=order)


def t_test(
    scores: ArrayLike, *, tails: int = 2, order: Sequence[int] | None = None, level: float = LEVEL
) -> SignificanceMatrix:
    """Test by Student's t on the paired differences: t = mean / (standard deviation / sqrt(topics))."""
    scores, own = _ordered(scores)
    topics = scores.shape[1]
    t = _empty(len(scores))
    for place in range(len(scores) - 1):
        differences = scores[place] - scores[place + 1 :]
        mean = differences.mean(axis=1)
        error = differences.std(axis=1, ddof=1) / np.sqrt(topics) if topics > 1 else np.full(len(mean), np.inf)
        steady = error <= TIE
        t[place, place + 1 :] = mean / np.where(steady, 1.0, error)
        t[place, place + 1 :][steady] = np.where(np.abs(mean[steady]) <= TIE, 0, np.copysign(np.inf, mean[steady]))
    p = np.minimum(tails * upper_tail(np.abs(t) if tails == 2 else t, max(topics - 1, 1)), 1.0)
    return _matrix("paired t-test", own, scores.mean(axis=1), p, level, 0.0, tails=tails, order=order)


def tukey_hsd(
    scores: ArrayLike,
    *,
    order: Sequence[int] | None = None,
    level: float = LEVEL,
    resamples: int = DRAWS,
    seed: int = SEED,
) -> SignificanceMatrix:
    """Test all pairs at once by randomised Tukey HSD: how often chance alone spreads equal runs as far apart.

    p = (count + 1) / (B + 1) over the largest differences of shuffled residuals; no further correction for many pairs
    is needed.
    """
    draws = residual_draws(scores, resamples, seed)
    return _tukey("randomised Tukey HSD", draws, scores, level, order)


def tukey_complete_null(
    scores: ArrayLike,
    *,
    order: Sequence[int] | None = None,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> SignificanceMatrix:
    """Test as `tukey_hsd` with scores shuffled as they are, as older papers did.

    What is shuffled holds the differences between runs: one far worse than all others hides differences among these.
    """
    draws = np.sort(largest_differences(_ordered(scores)[0], resamples, seed))
    return _tukey("randomised Tukey HSD (complete null)", draws, scores, level, order)


def holm(matrix: SignificanceMatrix) -> SignificanceMatrix:
    """Correct a matrix for the number of its pairs by Holm's step-down method; says so when no pair can pass."""
    tested = np.nonzero(~np.isnan(matrix.p))
    values = np.maximum(matrix.p[tested], matrix.resolution)
    p = _empty(len(matrix.order))
    p[tested] = holm_corrected(values)
    warning = ""
    if len(values) and matrix.resolution * len(values) >= matrix.level:
        needed = int(np.ceil(len(values) / matrix.level))
        warning = (
            f"With {len(values):,} pairs Holm's correction can't find any of them significant: the smallest p-value "
            f"these resamples can give is {matrix.resolution:.2g}. Take more than {needed:,} resamples."
        )
    significant = _significant(p, matrix.means, matrix.level)
    method = f"{matrix.method}, Holm"
    return replace(matrix, method=method, p=p, significant=significant, warning=warning, critical_difference=None)


def p_text(p: float, resolution: float = 0.0) -> str:
    """Write a p-value as people do; 0 among B resamples is only known to be below 1/B.

    >>> p_text(0.0, 1 / 1000), p_text(0.0123)
    ('< 0.001', '0.012')
    """
    if p == 0 and resolution > 0:
        return f"< {resolution:.4g}"
    return "< 0.001" if 0 <= p < 0.001 else f"{p:.3f}"


TESTS: dict[str, Callable[..., SignificanceMatrix]] = {
    "tukey": tukey_hsd,
    "tukey-complete-null": tukey_complete_null,
    "bootstrap": bootstrap,
    "randomisation": randomisation,
    "t-test": t_test,
}
"""Tests by the names that the command line and pages use; the first is the default for many runs."""


def _ordered(scores: ArrayLike) -> tuple[Reals, tuple[int, ...]]:
    order = own_order(scores)
    return np.ascontiguousarray(np.asarray(scores, dtype=np.float64)[list(order)]), order


def _tukey(
    method: str, draws: Reals, scores: ArrayLike, level: float, order: Sequence[int] | None
) -> SignificanceMatrix:
    scores, own = _ordered(scores)
    means = scores.mean(axis=1) if scores.size else np.zeros(len(scores))
    p = pair_p(draws, means)
    p[np.tril_indices(len(means))] = np.nan
    matrix = _matrix(method, own, means, p, level, 1 / (len(draws) + 1), order=order)
    return replace(matrix, critical_difference=critical_difference(draws, level))


def _empty(run_count: int) -> Reals:
    return np.full((run_count, run_count), np.nan)


def _matrix(
    method: str,
    own: tuple[int, ...],
    means: Reals,
    p: Reals,
    level: float,
    resolution: float,
    tails: int = 2,
    order: Sequence[int] | None = None,
) -> SignificanceMatrix:
    matrix = SignificanceMatrix(method, own, means, p, _significant(p, means, level), level, resolution, tails=tails)
    return matrix if order is None else matrix.in_order(order)


def _significant(p: Reals, means: Reals, level: float) -> Flags:
    with np.errstate(invalid="ignore"):
        return (p < level) & (means[:, np.newaxis] > means)
