"""The one way from services to workers: a message by task name, sent on commit.

A message means "take the row of your kind that has waited longest", so it does not matter which one is lost or left
out: never more than MOST_WAITING wait, however long the workers are away.
"""

import logging
import time

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)

MOST_WAITING = 100
A_WHILE = 30
"""Seconds after which a worker goes back to the queue, long before the time limit of its task."""

AWAY = (OperationalError, OSError)
"""What a broker that does not answer raises."""


def wake(task_name, key):
    """Tell a worker, once the transaction is committed, that rows wait for it; the key is for whoever reads messages.

    A message that cannot be sent is no fault of the person waiting: the sweep sends one later. The same goes for one
    too many: those that wait already wake a worker as well.
    """

    def send():
        try:
            if messages_waiting() < MOST_WAITING:
                current_app.send_task(task_name, args=[key], retry=False)
        except AWAY as error:
            logger.warning("Could not wake %s for %s (%s); the sweep will.", task_name, key, error)

    transaction.on_commit(send)


def messages_waiting():
    """Count the messages that no worker has taken yet; raises one of AWAY where the broker does not answer."""
    with current_app.pool.acquire(block=True) as connection:
        try:
            connection.ensure_connection(max_retries=1, interval_start=0)
            return connection.default_channel.queue_declare(queue=current_app.conf.task_default_queue).message_count
        except connection.connection_errors as error:  # Redis has errors of its own
            connection.close()  # the next one to take it from the pool begins anew
            raise OperationalError(str(error)) from error


def queue_is_full():
    """Return whether so many messages wait that another one would not be sent; not known is taken for no."""
    try:
        return messages_waiting() >= MOST_WAITING
    except AWAY:
        return False


def nobody_waits():
    """Return whether no message waits for a worker; not known is taken for no."""
    try:
        return messages_waiting() == 0
    except AWAY:
        return False


def work_off(take_one):
    """Do the first row in line and, as long as nobody else waits for a worker, the next ones.

    So rows need no message each, and a flood of one kind holds up another kind by the messages that wait at most.
    """
    back_at = time.monotonic() + A_WHILE
    while take_one() and time.monotonic() < back_at and nobody_waits():
        pass
