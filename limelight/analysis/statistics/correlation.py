"""How alike two measures order the same runs: Kendall's tau, tau_AP and Pearson's r."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from limelight.analysis.statistics.student import upper_tail
from limelight.arrays import Reals

Scores = Sequence[float] | Reals
"""One number a run."""

EXACT_RUNS = 60
"""Up to this many runs, and without ties, tau's p-value is counted rather than approximated."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """A coefficient with its two-tailed p-value; None where a coefficient has none."""

    value: float
    p: float | None


def kendall_tau_a(one: Scores, other: Scores) -> Correlation:
    """tau_a = (concordant - discordant pairs) / all pairs.

    >>> kendall_tau_a([3, 2, 1], [3, 1, 2]).value
    0.3333333333333333
    """
    concordance, pairs, _, _ = _pairs(one, other)
    return Correlation(concordance / pairs if pairs else math.nan, _kendall_p(one, other, concordance))


def kendall_tau_b(one: Scores, other: Scores) -> Correlation:
    """tau_b = (concordant - discordant pairs) / sqrt((pairs not tied in one) (pairs not tied in the other)).

    >>> round(kendall_tau_b([3, 2, 2, 1], [4, 3, 1, 2]).value, 4)
    0.5477
    """
    concordance, pairs, tied_one, tied_other = _pairs(one, other)
    bottom = math.sqrt((pairs - tied_one) * (pairs - tied_other))
    return Correlation(concordance / bottom if bottom else math.nan, _kendall_p(one, other, concordance))


def tau_ap(estimate: Scores, truth: Scores) -> Correlation:
    """tau_AP = 2 / (n - 1) * sum of C(i) / (i - 1) over ranks i = 2 .. n, minus 1: errors at the top weigh more.

    C(i) counts the runs above rank i in the estimate that the truth ranks above run i too. A pair tied in either
    ranking is half right, and runs tied in the estimate stand in every order equally often.

    >>> tau_ap([4, 3, 2, 1], [4, 3, 2, 1]).value, round(tau_ap([4, 3, 2, 1], [3, 4, 2, 1]).value, 4)
    (1.0, 0.3333)
    """
    estimate, truth = _arrays(estimate, truth)
    count = len(estimate)
    if count < 2:
        return Correlation(math.nan, None)
    total = 0.0
    for value in np.unique(estimate):
        tied, above = estimate == value, estimate > value
        right = (truth[above] > truth[tied][:, np.newaxis]).sum() + (
            truth[above] == truth[tied][:, np.newaxis]
        ).sum() / 2
        size, before = int(tied.sum()), int(above.sum())
        for place in range(size):
            if before + place:
                total += (right / size + place / 2) / (before + place)
    return Correlation(float(2 / (count - 1) * total - 1), None)


def pearson(one: Scores, other: Scores) -> Correlation:
    """R = covariance / (standard deviation * standard deviation).

    >>> round(pearson([1, 2, 3, 4], [1, 2, 3, 5]).value, 4)
    0.9827
    """
    first, second = (values - values.mean() for values in _arrays(one, other))
    bottom = math.sqrt((first**2).sum() * (second**2).sum())
    if len(first) < 2 or bottom == 0:
        return Correlation(math.nan, None)
    value = float(np.clip((first * second).sum() / bottom, -1, 1))
    degrees = len(first) - 2
    if degrees < 1:
        return Correlation(value, 1.0)
    rest = 1 - value**2
    t = abs(value) * math.sqrt(degrees / rest) if rest > 0 else math.inf
    return Correlation(value, float(2 * upper_tail(t, degrees)))


COEFFICIENTS = {
    "tau-b": kendall_tau_b,
    "tau-a": kendall_tau_a,
    "tau-AP": tau_ap,
    "Pearson": pearson,
}
"""Coefficients in the order they are shown; tau-b is the one for a single figure."""


def _arrays(one: Scores, other: Scores) -> tuple[Reals, Reals]:
    return np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)


def _pairs(one: Scores, other: Scores) -> tuple[int, int, int, int]:
    one, other = _arrays(one, other)
    first, second = np.triu_indices(len(one), 1)
    signs_one, signs_other = np.sign(one[first] - one[second]), np.sign(other[first] - other[second])
    return (
        int((signs_one * signs_other).sum()),
        len(first),
        int((signs_one == 0).sum()),
        int((signs_other == 0).sum()),
    )


def _kendall_p(one: Scores, other: Scores, concordance: int) -> float | None:
    count = len(one)
    if count < 2:
        return None
    ties_one, ties_other = _tie_sizes(one), _tie_sizes(other)
    if not ties_one.size and not ties_other.size and count <= EXACT_RUNS:
        return _exact_p(count, concordance)
    variance = _variance(count, ties_one, ties_other)
    return math.erfc(abs(concordance) / math.sqrt(2 * variance)) if variance > 0 else None


def _tie_sizes(values: Scores) -> Reals:
    _, sizes = np.unique(np.asarray(values, dtype=np.float64), return_counts=True)
    return sizes[sizes > 1].astype(np.float64)


def _variance(count: int, ties_one: Reals, ties_other: Reals) -> float:
    def spread(sizes: Reals) -> float:
        return (sizes * (sizes - 1) * (2 * sizes + 5)).sum()

    both_pairs = (ties_one * (ties_one - 1)).sum() * (ties_other * (ties_other - 1)).sum()
    triples = (ties_one * (ties_one - 1) * (ties_one - 2)).sum() * (
        ties_other * (ties_other - 1) * (ties_other - 2)
    ).sum()
    variance = (count * (count - 1) * (2 * count + 5) - spread(ties_one) - spread(ties_other)) / 18
    variance += both_pairs / (2 * count * (count - 1))
    return variance + (triples / (9 * count * (count - 1) * (count - 2)) if count > 2 else 0)


def _exact_p(count: int, concordance: int) -> float:
    # How many orders of the runs have each number of swapped pairs, built up run by run in whole numbers.
    orders = [1]
    for size in range(2, count + 1):
        longer = [0] * (len(orders) + size - 1)
        for swaps, ways in enumerate(orders):
            for added in range(size):
                longer[swaps + added] += ways
        orders = longer
    pairs = count * (count - 1) // 2
    swapped = (pairs - abs(concordance)) // 2
    return min(1.0, 2 * sum(orders[: swapped + 1]) / math.factorial(count))
