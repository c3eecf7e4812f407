"""What a team may still change about a run: its name, and which one is official."""

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from campaign.models import Run
from campaign.models.runs import RUN_NAME
from campaign.services.refusals import Refused
from campaign.services.telling import trail
from campaign.services.visibility.permissions import ALLOWED, Permission
from limelight.moments import spoken


def may_rename(run, moment=None):
    """Decide whether a run may get another name: until results are published, when others may have cited it."""
    if run.withdrawn_at:
        return Permission(False, "This run is withdrawn.")
    if run.task.is_published(moment):
        return Permission(False, "The results are published under this name.")
    return ALLOWED


def may_be_official(run, moment=None):
    """Decide whether a run may become, or cease to be, its team's official one: until the deadline."""
    if run.withdrawn_at:
        return Permission(False, "This run is withdrawn.")
    if run.state in (Run.State.REJECTED, Run.State.FAILED):
        return Permission(False, "Only a run that passed the check can be official.")
    if run.task.has_closed(moment):
        closed = spoken(run.task.closes_at)
        return Permission(False, f"The official run could be chosen until the deadline on {closed}.")
    return ALLOWED


def rename_run(run, name, user=None):
    """Give a run another name; where somebody outside its team does it, the trail tells."""
    permission = may_rename(run)
    if not permission:
        raise Refused(permission.reason)
    try:
        RUN_NAME(name)
    except ValidationError as error:
        raise Refused(error.messages[0], "name") from error
    try:
        with transaction.atomic():
            Run.objects.standing().filter(pk=run.pk).update(name=name)
            if user is not None and not run.team.memberships.filter(user=user).exists():
                changes = {"name": [run.name, name]}
                subject = f"run {run.name} of {run.team.name}"
                trail.record(run.task.track.campaign, trail.CHANGED, subject, actor=user, run=run.pk, changes=changes)
    except IntegrityError as error:
        raise Refused(
            f"{run.team.name} already has a run named {name} in this task. Choose another name.", "name"
        ) from (error)
    run.name = name


def make_official(run):
    """Make a run its team's official one for the task, in place of any other."""
    permission = may_be_official(run)
    if not permission:
        raise Refused(permission.reason)
    with transaction.atomic():
        others = Run.objects.select_for_update().filter(task=run.task, team=run.team, is_official=True)
        others.exclude(pk=run.pk).update(is_official=False)
        Run.objects.standing().filter(pk=run.pk).update(is_official=True)
    run.refresh_from_db()


def make_unofficial(run):
    """Take the mark of the official run away."""
    permission = may_be_official(run)
    if not permission:
        raise Refused(permission.reason)
    Run.objects.filter(pk=run.pk).update(is_official=False)
    run.is_official = False
