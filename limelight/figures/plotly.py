"""Charts as plain Plotly figures: dictionaries that travel as JSON and are drawn by the page's own script.

Plotly itself isn't imported: it is slow to load, and a figure is only a dictionary. Backgrounds are transparent and
fonts inherited; the page's script sets the colours of text and grid for light and dark.
"""

import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from limelight.arrays import Array, Reals
from limelight.wording import one_line

Curves = Sequence[tuple[str, ArrayLike]]
"""The label and the values of each line."""

Band = tuple[str, ArrayLike, ArrayLike]
"""A label, and the lower and upper values of an area."""

Figure = dict[str, Any]
"""What Plotly's script draws."""

PALETTE = (
    "#0072b2",
    "#e69f00",
    "#009e73",
    "#d55e00",
    "#cc79a7",
    "#56b4e9",
    "#8c6bb1",
    "#b8860b",
    "#7f7f7f",
    "#20a39e",
)
"""Ten colours that stay apart for colour-blind readers and show on light and dark alike."""

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def recall_precision_figure(curves: Curves, band: Band | None = None, title: str = "") -> Figure:
    """Draw interpolated precision over recall, a line for each (label, 101 values) pair.

    `band` is a (label, lower values, upper values) triple, shown as a pale area behind the lines.
    """
    return _figure(
        curves,
        band,
        title,
        lambda values: np.linspace(0, 1, len(values)).round(6),
        {"title": {"text": "Recall"}, "range": [0, 1], "tickformat": ".1f"},
        {"title": {"text": "Interpolated precision"}, "range": [0, 1.02 * _highest(curves)], "tickformat": ".1f"},
        "recall %{x:.2f}<br>precision %{y:.4f}",
    )


def generalised_precision_figure(
    curves: Curves,
    band: Band | None = None,
    title: str = "",
    vertical: str = "Generalised precision",
    short: str = "gP",
) -> Figure:
    """Draw generalised precision over document ranks, a line for each (label, values from rank 1) pair."""
    return _figure(
        curves,
        band,
        title,
        lambda values: np.arange(1, len(values) + 1),
        {"title": {"text": "Documents"}, "rangemode": "tozero"},
        {"title": {"text": vertical}, "rangemode": "tozero"},
        f"rank %{{x}}<br>{short} %{{y:.4f}}",
    )


def precision_figure(curves: Curves, band: Band | None = None, title: str = "") -> Figure:
    """Draw precision over document ranks, a line for each (label, values from rank 1) pair."""
    return generalised_precision_figure(curves, band, title, vertical="Precision", short="P")


FIGURES = {"iP": recall_precision_figure, "gP": generalised_precision_figure, "P": precision_figure}
"""The figure for each curve of the evaluators' table, by the curve's name."""


def escaped(text: object) -> str:
    """Return a text so that Plotly's labels show it letter by letter: no tags, no entities, nothing to fill in.

    >>> escaped("<b>R&D</b> %{meta}")
    '&lt;b&gt;R&amp;D&lt;/b&gt; %&#123;meta}'
    """
    text = one_line(str(text)).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("%{", "%&#123;")


def line_style(position: int) -> dict[str, str | int]:
    """Return the colour and dash of the line at a position: ten colours, then the next dash.

    >>> line_style(0)["dash"], line_style(10)["dash"], line_style(0)["color"] == line_style(10)["color"]
    ('solid', 'dash', True)
    """
    turn, colour = divmod(position, len(PALETTE))
    return {"color": PALETTE[colour], "dash": DASHES[turn % len(DASHES)], "width": 2}


def styles_by_code(codes: Iterable[str]) -> dict[str, dict[str, str | int]]:
    """Return the line of each run by its code: the colour that the code asks for, or the next one that is free.

    Who comes first chooses first, and the first ten differ in colour.

    >>> first, again = styles_by_code(["k7", "x2"]), styles_by_code(["k7"])
    >>> first["k7"] == again["k7"], first["k7"]["color"] == first["x2"]["color"]
    (True, False)
    """
    styles, taken = {}, set()
    for number, code in enumerate(codes):
        turn, wanted = number // len(PALETTE), zlib.crc32(code.encode())
        places = ((wanted + step) % len(PALETTE) + turn * len(PALETTE) for step in range(len(PALETTE)))
        place = next(place for place in places if place not in taken)
        taken.add(place)
        styles[code] = line_style(place)
    return styles


def _figure(
    curves: Curves,
    band: Band | None,
    title: str,
    horizontal: Callable[[Reals], Array],
    xaxis: dict[str, Any],
    yaxis: dict[str, Any],
    hover: str,
) -> Figure:
    traces = [] if band is None else _band(band, horizontal)
    for position, (label, values) in enumerate(curves):
        values = np.asarray(values, dtype=np.float64)
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "name": escaped(label),
                "x": horizontal(values).tolist(),
                "y": [value if np.isfinite(value) else None for value in values.tolist()],
                "line": line_style(position),
                # No <b>: Plotly makes it an inline style, which the policy forbids.
                "hovertemplate": f"%{{fullData.name}}<br>{hover}<extra></extra>",
            }
        )
    axis = {"zeroline": False, "automargin": True}
    layout = {
        "xaxis": axis | xaxis,
        "yaxis": axis | yaxis,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": "inherit"},
        "hovermode": "closest",
        "legend": {"orientation": "h", "y": -0.28},
        "margin": {"l": 56, "r": 16, "t": 40 if title else 16, "b": 48},
        "showlegend": True,
    }
    if title:
        layout["title"] = {"text": escaped(title)}
    return {"data": traces, "layout": layout}


def _highest(curves: Curves) -> float:
    """Return the highest value drawn, at least 1: what is not bounded must not be cut off.

    >>> _highest([("a", [0.5, float("nan")]), ("b", [1.5])]), _highest([("a", [0.2])])
    (1.5, 1.0)
    """
    return max((float(np.fmax.reduce(np.asarray(values), initial=1.0)) for _, values in curves), default=1.0)


def _band(band: Band, horizontal: Callable[[Reals], Array]) -> list[dict[str, Any]]:
    label, lower, upper = band
    lower, upper = (np.asarray(values, dtype=np.float64) for values in (lower, upper))
    edge = {"type": "scatter", "mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
    return [
        edge | {"x": horizontal(lower).tolist(), "y": lower.tolist(), "showlegend": False, "name": escaped(label)},
        edge
        | {
            "x": horizontal(upper).tolist(),
            "y": upper.tolist(),
            "fill": "tonexty",
            "fillcolor": "rgba(127,127,127,0.18)",
            "name": escaped(label),
        },
    ]
