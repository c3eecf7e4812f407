"""Finding text that a run returns twice: all results at once, then the few groups that need a sentence."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import numpy as np

from limelight.arrays import Integers
from limelight.text.documents import normal_path


def groups_with_overlap(group: Integers, start: Integers, end: Integers) -> Integers:
    """Return the groups in which two spans share a character; empty spans share nothing.

    >>> groups_with_overlap(np.array([0, 0, 1, 1]), np.array([0, 5, 0, 10]), np.array([10, 8, 10, 20]))
    array([0])
    """
    full = end > start
    if not full.all():
        group, start, end = group[full], start[full], end[full]
    if not len(group):
        return group
    width = int(end.max()) + 1
    groups: Integers | None = None
    numbers = group
    if int(group.max()) > np.iinfo(np.int64).max // width - 1:
        groups, numbers = np.unique(group, return_inverse=True)
    bases = numbers * width
    keys, end_keys = bases + start, bases + end
    # Spans are apart exactly when, both sorted by themselves, each end comes before the next start.
    if (np.sort(keys)[1:] >= np.sort(end_keys)[:-1]).all():
        return group[:0]
    order = np.argsort(keys)
    reached = np.maximum.accumulate(end_keys[order])
    hit = np.unique(numbers[order][1:][keys[order][1:] < reached[:-1]])
    return hit if groups is None else groups[hit]


class CoveredText:
    """The text of one document that earlier results have returned, and which result was the last to do so."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._owners: list[int] = []

    def __len__(self) -> int:
        return len(self._starts)

    def claim(self, start: int, end: int, owner: int) -> int | None:
        """Cover a span; return an earlier owner of some of its text, or None."""
        if end <= start:
            return None
        first, last = bisect_right(self._ends, start), bisect_left(self._starts, end)
        pieces = [(start, end, owner)]
        earlier = None
        if first < last:
            earlier = self._owners[first]
            if self._starts[first] < start:
                pieces.insert(0, (self._starts[first], start, earlier))
            if self._ends[last - 1] > end:
                pieces.append((end, self._ends[last - 1], self._owners[last - 1]))
        starts, ends, owners = zip(*pieces, strict=True)
        self._starts[first:last], self._ends[first:last], self._owners[first:last] = starts, ends, owners
        return earlier


def path_spans(paths: Sequence[str]) -> tuple[Integers, Integers]:
    """Number element paths so that an element's numbers enclose those of the elements inside it.

    >>> path_spans(("/a[1]/b[2]", "/a[1]", "/a[1]/b[1]/c[1]", "/a[1]/b[1]"))
    (array([3, 0, 2, 1]), array([4, 4, 3, 3]))
    """
    keys = [normal_path(path) + "/" for path in paths]
    starts, ends = np.zeros(len(keys), dtype=np.int64), np.full(len(keys), len(keys), dtype=np.int64)
    open_paths: list[int] = []
    for position, index in enumerate(sorted(range(len(keys)), key=keys.__getitem__)):
        while open_paths and not keys[index].startswith(keys[open_paths[-1]]):
            ends[open_paths.pop()] = position
        starts[index] = position
        open_paths.append(index)
    return starts, ends
