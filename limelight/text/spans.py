"""Spans of text as sets of characters: joined, what two sets share, and what is left of one without the other."""

from collections.abc import Iterable, Sequence

from limelight.text.documents import Span

Range = tuple[int, int]
"""Begin and end; the end is the first character that is no part of it."""


def joined(spans: Iterable[Span]) -> list[Range]:
    """Return spans as ranges in order, those that touch as one, and none that is empty.

    >>> joined([(50, 10), (0, 20), (10, 20), (70, 0)])
    [(0, 30), (50, 60)]
    """
    whole: list[Range] = []
    for offset, length in sorted(spans):
        if length <= 0:
            continue
        if whole and offset <= whole[-1][1]:
            whole[-1] = whole[-1][0], max(whole[-1][1], offset + length)
        else:
            whole.append((offset, offset + length))
    return whole


def shared(one: Sequence[Range], other: Sequence[Range]) -> list[Range]:
    """Return what two sets of joined ranges share, in one walk over both.

    >>> shared([(0, 30), (50, 60)], [(20, 55)])
    [(20, 30), (50, 55)]
    """
    both: list[Range] = []
    here = there = 0
    while here < len(one) and there < len(other):
        begin, end = max(one[here][0], other[there][0]), min(one[here][1], other[there][1])
        if begin < end:
            both.append((begin, end))
        if one[here][1] <= other[there][1]:
            here += 1
        else:
            there += 1
    return both


def without(ranges: Sequence[Range], taken: Sequence[Range]) -> list[Range]:
    """Return what is left of joined ranges when others, joined as well, are cut out.

    >>> without([(0, 30), (50, 60)], [(10, 20), (25, 55)])
    [(0, 10), (20, 25), (55, 60)]
    """
    left: list[Range] = []
    cuts = shared(ranges, taken)
    number = 0
    for begin, end in ranges:
        while number < len(cuts) and cuts[number][0] < end:
            first, last = cuts[number]
            if begin < first:
                left.append((begin, first))
            begin = last
            number += 1
        if begin < end:
            left.append((begin, end))
    return left


def size(ranges: Iterable[Range]) -> int:
    """Count the characters of joined ranges.

    >>> size([(0, 30), (50, 60)])
    40
    """
    return sum(end - begin for begin, end in ranges)
