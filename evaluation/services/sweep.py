"""The sweep: makes good what was lost on the way, so that no run waits for ever."""

import logging

from assessments.models import AssessmentImport
from assessments.services import previews
from campaign.machinery.leases import WAKE_AT_MOST
from campaign.machinery.storage import sweep_storage
from campaign.machinery.wake import AWAY, messages_waiting, wake
from campaign.models import CollectionImport, Run, Track
from campaign.services.documents import imports as collection_imports
from campaign.services.runs.submissions import CHECK_TASK
from campaign.services.telling.news import tell_of_results
from campaign.services.telling.notifications import run_failed, tell_of_deadlines
from evaluation.models import Edition, Evaluation
from evaluation.services import editions, scoring
from evaluation.services.queue import EVALUATE_TASK, enter_missing

logger = logging.getLogger(__name__)

IMPORTS = (
    (AssessmentImport, previews.READ_TASK, previews.import_failed),
    (CollectionImport, collection_imports.READ_TASK, collection_imports.import_failed),
)
"""Uploads that workers read: the rows, the task that reads one, and who is told when it comes to nothing."""

KINDS = ((Run, CHECK_TASK), (Evaluation, EVALUATE_TASK), *((model, task) for model, task, _ in IMPORTS))
"""The rows of work, and the task that takes the first in line."""


def free_dead_leases():
    """Free what dead processes of this machine still hold; returns how many rows."""
    return sum(model.objects.free_dead() for model, _ in KINDS)


def sweep():
    """Free dead leases, end what used up its attempts, move on what was left lying, tell of deadlines and results."""
    free_dead_leases()
    Run.objects.end_exhausted(at_the_end=run_failed)
    Evaluation.objects.end_exhausted(at_the_end=scoring.give_up)
    for model, _, at_the_end in IMPORTS:
        model.objects.end_exhausted(at_the_end=at_the_end)
    enter_missing()
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
        if messages_waiting() >= WAKE_AT_MOST:
            return
    except AWAY as error:
        logger.warning("The queue did not answer (%s); nobody was woken.", error)
        return
    for model, task in KINDS:
        for key in model.objects.to_wake():
            wake(task, key)
