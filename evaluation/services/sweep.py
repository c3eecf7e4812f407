"""The sweep: makes good what was lost on the way, so that no run waits for ever."""

from campaign.models import CollectionImport, Run
from campaign.services.checks import ENTER_TASK
from campaign.services.collection_imports import READ_TASK, import_failed
from campaign.services.notifications import run_failed, tell_of_deadlines
from campaign.services.submissions import CHECK_TASK
from campaign.wake import wake
from evaluation.models import Edition, Evaluation
from evaluation.services import editions, scoring
from evaluation.services.queue import EVALUATE_TASK


def free_dead_leases():
    """Free what dead processes of this machine still hold; returns how many rows."""
    return sum(rows.free_dead() for rows in (Run.objects, CollectionImport.objects, Evaluation.objects))


def sweep():
    """Free dead leases, end what used up its attempts, move on what was left lying, and tell of deadlines."""
    free_dead_leases()
    Run.objects.end_exhausted(at_the_end=run_failed)
    CollectionImport.objects.end_exhausted(at_the_end=import_failed)
    Evaluation.objects.end_exhausted(at_the_end=scoring.give_up)
    for edition in Edition.objects.building().select_related("task__track"):
        editions.finish_building(edition.task.track)
    tell_of_deadlines()


def wake_for_what_waits():
    """Wake workers for every row whose wake-up seems lost."""
    for key in Run.objects.to_wake():
        wake(CHECK_TASK, key)
    for key in CollectionImport.objects.to_wake():
        wake(READ_TASK, key)
    for key in Evaluation.objects.to_wake():
        wake(EVALUATE_TASK, key)
    for edition in Edition.objects.scoring().select_related("task__track"):
        for run in Run.objects.valid().filter(task=edition.task).exclude(evaluations__edition=edition):
            wake(ENTER_TASK, run.pk)
