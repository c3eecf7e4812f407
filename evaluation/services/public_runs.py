"""A run's page for everyone who may see its score: where it stands, topic by topic, and what cannot be shown yet."""

from dataclasses import dataclass

import numpy as np

from campaign.models import Run
from evaluation.models import Edition, Evaluation, Score
from evaluation.services.board_asked import Asked
from evaluation.services.board_words import standing
from evaluation.services.boards import build_board
from evaluation.services.columns import all_measures_of
from evaluation.services.commands import score_command
from evaluation.services.redrawn_topics import redrawn_run
from limelight.analysis.statistics.intervals import student_intervals
from limelight.analysis.statistics.reference_lines import Field, field_of, team_values
from limelight.measures.measure import Measure

NEIGHBOURS = 2
"""So many runs above and below are named."""
DOCUMENT_LEVEL = ("MAP", "artMAP")
"""What a run's articles alone are worth, by the names that the kinds of tasks have for it."""


@dataclass(frozen=True, slots=True)
class TopicValue:
    """One topic: the run's value, and by how much it lies above the middle of the other teams' (None without them)."""

    number: str
    title: str
    value: float
    low: float | None = None
    median: float | None = None
    high: float | None = None

    @property
    def difference(self):
        """Return by how much the run lies above the middle of the other teams."""
        return None if self.median is None else self.value - self.median


@dataclass(frozen=True, slots=True, eq=False)
class RunPage:
    """What the page shows; what one may not know is None or empty, and `missing` says what that is and from when on."""

    run: Run
    edition: Edition
    evaluation: Evaluation
    board: object
    line: object
    measure: Measure
    score: float
    interval: tuple | None
    document_level: tuple | None
    topics: list
    field: Field | None
    neighbours: list
    missing: list
    standing: tuple | None = None
    redrawn: str = ""
    command: str = ""

    @property
    def has_field(self):
        """Return whether there are enough other teams to hold the run against."""
        return self.field is not None and self.field.median is not None

    @property
    def judged_of(self):
        """Return what the share that was judged is a share of."""
        traits = self.edition.task.traits
        if traits.in_context or not traits.has_places:
            return "its first ten documents"
        return "the characters of its first ten results"

    @property
    def extremes(self):
        """Return the topics with the worst and the best difference to the field, or value; nothing of one topic."""
        strip = self.strip
        return (strip[0], strip[-1]) if len(strip) > 1 else ()

    @property
    def strip(self):
        """Return the topics from the worst to the best difference to the field, or without one by value."""
        return sorted(self.topics, key=lambda topic: topic.value if topic.difference is None else topic.difference)


def standing_run(task, code):
    """Return the run of a task that a code names, whatever became of it, or None."""
    return task.runs.filter(code=code).select_related("team", "task__track__campaign").first()


def was_visible_when_it_left(run):
    """Return whether the score of a run that is on no board any more could be seen by everybody when it left."""
    left_at = run.withdrawn_at or (run.state_since if run.state == Run.State.REJECTED else None)
    if left_at is None:
        return False
    was_on_board = run.evaluations.filter(
        state=Evaluation.State.DONE, edition__in=Edition.objects.readable(), state_since__lte=left_at
    )
    return run.task.reveals(run.task.other_scores_visible, left_at) and was_on_board.exists()


def run_page(run, edition, view, titles):
    """Lay out a run's page in an edition; None where it has no score there. `titles` names the topics one may read."""
    evaluation = edition.evaluations.on_board().filter(run=run).first()
    if evaluation is None:
        return None
    board = build_board(edition, view, Asked(show="all"))
    line = next(line for line in board.all_lines if line.code == run.code)
    measure = all_measures_of(edition)[0]
    rows = _vectors(edition, measure.name, view, run)
    own = next(values for code, _, _, values in rows if code == run.code)
    field = _field(rows, run, view) if view.ranks else None
    return RunPage(
        run=run,
        edition=edition,
        evaluation=evaluation,
        board=board,
        line=line,
        measure=measure,
        score=float(own.mean()) if len(own) else 0.0,
        interval=tuple(float(end) for (end,) in student_intervals([own])) if len(own) > 1 else None,
        document_level=_document_level(evaluation, edition),
        topics=_topics(edition, own, field, titles),
        field=field,
        neighbours=_neighbours(board, line) if view.ranks else [],
        missing=_missing(edition.task, view, run),
        standing=standing(line, board.ranges) if view.ranks else None,
        redrawn=redrawn_run(edition, _means(board), run.code) if view.ranks else "",
        command=_command(edition, run, measure.name) if view.shows_steps_of(run) and view.shows_file_of(run) else "",
    )


def _means(board):
    """Return the official means of all runs by code, in the order of the codes: what an analysis must fit."""
    return {
        line.code: line.value for line in sorted(board.all_lines, key=lambda line: line.code) if line.value is not None
    }


def _command(edition, run, measure):
    """Return the words that score the run at home, as the page tells it."""
    measures = [measure, *(name for name in [_document_measure(edition)] if name)]
    return score_command(edition, run, measures, "--intervals", "--judged", "--per-topic")


def _vectors(edition, measure, view, run):
    """Return code, team, official mark and values a topic of all runs whose scores may be seen; always of this one."""
    rows = Score.objects.filter(evaluation__in=edition.evaluations.on_board(), measure=measure)
    if not view.ranks:
        rows = rows.filter(evaluation__run=run)
    wanted = ("evaluation__run__code", "evaluation__run__team", "evaluation__run__is_official", "topic_values")
    return list(rows.order_by("evaluation__run__code").values_list(*wanted))


def _field(rows, run, view):
    """Return the middle and quartiles of the other teams on each topic; which runs are official needs names."""
    values = team_values(
        np.vstack([values for *_, values in rows]),
        [team for _, team, _, _ in rows],
        [is_official and view.names for _, _, is_official, _ in rows],
    )
    return field_of(values, own=run.team_id)


def _topics(edition, own, field, titles):
    has_field = field is not None and field.median is not None
    lines = np.stack((field.low, field.median, field.high), axis=1).tolist() if has_field else [()] * len(own)
    return [
        TopicValue(number, titles.get(number, ""), value, *line)
        for number, value, line in zip(edition.topic_numbers, own.tolist(), lines, strict=True)
    ]


def _document_level(evaluation, edition):
    """Return what the run's articles alone are worth, as a measure's name and mean; None where the kind has none."""
    name = _document_measure(edition)
    score = evaluation.scores.filter(measure=name).first() if name else None
    return (name, score.mean) if score else None


def _document_measure(edition):
    known = {measure.name for measure in all_measures_of(edition)} - {edition.official_measure}
    return next((name for name in DOCUMENT_LEVEL if name in known), None)


def _neighbours(board, line):
    """Return the runs next to this one on the board, itself among them."""
    place = board.all_lines.index(line)
    return board.all_lines[max(0, place - NEIGHBOURS) : place + NEIGHBOURS + 1]


def _missing(task, view, run):
    """Say what the page leaves out for this person, and from when on it is shown."""
    parts = []
    if not view.ranks:
        parts.append(("Its rank, and how others fare", task.other_scores_visible))
    if not view.names_run(run):
        parts.append(("Its name and team", task.names_visible))
    if not view.shows_results_of(run):
        parts.append(("What it returned", task.runs_visible))
    elif not view.assessments:
        parts.append(("Which of it is relevant", task.assessments_visible))
    return [(what, when_shown(task, switch)) for what, switch in parts]


def when_shown(task, switch):
    """Say from when on a switch shows something; nothing where it is never shown, or one cannot tell."""
    return {"at-deadline": "from the deadline on", "at-publication": "once the results are published"}.get(switch, "")
