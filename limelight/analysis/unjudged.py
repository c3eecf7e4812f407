"""What a score could have been, had unjudged documents been read.

*Sharp bounds* hold for measures that do not depend on unknown totals: all unjudged text relevant is then the best case.
*Ranges* of AgP and iAP hold in a world in which only text in unjudged documents that this run returned may be relevant;
relevant text that only others returned is not considered. Everything here is about one topic.
"""

from collections.abc import Iterator

import numpy as np

from limelight.arrays import Flags, Integers, Reals

LEVELS = 100
Range = tuple[float, float]


def highest_precisions(scores: Reals, unjudged: Flags) -> Reals:
    """gP[r] <= gP[r] + u_r / r at every rank, with u_r unjudged documents among the first r.

    >>> highest_precisions(np.array([0.8, 0.0, 0.5]), np.array([False, True, False])).round(4).tolist()
    [0.8, 0.9, 0.7667]
    """
    return np.cumsum(np.where(unjudged, 1.0, scores)) / np.arange(1, len(scores) + 1)


def highest_character_precisions(relevant: Integers, sizes: Integers, unjudged: Flags) -> Reals:
    """P[r] <= (found + unjudged characters) / read at every rank; the last is charP's, the largest that of iP[0.00]."""
    found, read = np.cumsum(np.where(unjudged, sizes, relevant)), np.cumsum(sizes)
    return np.divide(found, read, out=np.zeros(len(read)), where=read > 0)


def agp_range(scores: Reals, relevant: Flags, unjudged: Flags, relevant_count: int) -> Range:
    """Return the lowest and the highest AgP.

    Highest: the first k unjudged documents are relevant with S = 1, and Nrel + k, for the best k. Lowest: unjudged
    documents from which the run took none of the relevant text add gP at their rank to the sum and 1 to Nrel, those
    with the smallest gP first, as long as that lowers the score.

    >>> scores, relevant = np.array([0.8, 0.0, 0.5, 0.0, 0.0]), np.array([True, False, True, False, False])
    >>> low, high = agp_range(scores, relevant, np.array([False, True, False, False, True]), 3)
    >>> round(low, 4), round(high, 4)
    (0.3733, 0.6253)
    """
    return _lowest_agp(scores, relevant, unjudged, relevant_count), max(
        _agp(np.where(taken, 1.0, scores), relevant | taken, relevant_count + int(taken.sum()))
        for taken in _first_taken(unjudged)
    )


def iap_range(relevant: Integers, sizes: Integers, unjudged: Flags, total: int) -> Range:
    """Return the lowest and the highest iAP, over every number x of relevant characters among the unjudged ones.

    With Trel + x; highest with the first x of them relevant, lowest with the last x.
    """
    amounts = range(int(sizes[unjudged].sum()) + 1)
    before = [_iap(_filled(relevant, sizes, unjudged, amount), sizes, total + amount) for amount in amounts]
    behind = [_iap(_filled(relevant, sizes, unjudged, amount, -1), sizes, total + amount) for amount in amounts]
    return min(behind), max(before)


def iap_range_at_ends(relevant: Integers, sizes: Integers, unjudged: Flags, total: int) -> Range:
    """Return about the same, with x only where results end: both are scores that some relevant text would give.

    >>> relevant, sizes = np.array([30, 0, 40, 0]), np.array([40, 20, 60, 30])
    >>> low, high = iap_range_at_ends(relevant, sizes, np.array([False, True, False, True]), 100)
    >>> round(low, 6), round(high, 6)
    (0.461221, 0.652805)
    """
    places = np.flatnonzero(unjudged)
    before = [_iap(_filled(relevant, sizes, unjudged, end), sizes, total + end) for end in _ends(sizes[places])]
    behind = [
        _iap(_filled(relevant, sizes, unjudged, end, -1), sizes, total + end) for end in _ends(sizes[places[::-1]])
    ]
    return min(behind), max(before)


def iap_ceiling(relevant: Integers, sizes: Integers, unjudged: Flags, total: int) -> float:
    """Return an iAP that no relevant text among the unjudged characters exceeds, from where results end.

    Between two ends M' < x <= M the highest is that of x = M' for ranks before the result in which x lies, with Trel +
    M', and of x = M from this result on.

    >>> relevant, sizes = np.array([30, 0, 40, 0]), np.array([40, 20, 60, 30])
    >>> round(iap_ceiling(relevant, sizes, np.array([False, True, False, True]), 100), 6)
    0.655446
    """
    places = np.flatnonzero(unjudged)
    ends = _ends(sizes[places])
    highest = _iap(relevant, sizes, total)
    for place, low, high in zip(places.tolist(), ends[:-1], ends[1:], strict=True):
        found = np.cumsum(_filled(relevant, sizes, unjudged, high))
        totals = np.where(np.arange(len(sizes)) < place, total + low, total + high)
        highest = max(highest, _interpolated(found, np.cumsum(sizes), totals))
    return highest


def within(unjudged: Flags, depth: int) -> Flags:
    """Return the unjudged among the first documents or results; the rest stays as judged."""
    return unjudged & (np.arange(len(unjudged)) < depth)


def _first_taken(unjudged: Flags) -> Iterator[Flags]:
    counted = np.cumsum(unjudged)
    for taken in range(int(unjudged.sum()) + 1):
        yield unjudged & (counted <= taken)


def _agp(scores: Reals, relevant: Flags, relevant_count: int) -> float:
    precisions = np.cumsum(scores) / np.arange(1, len(scores) + 1)
    return float(precisions[relevant].sum() / relevant_count) if relevant_count else 0.0


def _lowest_agp(scores: Reals, relevant: Flags, unjudged: Flags, relevant_count: int) -> float:
    precisions = np.cumsum(scores) / np.arange(1, len(scores) + 1)
    total, lowest = float(precisions[relevant].sum()), _agp(scores, relevant, relevant_count)
    for count, precision in enumerate(np.sort(precisions[unjudged]).tolist(), start=relevant_count + 1):
        if precision >= lowest:
            break
        total += precision
        lowest = total / count
    return lowest


def _filled(relevant: Integers, sizes: Integers, unjudged: Flags, amount: int, direction: int = 1) -> Integers:
    # The first (or last) characters of the unjudged results become relevant.
    room = np.where(unjudged, sizes, 0)[::direction]
    before = np.cumsum(room) - room
    return np.where(unjudged, np.clip(amount - before, 0, room)[::direction], relevant)


def _ends(sizes: Integers) -> list[int]:
    return [0, *np.cumsum(sizes).tolist()]


def _iap(relevant: Integers, sizes: Integers, total: int) -> float:
    return _interpolated(np.cumsum(relevant), np.cumsum(sizes), np.full(len(sizes), total))


def _interpolated(found: Integers, read: Integers, totals: Integers) -> float:
    # The mean of iP over the levels 0.00 .. 1.00; precision where nothing was found is 0 at every level.
    best = np.zeros(LEVELS + 1)
    rising = (found > 0) & (read > 0)
    level = np.minimum(LEVELS * found[rising] // totals[rising], LEVELS)
    np.maximum.at(best, level, found[rising] / read[rising])
    return float(np.maximum.accumulate(best[::-1]).sum() / (LEVELS + 1))
