"""Differences that diverge from a line: a column a topic, and bars that say what a difference is made of.

Places across are in per cent and heights in pixels, so that a drawing is as wide as its page and words keep their size.
Colours are classes of the page's stylesheet.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

DEPTH = 170
"""Pixels that the longest columns to both sides have together."""
ROOM, FOOT = 18, 24
"""Pixels above and below the columns for their numbers, and for the names of the topics."""
MOST_NUMBERED, MOST_NAMED = 24, 48
"""Of so many columns each has its number, and its name."""
GAP = 0.17
"""Share of a column's place that stays free at either side."""
LEAST = 0.8
"""Pixels of a column that would be too short to be seen."""

BAR, STACK = 30, 18
"""Pixels of a part with its interval and its steps, and of parts stacked on each other."""


@dataclass(frozen=True, slots=True)
class Column:
    """A difference: its name, the words that a pointer finds on it, and where a click leads."""

    name: str
    value: float
    words: str
    address: str = ""


def columns_svg(columns: Sequence[Column], label: str, above: int, below: int) -> str:
    """Draw differences as columns above and below a line, in the hues of the two runs.

    >>> drawn = columns_svg([Column("103", 0.4, "Topic 103"), Column("104", -0.1, "Topic 104")], "Topics", 1, 3)
    >>> drawn.count("above hue-1"), drawn.count("below hue-3"), "−0.10" in drawn
    (1, 1, True)
    """
    highest = max((column.value for column in columns), default=0.0)
    lowest = min((column.value for column in columns), default=0.0)
    unit = DEPTH / (max(highest, 0.0) - min(lowest, 0.0) or 1.0)
    zero = ROOM + max(highest, 0.0) * unit
    height = round(zero - min(lowest, 0.0) * unit + ROOM + (FOOT if len(columns) <= MOST_NAMED else 0))
    wide = 100 / max(len(columns), 1)
    drawn = [
        _column(column, (place * wide, wide), (zero, unit), height, above if column.value >= 0 else below)
        for place, column in enumerate(columns)
    ]
    if len(columns) <= MOST_NUMBERED:
        drawn += [_number(column, (place + 0.5) * wide, zero, unit) for place, column in enumerate(columns)]
    crowd = " many" if len(columns) > MOST_NUMBERED // 2 else ""
    opening = f'<svg class="columns{crowd}" width="100%" height="{height}" role="group" aria-label="{escape(label)}">'
    line = f'<line class="zero" x2="100%" y1="{zero:.1f}" y2="{zero:.1f}"/>'
    return f"{opening}{''.join(drawn)}{line}</svg>"


def _column(column: Column, across: tuple[float, float], up: tuple[float, float], height: int, hue: int) -> str:
    (left, wide), (zero, unit) = across, up
    tall = max(abs(column.value) * unit, LEAST)
    kind, top = ("above", zero - tall) if column.value >= 0 else ("below", zero)
    place, width = f"{left + GAP * wide:.3f}%", f"{(1 - 2 * GAP) * wide:.3f}%"
    drawn = (
        f"<title>{escape(column.words)}</title>"
        f'<rect class="hold" x="{left:.3f}%" y="0" width="{wide:.3f}%" height="{height}"/>'
        f'<rect class="{kind} hue-{hue}" x="{place}" y="{top:.1f}" width="{width}" height="{tall:.1f}"/>'
    )
    if wide * MOST_NAMED >= 100:
        drawn += f'<text class="name" x="{left + wide / 2:.3f}%" y="{height - 6}">{escape(column.name)}</text>'
    if not column.address:
        return f"<g>{drawn}</g>"
    return f'<a href="{escape(column.address)}" aria-label="{escape(column.words)}">{drawn}</a>'


def _number(column: Column, middle: float, zero: float, unit: float) -> str:
    end = zero - column.value * unit
    place = end - 6 if column.value >= 0 else end + 13
    return f'<text class="value" x="{middle:.3f}%" y="{place:.1f}">{signed(column.value)}</text>'


def signed(value: float, decimals: int = 2) -> str:
    """Write a difference with its sign.

    >>> signed(0.4), signed(-0.0312, 4)
    ('+0.40', '−0.0312')
    """
    return f"{value:+.{decimals}f}".replace("-", "−")


@dataclass(frozen=True, slots=True)
class Scale:
    """A common scale with 0 on it; places are in per cent."""

    low: float
    high: float

    @classmethod
    def over(cls, values: Iterable[float]) -> "Scale":
        """Return the scale that has room for all values that are finite."""
        known = [0.0, *(value for value in values if math.isfinite(value))]
        return cls(min(known), max(known))

    def at(self, value: float) -> float:
        """Return how far from the left a value lies, in per cent; what lies outside is at the edge.

        >>> Scale(-0.1, 0.3).at(0.0), Scale(0.0, 0.0).at(0.0)
        (26.0, 50.0)
        """
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round(2 + 96 * min(max(share, 0.0), 1.0), 2)


def part_svg(
    value: float, interval: tuple[float, float], steps: tuple[float, float], scale: Scale, *, may_be_none: bool
) -> str:
    """Draw a part of a difference: a bar with its interval, and under it a thin line over the steps it may make.

    A part whose interval holds 0 is drawn in grey. An interval without ends is left out.
    """
    zero, end = scale.at(0.0), scale.at(value)
    kind = "may-be-none" if may_be_none else "part"
    drawn = [_across("steps", *steps, 24, scale), _rectangle(kind, zero, end, 5, 14)]
    if all(map(math.isfinite, interval)):
        low, high = map(scale.at, interval)
        drawn.append(_across("interval", *interval, 12, scale))
        drawn += [f'<line class="interval" x1="{at}%" x2="{at}%" y1="8" y2="16"/>' for at in (low, high)]
    return _bar(drawn, zero, BAR)


def stack_svg(parts: Sequence[float], scale: Scale) -> str:
    """Draw the parts of one difference on each other, to either side of 0, and a mark where they add up to.

    >>> stack_svg([0.2, -0.1], Scale(-0.1, 0.3)).count("<rect")
    2
    """
    drawn, ends = [], [0.0, 0.0]
    for place, value in enumerate(parts):
        side = int(value < 0)
        begin, ends[side] = ends[side], ends[side] + value
        if value:
            drawn.append(_rectangle(f"part-{place}", scale.at(begin), scale.at(ends[side]), 3, 12))
    total = scale.at(sum(ends))
    drawn.append(f'<line class="total" x1="{total}%" x2="{total}%" y1="0" y2="{STACK}"/>')
    return _bar(drawn, scale.at(0.0), STACK)


def stack_ends(parts: Sequence[float]) -> tuple[float, float]:
    """Return how far parts reach to either side when they are drawn on each other.

    >>> stack_ends([0.25, -0.125, 0.5])
    (-0.125, 0.75)
    """
    return sum(value for value in parts if value < 0), sum(value for value in parts if value > 0)


def _bar(drawn: Sequence[str], zero: float, height: int) -> str:
    line = f'<line class="zero" x1="{zero}%" x2="{zero}%" y1="0" y2="{height}"/>'
    return f'<svg class="parted" width="100%" height="{height}" aria-hidden="true">{"".join(drawn)}{line}</svg>'


def _rectangle(kind: str, begin: float, end: float, top: int, height: int) -> str:
    left, right = sorted((begin, end))
    return f'<rect class="{kind}" x="{left}%" width="{right - left:.2f}%" y="{top}" height="{height}"/>'


def _across(kind: str, begin: float, end: float, y: int, scale: Scale) -> str:
    return f'<line class="{kind}" x1="{scale.at(begin)}%" x2="{scale.at(end)}%" y1="{y}" y2="{y}"/>'
