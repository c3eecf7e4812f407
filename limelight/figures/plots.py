"""Small plots as SVG text: a frame with numbers around it, and lines or dots in it.

A plot has the width of the page: places along it are shares of 1, heights pixels. Lines lie in a box of their own that
is stretched, with strokes that are not.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from limelight.figures.sheets import Sheet, drawn_on, look, words

HEIGHT, SCALE = 272, 1000
LONGEST_LABEL, ENDS = 24, 190
"""Characters of a label, and the room that labels at the right have in a file."""
STILL = 'vector-effect="non-scaling-stroke"'


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around a plot: both axes with their ticks as shares of the way, and the plot in words."""

    title: str
    told: str
    horizontal: str
    vertical: str
    across: Sequence[tuple[float, str]]
    up: Sequence[tuple[float, str]]
    height: int = HEIGHT
    has_ends: bool = False
    """Whether lines have their names at the right."""


def plot_svg(frame: Frame, lines: Iterable[str], dots: Iterable[str] = (), *, as_file: bool = False) -> str:
    """Draw a plot, for a page or as a file: lines are paths in a box of 1000 units each way, dots on top of them."""
    body = "\n".join(
        [
            *_axes(frame),
            f'<svg viewBox="0 0 {SCALE} {SCALE}" preserveAspectRatio="none" width="100%" height="{frame.height}" '
            'overflow="visible" fill="none" stroke-linejoin="round">',
            *lines,
            "</svg>",
            *dots,
        ]
    )
    sheet = Sheet("plotted", frame.title, frame.told, frame.height, right=ENDS if frame.has_ends else 24)
    return drawn_on(sheet, body, as_file=as_file)


def path(places: Iterable[tuple[float, float]], kind: str) -> str:
    """Write a line through places, each a share of the way across and up.

    >>> path([(0, 0.5), (1, 1)], "curve")
    '<path class="curve" stroke="#1746d1" stroke-width="2.2" d="M0 500L1000 0" vector-effect="non-scaling-stroke"/>'
    """
    points = [f"{round(SCALE * x)} {round(SCALE * (1 - y))}" for x, y in places]
    return f'<path {look(kind, is_line=True)} d="M{"L".join(points)}" {STILL}/>'


def dot(x: float, y: float, kind: str, height: int = HEIGHT, radius: float = 4) -> str:
    """Write a dot at a place, a share of the way across and up.

    >>> dot(0.25, 0.5, "own")
    '<circle class="own" fill="#de3341" cx="25.00%" cy="136.0" r="4"/>'
    """
    return f'<circle {look(kind, is_dot=True)} cx="{100 * x:.2f}%" cy="{height * (1 - y):.1f}" r="{radius:g}"/>'


def label(x: float, y: float, text: str, height: int = HEIGHT, anchor: str = "start", kind: str = "") -> str:
    """Write some words beside a place."""
    named = f"{look(kind)} " if kind else ""
    shift = {"start": 9, "end": -9}.get(anchor, 0)
    return (
        f'<text {named}x="{100 * x:.2f}%" dx="{shift}" y="{height * (1 - y) + 4:.1f}" text-anchor="{anchor}">'
        f"{words(text, LONGEST_LABEL)}</text>"
    )


def _axes(frame: Frame) -> list[str]:
    drawn = []
    for share, text in frame.up:
        y = frame.height * (1 - share)
        drawn.append(f'<line {look("rule")} x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>')
        drawn.append(f'<text x="-8" y="{y + 4:.1f}" text-anchor="end">{words(text)}</text>')
    for share, text in frame.across:
        drawn.append(f'<text x="{100 * share:.2f}%" y="{frame.height + 18}" text-anchor="middle">{words(text)}</text>')
    middle = f'<text x="50%" y="{frame.height + 36}" text-anchor="middle">{words(frame.horizontal)}</text>'
    return [*drawn, middle, f'<text x="-36" y="-11">{words(frame.vertical)}</text>']
