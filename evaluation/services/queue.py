"""Queued evaluations: rows first, wake-ups after."""

from django.utils import timezone

from campaign.wake import wake
from evaluation.models import Evaluation

EVALUATE_TASK = "evaluation.tasks.evaluate"


def queue_evaluations(edition, runs):
    """Write a queued evaluation for each run that has none in the edition yet."""
    Evaluation.objects.bulk_create(
        [Evaluation(run=run, edition=edition, run_sha256=run.sha256, woken_at=timezone.now()) for run in runs],
        ignore_conflicts=True,
    )


def wake_evaluations(edition):
    """Wake workers for everything queued in an edition."""
    for key in edition.evaluations.claimable().values_list("pk", flat=True):
        wake(EVALUATE_TASK, key)
