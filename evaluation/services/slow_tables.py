"""Tables of the desk that may take long: small ones are computed at once, large ones by a worker, both remembered."""

from django.db.models import Sum

from assessments.models import AssessmentSet
from assessments.services.pools import poolable_runs
from campaign.machinery.cached import answered, compute_for, key_of
from evaluation.models import Edition
from evaluation.services.coverage import coverage_counts, runs_on_board
from evaluation.services.leave_one_out import leave_one_out
from limelight.scoring.evaluators import ENGINE_VERSION

TASK = "evaluation.tasks.desk_report"
RESULTS_AT_ONCE = 300_000
"""Results on a board up to which nobody has to wait for a worker."""

VERSION = 2
COVERAGE, ABSENCES = "coverage", "leave-one-out"


def coverage_report(edition, assessment_set, depth):
    """Return what is unjudged among the top results of a board's runs, or that a worker is at it."""
    return _answer(edition, COVERAGE, depth, assessment_set)


def leave_one_out_report(edition, depth):
    """Return how a board's ranking would be without each team, or that a worker is at it."""
    return _answer(edition, ABSENCES, depth)


def compute_report(order):
    """Compute what a page has asked for, by its order: name, edition, depth and version of the assessments."""
    name, edition, depth, assessment_set = order.split(":")
    found = Edition.objects.select_related("task__track", "collection", "assessment_set").filter(pk=edition).first()
    version = AssessmentSet.objects.filter(pk=assessment_set).first() if assessment_set else None
    if found is None or (assessment_set and version is None):
        return
    compute_for(_key(found, name, int(depth), version), _computation(found, name, int(depth), version))


def _answer(edition, name, depth, assessment_set=None):
    results = edition.evaluations.on_board().aggregate(sum=Sum("run__result_count"))["sum"] or 0
    return answered(
        _key(edition, name, depth, assessment_set),
        _computation(edition, name, depth, assessment_set),
        task=TASK if results > RESULTS_AT_ONCE else None,
        order=f"{name}:{edition.pk}:{depth}:{assessment_set.pk if assessment_set else ''}",
    )


def _computation(edition, name, depth, assessment_set):
    if name == COVERAGE:
        return lambda: coverage_counts(edition, assessment_set, depth)
    return lambda: leave_one_out(edition, depth)


def _key(edition, name, depth, assessment_set):
    """Name everything that the numbers depend on, so that an old answer is never shown for a new question."""
    collection = edition.collection
    return key_of(
        name,
        [
            *(VERSION, ENGINE_VERSION, edition.pk, depth, assessment_set.pk if assessment_set else None),
            [run.pk for run in runs_on_board(edition)],
            [run.pk for run in poolable_runs(edition.task.track)] if name == ABSENCES else None,
            [collection.pk, collection.has_text] if collection else None,
        ],
    )
