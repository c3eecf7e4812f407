"""What stands behind the curves: how all runs fare at each point."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from limelight.arrays import Reals

FEWEST_FOR_A_BAND = 8
"""Of fewer runs, each is drawn as a thin grey line: quartiles would be those of two or three curves."""


@dataclass(frozen=True, slots=True, eq=False)
class Background:
    """The quartiles (lower, median, upper) of all runs at each point; or, of few runs, the curves themselves."""

    run_count: int
    quartiles: tuple[Reals, Reals, Reals] | None = None
    lines: tuple[Reals, ...] = ()

    @property
    def reach(self) -> list[Reals]:
        """Return the curves that the chart must be high enough for."""
        return list(self.lines) if self.quartiles is None else [self.quartiles[2]]

    @property
    def words(self) -> str:
        """Say what is drawn."""
        if self.quartiles is None:
            return "thin grey: all runs" if self.lines else ""
        return f"grey: middle half and median of all {self.run_count} runs"


def background_of(curves: Sequence[ArrayLike]) -> Background:
    """Return what stands behind the curves of all runs of a board.

    >>> background_of([[0.1 * run] for run in range(8)]).quartiles[1].round(3).tolist()
    [0.35]
    >>> len(background_of([[0.5], [0.25]]).lines)
    2
    """
    if len(curves) < FEWEST_FOR_A_BAND:
        return Background(len(curves), lines=tuple(np.asarray(curve, np.float64) for curve in curves))
    lower, median, upper = np.quantile(np.vstack(list(curves)), [0.25, 0.5, 0.75], axis=0)
    return Background(len(curves), (lower, median, upper))
