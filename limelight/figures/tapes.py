"""Tapes: a document as a line of its length, with what is highlighted and what a run returns of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from limelight.text.documents import Span
from limelight.text.spans import Range, joined, shared, without

WIDTH = 1000
NARROWEST = 4
"""Of a stretch, so that a sentence in a long document is still seen."""


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
    found, wanted = joined(returned), joined(highlighted)
    ends = [end for _, end in (*found, *wanted)]
    whole = max([length, *ends, *(place for place in (point, entry_point) if place is not None), 1])

    def stretches(ranges: Sequence[Range]) -> tuple[Stretch, ...]:
        return tuple(_stretch(begin, end, whole) for begin, end in ranges)

    return Tape(
        length=whole,
        returned=stretches(found),
        hits=stretches(shared(found, wanted)),
        beside=stretches(without(wanted, found)),
        point=None if point is None else _at(point, whole),
        entry_point=None if entry_point is None else _at(entry_point, whole),
    )


def _at(place: int, whole: int) -> float:
    return round(WIDTH * place / whole, 1)


def _stretch(begin: int, end: int, whole: int) -> Stretch:
    width = max(WIDTH * (end - begin) / whole, NARROWEST)
    return Stretch(round(min(WIDTH * begin / whole, WIDTH - width), 1), round(width, 1))
