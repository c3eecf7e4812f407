"""Few runs compared pair by pair with the test that somebody chose: the paired t, or one that draws again.

Intervals are always those of the paired t; another test changes only the p-value, and so what is called different.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from limelight.analysis.statistics.corrections import HOLM, corrected
from limelight.analysis.statistics.paired import ComparedPair, compared_pairs
from limelight.analysis.statistics.pairwise import TESTS
from limelight.arrays import Reals

T_TEST = "t-test"
PAIRED_TESTS = {T_TEST: "paired t", "randomisation": "paired randomisation", "bootstrap": "bootstrap"}
"""The tests for a few pairs, by the words that addresses use: what sentences call them."""


def compared_by(test: str, names: Sequence[str], scores: Reals) -> list[ComparedPair]:
    """Compare every pair of up to six runs, whose names differ, by one of the tests; two-tailed, corrected by Holm.

    >>> scores = np.array([[0.2, 0.4, 0.3, 0.6], [0.3, 0.7, 0.5, 0.9]])
    >>> [(pair.better, pair.test, round(pair.p, 4)) for pair in compared_by("randomisation", ["a", "b"], scores)]
    [('b', 'paired randomisation', 0.1369)]
    """
    pairs = compared_pairs(names, scores)
    if test == T_TEST or not pairs:
        return pairs
    matrix = TESTS[test](scores, tails=2, order=range(len(names)))
    place_of = {name: place for place, name in enumerate(names)}
    p = np.array([matrix.p_of(place_of[pair.better], place_of[pair.other]) for pair in pairs])
    read = corrected(p, HOLM, matrix.resolution).tolist()
    return [replace(pair, p=value, test=PAIRED_TESTS[test]) for pair, value in zip(pairs, read, strict=True)]
