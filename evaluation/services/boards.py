"""Boards: an edition as one person may see it, ready for a table and a chart."""

from dataclasses import dataclass, field

from assessments.services.inspection import ENTRY_POINTS_ALIKE
from evaluation.models import Edition
from evaluation.services.board_asked import OFFICIAL, Asked
from evaluation.services.board_filters import Choices, choices_of, chosen, shown_by_default
from evaluation.services.board_lines import Line, evaluations_on, lines_of, means_on, tell_ranges
from evaluation.services.board_memory import kept
from evaluation.services.board_moves import parted_since
from evaluation.services.board_order import in_order
from evaluation.services.columns import all_measures_of, measures_of
from evaluation.services.families import after_seeing_scores
from evaluation.services.ranges import Ranges, ranges_on
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
    evaluations = evaluations_on(edition)
    means = means_on(edition, {*columns, measure, official})
    all_lines = lines_of(edition, evaluations, means, columns, measure, view)
    ranges, after = None, frozenset()
    if view.ranks and view.names:
        after = kept(edition, "after", lambda: after_seeing_scores(edition.task, [row.run for row in evaluations]))
    show = asked.show or shown_by_default(all_lines, view)
    if view.ranks:
        only_official = show == OFFICIAL and view.names
        ranges = kept(
            edition,
            ("ranges", measure, view.names, only_official),
            lambda: ranges_on(
                edition,
                measure,
                {row.run.code: means[measure][row.id] for row in evaluations if row.id in means[measure]},
                runs=[row.run for row in evaluations],
                after=after,
                only_official=only_official,
            ),
        )
    codes_after = {row.run.code for row in evaluations if row.run.pk in after}
    tell_ranges(all_lines, ranges, codes_after, parted_since(before, ranges))
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


def _measures(edition, names):
    by_name = {measure.name: measure for measure in all_measures_of(edition)}
    return tuple(by_name[name] for name in names)
