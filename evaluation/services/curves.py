"""The curves of an edition that one person may see: which are drawn at first, which on request, and over what."""

from dataclasses import dataclass
from urllib.parse import urlencode

import numpy as np

from campaign.services.visibility.pseudonyms import pseudonyms_of
from evaluation.models import Edition
from evaluation.services.board_lines import shown_names
from evaluation.services.board_memory import kept
from evaluation.services.line_styles import line_styles
from evaluation.services.provenance import provenance
from limelight.figures import AXES, Background, Chart, CurveLine, background_of, curves_svg
from limelight.measures.measure import Curve
from limelight.scoring.evaluators import EVALUATORS
from limelight.spreadsheets import as_csv
from limelight.wording import counted, one_line, shortened

TEAMS_AT_FIRST = 8
"""The best run of so many teams is drawn before anybody asks for others, and one's own besides."""
MOST_CURVES = 20
"""So many curves can be drawn at once."""
LONGEST_QUOTE = 40
TABLE_SHARES = (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1)
TABLE_RANKS = (1, 2, 3, 5, 10, 20, 30, 50)


@dataclass(frozen=True, slots=True)
class AskedCurves:
    """What an address asks a chart for: runs by their codes (None: those drawn at first) and a stretch of the axis."""

    codes: tuple | None = None
    zoom: str = ""

    @classmethod
    def by(cls, query, otherwise=None):
        """Read the query of an address: `curves=k7,x2`, or a `curves` for each tick, and `zoom=1-50`.

        Where it names no curves, those are meant that are given otherwise.
        """
        codes = otherwise
        if "curves" in query:
            named = ",".join(query.getlist("curves")).split(",")
            codes = tuple(dict.fromkeys(code.strip() for code in named if code.strip()))
        return cls(codes, query.get("zoom", ""))


@dataclass(frozen=True, slots=True)
class Zoom:
    """A stretch that a chart offers: its words, how addresses name it ("" for the opening) and whether it is shown."""

    label: str
    name: str
    is_shown: bool


@dataclass(frozen=True, slots=True, eq=False)
class CurvesFigure:
    """A chart of an edition for one person, and what a page needs beside it.

    `points` are where the values of every curve stand, `drawn` the codes of the lines in it, `styles` the lines of all
    runs of the task by code, `notes` sentences about what was asked for and isn't there.
    """

    edition: Edition
    curve: Curve
    chart: Chart
    points: np.ndarray
    drawn: tuple
    styles: dict
    zooms: tuple
    notes: tuple

    @property
    def query(self):
        """Return what an address says to have the same curves over the same stretch."""
        shown = next((zoom.name for zoom in self.zooms if zoom.is_shown), "")
        return urlencode({"curves": ",".join(self.drawn)} | ({"zoom": shown} if shown else {}), safe=",")

    @property
    def title(self):
        """Return what the chart shows, for those who don't see it and for its file."""
        task = self.edition.task
        return f"{self.curve.label}, {task.name}, {task.track.campaign.name}, edition {self.edition.number}"

    @property
    def file_name(self):
        """Return how its files are called, without what they end with."""
        made = provenance(self.edition)
        return f"{made.campaign}-{made.track}-{made.task}-edition-{made.edition}-{self.curve.name}-curves"

    @property
    def table(self):
        """Return a short table of the curves: the places, and a row for each line, and the median of all runs last."""
        wanted = TABLE_RANKS if self.chart.axis.opens_early else TABLE_SHARES
        where = [int(np.argmin(abs(self.points - place))) for place in wanted if place <= self.points[-1]]
        rows = [(line, line.values[where].tolist()) for line in self.chart.lines]
        if self.chart.background.quartiles is not None:
            rows.append((None, self.chart.background.quartiles[1][where].tolist()))
        return [f"{place:g}" for place in self.points[where].tolist()], rows


@dataclass(frozen=True, slots=True)
class Named:
    """What a run's team is called."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """A run on the board, as permissions and names are asked of it, with its official score and its curve."""

    code: str
    name: str
    team_id: int
    team: Named
    mean: float
    values: np.ndarray


def curves_of(edition, view, asked=None, among=None):
    """Return the chart of an edition for a person; None where no run may be seen.

    Given the codes of a page's rows, the curves drawn at first are among them: a row is the key to its curve.
    """
    asked = asked or AskedCurves()
    curve = EVALUATORS[edition.task.kind].curves[0]
    standing = [row for row in kept(edition, "standing", lambda: _standing(edition, curve)) if view.shows(row)]
    if not standing:
        return None
    if asked.codes is None:
        rows = [row for row in standing if row.code in among] if among else []
        codes, notes = _at_first(rows or standing, view), ()
    else:
        codes, notes = _chosen(standing, asked.codes)
    background = Background(0)
    if view.ranks:  # then all of them stand here
        background = kept(edition, "background", lambda: background_of([row.values for row in standing]))
    styles = kept(edition, ("styles", view.ranks and view.names), lambda: line_styles(edition.task, view))
    lines = _lines(edition.task, view, [row for row in standing if row.code in codes], styles)
    stretch, zooms, unread = _stretches(AXES[curve.name], len(standing[0].values), asked.zoom)
    return CurvesFigure(
        edition=edition,
        curve=curve,
        chart=Chart(curve.name, curve.horizontal, curve.vertical, lines, background, stretch),
        points=AXES[curve.name].points(len(standing[0].values)),
        drawn=tuple(line.code for line in lines),
        styles=styles,
        zooms=zooms,
        notes=(*notes, *unread),
    )


def _standing(edition, curve):
    """Return the runs on a board, best first, equals by code, in one query."""
    rows = edition.evaluations.on_board().filter(scores__measure=edition.official_measure, curves__name=curve.name)
    found = rows.values_list(
        "run__code", "run__name", "run__team_id", "run__team__name", "scores__mean", "curves__values"
    )
    standing = [
        Standing(code, name, team_id, Named(team), mean, values) for code, name, team_id, team, mean, values in found
    ]
    return sorted(standing, key=lambda row: (-row.mean, row.code))


def _at_first(standing, view):
    """Return the best run of each team up to eight, and the best of one's own; without ranks, one's own."""
    if not view.ranks:
        return {row.code for row in standing[: TEAMS_AT_FIRST + 1]}
    best = {}
    for row in standing:
        best.setdefault(row.team_id, row.code)
    own = [row.code for row in standing if row.team_id in view.own_teams][:1]
    return {*list(best.values())[:TEAMS_AT_FIRST], *own}


def _chosen(standing, codes):
    """Return those of the codes that stand on the board, and a sentence about the others."""
    known = {row.code for row in standing}
    found, missing = [code for code in codes if code in known], [code for code in codes if code not in known]
    notes = []
    if missing:
        quoted = ", ".join(f"“{shortened(one_line(code), LONGEST_QUOTE)}”" for code in missing[:3])
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        notes.append(f"There is no run {quoted}{more} among those you see on this board.")
    if len(found) > MOST_CURVES:
        notes.append(f"The first {MOST_CURVES} of {counted(len(found), 'curve')} are drawn.")
    return set(found[:MOST_CURVES]), tuple(notes)


def _lines(task, view, drawn, styles):
    aliases = {} if view.names else pseudonyms_of(task)
    return [CurveLine(row.code, *shown_names(row, view, aliases), row.values, styles[row.code]) for row in drawn]


def _stretches(axis, count, zoom):
    """Return the stretch to show, those that are offered, and a sentence where what was asked for is none."""
    opening, whole = axis.opening(count), axis.whole(count)
    stretch = axis.stretch(zoom, count) if zoom else opening
    notes = ()
    if stretch is None:
        stretch, quoted = opening, shortened(one_line(zoom), LONGEST_QUOTE)
        notes = (f"“{quoted}” is no stretch of the curves: it is written as {axis.early} or {whole}.",)
    if axis.opens_early:
        offered = [(f"ranks 1 to {opening.end:g}", opening), (f"all {whole.end:g}", whole)]
    else:
        offered = [("all recall levels", whole), (f"recall 0 to {axis.early.end:g}", axis.early)]
    if stretch not in (opening, whole, axis.early):
        offered.append((f"{axis.name} {stretch.begin:g} to {stretch.end:g}", stretch))
    zooms = (Zoom(label, "" if one == opening else str(one), one == stretch) for label, one in offered)
    return stretch, tuple(zooms), notes


def as_json(figure):
    """Return a figure as a page's script reads it, with values to four decimals."""
    chart, curve = figure.chart, figure.curve
    height, ticks = chart.height()
    return {
        "title": figure.title,
        "label": curve.label,
        "horizontal": curve.horizontal,
        "vertical": curve.vertical,
        "axis": {"name": chart.axis.name, "first": chart.axis.first, "step": chart.axis.step},
        "decimals": chart.axis.decimals,
        "stretch": [chart.stretch.begin, chart.stretch.end],
        "across": chart.axis.ticks(chart.stretch),
        "height": height,
        "ticks": ticks,
        "inset": chart.inset(),
        "early": [chart.axis.early.begin, chart.axis.early.end],
        "zooms": [{"label": zoom.label, "name": zoom.name, "is_shown": zoom.is_shown} for zoom in figure.zooms],
        "background": _background_as_json(chart.background),
        "runs": [
            {
                "code": line.code,
                "name": one_line(line.name),
                "team": one_line(line.team),
                "hue": line.style.hue,
                "strokes": line.style.strokes,
                "values": _rounded(line.values),
            }
            for line in chart.lines
        ],
        "notes": figure.notes,
        "svg": curves_svg(chart, figure.title),
    }


def _background_as_json(background):
    told = {"run_count": background.run_count}
    if background.quartiles is None:
        return told | {"lines": [_rounded(line) for line in background.lines]}
    return told | dict(zip(("lower", "median", "upper"), map(_rounded, background.quartiles), strict=True))


def _rounded(values):
    return [None if np.isnan(value) else value for value in np.round(values, 4).tolist()]


def curves_as_csv(figure):
    """Write the curves of a figure and the quartiles behind them as CSV, a line a point."""
    made = provenance(figure.edition)
    told = (made.edition, made.assessments_version, made.profile, made.engine)
    axis, quartiles = figure.chart.axis, figure.chart.background.quartiles
    rows = [("edition", "assessments", "profile", "engine", "code", "run", "team", axis.name, figure.curve.name)]
    curves = [(line.code, line.name, line.team, line.values) for line in figure.chart.lines]
    if quartiles is not None:
        of_all = f"of {figure.chart.background.run_count} runs"
        names = (f"lower quartile {of_all}", f"median {of_all}", f"upper quartile {of_all}")
        curves += [("", name, "", values) for name, values in zip(names, quartiles, strict=True)]
    for code, name, team, values in curves:
        points = zip(figure.points.tolist(), values.tolist(), strict=True)
        rows += [(*told, code, name, team, f"{place:g}", value) for place, value in points]
    return as_csv(rows)
