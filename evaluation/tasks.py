"""What workers are woken for: ids in, one service called."""

from celery import shared_task

from evaluation.services import desk_reports, scoring


@shared_task
def enter_run(run_id):
    """Score a valid run in every edition that needs it."""
    scoring.enter_run(run_id)


@shared_task
def evaluate(evaluation_id):
    """Score one run in one edition."""
    scoring.evaluate(evaluation_id)


@shared_task
def desk_report(order):
    """Compute a table that a page of the desk waits for."""
    desk_reports.compute_report(order)
