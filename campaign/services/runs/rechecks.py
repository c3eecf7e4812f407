"""Checking runs anew, after the rules, topics or documents they were checked against have changed.

A run that was valid waits as received until it is checked again. Its scores and its line on the board stay meanwhile;
it leaves the board only where the check now finds errors. Runs that the check refused get another chance where their
name is still free and their team has a place left; runs that an organiser refused, or that were withdrawn, stay as
they are.
"""

from django.db import IntegrityError, transaction
from django.utils import timezone

from campaign.machinery.leases import WAKE_AT_MOST
from campaign.machinery.wake import wake
from campaign.models import Run, Task
from campaign.services.runs.submissions import CHECK_TASK
from campaign.services.visibility.permissions import quota_left

State = Run.State


def recheck(tasks):
    """Send the runs of tasks through the check again; returns how many."""
    standing = Run.objects.standing().filter(task__in=tasks)
    # A run that is being checked right now is checked against what was: its worker loses it.
    keys = list(standing.filter(state__in=[State.VALID, State.CHECKING]).values_list("pk", flat=True))
    with transaction.atomic():
        Run.objects.filter(pk__in=keys, state__in=[State.VALID, State.CHECKING]).update(**_waiting())
        refused = standing.filter(state=State.REJECTED, rejection_reason="").select_related("team", "task")
        keys += [run.pk for run in refused.order_by("pk") if _another_chance(run)]
        for key in keys[:WAKE_AT_MOST]:  # workers go on by themselves
            wake(CHECK_TASK, key)
    return len(keys)


def recheck_run(run):
    """Send one valid run through the check again; tells whether it was valid."""
    with transaction.atomic():
        is_waiting = bool(Run.objects.valid().filter(pk=run.pk).update(**_waiting()))
        if is_waiting:
            wake(CHECK_TASK, run.pk)
    return is_waiting


def recheck_track(track):
    """Check the runs of all tasks of a track again."""
    return recheck(list(track.tasks.all()))


def recheck_collection(collection):
    """Check the runs of all tasks over a collection again."""
    return recheck(list(Task.objects.filter(track__collection=collection)))


def _waiting():
    now = timezone.now()
    waiting = {"state": State.RECEIVED, "state_since": now, "woken_at": now, "attempts": 0}
    return waiting | {"token": None, "held_by": "", "held_until": None, "failure": "", "failure_reference": ""}


def _another_chance(run):
    if quota_left(run.team, run.task) == 0:
        return False
    try:
        with transaction.atomic():
            return bool(Run.objects.filter(pk=run.pk, state=State.REJECTED).update(**_waiting()))
    except IntegrityError:
        return False  # a newer run bears its name
