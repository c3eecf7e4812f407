"""What workers are woken for: one service called. The key in a message is for readers: the first in line is taken."""

from celery import shared_task

from campaign.machinery import heartbeats
from campaign.machinery.wake import work_off
from campaign.services.documents import imports as collection_imports
from campaign.services.runs import checks


@shared_task
def check_run(run_id=None):
    """Check the runs that have waited longest."""
    work_off(checks.check_run)


@shared_task
def read_collection(import_id=None):
    """Read the uploaded collection that has waited longest, or go on with it."""
    collection_imports.read_collection()


@shared_task
def beat(name):
    """Show that a worker takes messages and can write to the database."""
    heartbeats.beat(name)
