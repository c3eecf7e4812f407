"""How steady a ranking is: two halves of the topics, generalisability, and two measures over redrawn topics.

All of it depends on the runs: compare measures only over the same ones. Runs are rows, topics columns.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from limelight.analysis.ranking import TIE
from limelight.analysis.statistics.resampling import SEED, bootstrap_weights
from limelight.analysis.statistics.topic_numbers import residual_variance
from limelight.arrays import Integers, Reals

SPLITS = 1_000
DRAWS = 1_000
MIDDLE = (0.025, 0.975)
LEAST_RUNS = 10
"""With fewer runs a coefficient between two measures means little."""


@dataclass(frozen=True, slots=True)
class Middle:
    """A coefficient over many draws: its mean and the middle 95 %; `left_out` draws had none."""

    mean: float
    low: float
    high: float
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class SplitHalves:
    """How two halves of so many topics agree with each other."""

    half: int
    tau: Middle


@dataclass(frozen=True, slots=True)
class TwoMeasures:
    """Coefficients of two measures over the same runs, by name: over all topics, and over redrawn topic sets.

    `ceiling` is the mean tau-b between the first measure on the drawn topics and the same measure on all.
    """

    value: dict[str, float]
    redrawn: dict[str, Middle]
    ceiling: float


def splits(topic_count: int, count: int = SPLITS, seed: int = SEED) -> Integers:
    """Draw splits: a row a split, first the topics of one half, then those of the other; of an odd number one is left.

    >>> splits(5, count=3).shape
    (3, 4)
    """
    generator = np.random.default_rng(seed)
    shuffled = generator.permuted(np.tile(np.arange(topic_count), (count, 1)), axis=1)
    return shuffled[:, : 2 * (topic_count // 2)]


def split_halves(scores: ArrayLike, chosen: Integers) -> SplitHalves:
    """Rank the runs by either half of each split, and return Kendall's tau-b between the two rankings."""
    scores = np.asarray(scores, dtype=np.float64)
    half = chosen.shape[1] // 2
    taus = [
        _tau(scores[:, split[:half]].mean(axis=1), scores[:, split[half:]].mean(axis=1)) for split in chosen if half
    ]
    return SplitHalves(half, middle_of(taus))


def generalisability(scores: ArrayLike) -> float:
    """G = max(0, (MSr - V) / MSr): the share of the differences between runs not due to the choice of topics.

    MSr = n * sum (m - grand mean)^2 / (K - 1); V is the residual variance. 0 where there are no differences.

    >>> round(generalisability([[0.5, 0.7, 0.3, 0.6], [0.4, 0.6, 0.5, 0.4], [0.3, 0.2, 0.4, 0.1]]), 6)
    0.737864
    """
    between = mean_square_of_runs(scores)
    return max(0.0, (between - residual_variance(scores)) / between) if between > 0 else 0.0


def mean_square_of_runs(scores: ArrayLike) -> float:
    """Return MSr = n * sum (m - grand mean)^2 / (K - 1)."""
    scores = np.asarray(scores, dtype=np.float64)
    means = scores.mean(axis=1)
    return float(scores.shape[1] * ((means - means.mean()) ** 2).sum() / (len(means) - 1))


def two_measures(
    one: ArrayLike, other: ArrayLike, resamples: int = DRAWS, seed: int = SEED, weights: Reals | None = None
) -> TwoMeasures:
    """Hold two measures of the same runs and topics against each other; both are redrawn with the same topics."""
    one, other = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    drawn = bootstrap_weights(one.shape[1], resamples, seed) if weights is None else weights
    shares = (drawn / drawn.sum(axis=1, keepdims=True)).T
    means, others, whole = (one @ shares).T, (other @ shares).T, one.mean(axis=1)
    return TwoMeasures(
        value=_coefficients(whole, other.mean(axis=1)),
        redrawn=_middles([_coefficients(*pair) for pair in zip(means, others, strict=True)]),
        ceiling=middle_of([_tau(drawn_means, whole) for drawn_means in means]).mean,
    )


def middle_of(values: Sequence[float]) -> Middle:
    """Return the mean and the middle 95 % of coefficients; those that are 0/0 are left out and counted."""
    known = np.array([value for value in values if not np.isnan(value)])
    if not len(known):
        return Middle(np.nan, np.nan, np.nan, len(values))
    low, high = np.quantile(known, MIDDLE)
    return Middle(float(known.mean()), float(low), float(high), len(values) - len(known))


def _middles(drawn: Sequence[dict[str, float]]) -> dict[str, Middle]:
    return {name: middle_of([values[name] for values in drawn]) for name in drawn[0]} if drawn else {}


def _coefficients(one: Reals, other: Reals) -> dict[str, float]:
    signs, other_signs = _signs(one), _signs(other)
    return {
        "tau-b": _tau_b(signs, other_signs),
        "tau-AP": _tau_ap(signs, other_signs),
        "r": _pearson(one, other),
    }


def _tau(one: Reals, other: Reals) -> float:
    return _tau_b(_signs(one), _signs(other))


def _signs(means: Reals) -> Reals:
    # 1 where the run of the row is above that of the column, 0 where they tie, for every pair twice.
    differences = np.subtract.outer(means, means)
    return np.sign(np.where(np.abs(differences) <= TIE, 0.0, differences))


def _tau_b(signs: Reals, other: Reals) -> float:
    # The same as kendall_tau_b, without its p-value, which would take most of the time over a thousand draws.
    bottom = np.sqrt(np.count_nonzero(signs) * np.count_nonzero(other))
    return float((signs * other).sum() / bottom) if bottom else np.nan


def _tau_ap(signs: Reals, other: Reals) -> float:
    # The same as tau_ap over ranks, without its loop over runs: tied ones stand in every order equally often.
    count = len(signs)
    if count < 2:
        return np.nan
    above = signs < 0
    before = np.count_nonzero(above, axis=1)
    right = (above * (1 - other) / 2).sum(axis=1)
    order = np.argsort(before, kind="stable")
    groups = before[order]
    within = np.arange(count) - np.searchsorted(groups, groups)
    mean = (np.bincount(groups, weights=right[order]) / np.maximum(np.bincount(groups), 1))[groups]
    places = groups + within
    later = places > 0
    return float(2 / (count - 1) * ((mean + within / 2)[later] / places[later]).sum() - 1)


def _pearson(one: Reals, other: Reals) -> float:
    first, second = one - one.mean(), other - other.mean()
    bottom = np.sqrt((first**2).sum() * (second**2).sum())
    return float(np.clip((first * second).sum() / bottom, -1, 1)) if bottom > 0 else np.nan
