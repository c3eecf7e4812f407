"""A strip of the whole document: what is highlighted and what is returned, in lanes, as SVG text.

Highlighted text lies in the upper lane and returned text in the lower one, so that a hit fills both: the lanes tell the
kinds apart without colours. With two runs each has a lane of its own, below and above the highlighted text. Where marks
share a column of a lane, it shows what there is most of.
"""

from collections.abc import Sequence
from functools import cache
from html import escape

import numpy as np

from limelight.arrays import Flags, Reals
from limelight.overlay.laying import ABOVE, BELOW, HIT, LIT, MISS, RETURNED, WASTE, Overlay, Segment
from limelight.text.outline import Block

WIDTH, HEIGHT = 1000, 30
SMALLEST = 1e-6
"""Fewer characters in a column are what rounding leaves."""
SLICES = 60
"""Into so many parts at most the strip is cut that lead to the text without a script."""
UPPER, LOWER = (4, 11), (15, 11)
OF_TWO = ((3, 7), (11, 8), (20, 7))
"""Tops and heights of the lanes of one run, and of two."""

Lane = tuple[tuple[int, int], tuple[str, ...]]
"""Top and height, and the marks that may lie there."""


def strip_svg(overlay: Overlay, label: str) -> str:
    """Draw the strip; `label` says in words what it shows."""
    drawn = [
        f'<svg class="strip" viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" role="img" '
        f'aria-label="{escape(label)}" fill="none">',
        f'<path class="paper" stroke-width="22" d="M0 15h{WIDTH}"/>',
    ]
    counts = _counts(overlay)
    for (top, height), names in _lanes(overlay):
        there = [name for name in names if name in counts]
        columns = np.stack([counts[name] for name in there]) if there else np.zeros((1, WIDTH))
        most = np.where(columns.max(axis=0) > SMALLEST, columns.argmax(axis=0), -1)
        for number, name in enumerate(there):
            if (most == number).any():
                path = _path(most == number, top + height / 2)
                drawn.append(f'<path class="{name}" stroke-width="{height}" d="{path}"/>')
    return "".join([*drawn, *_entries(overlay), "</svg>"])


def _lanes(overlay: Overlay) -> tuple[Lane, ...]:
    """Return the lanes: where several marks share one, each column shows what there is most of."""
    if not (overlay.is_double and overlay.returns_text):
        return (UPPER, (HIT, MISS, LIT)), (LOWER, (HIT, WASTE, RETURNED))
    above, between, below = OF_TWO
    lines = (HIT, WASTE, RETURNED)
    return (
        (above, tuple(f"{ABOVE}-{line}" for line in lines)),
        (between, (LIT,)),
        (below, tuple(f"{BELOW}-{line}" for line in lines)),
    )


def _counts(overlay: Overlay) -> dict[str, Reals]:
    """Count for each mark how many characters of each column of the strip bear it; the narrowest is still seen."""
    cuts, lit, by = overlay.columns
    marks_of = cache(lambda highlighted, by: overlay.marks_of(Segment(0, 0, highlighted, by)))
    marks = [marks_of(highlighted, tuple(row)) for highlighted, row in zip(lit.tolist(), by.tolist(), strict=True)]
    lengths, edges = np.diff(cuts), np.linspace(0, overlay.extent, WIDTH + 1)
    counts: dict[str, Reals] = {}
    for name in {name for some in marks for name in some}:
        chosen = np.array([name in some for some in marks])
        before = np.concatenate(([0], np.cumsum(np.where(chosen, lengths, 0))))
        counts[name] = np.diff(np.interp(edges, cuts, before))
    return counts


def _path(columns: Flags, middle: float) -> str:
    """Write columns as strokes along the lane, neighbours in one.

    >>> _path(np.array([True, True, False, True]), 15)
    'M0 15h2m1 0h1'
    """
    edges = np.diff(np.pad(columns.astype(np.int8), 1))
    begins, ends = np.flatnonzero(edges == 1).tolist(), np.flatnonzero(edges == -1).tolist()
    written = [f"M{begins[0]} {middle:g}h{ends[0] - begins[0]}"]
    steps = zip(begins[1:], ends[1:], ends, strict=False)
    return "".join([*written, *(f"m{begin - before} 0h{end - begin}" for begin, end, before in steps)])


def _entries(overlay: Overlay) -> list[str]:
    """Draw entry points: the assessor's over the strip and filled, those of runs under it and hollow."""
    drawn = []
    if overlay.shows_entries:
        drawn = [_triangle("entered", layer.entry, HEIGHT, 19, overlay.extent) for layer in overlay.layers]
    if overlay.kind.has_places:
        drawn.append(_triangle("asked", overlay.entry_point, 0, 11, overlay.extent))
    return [triangle for triangle in drawn if triangle]


def _triangle(name: str, place: int | None, base: int, tip: int, extent: int) -> str:
    if place is None:
        return ""
    middle = WIDTH * place / extent
    points = f"{middle - 5:.1f},{base} {middle + 5:.1f},{base} {middle:.1f},{tip}"
    return f'<polygon class="{name}" points="{points}"/>'


def slices_svg(blocks: Sequence[Block], overlay: Overlay, *, prefix: str = "") -> str:
    """Lay links to the blocks over a strip, for readers without a script; nobody has to step through them."""
    places = [block.offset for block in blocks if block.length]
    if not places:
        return ""
    numbers = np.searchsorted(places, np.arange(SLICES) * overlay.extent // SLICES, side="right") - 1
    targets = [places[max(number, 0)] for number in numbers.tolist()]
    begins = [number for number in range(SLICES) if not number or targets[number] != targets[number - 1]]
    wide = WIDTH / SLICES
    links = [
        f'<a href="#{prefix}c{targets[begin]}" tabindex="-1">'
        f'<rect x="{begin * wide:.1f}" width="{(end - begin) * wide:.1f}" height="{HEIGHT}"/></a>'
        for begin, end in zip(begins, [*begins[1:], SLICES], strict=True)
    ]
    head = f'<svg class="slices" viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" aria-hidden="true">'
    return f"{head}{''.join(links)}</svg>"
