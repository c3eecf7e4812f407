"""How runs fared on each topic of a board, and what is relevant to it, as far as a person may know."""

from dataclasses import dataclass

import numpy as np
from django.db.models import F, prefetch_related_objects

from assessments.models import AssessmentSet
from campaign.models import Task
from campaign.services.permissions.seeing import BoardView, board_views
from evaluation.models import Edition, Evaluation, Score
from evaluation.services.columns import all_measures_of
from limelight.analysis.ranking import TIE, ranks
from limelight.analysis.statistics.reference_lines import Field, field_of, team_values
from limelight.measures.measure import Measure

RUN_FIELDS = ("code", "name", "is_official", "task_id", "team__name", "team__slug")


@dataclass(frozen=True, slots=True)
class TopicNumbers:
    """One topic on one board; what may not be known, or is not, is None.

    Median and quartiles are over teams. `from_top` and `from_bottom` are the median's places among the topics, which
    `sharing` topics have together. Highlighted characters are there where text was highlighted.
    """

    number: str
    relevant: int | None = None
    highlighted: int | None = None
    low: float | None = None
    median: float | None = None
    high: float | None = None
    from_top: int | None = None
    from_bottom: int | None = None
    sharing: int | None = None

    @property
    def spread(self):
        """Return how far apart the quartiles of the teams lie."""
        return None if self.high is None else self.high - self.low


@dataclass(frozen=True, slots=True, eq=False)
class TaskTopics:
    """A task's live board, topic by topic, for one person: `scores` are those they may see, `field` is over teams."""

    task: Task
    edition: Edition
    view: BoardView
    measure: Measure
    scores: list
    field: Field | None
    topics: dict

    def values_on(self, number):
        """Return the value of each score on a topic; nothing where the topic does not count."""
        if number not in self.edition.topic_numbers:
            return []
        column = self.edition.topic_numbers.index(number)
        return [float(score.topic_values[column]) for score in self.scores]


@dataclass(frozen=True, slots=True)
class TaskBoard:
    """The live board of a task, and what a person may see of it."""

    task: Task
    view: BoardView
    edition: Edition


def boards_of(user, track):
    """Return the live boards of a track as a person may see them, in the order of its tasks."""
    prefetch_related_objects([track], "tasks")
    live = Edition.objects.live().filter(task__track=track).select_related("assessment_set")
    editions = {edition.task_id: edition for edition in live}
    return [
        TaskBoard(task, view, editions[task.pk])
        for task, view in board_views(user, track).items()
        if task.pk in editions
    ]


def topics_on(boards):
    """Return boards topic by topic, in as many queries for many as for one."""
    scores = _scores([board.edition for board in boards])
    return [_of_board(board, scores.get(board.edition.pk, [])) for board in boards]


def _scores(editions):
    """Return the scores of boards by their official measures, with runs and teams, in the order of the runs' codes."""
    rows = (
        Score.objects.filter(
            evaluation__in=Evaluation.objects.on_board().filter(edition__in=editions),
            measure=F("evaluation__edition__official_measure"),
        )
        .select_related("evaluation__run__team")
        .only("mean", "topic_values", "evaluation__edition_id", *(f"evaluation__run__{name}" for name in RUN_FIELDS))
        .order_by("evaluation__run__code")
    )
    found = {}
    for score in rows:
        found.setdefault(score.evaluation.edition_id, []).append(score)
    return found


def _of_board(board, scores):
    task, view, edition = board.task, board.view, board.edition
    edition.task = task
    field = _field(scores, view) if view.ranks else None
    return TaskTopics(
        task=task,
        edition=edition,
        view=view,
        measure=all_measures_of(edition)[0],
        scores=[score for score in scores if view.shows(score.evaluation.run)],
        field=field,
        topics=_topics(edition, view, field),
    )


def _field(scores, view):
    """Return median and quartiles over all teams; which run is a team's official one is not told before names are."""
    if not scores:
        return field_of({})
    runs = [score.evaluation.run for score in scores]
    table = np.vstack([score.topic_values for score in scores])
    official = [run.is_official and view.names for run in runs]
    return field_of(team_values(table, [run.team_id for run in runs], official))


def _topics(edition, view, field):
    relevant = _relevant(edition.assessment_set) if view.knows_judgements else lambda number: ()
    numbers = edition.topic_numbers
    if field is None or field.median is None:
        return {number: TopicNumbers(number, *relevant(number)) for number in numbers}
    medians = field.median.tolist()
    columns = (
        field.low.tolist(),
        medians,
        field.high.tolist(),
        ranks(medians),
        ranks(medians, higher_is_better=False),
        [sum(abs(median - other) <= TIE for other in medians) for median in medians],
    )
    names = ("low", "median", "high", "from_top", "from_bottom", "sharing")
    return {
        number: TopicNumbers(number, *relevant(number), **dict(zip(names, of_topic, strict=True)))
        for number, *of_topic in zip(numbers, *columns, strict=True)
    }


def _relevant(assessment_set):
    """Return a function that tells what is relevant to a topic; where no text was highlighted, documents alone."""
    if assessment_set.content == AssessmentSet.Content.HIGHLIGHTS:
        return assessment_set.counted_for
    return lambda number: assessment_set.counted_for(number)[:1]
