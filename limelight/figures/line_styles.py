"""Which colour and dash a run's line has: hue by team and dash by run, or, while names are hidden, both by its code.

Hues are numbers; pages give them their colours for light and dark (`--run-0` to `--run-9` in the stylesheet), and files
bear those for paper.
"""

import zlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

PALETTE = (
    "#1746d1",
    "#d9680f",
    "#0f9a5c",
    "#951a6b",
    "#0e8fc9",
    "#6b2628",
    "#5f5206",
    "#de3341",
    "#6a35a8",
    "#858585",
)
"""The hues on paper: each with a contrast of at least 3 to 1, and apart for colour-blind readers."""

DARK_PALETTE = (
    "#5f86ff",
    "#f5b15b",
    "#51e8a0",
    "#d33fa6",
    "#57dff5",
    "#b9605c",
    "#dede3a",
    "#f0382f",
    "#b79bf7",
    "#a6a6a6",
)
"""The same hues on ink-blue."""

DASHES = ("", "7 4", "2 3", "9 3 2 3", "15 4", "9 3 2 3 2 3")
"""Lengths of strokes and gaps in pixels, as SVG and Plotly write them; the first is a whole line."""
BETWEEN_TURNS = 3


@dataclass(frozen=True, slots=True)
class LineStyle:
    """The place of a line's colour in the palette, and of its dash among the dashes."""

    hue: int
    dash: int

    @property
    def colour(self) -> str:
        """Return the colour on paper."""
        return PALETTE[self.hue]

    @property
    def strokes(self) -> str:
        """Return the lengths of strokes and gaps, "" for a whole line."""
        return DASHES[self.dash]


def code_styles(codes: Iterable[str]) -> dict[str, LineStyle]:
    """Return the line of each run by its code alone: the one that the code asks for, or the next one that is free.

    The order in which the codes are given, which could tell when runs came, makes no difference.

    >>> code_styles(["k7", "x2"]) == code_styles(["x2", "k7"])
    True
    """
    styles: dict[str, LineStyle] = {}
    taken: set[int] = set()
    places = len(PALETTE) * len(DASHES)
    for code in sorted(codes):
        if len(taken) == places:
            taken.clear()
        place = zlib.crc32(code.encode()) % places
        while place in taken:
            place = (place + 1) % places
        taken.add(place)
        styles[code] = LineStyle(place % len(PALETTE), place // len(PALETTE))
    return styles


def team_styles(teams: Iterable[str], team_of: Mapping[str, str]) -> dict[str, LineStyle]:
    """Return the line of each run (by code, with its team): a team's hue, and a dash for each of the team's runs.

    Both go by the order given, so that who comes later changes nobody's line. The eleventh team has the hue of the
    first, and begins with the dashes that the first team has from its fourth run on.

    >>> styles = team_styles(["Lund", "Kiel"], {"k7": "Lund", "x2": "Kiel", "m4": "Lund"})
    >>> [styles[code].hue for code in ("k7", "x2", "m4")], [styles[code].dash for code in ("k7", "x2", "m4")]
    ([0, 1, 0], [0, 0, 1])
    """
    place_of = {team: place for place, team in enumerate(dict.fromkeys([*teams, *team_of.values()]))}
    runs_before: dict[str, int] = defaultdict(int)
    styles = {}
    for code, team in team_of.items():
        turn, hue = divmod(place_of[team], len(PALETTE))
        styles[code] = LineStyle(hue, (BETWEEN_TURNS * turn + runs_before[team]) % len(DASHES))
        runs_before[team] += 1
    return styles


def swatch_svg(style: LineStyle) -> str:
    """Draw a piece of a run's line: the key to the chart, in the run's row of a table.

    >>> swatch_svg(LineStyle(2, 0))
    '<svg class="swatch hue-2" width="36" height="10" aria-hidden="true"><path d="M1 5H35" stroke="#0f9a5c"/></svg>'
    """
    return (
        f'<svg class="swatch hue-{style.hue}" width="36" height="10" aria-hidden="true">'
        f'<path d="M1 5H35" {stroke_of(style)}/></svg>'
    )


def stroke_of(style: LineStyle) -> str:
    """Write a line's colour and dash as attributes; in a page the stylesheet's colours for the hue come before them.

    >>> stroke_of(LineStyle(0, 1))
    'stroke="#1746d1" stroke-dasharray="7 4"'
    """
    dashes = f' stroke-dasharray="{style.strokes}"' if style.strokes else ""
    return f'stroke="{style.colour}"{dashes}'
