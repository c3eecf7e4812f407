"""One run's scores topic by topic, beside those of all runs where a person may see these."""

from dataclasses import dataclass

import numpy as np

from evaluation.evaluators import EVALUATORS
from evaluation.models import Score

FEWEST_TEAMS = 3
"""With fewer teams, a minimum or a median would tell what one other team scored."""


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
    """A run's scores by one measure, topic by topic."""

    measure: str
    measures: tuple
    lines: list
    run_count: int
    team_count: int
    has_others: bool


def measures_of(edition):
    """Return the measures of an edition's board, the official one first."""
    evaluator = EVALUATORS[edition.task.kind]
    columns = evaluator.columns(edition.profile, edition.parameters)
    return sorted(columns, key=lambda measure: measure.name != evaluator.official)


def topic_table(evaluation, view, measure=""):
    """Lay out a run's scores by a measure (the official one, unless another one of the board is asked for)."""
    edition = evaluation.edition
    measures = tuple(found.name for found in measures_of(edition))
    measure = measure if measure in measures else measures[0]
    own = Score.objects.get(evaluation=evaluation, measure=measure).topic_values
    on_board = edition.evaluations.on_board().filter(scores__measure=measure)
    rows = list(on_board.values_list("run__team_id", "scores__topic_values"))
    teams = len({team for team, _ in rows})
    titles = dict(edition.task.track.topics.values_list("number", "title"))
    has_others = view.all_scores and teams >= FEWEST_TEAMS
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


def all_scores(evaluation):
    """Return every measure of an evaluation with its mean and its values in the order of the edition's topics."""
    scores = {score.measure: score for score in evaluation.scores.all()}
    evaluator = EVALUATORS[evaluation.edition.task.kind]
    known = [measure.name for measure in evaluator.measures if measure.name in scores]
    ordered = known + sorted(scores.keys() - set(known))
    return [(name, scores[name].mean, scores[name].topic_values.tolist()) for name in ordered]


def provenance(evaluation):
    """Return what a number needs to be found again in five years."""
    edition, run = evaluation.edition, evaluation.run
    return {
        "run": run.name,
        "sha256": evaluation.run_sha256,
        "campaign": edition.task.track.campaign.slug,
        "track": edition.task.track.slug,
        "task": edition.task.slug,
        "edition": edition.number,
        "assessments": edition.assessment_set.version,
        "profile": edition.profile,
        "parameters": edition.parameters,
        "engine": edition.engine_version,
    }
