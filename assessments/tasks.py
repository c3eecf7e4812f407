"""What workers are woken for: ids in, one service called."""

from celery import shared_task

from assessments.services import previews


@shared_task
def read_import(import_id):
    """Read a file of assessments that an organiser uploaded."""
    previews.read_import(import_id)
