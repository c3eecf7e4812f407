"""The one way from services to workers: a message by task name, sent on commit."""

import logging

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)


def wake(task_name, key):
    """Tell a worker, once the transaction is committed, that a row waits for it.

    A message that cannot be sent is no fault of the person waiting: the sweep sends it again.
    """

    def send():
        try:
            current_app.send_task(task_name, args=[key], retry=False)
        except (OperationalError, OSError) as error:
            logger.warning("Could not wake %s for %s (%s); the sweep will.", task_name, key, error)

    transaction.on_commit(send)
