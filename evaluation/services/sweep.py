"""The sweep: makes good what was lost on the way, so that no run waits for ever."""

import logging

from campaign.machinery.leases import WAKE_AT_MOST
from campaign.machinery.storage import sweep_storage
from campaign.machinery.wake import AWAY, messages_waiting
from campaign.models import Track
from campaign.services.telling.news import tell_of_results
from campaign.services.telling.notifications import tell_of_deadlines
from evaluation.models import Edition
from evaluation.services import editions
from evaluation.services.analyses import refresh_analyses
from evaluation.services.background import QUEUES
from evaluation.services.late_findings import queue_missing
from evaluation.services.queue import enter_missing

logger = logging.getLogger(__name__)


def free_dead_leases():
    """Free what dead processes of this machine still hold; returns how many rows."""
    return sum(queue.rows.free_dead() for queue in QUEUES)


def sweep():
    """Free dead leases, end what used up its attempts, move on what was left lying, tell of deadlines and results."""
    free_dead_leases()
    for queue in QUEUES:
        queue.end_exhausted()
    enter_missing()
    refresh_analyses()
    queue_missing()
    for track in Track.objects.filter(tasks__editions__in=Edition.objects.building()).distinct():
        editions.finish_building(track)
    tell_of_deadlines()
    tell_of_results()


def tidy():
    """Remove what killed processes left unfinished in the storage; returns how many files."""
    try:
        return sweep_storage()
    except OSError:
        logger.exception("The storage could not be tidied; trying again in a minute.")
        return 0


def wake_for_what_waits():
    """Wake workers for rows whose wake-up seems lost: a few of each kind, and none while workers have messages to take.

    What waits in the queue is not lost, and whoever takes it goes on with the next row.
    """
    try:
        for queue in QUEUES:
            if messages_waiting() >= WAKE_AT_MOST:
                return
            queue.rows.wake_workers()
    except AWAY as error:
        logger.warning("The queue did not answer (%s); nobody was woken.", error)
