"""What workers are woken for: ids in, one service called."""

from celery import shared_task

from campaign.services import checks, collection_imports, heartbeats


@shared_task
def check_run(run_id):
    """Check a run that was received."""
    checks.check_run(run_id)


@shared_task
def read_collection(import_id):
    """Read an uploaded collection, or go on with it."""
    collection_imports.read_collection(import_id)


@shared_task
def beat(name):
    """Show that a worker takes messages and can write to the database."""
    heartbeats.beat(name)
