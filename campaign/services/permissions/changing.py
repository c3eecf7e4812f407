"""Who may change a run, and until when."""

from campaign.models import Run
from campaign.services.permissions.roles import is_member
from campaign.services.permissions.seeing import may_see_run
from campaign.services.permissions.submitting import ALLOWED, Permission, may_submit
from limelight.moments import spoken


def may_change_run(user, run):
    """Return whether a person may rename, mark or withdraw a run: a member of its team, or an organiser."""
    return may_see_run(user, run)


def may_take_back(user, run):
    """Decide whether a run is a person's to replace: it stands, and only its team takes it back for another."""
    if run.withdrawn_at:
        return Permission(False, "This run is withdrawn.")
    if not is_member(user, run.team):
        return Permission(False, "Only members of a team replace its runs.")
    return ALLOWED


def may_replace(user, run):
    """Decide whether a person may submit another file in a run's place now."""
    return may_take_back(user, run) and may_submit(user, run.team, run.task, replaces=run)


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
