"""What workers are woken for: ids in, one service called."""

from celery import shared_task

from evaluation.services import scoring


@shared_task
def enter_run(run_id):
    """Score a valid run in every edition that needs it."""
    scoring.enter_run(run_id)


@shared_task
def evaluate(evaluation_id):
    """Score one run in one edition."""
    scoring.evaluate(evaluation_id)
