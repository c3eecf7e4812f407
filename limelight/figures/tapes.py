"""Tapes: a document as a line of its length, with what is highlighted and what a run returns of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

WIDTH = 1000
NARROWEST = 4
"""Of a stretch, so that a sentence in a long document is still seen."""

Span = tuple[int, int]
"""Offset and length."""


class Stretch(NamedTuple):
    """Part of a tape, from 0 to WIDTH."""

    x: float
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Tape:
    """Where on a document's tape lies what is returned, the highlighted text in it (hits), and that beside it.

    `point` is the entry point of the run, `entry_point` that of the assessor; None where there is none.
    """

    length: int
    returned: tuple[Stretch, ...] = ()
    hits: tuple[Stretch, ...] = ()
    beside: tuple[Stretch, ...] = ()
    point: float | None = None
    entry_point: float | None = None


def tape(
    length: int,
    returned: Iterable[Span],
    highlighted: Iterable[Span] = (),
    *,
    point: int | None = None,
    entry_point: int | None = None,
) -> Tape:
    """Lay spans on the tape of a document; one that reaches beyond its end makes the tape longer.

    >>> drawn = tape(200, [(0, 50)], [(25, 50)])
    >>> drawn.hits, drawn.beside
    ((Stretch(x=125.0, width=125.0),), (Stretch(x=250.0, width=125.0),))
    """
    returned, highlighted = joined(returned), joined(highlighted)
    ends = [end for _, end in (*returned, *highlighted)]
    whole = max([length, *ends, *(place for place in (point, entry_point) if place is not None), 1])
    hits = [(max(a, c), min(b, d)) for a, b in returned for c, d in highlighted if max(a, c) < min(b, d)]

    def stretches(spans: Sequence[Span]) -> tuple[Stretch, ...]:
        return tuple(_stretch(begin, end, whole) for begin, end in spans)

    return Tape(
        length=whole,
        returned=stretches(returned),
        hits=stretches(hits),
        beside=stretches(_without(highlighted, hits)),
        point=None if point is None else _at(point, whole),
        entry_point=None if entry_point is None else _at(entry_point, whole),
    )


def joined(spans: Iterable[Span]) -> list[Span]:
    """Return spans as (begin, end) in order, those that touch as one, and none that is empty.

    >>> joined([(50, 10), (0, 20), (10, 20), (70, 0)])
    [(0, 30), (50, 60)]
    """
    whole: list[Span] = []
    for offset, length in sorted(spans):
        if length <= 0:
            continue
        if whole and offset <= whole[-1][1]:
            whole[-1] = whole[-1][0], max(whole[-1][1], offset + length)
        else:
            whole.append((offset, offset + length))
    return whole


def _without(spans: Sequence[Span], taken: Sequence[Span]) -> list[Span]:
    """Return what is left of spans when others, which lie in them and in order, are cut out."""
    left = []
    for begin, end in spans:
        for first, last in taken:
            if begin <= first and last <= end:
                if begin < first:
                    left.append((begin, first))
                begin = last
        if begin < end:
            left.append((begin, end))
    return left


def _at(place: int, whole: int) -> float:
    return round(WIDTH * place / whole, 1)


def _stretch(begin: int, end: int, whole: int) -> Stretch:
    width = max(WIDTH * (end - begin) / whole, NARROWEST)
    return Stretch(round(min(WIDTH * begin / whole, WIDTH - width), 1), round(width, 1))
