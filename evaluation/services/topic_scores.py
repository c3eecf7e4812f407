"""One run's scores topic by topic, beside those of all runs where a person may see these."""

from dataclasses import dataclass

import numpy as np

from campaign.services.permissions.seeing import may_see_assessments
from evaluation.models import Score
from evaluation.services.columns import all_measures_of, measures_of
from limelight.measures.measure import Measure
from limelight.scoring.zeros import zero_sentence


@dataclass(frozen=True, slots=True)
class TopicLine:
    """One topic: the run's score and, where they may be seen, the lowest, middle and highest of all runs."""

    number: str
    title: str
    score: float
    minimum: float | None = None
    median: float | None = None
    maximum: float | None = None


@dataclass(frozen=True, slots=True)
class TopicTable:
    """A run's scores by one measure, topic by topic; `measures` are those one may choose from."""

    measure: Measure
    measures: tuple
    lines: list
    run_count: int
    team_count: int
    has_others: bool


def topic_table(evaluation, view, measure=""):
    """Lay out a run's scores by a measure (the official one, unless another one of the board is asked for)."""
    edition = evaluation.edition
    measures = measures_of(edition)
    measure = next((found for found in measures if found.name == measure), measures[0])
    own = Score.objects.get(evaluation=evaluation, measure=measure.name).topic_values
    on_board = edition.evaluations.on_board().filter(scores__measure=measure.name)
    rows = list(on_board.values_list("run__team_id", "scores__topic_values"))
    teams = len({team for team, _ in rows})
    titles = dict(edition.task.track.topics.values_list("number", "title"))
    has_others = view.summarises(teams)
    if has_others:
        table = np.vstack([values for _, values in rows])
        others = np.column_stack([table.min(axis=0), np.median(table, axis=0), table.max(axis=0)]).tolist()
    else:
        others = [()] * len(edition.topic_numbers)
    lines = [
        TopicLine(number, titles.get(number, ""), float(score), *band)
        for number, score, band in zip(edition.topic_numbers, own, others, strict=True)
    ]
    return TopicTable(measure, measures, lines, len(rows), teams, has_others)


def zero_note(evaluation, user):
    """Say that a run scores 0 on every measure of the board, and why as far as a person may know; else nothing."""
    names = [measure.name for measure in measures_of(evaluation.edition)]
    if evaluation.scores.filter(measure__in=names).exclude(mean=0).exists():
        return ""
    task = evaluation.edition.task
    sees = may_see_assessments(user, task.track)
    sentence = zero_sentence(evaluation.zero_reason, task.kind, may_see_assessments=sees)
    return f"This run scores 0 on every measure. {sentence}".strip()


def all_scores(evaluation):
    """Return every measure of an evaluation with its mean and its values in the order of the edition's topics."""
    scores = {score.measure: score for score in evaluation.scores.all()}
    known = [measure.name for measure in all_measures_of(evaluation.edition) if measure.name in scores]
    ordered = known + sorted(scores.keys() - set(known))
    return [(name, scores[name].mean, scores[name].topic_values.tolist()) for name in ordered]
