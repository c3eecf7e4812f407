"""What a team may still change about a run: its name, and which one is official."""

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from campaign.models import Run
from campaign.models.runs import RUN_NAME
from campaign.services.generations import raise_generation
from campaign.services.permissions.changing import may_be_official, may_rename
from campaign.services.refusals import Refused, require
from campaign.services.telling import trail


def rename_run(run, *, by, name):
    """Give a run another name; where somebody outside its team does it, the trail tells."""
    require(may_rename(run))
    try:
        RUN_NAME(name)
    except ValidationError as error:
        raise Refused(error.messages[0], "name") from error
    try:
        with transaction.atomic():
            raise_generation(run.task)
            Run.objects.standing().filter(pk=run.pk).update(name=name)
            if by.user is not None and not run.team.memberships.filter(user=by.user).exists():
                changes = {"name": [run.name, name]}
                subject = f"run {run.name} of {run.team.name}"
                trail.record(run.task.track.campaign, trail.CHANGED, subject, by=by, run=run.pk, changes=changes)
    except IntegrityError as error:
        raise Refused(
            f"{run.team.name} already has a run named {name} in this task. Choose another name.", "name"
        ) from (error)
    run.name = name


def make_official(run):
    """Make a run its team's official one for the task, in place of any other."""
    require(may_be_official(run))
    with transaction.atomic():
        raise_generation(run.task)
        others = Run.objects.select_for_update().filter(task=run.task, team=run.team, is_official=True)
        others.exclude(pk=run.pk).update(is_official=False)
        Run.objects.standing().filter(pk=run.pk).update(is_official=True)
    run.refresh_from_db()


def make_unofficial(run):
    """Take the mark of the official run away."""
    require(may_be_official(run))
    with transaction.atomic():
        raise_generation(run.task)
        Run.objects.filter(pk=run.pk).update(is_official=False)
    run.is_official = False
