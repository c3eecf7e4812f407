"""Checking runs anew, after the rules, topics or documents they were checked against have changed.

A run that was valid waits as received until it is checked again. Its scores and its line on the board stay meanwhile;
it leaves the board only where the check now finds errors. Runs that the check refused get another chance where their
name is still free and their team has a place left; runs that an organiser refused, or that were withdrawn, stay as
they are.
"""

from django.db import IntegrityError, transaction

from campaign.machinery.leases import WAKE_AT_MOST
from campaign.models import Run, Task
from campaign.services.generations import raise_generation
from campaign.services.permissions.submitting import quota_left

State = Run.State


def recheck(tasks):
    """Send the runs of tasks through the check again; returns how many."""
    standing = Run.objects.standing().filter(task__in=tasks)
    # A run that is being checked right now is checked against what was: its worker loses it.
    with transaction.atomic():
        raise_generation(*tasks)
        keys = standing.filter(state__in=[State.VALID, State.CHECKING]).requeue()
        refused = standing.filter(state=State.REJECTED, rejection_reason="").select_related("team", "task")
        for run in refused.order_by("pk"):
            keys += _another_chance(run, wakes=max(0, WAKE_AT_MOST - len(keys)))
    return len(keys)


def recheck_run(run):
    """Send one valid run through the check again; returns whether it was valid."""
    return bool(Run.objects.valid().filter(pk=run.pk).requeue())


def recheck_track(track):
    """Check the runs of all tasks of a track again."""
    return recheck(list(track.tasks.all()))


def recheck_collection(collection):
    """Check the runs of all tasks over a collection again."""
    return recheck(list(Task.objects.filter(track__collection=collection)))


def _another_chance(run, wakes):
    if quota_left(run.team, run.task) == 0:
        return []
    try:
        with transaction.atomic():
            return Run.objects.filter(pk=run.pk, state=State.REJECTED).requeue(wakes=wakes)
    except IntegrityError:
        return []  # a newer run bears its name
