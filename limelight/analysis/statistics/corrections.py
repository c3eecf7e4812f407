"""Corrections of p-values for the number of pairs that were tested, each by itself."""

import math

import numpy as np

from limelight.analysis.statistics.paired import holm_corrected
from limelight.arrays import Reals

NONE, HOLM, BONFERRONI = "none", "holm", "bonferroni"
CORRECTIONS = {NONE: "no correction", HOLM: "Holm", BONFERRONI: "Bonferroni"}
"""What each is called, by the word that addresses use."""


def corrected(p: Reals, correction: str, resolution: float = 0.0) -> Reals:
    """Correct the p-values of all pairs for their number.

    `resolution` is the smallest p-value above 0 that the test can give: one of 0 is only known to be below it.

    >>> corrected(np.array([0.01, 0.04, 0.03]), "bonferroni").round(4).tolist()
    [0.03, 0.12, 0.09]
    >>> corrected(np.array([0.0, 0.04]), "holm", resolution=0.001).round(4).tolist()
    [0.002, 0.04]
    """
    if correction == NONE:
        return p
    known = np.maximum(p, resolution)
    return holm_corrected(known) if correction == HOLM else np.minimum(known * len(p), 1.0)


def resamples_needed(pair_count: int, resolution: float, level: float) -> int:
    """Return how many resamples it would take until one pair can pass a correction; 0 where these are enough.

    >>> resamples_needed(45, 1 / 1001, 0.05), resamples_needed(44_850, 1 / 1001, 0.05)
    (0, 897000)
    """
    return math.ceil(pair_count / level) if pair_count and resolution * pair_count >= level else 0
