"""Curves as SVG, written as text: what a page shows at once, prints, and keeps when its script doesn't run.

The chart has a constant height, and the width of the page: heights are pixels, places along it are shares. Lines lie
in a box of their own that is stretched, with strokes that are not. Colours are attributes, for files; in a page the
classes give those of the stylesheet. There are no style attributes, which the site's policy forbids.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from limelight.arrays import Reals
from limelight.figures.axes import AXES, Axis, Stretch, height_for, highest_of
from limelight.figures.background import Background
from limelight.figures.line_styles import LineStyle, stroke_of
from limelight.wording import one_line, shortened

HEIGHT = 272
"""Pixels from the foot of the plot to its top, however many runs there are."""
SCALE = 1000
"""Lines are drawn in a box of so many units each way."""
MOST_LABELS = 6
"""So many lines have their names at the end; of more, the table's swatches are the key."""
LABEL_STEP = 19
FARTHEST_LABEL = 2 * LABEL_STEP
LONGEST_NAME, LONGEST_LABEL = 18, 24
INSET = {"begin": 0.66, "foot": 126, "top": 6, "width": 0.33}
"""Where the beginning of a recall-precision chart is drawn once more: shares of the width, pixels from the top."""
INK, QUIET, RULE, SHADE, PAPER = "#1c1a15", "#625d51", "#e4decf", "#e9e3d3", "#fffdf8"
NO_CHARACTERS = dict.fromkeys([0xFFFE, 0xFFFF])
STILL = 'vector-effect="non-scaling-stroke"'


@dataclass(frozen=True, slots=True, eq=False)
class CurveLine:
    """One run's curve: its code, what it and its team are called, its values and how it is drawn."""

    code: str
    name: str
    team: str
    values: Reals
    style: LineStyle


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """Curves with what stands behind them, over a stretch of their axis."""

    curve_name: str
    horizontal: str
    vertical: str
    lines: Sequence[CurveLine]
    background: Background
    stretch: Stretch

    @property
    def axis(self) -> Axis:
        """Return what the curves are drawn over."""
        return AXES[self.curve_name]

    def height(self) -> tuple[float, list[float]]:
        """Return the highest value that has room, and the ticks up to it."""
        shown = [self.within(values) for values in self._all()]
        return height_for(highest_of(list(shown)), at_least=0.0 if self.axis.opens_early else 1.0)

    def within(self, values: Reals) -> Reals:
        """Return the values in the stretch that is shown."""
        return values[self.axis.where(self.stretch, len(values))]

    def inset(self) -> tuple[float, float] | None:
        """Return the lowest and highest value of the inset; None where it would lie on curves or shows nothing new."""
        axis, curves = self.axis, self._all()
        if axis.opens_early or not self.lines or self.stretch.end - self.stretch.begin < 1 - 1e-9:
            return None
        top, _ = self.height()
        below = top * (1 - INSET["foot"] / HEIGHT) - 0.02
        beside = [values[int(INSET["begin"] * len(values)) :] for values in curves]
        if highest_of(list(beside)) > below:
            return None
        early = [values[axis.where(axis.early, len(values))] for values in curves]
        lowest = min(float(np.fmin.reduce(values, initial=1.0)) for values in early)
        bottom = max(float(np.floor(lowest * 10 - 1e-9)) / 10, 0.0)
        return bottom, max(float(np.ceil(highest_of(list(early)) * 10 - 1e-9)) / 10, bottom + 0.1)

    def _all(self) -> list[Reals]:
        return [line.values for line in self.lines] + self.background.reach


def curves_svg(chart: Chart, title: str, *, as_file: bool = False) -> str:
    """Draw a chart as SVG for a page, or as a file that stands for itself, on paper and with a title."""
    top, ticks = chart.height()
    parts = [
        *_grid(chart, top, ticks),
        f'<svg viewBox="0 0 {SCALE} {SCALE}" preserveAspectRatio="none" width="100%" height="{HEIGHT}" '
        'overflow="visible" fill="none" stroke-linejoin="round">',
        *_behind(chart, chart.stretch, 0.0, top),
        *_lines(chart, chart.stretch, 0.0, top),
        "</svg>",
        *_inset(chart),
        *(_key(chart) if as_file and len(chart.lines) > MOST_LABELS else _labels(chart, top)),
    ]
    told = f"<desc>{_text(_described(chart))}</desc>"
    body = "\n".join(parts)
    if not as_file:
        return (
            f'<svg class="curves" role="img" aria-label={_attribute(title)} width="100%" height="{HEIGHT}" '
            f'overflow="visible" font-size="13">{told}\n{body}\n</svg>'
        )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" role="img" width="1000" height="372" viewBox="0 0 1000 372" '
        f'font-family="system-ui, sans-serif" font-size="13"><title>{_text(title)}</title>{told}\n'
        f'<rect width="1000" height="372" fill="{PAPER}"/>\n'
        f'<text x="16" y="24" font-size="15" font-weight="600" fill="{INK}">{_text(title)}</text>\n'
        f'<svg x="52" y="56" width="716" height="{HEIGHT}" overflow="visible">\n{body}\n</svg>\n</svg>\n'
    )


def _text(text: str, longest: int = 1_000) -> str:
    r"""Write somebody's text into XML: one line, and nothing that isn't a character there.

    >>> _text("R&D\ufffe\n<b>"), _text("Drummond", 5)
    ('R&amp;D &lt;b&gt;', 'Drum…')
    """
    return escape(shortened(one_line(text.translate(NO_CHARACTERS)), longest))


def _attribute(text: str) -> str:
    return quoteattr(one_line(text.translate(NO_CHARACTERS)))


def _described(chart: Chart) -> str:
    axis = chart.axis
    drawn = ", ".join(line.name for line in chart.lines) or "no run"
    behind = f"; {chart.background.words}" if chart.background.words else ""
    stretch = f"{axis.name} {chart.stretch.begin:g} to {chart.stretch.end:g}"
    return f"{chart.vertical} at {stretch}: {drawn}{behind}."


def _grid(chart: Chart, top: float, ticks: list[float]) -> list[str]:
    """Draw rules and numbers; what the axes measure stands above the one and below the other."""
    decimals = 1 if all(round(tick, 1) == tick for tick in ticks) else 2
    quiet = f'class="tick" fill="{QUIET}" font-size="12"'
    drawn = []
    for tick in ticks:
        y = round(HEIGHT * (1 - tick / top), 1)
        drawn.append(f'<line class="rule" x2="100%" y1="{y:g}" y2="{y:g}" stroke="{RULE}"/>')
        drawn.append(f'<text {quiet} x="-8" y="{y + 4:g}" text-anchor="end">{tick:.{decimals}f}</text>')
    length = chart.stretch.end - chart.stretch.begin
    for tick in chart.axis.ticks(chart.stretch):
        x = round(100 * (tick - chart.stretch.begin) / length, 2)
        drawn.append(f'<text {quiet} x="{x:g}%" y="{HEIGHT + 19}" text-anchor="middle">{tick:g}</text>')
    drawn.append(f'<text {quiet} x="50%" y="{HEIGHT + 38}" text-anchor="middle">{_text(chart.horizontal)}</text>')
    drawn.append(f'<text {quiet} x="-36" y="-12">{_text(chart.vertical)}</text>')
    return drawn


def _behind(chart: Chart, stretch: Stretch, bottom: float, top: float) -> list[str]:
    background, thin = chart.background, f'stroke="{QUIET}" stroke-opacity=".45" {STILL}'
    if background.quartiles is None:
        places = (_places(chart.axis, values, stretch, bottom, top) for values in background.lines)
        return [f'<path class="other" d="{_path(one)}" {thin}/>' for one in places]
    lower, median, upper = (_places(chart.axis, one, stretch, bottom, top) for one in background.quartiles)
    area = f"{_path(upper)}L{_path(lower[::-1])[1:]}Z"
    return [
        f'<path class="band" d="{area}" fill="{SHADE}"/>',
        f'<path class="median" d="{_path(median)}" stroke="{QUIET}" stroke-dasharray="3 3" {STILL}/>',
    ]


def _lines(chart: Chart, stretch: Stretch, bottom: float, top: float) -> list[str]:
    """Draw the runs, the first on top of the others."""
    return [
        f'<path class="run hue-{line.style.hue}" data-run={quoteattr(line.code)} '
        f'd="{_path(_places(chart.axis, line.values, stretch, bottom, top))}" '
        f'{stroke_of(line.style)} stroke-width="2.2" {STILL}/>'
        for line in reversed(chart.lines)
    ]


def _places(axis: Axis, values: Reals, stretch: Stretch, bottom: float, top: float) -> Reals:
    """Return where the points of a curve stand in the box; what is no number, or lower than the box, stays so."""
    chosen = axis.where(stretch, len(values))
    x = (axis.points(len(values))[chosen] - stretch.begin) / (stretch.end - stretch.begin)
    y = 1 - (np.asarray(values, np.float64)[chosen] - bottom) / (top - bottom)
    return np.column_stack([x, y]) * SCALE


def _path(places: Reals) -> str:
    """Write a line through places: whole units, without the middle of level pieces, and with gaps.

    >>> _path(np.array([[0, 5.2], [10, 5.4], [20, 5.1], [30, 8]])), _path(np.array([[0, 1], [1, np.nan], [2, 3]]))
    ('M0 5L20 5 30 8', 'M0 1M2 3')
    """
    written, pen = [], "M"
    rounded = [(round(x), None if np.isnan(y) else round(y)) for x, y in places.tolist()]
    for number, (x, y) in enumerate(rounded):
        if y is None:
            pen = "M"
            continue
        if 0 < number < len(rounded) - 1 and rounded[number - 1][1] == y == rounded[number + 1][1]:
            continue
        written.append(f"{pen}{x} {y}")
        pen = "L" if pen == "M" else " "
    return "".join(written)


def _inset(chart: Chart) -> list[str]:
    """Draw the beginning once more, larger, where no curve runs under it."""
    values = chart.inset()
    if values is None:
        return []
    bottom, top = values
    early, begin, width = chart.axis.early, 100 * INSET["begin"], 100 * INSET["width"]
    head, foot = INSET["top"] + 18, INSET["foot"] - 20
    small = f'class="tick inset" fill="{QUIET}" font-size="11"'
    right = f'x="{begin + width:g}%"'
    return [
        f'<rect class="paper inset" x="{begin - 4:g}%" y="{INSET["top"]}" width="{width + 5:g}%" '
        f'height="{INSET["foot"] - INSET["top"]}" fill="{PAPER}"/>',
        f'<text {small} x="{begin:g}%" y="{INSET["top"] + 11}">{chart.axis.name} 0 to {early.end:g}</text>',
        *(
            f'<line class="rule inset" x1="{begin:g}%" x2="{begin + width:g}%" y1="{y}" y2="{y}" stroke="{RULE}"/>'
            for y in (head, foot)
        ),
        f'<text {small} x="{begin:g}%" dx="-5" y="{head + 4}" text-anchor="end">{top:.1f}</text>',
        f'<text {small} x="{begin:g}%" dx="-5" y="{foot + 4}" text-anchor="end">{bottom:.1f}</text>',
        f'<text {small} x="{begin:g}%" y="{foot + 14}">{early.begin:g}</text>',
        f'<text {small} {right} y="{foot + 14}" text-anchor="end">{early.end:g}</text>',
        f'<svg class="inset" viewBox="0 0 {SCALE} {SCALE}" preserveAspectRatio="none" x="{begin:g}%" y="{head}" '
        f'width="{width:g}%" height="{foot - head}" fill="none" stroke-linejoin="round">',
        *_behind(chart, early, bottom, top),
        *_lines(chart, early, bottom, top),
        "</svg>",
    ]


def _labels(chart: Chart, top: float) -> list[str]:
    """Name up to six lines at their ends, apart from each other; ends that are too close get a list from the top."""
    if not 0 < len(chart.lines) <= MOST_LABELS:
        return []
    return _beside([_label(line, y, end) for line, y, end in _apart(chart, top)])


def _key(chart: Chart) -> list[str]:
    """Name every line of a file beside it, however many there are: no table is there to be the key."""
    step = min(LABEL_STEP, HEIGHT / len(chart.lines))
    return _beside([_label(line, round(12 + step * number, 1), None) for number, line in enumerate(chart.lines)])


def _beside(labels: list[str]) -> list[str]:
    return ['<svg class="ends" x="100%" overflow="visible">', *labels, "</svg>"]


def _label(line: CurveLine, y: float, end: float | None) -> str:
    """Write a line's name at a height, with a thin way to its end or a piece of the line."""
    way = f"M4 {end:g}L13 {y:g}" if end is not None else f"M8 {y:g}H36"
    stroke = stroke_of(line.style) if end is None else f'stroke="{line.style.colour}"'
    name = _text(line.name, LONGEST_NAME)
    team = _text(line.team, max(LONGEST_LABEL - min(len(line.name), LONGEST_NAME), 4))
    return (
        f'<g class="label hue-{line.style.hue}" data-run={quoteattr(line.code)}>'
        f'<path d="{way}" {stroke} stroke-width="{2.2 if end is None else 1}" fill="none"/>'
        f'<text x="{40 if end is None else 18}" y="{y + 4:g}"><tspan font-weight="600" fill="{line.style.colour}">'
        f'{name}</tspan> <tspan class="team" fill="{QUIET}" unicode-bidi="isolate">{team}</tspan></text></g>'
    )


def _apart(chart: Chart, top: float) -> list[tuple[CurveLine, float, float | None]]:
    """Return for each line the height of its label and of its end, in pixels; no end where labels are a list."""
    ends = [(line, float(chart.within(line.values)[-1])) for line in chart.lines]
    heights = sorted(
        ((line, round(HEIGHT * (1 - (0.0 if np.isnan(value) else value) / top), 1)) for line, value in ends),
        key=lambda pair: pair[1],
    )
    placed: list[float] = []
    for _, height in heights:
        placed.append(max(height, placed[-1] + LABEL_STEP) if placed else height)
    for number in reversed(range(len(placed))):
        lowest = HEIGHT - 2 if number == len(placed) - 1 else placed[number + 1] - LABEL_STEP
        placed[number] = min(placed[number], lowest)
    if any(abs(label - height) > FARTHEST_LABEL for label, (_, height) in zip(placed, heights, strict=True)):
        return [(line, 12.0 + LABEL_STEP * number, None) for number, line in enumerate(chart.lines)]
    return [(line, round(label, 1), height) for label, (line, height) in zip(placed, heights, strict=True)]
