"""A strip of dots: a value each, on one line from 0 up, those that are alike above each other.

Places across are in per cent and heights in pixels, so that the strip is as wide as its page and its dots stay round.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from typing import NamedTuple

from limelight.figures.axes import height_for

STEP, RADIUS = 8.0, 3.6
ROOM, TALLEST = 12, 96
"""Pixels above and below the dots, and how high they may be stacked: many stand closer."""

FOOT = 24
"""Pixels below the line for its numbers."""

BINS = 90
"""Dots of one bin stand above each other."""

MARGIN = 2.0
"""Per cent left free at both ends."""

DIAMOND = "M0-7L7 0L0 7L-7 0Z"


class Mark(StrEnum):
    """What a dot stands for, which its shape tells as well as its colour."""

    RUN = "run"
    OWN = "own"
    BEST = "best"


@dataclass(frozen=True, slots=True)
class Dot:
    """One value, with the words that a pointer finds on it."""

    value: float
    words: str
    mark: Mark = Mark.RUN


@dataclass(frozen=True, slots=True)
class Middle:
    """The quartiles and the median that are drawn behind dots."""

    low: float
    median: float
    high: float


class Placed(NamedTuple):
    """A dot, the value it is drawn at, and how far above the lowest."""

    dot: Dot
    value: float
    height: float


def dots_svg(dots: Sequence[Dot], label: str, middle: Middle | None = None) -> str:
    """Draw dots as SVG text: own ones as diamonds, the best with a ring, the median as a line on its quartiles."""
    highest, ticks = height_for(max([dot.value for dot in dots] + ([middle.high] if middle else []), default=0.0))
    placed = _placed(dots, highest)
    line = round(2 * ROOM + max((one.height for one in placed), default=0.0))
    parts = [_axis(ticks, highest, line)]
    if middle:
        parts.insert(0, _middle(middle, highest, line))
    for mark in (Mark.RUN, Mark.BEST, Mark.OWN):  # what is marked lies above the rest
        parts += [_dot(one, highest, line) for one in placed if one.dot.mark is mark]
    opening = f'<svg class="dots" width="100%" height="{line + FOOT}" role="img" aria-label="{escape(label)}">'
    return f"{opening}{''.join(parts)}</svg>"


def mark_svg(mark: Mark) -> str:
    """Draw a mark by itself, for the key below a strip.

    >>> mark_svg(Mark.RUN)
    '<svg class="dots" width="18" height="18" aria-hidden="true"><circle class="run" cx="50%" cy="9" r="3.6"/></svg>'
    """
    drawn = _shape(mark, "50%", 9)
    return f'<svg class="dots" width="18" height="18" aria-hidden="true">{drawn}</svg>'


def median_svg() -> str:
    """Draw a median on its quartiles by itself, for the key below a strip."""
    band, line = '<rect class="band" width="18" height="18"/>', '<line class="median" x1="9" x2="9" y1="0" y2="18"/>'
    return f'<svg class="dots" width="18" height="18" aria-hidden="true">{band}{line}</svg>'


def _placed(dots: Sequence[Dot], highest: float) -> list[Placed]:
    """Return where dots stand: those of one bin above each other, in the middle of their values."""
    bins: dict[int, list[Dot]] = {}
    for dot in dots:
        bins.setdefault(min(int(BINS * dot.value / highest), BINS - 1), []).append(dot)
    step = min(STEP, TALLEST / max(max(map(len, bins.values()), default=1) - 1, 1))
    return [
        Placed(dot, sum(one.value for one in stacked) / len(stacked), round(level * step, 1))
        for stacked in bins.values()
        for level, dot in enumerate(stacked)
    ]


def _across(value: float, highest: float) -> str:
    share = min(max(value / highest, 0.0), 1.0)
    return f"{MARGIN + (100 - 2 * MARGIN) * share:.2f}%"


def _axis(ticks: Sequence[float], highest: float, line: int) -> str:
    drawn = f'<line class="rule" x1="0" x2="100%" y1="{line}" y2="{line}"/>'
    for tick in ticks:
        across = _across(tick, highest)
        drawn += f'<line class="rule" x1="{across}" x2="{across}" y1="{line}" y2="{line + 5}"/>'
        drawn += f'<text class="tick" x="{across}" y="{line + 20}" text-anchor="middle">{tick:g}</text>'
    return drawn


def _middle(middle: Middle, highest: float, line: int) -> str:
    low, high, median = (_across(value, highest) for value in (middle.low, middle.high, middle.median))
    width = f"{float(high[:-1]) - float(low[:-1]):.2f}%"
    return (
        f'<rect class="band" x="{low}" width="{width}" y="0" height="{line}"/>'
        f'<line class="median" x1="{median}" x2="{median}" y1="0" y2="{line}"/>'
    )


def _dot(placed: Placed, highest: float, line: int) -> str:
    shape = _shape(placed.dot.mark, _across(placed.value, highest), line - ROOM - placed.height)
    return f"<g><title>{escape(placed.dot.words)}</title>{shape}</g>"


def _shape(mark: Mark, across: str, level: float) -> str:
    if mark is Mark.OWN:
        return f'<svg class="own" x="{across}" y="{level:g}" overflow="visible"><path d="{DIAMOND}"/></svg>'
    dot = f'<circle class="run" cx="{across}" cy="{level:g}" r="{RADIUS}"/>'
    return dot + f'<circle class="ring" cx="{across}" cy="{level:g}" r="7"/>' if mark is Mark.BEST else dot
