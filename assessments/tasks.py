"""What workers are woken for: one service called. The key in a message is for readers: the first in line is taken."""

from celery import shared_task

from assessments.services import previews


@shared_task
def read_import(import_id=None):
    """Read the file of assessments that has waited longest."""
    previews.read_import()
