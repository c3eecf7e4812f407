"""A strip of the whole document: what is highlighted and what is returned, in lanes, as SVG text.

Highlighted text lies in the upper lane and returned text in the lower one, so that a hit fills both: the lanes tell the
kinds apart without colours. With two runs each has a lane of its own, below and above the highlighted text.
"""

from collections.abc import Sequence
from html import escape

import numpy as np

from limelight.arrays import Flags
from limelight.overlay.laying import ABOVE, BELOW, HIT, LIT, MISS, RETURNED, WASTE, Overlay, Segment
from limelight.text.outline import Block

WIDTH, HEIGHT = 1000, 30
SLICES = 60
"""Into so many parts at most the strip is cut that lead to the text without a script."""
LANES = {
    WASTE: (15, 11),
    RETURNED: (15, 11),
    MISS: (4, 11),
    LIT: (4, 11),
    HIT: (4, 22),
}
"""Top and height of what is drawn of one run, in the order of drawing."""
BETWEEN_TWO = (11, 8)
LANES_OF_TWO = {BELOW: (20, 7), ABOVE: (3, 7)}


def strip_svg(overlay: Overlay, label: str) -> str:
    """Draw the strip; `label` says in words what it shows."""
    drawn = [
        f'<svg class="strip" viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" role="img" '
        f'aria-label="{escape(label)}" fill="none">',
        f'<path class="paper" stroke-width="22" d="M0 15h{WIDTH}"/>',
    ]
    for name, (top, height) in _lanes(overlay).items():
        chosen = [segment for segment in overlay.segments if name in overlay.marks_of(segment)]
        if chosen:
            path = _path(_columns(chosen, overlay.extent), top + height / 2)
            drawn.append(f'<path class="{name}" stroke-width="{height}" d="{path}"/>')
    drawn += _entries(overlay)
    drawn.append("</svg>")
    return "".join(drawn)


def _lanes(overlay: Overlay) -> dict[str, tuple[int, int]]:
    if not (overlay.is_double and overlay.returns_text):
        return LANES
    lanes = {LIT: BETWEEN_TWO}
    for side, lane in LANES_OF_TWO.items():
        lanes |= {f"{side}-{kind}": lane for kind in (WASTE, RETURNED, HIT)}
    return lanes


def _columns(segments: Sequence[Segment], extent: int) -> Flags:
    """Tell for each column of the strip whether a segment has something in it: the narrowest is still seen."""
    edges = np.array([(segment.begin, segment.end) for segment in segments], dtype=np.int64)
    first = np.minimum(edges[:, 0] * WIDTH // extent, WIDTH - 1)
    last = np.maximum(-(-edges[:, 1] * WIDTH // extent), first + 1)
    steps = np.zeros(WIDTH + 1, dtype=np.int64)
    np.add.at(steps, first, 1)
    np.add.at(steps, last, -1)
    flags: Flags = np.cumsum(steps)[:-1] > 0
    return flags


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
