"""Grids of many cells as SVG text: one path a shade, so that 300 runs by 300 stay small.

A grid has the width of the page and a height in pixels; its cells lie in a box of their own that is stretched. Shades
are classes; shade 0 is the ground.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from limelight.arrays import Integers
from limelight.figures.sheets import PAPER, WASH, Sheet, drawn_on, look, words

LEAST_HEIGHT, MOST_HEIGHT, ROW = 180, 560, 20
LONGEST_LABEL, LABELS = 22, 168
"""Characters of a row's name, and the room that names have in a file."""


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Shades by row and column, what stands beside some of the rows and below some of the columns, and in words.

    `key` tells in a file what the shades mean.
    """

    shades: Integers
    names: Sequence[str]
    rows: Sequence[tuple[int, str]]
    columns: Sequence[tuple[int, str]]
    title: str
    told: str
    key: Sequence[tuple[str, str]] = ()
    is_on_paper: bool = False
    """Whether shade 0 is the paper itself, and not a ground of its own."""

    @property
    def height(self) -> int:
        """Return how high the grid is: a line a row, as long as it fits."""
        return min(max(ROW * len(self.shades), LEAST_HEIGHT), MOST_HEIGHT)


def grid_svg(grid: Grid, *, as_file: bool = False) -> str:
    """Draw a grid, for a page or as a file: its cells by shade, and numbers or names outside of it."""
    rows, columns = grid.shades.shape
    paths = [
        f'<path {look(name)} d="{_path(grid.shades == shade)}"/>'
        for shade, name in enumerate(grid.names)
        if shade and (grid.shades == shade).any()
    ]
    beside = [
        f'<text x="-8" y="{grid.height * (row + 0.5) / rows + 4:.1f}" text-anchor="end">{_label(text)}</text>'
        for row, text in grid.rows
    ]
    below = [
        f'<text x="{100 * (column + 0.5) / columns:.2f}%" y="{grid.height + 17}" text-anchor="middle" class="column">'
        f"{_label(text)}</text>"
        for column, text in grid.columns
    ]
    body = "\n".join(
        [
            f'<svg viewBox="0 0 {columns} {rows}" preserveAspectRatio="none" width="100%" height="{grid.height}" '
            'shape-rendering="crispEdges" fill="none" stroke-width="1">',
            f'<rect class="ground" fill="{PAPER if grid.is_on_paper else WASH}" width="{columns}" height="{rows}"/>',
            *paths,
            "</svg>",
            *beside,
            *below,
        ]
    )
    left = LABELS if any(len(text) > 4 for _, text in grid.rows) else 44
    sheet = Sheet("grid", grid.title, grid.told, grid.height, left=left, key=grid.key)
    return drawn_on(sheet, body, as_file=as_file)


def tick_places(count: int, most: int = 12) -> list[int]:
    """Return which of so many lines bear a number: the first, and round ones.

    >>> tick_places(10), tick_places(300)
    ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [0, 24, 49, 74, 99, 124, 149, 174, 199, 224, 249, 274, 299])
    """
    step = next(step for step in (1, 2, 5, 10, 25, 50, 100, 250, 1000) if count / step <= most or step == 1000)
    return sorted({0, *range(step - 1, count, step)})


def _path(chosen: np.ndarray) -> str:
    """Write the chosen cells as strokes along their rows, neighbours in one.

    >>> _path(np.array([[True, True, False], [False, True, True]]))
    'M0 .5h2m-1 1h2'
    """
    edges = np.diff(np.pad(chosen.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    row, begin = np.nonzero(edges == 1)
    end = np.nonzero(edges == -1)[1]
    written = [f"M{begin[0]} {_half(int(row[0]))}h{end[0] - begin[0]}"]
    steps = zip((begin[1:] - end[:-1]).tolist(), np.diff(row).tolist(), (end - begin)[1:].tolist(), strict=True)
    written += [f"m{right} {down}h{length}" for right, down, length in steps]
    return "".join(written)


def _half(row: int) -> str:
    return f"{row or ''}.5"


def _label(text: str) -> str:
    return words(text, LONGEST_LABEL)
