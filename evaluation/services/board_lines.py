"""The lines of a board: its runs as one person may see them, as they are ranked."""

from collections import Counter
from dataclasses import dataclass

from campaign.models import Run
from campaign.services.visibility.pseudonyms import pseudonyms_of
from evaluation.models import Score
from evaluation.services.board_memory import kept, kept_each
from limelight.analysis.ranking import ranks as ranks_of


@dataclass(frozen=True, slots=True)
class Cell:
    """One score, formatted, or None where there is none."""

    value: float | None
    text: str
    is_best: bool


@dataclass(slots=True)
class Line:
    """One run on the board; what may not be seen of it is None or empty.

    `rank` is by the official measure, `place` by the measure that the board is sorted by; `range` are the places that
    it may truly have by that one, `moved_from` those on the board before, where the two have none in common. `run` is
    there for its team and organisers. `of_team` says how many runs its team has on the board.
    """

    rank: int | None
    code: str
    name: str
    team: str
    description: str
    is_official: bool | None
    cells: list
    is_own: bool
    run: Run | None
    team_key: str = ""
    team_slug: str = ""
    value: float | None = None
    place: int | None = None
    range: tuple | None = None
    is_leading: bool = False
    result_type: str = ""
    query: str = ""
    topic_fields: tuple = ()
    is_after_scores: bool = False
    judged: float | None = None
    moved_from: tuple | None = None
    of_team: int = 1


def shown_names(run, view, aliases):
    """Return the names of a run and its team as a person may see them."""
    return (run.name, run.team.name) if view.names_run(run) else (run.code, aliases[run.team_id])


def evaluations_on(edition):
    """Return the evaluations that a board shows with what it says of their runs, and nothing that is long."""
    return kept(edition, "evaluations", lambda: list(_evaluations(edition)))


def _evaluations(edition):
    rows = edition.evaluations.on_board().select_related("run__team").order_by("run__code")
    run = (
        "code",
        "name",
        "description",
        "is_official",
        "result_type",
        "query",
        "topic_fields",
        "created_at",
        "task_id",
    )
    return rows.only("judged", "edition_id", *(f"run__{name}" for name in run), "run__team__name", "run__team__slug")


def means_on(edition, measures):
    """Return the means of some measures, by measure and evaluation."""
    return kept_each(edition, "means", measures, lambda missing: _means(edition, missing))


def _means(edition, measures):
    """Return the means of the measures that are shown, by measure and evaluation."""
    rows = Score.objects.filter(evaluation__in=edition.evaluations.on_board(), measure__in=measures)
    means = {measure: {} for measure in measures}
    for measure, evaluation, mean in rows.values_list("measure", "evaluation", "mean"):
        means[measure][evaluation] = mean
    return means


def lines_of(edition, evaluations, means, columns, measure, view):
    """Lay out the runs that a person may see, as a measure ranks them, and where it has them equal the official one."""
    rank_of, place_of = (_ranks(evaluations, means[name]) for name in (edition.official_measure, measure))
    shown = [row for row in evaluations if view.shows(row.run)]
    best = {
        name: max((means[name][row.id] for row in shown if row.id in means[name]), default=None) for name in columns
    }
    aliases = {} if view.names else pseudonyms_of(edition.task)
    of_team = _of_teams(shown)
    lines = []
    for row in shown:
        line = _line(row, view, aliases)
        if view.ranks:
            line.rank, line.place = rank_of[row.id], place_of[row.id]
        line.value = means[measure].get(row.id)
        line.cells = [_cell(means[name].get(row.id), best[name]) for name in columns]
        line.of_team = of_team[row.run.team_id]
        lines.append(line)
    first = {row.run.code: (place_of[row.id], rank_of[row.id], row.run.code) for row in shown}
    return sorted(lines, key=lambda line: first[line.code])


def tell_ranges(lines, ranges, after, moved):
    """Add to lines what all runs together say about each."""
    if ranges is None:
        return
    told = ranges.of or {}
    for line in lines:
        line.range = told.get(line.code)
        line.is_leading = line.code in ranges.leading
        line.is_after_scores = line.code in after
        line.moved_from = moved.get(line.code)


def _of_teams(evaluations):
    return Counter(row.run.team_id for row in evaluations)


def _ranks(evaluations, means):
    ranks = ranks_of([means.get(row.id) for row in evaluations])
    return {row.id: rank for row, rank in zip(evaluations, ranks, strict=True)}


def _line(evaluation, view, aliases):
    """Lay out what may be known of a run whatever its scores."""
    run = evaluation.run
    is_own, is_named = run.team_id in view.own_teams, view.names_run(run)
    name, team = shown_names(run, view, aliases)
    line = Line(
        rank=None,
        code=run.code,
        name=name,
        team=team,
        description=run.description if is_named else "",
        is_official=run.is_official if is_named else None,
        cells=[],
        is_own=is_own,
        run=run if is_own or view.is_organiser else None,
        team_key=team,
        judged=evaluation.judged if view.knows_judgements else None,
    )
    if view.names:  # on an anonymous board what only some runs tell would set them apart
        line.team_key = line.team_slug = run.team.slug
        line.result_type, line.query, line.topic_fields = run.result_type, run.query, tuple(run.topic_fields)
    return line


def _cell(value, best):
    return Cell(None, "–", False) if value is None else Cell(value, f"{value:.4f}", value == best and value > 0)
