"""Boards: an edition as one person may see it, ready for a table and a chart."""

from dataclasses import dataclass

from campaign.models import Run
from campaign.plain import one_line, shortened
from campaign.services.pseudonyms import pseudonyms_of
from evaluation.charts import FIGURES
from evaluation.evaluators import EVALUATORS
from evaluation.models import Edition
from evaluation.ranking import ranks as ranks_of

DRAWN_AT_FIRST = 10
LONGEST_LABEL = 40
"""Characters of a team's name beside a curve; the table has all of it."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One score, formatted, or None where there is none; `share` is the length of its bar in percent."""

    value: float | None
    text: str
    share: float
    is_best: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One run on the board."""

    rank: int
    key: str
    name: str
    team: str
    description: str
    cells: list
    is_own: bool
    run: Run | None


@dataclass(frozen=True, slots=True)
class Board:
    """What the page shows: the measures as columns, the runs as lines, and how many are hidden from this person."""

    edition: Edition
    evaluator: object
    lines: list
    measures: tuple
    sorted_by: str
    team_count: int
    hidden: int


def build_board(edition, view, sort_by=""):
    """Lay out an edition for a person; ranks are always by the official measure, over all runs."""
    evaluator = EVALUATORS[edition.task.kind]
    columns = evaluator.columns(edition.profile, edition.parameters)
    measures = sorted(columns, key=lambda measure: measure.name != evaluator.official)  # the official one first
    evaluations = list(edition.evaluations.on_board().with_scores())
    scores = {row.pk: {score.measure: score.mean for score in row.scores.all()} for row in evaluations}
    official = evaluator.official
    ranks = ranks_of([scores[row.pk].get(official) for row in evaluations])
    rank_of = {row.pk: int(rank) for row, rank in zip(evaluations, ranks, strict=True)}
    shown = [row for row in evaluations if view.shows(row.run)]
    names = {measure.name for measure in measures}
    sorted_by = sort_by if sort_by in names else official
    shown.sort(key=lambda row: (-scores[row.pk].get(sorted_by, -1.0), rank_of[row.pk], row.pk))
    best = {
        name: max((scores[row.pk][name] for row in shown if name in scores[row.pk]), default=None) for name in names
    }
    aliases = {} if view.names else pseudonyms_of(edition.task, {row.run.team for row in shown})
    lines = [
        _line(row, rank_of[row.pk], [_cell(scores[row.pk].get(m.name), best[m.name]) for m in measures], view, aliases)
        for row in shown
    ]
    teams = len({row.run.team_id for row in evaluations})
    return Board(edition, evaluator, lines, measures, sorted_by, teams, len(evaluations) - len(shown))


def _line(evaluation, rank, cells, view, aliases):
    run = evaluation.run
    is_own = run.team_id in view.own_teams
    name, team = shown_names(run, view, aliases)
    return Line(
        rank=rank,
        key=str(evaluation.pk),
        name=name,
        team=team,
        description=run.description if view.names_run(run) else "",
        cells=cells,
        is_own=is_own,
        run=run if is_own or view.is_organiser else None,
    )


def shown_names(run, view, aliases):
    """Return the names of a run and its team as a person may see them."""
    return (run.name, run.team.name) if view.names_run(run) else (f"run {run.pk}", aliases[run.team_id])


def _cell(value, best):
    if value is None:
        return Cell(None, "–", 0.0, False)
    return Cell(value, f"{value:.4f}", round(100 * min(max(value, 0.0), 1.0), 1), value == best and value > 0)


def board_figure(board):
    """Draw the curves of the board's lines, in the board's order."""
    curve = board.evaluator.curves[0]
    values = {
        str(key): points
        for key, points in board.edition.evaluations.on_board()
        .filter(curves__name=curve.name, pk__in=[line.key for line in board.lines])
        .values_list("pk", "curves__values")
    }
    drawn = [line for line in board.lines if line.key in values]
    figure = FIGURES[curve.name]([(_label(line), values[line.key]) for line in drawn])
    for position, (line, trace) in enumerate(zip(drawn, figure["data"], strict=True)):
        trace["meta"] = line.key  # ties the curve to its line of the table
        if position >= DRAWN_AT_FIRST:
            trace["visible"] = "legendonly"
    return figure


def _label(line):
    return f"{line.name} ({shortened(one_line(line.team), LONGEST_LABEL)})"
