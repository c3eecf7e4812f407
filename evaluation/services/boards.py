"""Boards: an edition as one person may see it, ready for a table and a chart."""

from dataclasses import dataclass, field, replace

from assessments.services.inspection import ENTRY_POINTS_ALIKE
from campaign.models import Run
from campaign.services.visibility.pseudonyms import pseudonyms_of
from evaluation.models import Edition, Score
from evaluation.services.board_asked import OFFICIAL, Asked
from evaluation.services.board_filters import Choices, choices_of, chosen, shown_by_default
from evaluation.services.board_moves import parted_since
from evaluation.services.board_order import in_order
from evaluation.services.columns import all_measures_of, measures_of
from evaluation.services.families import after_seeing_scores
from evaluation.services.ranges import Ranges, ranges_on
from limelight.analysis.ranking import ranks as ranks_of
from limelight.scoring.evaluators import EVALUATORS

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
    """One score, formatted, or None where there is none."""

    value: float | None
    text: str
    is_best: bool


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Board:
    """What the page shows: measures as columns, the runs that were asked for as lines, and what is said about them.

    `all_lines` are those that may be seen, whatever was asked for. Where these are not all runs, there are no ranks and
    ranges, and how many teams there are is None.
    """

    edition: Edition
    evaluator: object
    lines: list
    all_lines: list
    measures: tuple
    sorted_by: str
    team_count: int | None
    is_complete: bool
    warnings: list
    asked: Asked
    show: str
    choices: Choices
    ranges: Ranges | None = None
    against: Line | None = None
    problems: list = field(default_factory=list)

    @property
    def has_judged(self):
        """Return whether it is known how much of the runs' first results was judged, and may be."""
        return any(line.judged is not None for line in self.all_lines)

    @property
    def measure(self):
        """Return the measure that ranks are shown by: that of the order, or the official one."""
        return self.ranges.measure if self.ranges else self.edition.official_measure


def build_board(edition, view, asked=None, before=None):
    """Lay out an edition for a person; ranks are over all runs, whatever is shown; ties go by code.

    Given the edition before, it is told who has moved since.
    """
    columns = asked.columns if asked and asked.columns else [measure.name for measure in measures_of(edition)]
    asked = asked or Asked()
    official = edition.official_measure
    measure = asked.sort if asked.sort in {one.name for one in all_measures_of(edition)} else official
    evaluations = list(_evaluations(edition))
    means = _means(edition, {*columns, measure, official})
    all_lines = _lines(edition, evaluations, means, columns, measure, view)
    ranges, after = None, frozenset()
    if view.ranks and view.names:
        after = after_seeing_scores(edition.task, [row.run for row in evaluations])
    show = asked.show or shown_by_default(all_lines, view)
    if view.ranks:
        ranges = ranges_on(
            edition,
            measure,
            {row.run.code: means[measure][row.pk] for row in evaluations if row.pk in means.get(measure, {})},
            runs=[row.run for row in evaluations],
            after=after,
            only_official=show == OFFICIAL and view.names,
        )
    keys = {row.run.code for row in evaluations if row.run.pk in after}
    moved = parted_since(before, ranges)
    all_lines = [_with_ranges(line, ranges, keys, moved) for line in all_lines]
    lines, problems = chosen(all_lines, asked, show)
    against = next((line for line in all_lines if line.code == asked.against), None)
    if asked.against and against is None:
        problems.append("The run to hold the others against is not on this board.")
    return Board(
        edition=edition,
        evaluator=EVALUATORS[edition.task.kind],
        lines=in_order(lines, asked),
        all_lines=all_lines,
        measures=_measures(edition, columns),
        sorted_by=measure,
        team_count=len({row.run.team_id for row in evaluations}) if view.ranks else None,
        is_complete=view.all_scores,
        warnings=warnings_on(edition),
        asked=asked,
        show=show,
        choices=choices_of(all_lines, view),
        ranges=ranges,
        against=against,
        problems=[*asked.problems, *problems],
    )


def warnings_on(edition):
    """Return what everybody who reads a board should know of its assessments, without telling what is in them."""
    rules = {warning["rule"] for warning in edition.assessment_set.warnings}
    return [
        sentence.format(version=edition.assessment_set.version)
        for rule, (concerns, sentence) in WARNINGS.items()
        if rule in rules and concerns(edition.task.traits)
    ]


def shown_names(run, view, aliases):
    """Return the names of a run and its team as a person may see them."""
    return (run.name, run.team.name) if view.names_run(run) else (run.code, aliases[run.team_id])


def _evaluations(edition):
    """Return the evaluations that a board shows with what it says of their runs, and nothing that is long."""
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


def _measures(edition, names):
    by_name = {measure.name: measure for measure in all_measures_of(edition)}
    return tuple(by_name[name] for name in names)


def _means(edition, measures):
    """Return the means of the measures that are shown, by measure and evaluation."""
    rows = Score.objects.filter(evaluation__in=edition.evaluations.on_board(), measure__in=measures)
    means = {measure: {} for measure in measures}
    for measure, evaluation, mean in rows.values_list("measure", "evaluation", "mean"):
        means[measure][evaluation] = mean
    return means


def _lines(edition, evaluations, means, columns, measure, view):
    """Lay out the runs that a person may see, as the official measure ranks them."""
    official = edition.official_measure
    rank_of, place_of = (_ranks(evaluations, means[name]) for name in (official, measure))
    shown = [row for row in evaluations if view.shows(row.run)]
    best = {
        name: max((means[name][row.pk] for row in shown if row.pk in means[name]), default=None) for name in columns
    }
    aliases = {} if view.names else pseudonyms_of(edition.task)
    of_team = _of_teams(shown)
    lines = [
        replace(
            _line(row, view, aliases),
            rank=rank_of[row.pk] if view.ranks else None,
            place=place_of[row.pk] if view.ranks else None,
            value=means[measure].get(row.pk),
            cells=[_cell(means[name].get(row.pk), best[name]) for name in columns],
            of_team=of_team[row.run.team_id],
        )
        for row in shown
    ]
    first = {row.run.code: (place_of[row.pk], rank_of[row.pk], row.run.code) for row in shown}
    return sorted(lines, key=lambda line: first[line.code])


def _of_teams(evaluations):
    counts = {}
    for row in evaluations:
        counts[row.run.team_id] = counts.get(row.run.team_id, 0) + 1
    return counts


def _ranks(evaluations, means):
    ranks = ranks_of([means.get(row.pk) for row in evaluations])
    return {row.pk: rank for row, rank in zip(evaluations, ranks, strict=True)}


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
    if not view.names:  # on an anonymous board what only some runs tell would set them apart
        return line
    said = {"result_type": run.result_type, "query": run.query, "topic_fields": tuple(run.topic_fields)}
    return replace(line, team_key=run.team.slug, team_slug=run.team.slug, **said)


def _with_ranges(line, ranges, after, moved):
    """Add what all runs together say about one."""
    if ranges is None:
        return line
    told = ranges.of or {}
    return replace(
        line,
        range=told.get(line.code),
        is_leading=line.code in ranges.leading,
        is_after_scores=line.code in after,
        moved_from=moved.get(line.code),
    )


def _cell(value, best):
    return Cell(None, "–", False) if value is None else Cell(value, f"{value:.4f}", value == best and value > 0)
