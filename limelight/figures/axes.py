"""The horizontal axis of each curve (recall or rank), the stretch of it that a chart shows, and where its ticks are."""

import math
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from limelight.arrays import Reals

STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0)
MOST_TICKS, MOST_RANKS = 6, 9
STRETCH = re.compile(r"(\d{1,4}(?:\.\d{1,4})?)-(\d{1,4}(?:\.\d{1,4})?)")


@dataclass(frozen=True, slots=True)
class Stretch:
    """From where to where a chart shows a curve: both ends are points of it."""

    begin: float
    end: float

    def __str__(self) -> str:
        return f"{self.begin:g}-{self.end:g}"


@dataclass(frozen=True, slots=True)
class Axis:
    """What a curve is drawn over: its name, its first point, the step to the next, and the stretch where runs differ.

    `opens_early` says that a chart first shows that stretch alone. Such a curve is as high as its values; the others
    reach up to 1 at least.
    """

    name: str
    first: float
    step: float
    early: Stretch
    opens_early: bool
    decimals: int

    def points(self, count: int) -> Reals:
        """Return where the values of a curve stand."""
        return (self.first + self.step * np.arange(count)).round(6)

    def whole(self, count: int) -> Stretch:
        """Return the stretch of a curve with so many values."""
        return Stretch(self.first, round(self.first + self.step * (count - 1), 6))

    def opening(self, count: int) -> Stretch:
        """Return the stretch that a chart shows before somebody asks for another."""
        whole = self.whole(count)
        return Stretch(self.early.begin, min(self.early.end, whole.end)) if self.opens_early else whole

    def stretch(self, text: str, count: int) -> Stretch | None:
        """Read a stretch as addresses have it ("1-50", "0-0.1"), on points of the curve; None where it is none.

        >>> str(AXES["gP"].stretch("3-20", 50)), AXES["gP"].stretch("20-3", 50), str(AXES["iP"].stretch("0.101-7", 101))
        ('3-20', None, '0.1-1')
        """
        found = STRETCH.fullmatch(text.strip())
        if found is None:
            return None
        whole = self.whole(count)
        begin, end = (min(max(self._on_a_point(float(part)), whole.begin), whole.end) for part in found.groups())
        return Stretch(begin, end) if end - begin >= 2 * self.step - 1e-9 else None

    def _on_a_point(self, place: float) -> float:
        return round(self.first + round((place - self.first) / self.step) * self.step, 6)

    def where(self, stretch: Stretch, count: int) -> slice:
        """Return which values of a curve lie in a stretch."""
        begin, end = (round((place - self.first) / self.step) for place in (stretch.begin, stretch.end))
        return slice(max(begin, 0), min(end, count - 1) + 1)

    def ticks(self, stretch: Stretch) -> list[float]:
        """Return where the ticks below a chart stand: round numbers, and the first rank.

        >>> AXES["iP"].ticks(Stretch(0, 1)), AXES["gP"].ticks(Stretch(1, 20))
        ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [1.0, 5.0, 10.0, 15.0, 20.0])
        """
        most = MOST_RANKS if self.step == 1 else MOST_TICKS
        step = max(step_for(stretch.end - stretch.begin, most), self.step)
        first = math.ceil(round(stretch.begin / step, 6)) * step
        inside = np.arange(first, stretch.end + step / 1000, step).round(6).tolist()
        return inside if not self.first or stretch.begin > self.first else sorted({self.first, *inside})

    def written(self, place: float) -> str:
        """Write a place on the axis."""
        return f"{place:.{self.decimals}f}"


AXES = {
    "iP": Axis("recall", 0.0, 0.01, Stretch(0.0, 0.1), opens_early=False, decimals=2),
    "gP": Axis("rank", 1.0, 1.0, Stretch(1.0, 10.0), opens_early=True, decimals=0),
    "P": Axis("rank", 1.0, 1.0, Stretch(1.0, 10.0), opens_early=True, decimals=0),
}
"""The axis of each curve of the evaluators' table, by the curve's name."""


def step_for(length: float, most: int = MOST_TICKS) -> float:
    """Return the smallest round step of which not more than so many fit into a length.

    >>> step_for(1.0), step_for(0.3), step_for(9, 10)
    (0.2, 0.05, 1.0)
    """
    return next((step for step in STEPS if length / step <= most + 1e-9), STEPS[-1])


def height_for(highest: float, at_least: float = 0.0) -> tuple[float, list[float]]:
    """Return how high a chart is, and its ticks: round, and no value above it.

    >>> height_for(0.47), height_for(0.3, at_least=1.0)
    ((0.5, [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]), (1.0, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]))
    """
    wanted = max(highest, at_least, 0.02)
    step = step_for(wanted)
    count = math.ceil(round(wanted / step, 6))
    return round(count * step, 6), [round(place * step, 6) for place in range(count + 1)]


def highest_of(curves: list[ArrayLike]) -> float:
    """Return the highest number among curves, 0 where there is none.

    >>> highest_of([[0.2, float("nan")], [0.4]]), highest_of([])
    (0.4, 0.0)
    """
    return max((float(np.fmax.reduce(np.asarray(curve, np.float64), initial=0.0)) for curve in curves), default=0.0)
