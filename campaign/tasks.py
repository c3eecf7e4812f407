"""What workers are woken for: one service called. The key in a message is for readers: the first in line is taken."""

from celery import shared_task

from campaign.machinery import heartbeats
from campaign.services.documents import imports as collection_imports


@shared_task
def read_collection(import_id=None):
    """Read the uploaded collection that has waited longest, or go on with it."""
    collection_imports.read_collection()


@shared_task
def beat(name):
    """Show that a worker takes messages and can write to the database."""
    heartbeats.beat(name)
