"""Scoring: claim an evaluation, compute, write scores, curves and DONE in one transaction."""

import time
from typing import NamedTuple

from django.db import transaction

from campaign.machinery.queues import Queue
from campaign.models import Run
from campaign.services.generations import raise_generation
from campaign.services.runs.rechecks import recheck_run
from evaluation.models import Curve, Evaluation, Score
from evaluation.services import announcements, editions
from evaluation.services.findings import kept
from evaluation.services.material import compiled_judgements, lengths_of, placed_run
from limelight.scoring.evaluators import Result
from limelight.scoring.evaluators import evaluate as evaluate_columns
from limelight.scoring.findings import Findings, findings_of
from limelight.text.placing import OnAnotherAxis


class Scored(NamedTuple):
    """What the engine says about a run, and what is kept of it for later pages."""

    result: Result
    findings: Findings


def evaluate(evaluation_id=None):
    """Score one run in one edition, without a key the first in line; returns it, or None where there is none."""
    evaluation = SCORING.work(evaluation_id)
    if evaluation is not None and evaluation.state == Evaluation.State.DONE:
        editions.finish_building(evaluation.edition.task.track)
    return evaluation


def _score(evaluation):
    started = time.perf_counter()
    try:
        scored = compute(evaluation)
    except OnAnotherAxis:
        _send_back(evaluation)
    else:
        _record(evaluation, scored, time.perf_counter() - started)


def compute(evaluation):
    """Return what the engine says about the run under the edition's assessments, profile and parameters; and findings.

    All measures of the task's kind are computed, not only the board's: an evaluation is made once. The text is that of
    the collection's version that the edition was begun on, so that all runs of a board lie on the same text.
    """
    edition, assessment_set = evaluation.edition, evaluation.edition.assessment_set
    columns = placed_run(evaluation.run, edition)
    result = evaluate_columns(
        edition.task.kind,
        compiled_judgements(assessment_set.columns_file, assessment_set.content),
        columns,
        profile=edition.profile,
        parameters=edition.parameters,
        measures="all",
        document_lengths=lengths_of(columns, edition.collection),
    )
    return Scored(result, findings_of(result.kind, result.laid, columns))


def _send_back(evaluation):
    """Have a run judged where its team reads it: it became valid before its boards counted as they do now."""
    with transaction.atomic():
        Evaluation.objects.held(evaluation).delete()  # the check queues it anew where it is valid
        recheck_run(evaluation.run)


def give_up(evaluation):
    """Free the quota of a run whose scoring failed on our side, and say so."""
    Run.objects.filter(pk=evaluation.run_id).update(quota_waived=True)
    announcements.failed(evaluation)


SCORING = Queue(Evaluation, _score, at_the_end=give_up)


def _record(evaluation, scored, seconds):
    result = scored.result
    if list(result.topics) != evaluation.edition.topic_numbers:
        raise ValueError("The engine's topics are not the edition's.")
    found = kept(scored.findings)
    with transaction.atomic():
        raise_generation(evaluation.edition.task)
        outcome = {"seconds": seconds, "zero_reason": result.zero_reason, "engine_version": result.engine_version}
        Evaluation.objects.finish(evaluation, Evaluation.State.DONE, **outcome, **found)
        Score.objects.bulk_create(
            Score(evaluation=evaluation, measure=name, mean=mean, topic_values=result.topic_values[name])
            for name, mean in result.means.items()
        )
        Curve.objects.bulk_create(
            Curve(evaluation=evaluation, name=name, values=values) for name, values in result.curves.items()
        )
        Run.objects.filter(pk=evaluation.run_id, quota_waived=True).update(quota_waived=False)
        announcements.evaluated(evaluation)
