"""What moved between two editions of a task, as one person may see it."""

from collections import defaultdict
from dataclasses import dataclass

from campaign.models import Run
from campaign.services.visibility.pseudonyms import pseudonyms_of
from evaluation.models import Score
from evaluation.services.board_lines import shown_names
from evaluation.services.columns import measures_of
from limelight.analysis.moves import Move, gained_on, moves, tau_between

EXPLAINED = 20
"""Of so many runs that moved it is told at once what moved them, and of one's own."""

RUNS_NAMED = 5
TOPICS_NAMED = 5
TOPICS_OF_A_PASSING = 3


@dataclass(frozen=True, slots=True)
class Passing:
    """Another run that changed places with one, and the topics by which the one that rose gained most on the other."""

    name: str
    topics: list


@dataclass(frozen=True, slots=True)
class MovedLine:
    """One run on the page: its move under the names that may be seen.

    Of the runs that it passed, or that passed it, the first few are named with the topics behind it, where it is
    explained.
    """

    move: Move
    code: str
    name: str
    team: str
    is_own: bool
    is_official: bool
    passed: list
    passed_by: list
    more_passed: int
    more_passed_by: int

    @property
    def distance(self):
        """Return how many places it rose or fell; None where it is on one board only."""
        return None if self.move.places is None else abs(self.move.places)

    @property
    def topics(self):
        """Return the topics that changed its score most."""
        return self.move.topics[:TOPICS_NAMED]

    @property
    def more_topics(self):
        """Return the other topics that changed its score."""
        return self.move.topics[TOPICS_NAMED:]


@dataclass(frozen=True, slots=True)
class Moved:
    """What the page shows: runs that moved, those that stayed, and how alike the rankings are by each measure.

    `topic_name` is what the measure is called for a single topic. Of the `further` runs that moved it is not told why.
    """

    measure: str
    topic_name: str
    taus: list
    moved: list
    further: list
    stayed: list


def edition_before(edition):
    """Return the edition that was the board before this one, or None for the first."""
    return edition.task.editions.readable().filter(number__lt=edition.number).order_by("-number").first()


def what_moved(old, new, view, measure="", *, explains_all=False):
    """Compare two editions by a measure: the new one's official one, unless another one of its board is asked for."""
    topic_names = {found.name: found.topic_name for found in measures_of(new)}
    before, after = _means(old), _means(new)
    names = [name for name in topic_names if name in before or name in after]
    measure = measure if measure in names else next(iter(names or topic_names))
    boards = _values(old, measure), _values(new, measure), old.topic_numbers, new.topic_numbers
    found = moves(*boards)
    runs = Run.objects.select_related("team").in_bulk([move.key for move in found])
    gone_on = [move for move in found if move.has_moved]
    own = [move for move in gone_on[EXPLAINED:] if runs[move.key].team_id in view.own_teams]
    explained = {move.key for move in (gone_on if explains_all else [*gone_on[:EXPLAINED], *own])}
    lines = _lines(found, runs, explained, boards, new.task, view)
    return Moved(
        measure=measure,
        topic_name=topic_names[measure],
        taus=[(name, tau_between(before[name], after[name])) for name in names],
        moved=[line for line in lines if line.move.key in explained],
        further=[line for line in lines if line.move.has_moved and line.move.key not in explained],
        stayed=[line for line in lines if not line.move.has_moved],
    )


def _lines(found, runs, explained, boards, task, view):
    aliases = {} if view.names else pseudonyms_of(task)
    names = {key: shown_names(run, view, aliases) for key, run in runs.items()}

    def passing(key, one, other):
        return Passing(names[key][0], gained_on(one, other, *boards)[:TOPICS_OF_A_PASSING])

    lines = []
    for move in found:
        run, named = runs[move.key], RUNS_NAMED if move.key in explained else 0
        lines.append(
            MovedLine(
                move,
                run.code,
                *names[move.key],
                is_own=run.team_id in view.own_teams,
                is_official=run.is_official and view.names_run(run),
                passed=[passing(key, move.key, key) for key in move.passed[:named]],
                passed_by=[passing(key, key, move.key) for key in move.passed_by[:named]],
                more_passed=max(0, len(move.passed) - RUNS_NAMED),
                more_passed_by=max(0, len(move.passed_by) - RUNS_NAMED),
            )
        )
    return lines


def _means(edition):
    means = defaultdict(dict)
    scores = Score.objects.filter(evaluation__in=edition.evaluations.on_board())
    for measure, run, mean in scores.values_list("measure", "evaluation__run", "mean"):
        means[measure][run] = mean
    return means


def _values(edition, measure):
    scores = Score.objects.filter(evaluation__in=edition.evaluations.on_board(), measure=measure)
    ordered = scores.order_by("evaluation__run__code")  # who is tied keeps this order
    return dict(ordered.values_list("evaluation__run", "topic_values"))
