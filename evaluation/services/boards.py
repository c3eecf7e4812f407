"""Boards: an edition as one person may see it, ready for a table and a chart."""

from dataclasses import dataclass

from assessments.services.inspection import ENTRY_POINTS_ALIKE
from campaign.models import Run
from campaign.services.visibility.pseudonyms import pseudonyms_of
from evaluation.models import Edition
from evaluation.services.columns import measures_of
from limelight.analysis.ranking import ranks as ranks_of
from limelight.figures import FIGURES, styles_by_code
from limelight.scoring.evaluators import EVALUATORS
from limelight.wording import one_line, shortened

DRAWN_AT_FIRST = 10
"""So many curves are in the chart before somebody ticks others."""
LONGEST_LABEL = 40
"""Characters of a team's name beside a curve; the table has all of it."""

WARNINGS = {
    ENTRY_POINTS_ALIKE: (
        lambda kind: kind.returns_points,
        "The entry points in assessments v{version} look like placeholders that nobody judged, and this board is "
        "scored by them: its numbers say little.",
    )
}
"""Warnings of an import that stand on boards: which kinds of tasks they concern, and what is said there."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One score, formatted, or None where there is none; `share` is the length of its bar in percent."""

    value: float | None
    text: str
    share: float
    is_best: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One run on the board; its rank and what its team says about it are None or empty where they are hidden."""

    rank: int | None
    code: str
    name: str
    team: str
    description: str
    is_official: bool | None
    cells: list
    is_own: bool
    is_drawn: bool
    run: Run | None


@dataclass(frozen=True, slots=True)
class Board:
    """What the page shows: the measures as columns, the runs as lines, and whether these are all.

    Without all of them, there are no ranks, and how many teams there are is None.
    """

    edition: Edition
    evaluator: object
    lines: list
    measures: tuple
    sorted_by: str
    team_count: int | None
    is_complete: bool
    warnings: list


def build_board(edition, view, sort_by=""):
    """Lay out an edition for a person; ranks are always by the official measure, over all runs; ties go by code."""
    evaluator, measures, official = EVALUATORS[edition.task.kind], measures_of(edition), edition.official_measure
    evaluations = list(edition.evaluations.on_board().with_scores().order_by("run__code"))
    scores = {row.pk: {score.measure: score.mean for score in row.scores.all()} for row in evaluations}
    names = {measure.name for measure in measures}
    sorted_by = sort_by if sort_by in names else official
    rank_of, place_of = (_ranks(evaluations, scores, measure) for measure in (official, sorted_by))
    shown = [row for row in evaluations if view.shows(row.run)]
    shown.sort(key=lambda row: (place_of[row.pk], rank_of[row.pk], row.run.code))
    best = {
        name: max((scores[row.pk][name] for row in shown if name in scores[row.pk]), default=None) for name in names
    }
    aliases = {} if view.names else pseudonyms_of(edition.task)
    cells = {row.pk: [_cell(scores[row.pk].get(m.name), best[m.name], m) for m in measures] for row in shown}
    lines = [
        _line(row, rank_of[row.pk], cells[row.pk], view, aliases, is_drawn=place < DRAWN_AT_FIRST)
        for place, row in enumerate(shown)
    ]
    teams = len({row.run.team_id for row in evaluations}) if view.ranks else None
    return Board(edition, evaluator, lines, measures, sorted_by, teams, view.all_scores, warnings_on(edition))


def warnings_on(edition):
    """Return what everybody who reads a board should know of its assessments, without telling what is in them."""
    rules = {warning["rule"] for warning in edition.assessment_set.warnings}
    return [
        sentence.format(version=edition.assessment_set.version)
        for rule, (concerns, sentence) in WARNINGS.items()
        if rule in rules and concerns(edition.task.traits)
    ]


def _ranks(evaluations, scores, measure):
    ranks = ranks_of([scores[row.pk].get(measure) for row in evaluations])
    return {row.pk: rank for row, rank in zip(evaluations, ranks, strict=True)}


def _line(evaluation, rank, cells, view, aliases, is_drawn):
    run = evaluation.run
    is_own, is_named = run.team_id in view.own_teams, view.names_run(run)
    name, team = shown_names(run, view, aliases)
    return Line(
        rank=rank if view.ranks else None,
        code=run.code,
        name=name,
        team=team,
        description=run.description if is_named else "",
        is_official=run.is_official if is_named else None,
        cells=cells,
        is_own=is_own,
        is_drawn=is_drawn,
        run=run if is_own or view.is_organiser else None,
    )


def shown_names(run, view, aliases):
    """Return the names of a run and its team as a person may see them."""
    return (run.name, run.team.name) if view.names_run(run) else (run.code, aliases[run.team_id])


def _cell(value, best, measure):
    if value is None:
        return Cell(None, "–", 0.0, False)
    most = 1.0 if measure.bounded else max(best, 1.0)
    share = round(100 * min(max(value / most, 0.0), 1.0), 1)
    return Cell(value, f"{value:.4f}", share, value == best and value > 0)


def board_figure(board):
    """Draw the curves of the board's lines, in the board's order."""
    curve = board.evaluator.curves[0]
    on_board = board.edition.evaluations.on_board().filter(run__code__in=[line.code for line in board.lines])
    values = dict(on_board.filter(curves__name=curve.name).values_list("run__code", "curves__values"))
    drawn = [line for line in board.lines if line.code in values]
    figure = FIGURES[curve.name]([(_label(line), values[line.code]) for line in drawn])
    styles = styles_by_code([line.code for line in sorted(drawn, key=lambda line: (line.rank or 0, line.code))])
    for line, trace in zip(drawn, figure["data"], strict=True):
        trace["meta"] = line.code  # ties the curve to its line of the table
        trace["line"] = styles[line.code]
        if not line.is_drawn:
            trace["visible"] = "legendonly"
    return figure


def _label(line):
    return f"{line.name} ({shortened(one_line(line.team), LONGEST_LABEL)})"
