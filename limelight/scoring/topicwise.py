"""Sums within topics: arrays that hold all topics end to end, and the bounds between them.

Topic t of an array owns `values[bounds[t]:bounds[t + 1]]`; a topic that a run leaves out owns nothing. No function here
loops over topics.
"""

import numpy as np

from limelight.arrays import Array, Flags, Integers, Reals


def bounds_of(topic: Integers, topic_count: int) -> Integers:
    """Return where each topic begins in an array of topic numbers that never fall, and where the last one ends.

    >>> bounds_of(np.array([0, 0, 2]), 3).tolist()
    [0, 2, 2, 3]
    """
    return np.searchsorted(topic, np.arange(topic_count + 1))


def totals(values: Array, bounds: Integers) -> Array:
    """Sum the values of each topic.

    >>> totals(np.array([1, 2, 4]), np.array([0, 2, 2, 3])).tolist()
    [3, 0, 4]
    """
    if values.dtype == bool:
        values = values.astype(np.int64)
    sums = np.zeros(len(bounds) - 1, dtype=values.dtype)
    filled = bounds[:-1] < bounds[1:]
    if filled.any():
        sums[filled] = np.add.reduceat(values, bounds[:-1][filled])
    return sums


def means_at(chosen: Integers, values: Reals, bounds: Integers) -> Reals:
    """Average the values of each topic that stand at the chosen places; 0 where there are none.

    >>> means_at(np.array([0, 2, 3]), np.array([1.0, 0.5, 0.25]), np.array([0, 2, 2, 4])).tolist()
    [1.0, 0.0, 0.375]
    """
    chosen_bounds = np.searchsorted(chosen, bounds)
    return ratio(totals(values, chosen_bounds), np.diff(chosen_bounds))


def cumulative(values: Array, bounds: Integers) -> Array:
    """Sum the values of each topic up to and including each place.

    >>> cumulative(np.array([1, 2, 4]), np.array([0, 2, 2, 3])).tolist()
    [1, 3, 4]
    >>> cumulative(np.array([0.5, 0.0, 0.0, 0.25, 0.25]), np.array([0, 2, 2, 5])).tolist()
    [0.5, 0.5, 0.0, 0.25, 0.5]
    """
    if values.dtype.kind == "f":
        return _cumulative_floats(values, bounds)
    running = np.cumsum(values, dtype=np.int64)
    before = np.concatenate(([0], running))[bounds[:-1]]
    running -= np.repeat(before, np.diff(bounds))
    return running


def _cumulative_floats(values: Reals, bounds: Integers) -> Reals:
    # Most scores are 0: only the others are added, and every place then takes the last sum before it in its topic.
    adding = values != 0
    added = np.cumsum(adding)
    before = np.concatenate(([0], added))[bounds]
    sums = np.concatenate(([0.0], _side_by_side(values[adding], before)))
    added[added == np.repeat(before[:-1], np.diff(bounds))] = 0
    return sums[added]


def _side_by_side(values: Reals, bounds: Integers) -> Reals:
    # One running sum over all topics would carry the rounding of the first topics into the last ones. Topics of about
    # the same length are added up side by side instead: at most 64 classes, and never more than twice the values.
    sums = np.empty_like(values)
    lengths = np.diff(bounds)
    classes = np.frexp(lengths.astype(np.float64))[1]
    for size_class in np.unique(classes[lengths > 0]):
        rows = np.flatnonzero((classes == size_class) & (lengths > 0))
        width = lengths[rows].max()
        places = bounds[rows][:, np.newaxis] + np.arange(width)
        inside = places < bounds[rows + 1][:, np.newaxis]
        padded = np.where(inside, values[np.minimum(places, len(values) - 1)], 0.0)
        sums[places[inside]] = np.cumsum(padded, axis=1)[inside]
    return sums


def places(bounds: Integers) -> Integers:
    """Count the places of each topic from 1: the rank of every entry.

    >>> places(np.array([0, 2, 2, 3])).tolist()
    [1, 2, 1]
    """
    lengths = np.diff(bounds)
    return np.arange(1, bounds[-1] + 1) - np.repeat(bounds[:-1], lengths)


def at_rank(values: Array, bounds: Integers, rank: int) -> Array:
    """Return each topic's value at a rank, the last value where the topic is shorter, and 0 where it is empty.

    >>> at_rank(np.array([0.5, 0.75, 1.0]), np.array([0, 2, 2, 3]), 2).tolist()
    [0.75, 0.0, 1.0]
    """
    chosen = np.zeros(len(bounds) - 1, dtype=values.dtype)
    filled = bounds[:-1] < bounds[1:]
    chosen[filled] = values[np.minimum(bounds[:-1] + rank, bounds[1:])[filled] - 1]
    return chosen


def held_from(values: Array, bounds: Integers, rank: int) -> Array:
    """Return the value at each place, and from a rank on the value at that rank: `at_rank` of each list cut off there.

    >>> held_from(np.array([0.5, 0.75, 1.0, 0.25]), np.array([0, 3, 3, 4]), 2).tolist()
    [0.5, 0.75, 0.75, 0.25]
    """
    return values[np.arange(len(values)) - np.maximum(places(bounds) - rank, 0)]


def spread(topic_values: Array, bounds: Integers) -> Array:
    """Give every place its topic's value.

    >>> spread(np.array([7, 8, 9]), np.array([0, 2, 2, 3])).tolist()
    [7, 7, 9]
    """
    return np.repeat(topic_values, np.diff(bounds))


def running_means_at(chosen: Flags, values: Reals, bounds: Integers) -> Reals:
    """Average the values that stand at chosen places, of each topic up to and including each place; 0 before the first.

    >>> running_means_at(np.array([False, True, True]), np.array([1.0, 0.5, 1.0]), np.array([0, 3])).tolist()
    [0.0, 0.5, 0.75]
    """
    return ratio(cumulative(np.where(chosen, values, 0.0), bounds), cumulative(chosen, bounds))


def ratio(numerator: Array, denominator: Array) -> Reals:
    """Divide, and let 0 / 0 be 0.

    >>> ratio(np.array([1, 0]), np.array([4, 0])).tolist()
    [0.25, 0.0]
    """
    numerator = np.asarray(numerator, dtype=np.float64)
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=np.asarray(denominator) != 0)
