"""Small plots as SVG text: a frame with numbers around it, and lines or dots in it.

A plot has the width of the page: places along it are shares of 1, heights pixels. Lines lie in a box of their own that
is stretched, with strokes that are not. Colours are classes of the stylesheet.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from limelight.wording import one_line, shortened

HEIGHT, SCALE = 272, 1000
LONGEST_LABEL = 24
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


def plot_svg(frame: Frame, lines: Iterable[str], dots: Iterable[str] = ()) -> str:
    """Draw a plot: lines are paths in a box of 1000 units each way, dots stand on top of them."""
    return "\n".join(
        [
            f'<svg class="plotted" role="img" aria-label={quoteattr(one_line(frame.title))} width="100%" '
            f'height="{frame.height}" overflow="visible" font-size="12"><desc>{escape(one_line(frame.told))}</desc>',
            *_axes(frame),
            f'<svg viewBox="0 0 {SCALE} {SCALE}" preserveAspectRatio="none" width="100%" height="{frame.height}" '
            'overflow="visible" fill="none" stroke-linejoin="round">',
            *lines,
            "</svg>",
            *dots,
            "</svg>",
        ]
    )


def path(places: Iterable[tuple[float, float]], kind: str) -> str:
    """Write a line through places, each a share of the way across and up.

    >>> path([(0, 0.5), (1, 1)], "curve")
    '<path class="curve" d="M0 500L1000 0" vector-effect="non-scaling-stroke"/>'
    """
    points = [f"{round(SCALE * x)} {round(SCALE * (1 - y))}" for x, y in places]
    return f'<path class="{kind}" d="M{"L".join(points)}" {STILL}/>'


def dot(x: float, y: float, kind: str, height: int = HEIGHT, radius: float = 4) -> str:
    """Write a dot at a place, a share of the way across and up.

    >>> dot(0.25, 0.5, "own")
    '<circle class="own" cx="25.00%" cy="136.0" r="4"/>'
    """
    return f'<circle class="{kind}" cx="{100 * x:.2f}%" cy="{height * (1 - y):.1f}" r="{radius:g}"/>'


def label(x: float, y: float, text: str, height: int = HEIGHT, anchor: str = "start", kind: str = "") -> str:
    """Write some words beside a place."""
    named = f'class="{kind}" ' if kind else ""
    shift = {"start": 9, "end": -9}.get(anchor, 0)
    words = escape(shortened(one_line(text), LONGEST_LABEL))
    return (
        f'<text {named}x="{100 * x:.2f}%" dx="{shift}" y="{height * (1 - y) + 4:.1f}" text-anchor="{anchor}">'
        f"{words}</text>"
    )


def _axes(frame: Frame) -> list[str]:
    drawn = []
    for share, text in frame.up:
        y = frame.height * (1 - share)
        drawn.append(f'<line class="rule" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>')
        drawn.append(f'<text x="-8" y="{y + 4:.1f}" text-anchor="end">{escape(text)}</text>')
    for share, text in frame.across:
        drawn.append(f'<text x="{100 * share:.2f}%" y="{frame.height + 18}" text-anchor="middle">{escape(text)}</text>')
    middle = f'<text x="50%" y="{frame.height + 36}" text-anchor="middle">{escape(frame.horizontal)}</text>'
    return [*drawn, middle, f'<text x="-36" y="-11">{escape(frame.vertical)}</text>']
