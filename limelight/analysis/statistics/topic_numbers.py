"""How many topics: which differences a campaign can find, and how many topics a difference takes.

From the residual variance of a board, never for the difference that was observed (Sakai, topic set size design). Runs
are rows, topics columns.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from limelight.arrays import Reals

Z_LEVEL = 1.959964
"""Two-tailed 5 %."""

Z_POWER = 0.841621
"""Found four times out of five."""

DIFFERENCES = (0.01, 0.02, 0.05, 0.10)
MATTERS = 0.05
"""The difference that matters unless organisers say otherwise."""

FEWEST, MOST = 10, 500
"""The numbers of topics that a curve shows."""


def residual_variance(scores: ArrayLike) -> float:
    """V = sum (x - run's mean - topic's mean + grand mean)^2 / ((K - 1)(n - 1)); a paired difference has 2 V.

    >>> round(residual_variance([[0.5, 0.7, 0.3, 0.6], [0.4, 0.6, 0.5, 0.4], [0.3, 0.2, 0.4, 0.1]]), 6)
    0.0225
    """
    scores = np.asarray(scores, dtype=np.float64)
    runs, topics = scores.shape
    if runs < 2 or topics < 2:
        return math.nan
    left = scores - scores.mean(axis=1, keepdims=True) - scores.mean(axis=0) + scores.mean()
    return float((left**2).sum() / ((runs - 1) * (topics - 1)))


def found_difference(variance: float, topic_count: float | Reals) -> Reals:
    """Return the smallest difference of two runs that four of five campaigns with so many topics would find.

    delta(N) = (1.959964 + 0.841621) * sqrt(2 V / N).
    """
    return (Z_LEVEL + Z_POWER) * np.sqrt(2 * variance / np.asarray(topic_count, dtype=np.float64))


def found_curve(variance: float) -> tuple[Reals, Reals]:
    """Return the numbers of topics 10 .. 500 and the difference that is found with each."""
    counts = np.arange(FEWEST, MOST + 1, dtype=np.float64)
    return counts, found_difference(variance, counts)


def topics_needed(variance: float, difference: float) -> int:
    """Return how many topics a difference of two runs takes, to be found four times out of five.

    N = ((z_a + z_b) * sd / delta)^2 + z_a^2 / 2 rounded up, sd = sqrt(2 V).

    >>> topics_needed(0.2**2 / 2, 0.05)
    128
    """
    return math.ceil(exact_topics(variance, difference))


def exact_topics(variance: float, difference: float) -> float:
    """Return the same before it is rounded up."""
    return ((Z_LEVEL + Z_POWER) / difference) ** 2 * 2 * variance + Z_LEVEL**2 / 2


def topics_needed_for_all(variance: float, difference: float, critical: float, topic_count: int) -> int:
    """Return how many topics the same difference takes when all pairs of the board are told apart at once.

    The smallest N with delta >= q sqrt(V / N) + z_b sqrt(2 V / N), q = c sqrt(n / V) of a board of n topics.
    """
    per_root = critical * math.sqrt(topic_count) + Z_POWER * math.sqrt(2 * variance)
    return math.ceil((per_root / difference) ** 2 - 1e-9)
