"""What all runs say together besides which of them differ: redrawn topics, how many are needed, how steady ranks are.

Each is computed from scores (runs are rows, topics columns) and kept as JSON; words are found when it is read.
"""

import math

from limelight.analysis.statistics.redrawing import redraw, topic_weights
from limelight.analysis.statistics.stability import LEAST_RUNS, generalisability, split_halves, splits, two_measures
from limelight.analysis.statistics.topic_numbers import residual_variance

REDRAWN, STEADINESS, AGAINST = "redrawn", "steadiness", "two-measures"
"""How often a run comes first; how many topics a difference takes and how far halves agree; one measure and another."""


def redrawn_result(scores, _):
    """Return for each run how often it comes first and among the first three, and between which ranks it lies."""
    found = redraw(scores, topic_weights(scores.shape[1]))
    return {name: getattr(found, name).tolist() for name in ("first", "top3", "low", "high")}


def steadiness_result(scores, _):
    """Return the variance that is left, and of enough runs how steady their ranking is."""
    result = {"variance": residual_variance(scores)}
    if len(scores) >= LEAST_RUNS:
        halves = split_halves(scores, splits(scores.shape[1]))
        result |= {"half": halves.half, "tau": middle(halves.tau), "generalisability": generalisability(scores)}
    return result


def two_measures_result(scores, other):
    """Return how alike two measures rank enough runs; nothing where not all of them have both."""
    if len(scores) < LEAST_RUNS or other.shape != scores.shape:
        return {}
    found = two_measures(scores, other)
    return {
        "value": {name: number(value) for name, value in found.value.items()},
        "redrawn": {name: middle(value) for name, value in found.redrawn.items()},
        "ceiling": number(found.ceiling),
    }


RESULTS = {REDRAWN: redrawn_result, STEADINESS: steadiness_result, AGAINST: two_measures_result}


def middle(found):
    """Return a coefficient over many draws as it is kept."""
    return [number(found.mean), number(found.low), number(found.high), found.left_out]


def number(value):
    """Return a number as JSON knows it: what is 0/0 is nothing."""
    return None if math.isnan(value) else value
