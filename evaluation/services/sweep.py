"""The sweep: makes good what was lost on the way, so that no run waits for ever."""

from assessments.models import AssessmentImport
from assessments.services import previews
from campaign.models import CollectionImport, Run
from campaign.services import collection_imports
from campaign.services.checks import ENTER_TASK
from campaign.services.notifications import run_failed, tell_of_deadlines
from campaign.services.submissions import CHECK_TASK
from campaign.wake import wake
from evaluation.models import Edition, Evaluation
from evaluation.services import editions, scoring
from evaluation.services.queue import EVALUATE_TASK

IMPORTS = (
    (AssessmentImport, previews.READ_TASK, previews.import_failed),
    (CollectionImport, collection_imports.READ_TASK, collection_imports.import_failed),
)
"""Uploads that workers read: the rows, the task that reads one, and who is told when it comes to nothing."""


def free_dead_leases():
    """Free what dead processes of this machine still hold; returns how many rows."""
    return sum(model.objects.free_dead() for model in (Run, Evaluation, *(model for model, _, _ in IMPORTS)))


def sweep():
    """Free dead leases, end what used up its attempts, move on what was left lying, and tell of deadlines."""
    free_dead_leases()
    Run.objects.end_exhausted(at_the_end=run_failed)
    Evaluation.objects.end_exhausted(at_the_end=scoring.give_up)
    for model, _, at_the_end in IMPORTS:
        model.objects.end_exhausted(at_the_end=at_the_end)
    for edition in Edition.objects.building().select_related("task__track"):
        editions.finish_building(edition.task.track)
    tell_of_deadlines()


def wake_for_what_waits():
    """Wake workers for every row whose wake-up seems lost."""
    for key in Run.objects.to_wake():
        wake(CHECK_TASK, key)
    for key in Evaluation.objects.to_wake():
        wake(EVALUATE_TASK, key)
    for model, task, _ in IMPORTS:
        for key in model.objects.to_wake():
            wake(task, key)
    for edition in Edition.objects.scoring().select_related("task__track"):
        for run in Run.objects.valid().filter(task=edition.task).exclude(evaluations__edition=edition):
            wake(ENTER_TASK, run.pk)
