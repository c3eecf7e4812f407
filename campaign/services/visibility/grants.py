"""Grants: more runs, or more time, for one team in one task."""

from django.db import transaction
from django.utils import timezone

from campaign.models import Grant, Registration, Task
from campaign.services.refusals import Refused
from campaign.services.telling import notifications, trail
from limelight.moments import spoken

MOST_RUNS = 1000


def newest_of(campaign):
    """Return the number of the newest grant of a campaign, which a page keeps to see later whether others came."""
    newest = Grant.objects.filter(task__track__campaign=campaign).order_by("-pk").values_list("pk", flat=True)
    return newest.first() or 0


def grant(task, *, by, team, reason, extra_runs=0, open_until=None, seen=None):
    """Let a team submit more runs than the others, or longer, and tell it so.

    `seen` is the newest grant on the page that asks: what the team was granted since then is told first.
    """
    reason, extra_runs = reason.strip(), extra_runs or 0
    if not extra_runs and open_until is None:
        raise Refused("Say how many more runs, or until when.", "extra_runs")
    if not reason:
        raise Refused("Say why: the team reads it, and the trail keeps it.", "reason")
    if not 0 <= extra_runs <= MOST_RUNS:
        raise Refused(f"Grant 1 to {MOST_RUNS:,} more runs.", "extra_runs")
    if extra_runs and task.quota is None:
        raise Refused(f"{task.name} has no limit on runs, so there is nothing to add to.", "extra_runs")
    if open_until is not None and open_until <= max(task.closes_at, timezone.now()):
        raise Refused(
            f"More time has to end later than the deadline, {spoken(task.closes_at)}, and later than now.", "open_until"
        )
    if not _takes_part(team, task):
        raise Refused(f"{team.name} is not admitted to {task.track.campaign.name}.", "team")
    with transaction.atomic():
        Task.objects.select_for_update().get(pk=task.pk)
        _refuse_unseen(task, team, seen)
        made = Grant.objects.create(
            task=task, team=team, extra_runs=extra_runs, open_until=open_until, reason=reason, granted_by=by.user
        )
        notifications.granted(made)
        trail.record(task.track.campaign, trail.GRANTED, _subject(made), by=by, reason=reason, grant=made.pk)
    return made


def _refuse_unseen(task, team, seen):
    """Refuse where somebody else has granted the same team something in the same task meanwhile."""
    given = Grant.objects.standing().filter(task=task, team=team, pk__gt=seen) if seen is not None else ()
    if given:
        told = "; ".join(f"{notifications.allowance(one)} in {task.name} ({one.reason})" for one in given)
        raise Refused(
            f"After you opened this page, somebody granted {team.name} {told}. Nothing of yours is granted yet; it "
            "stands below. Sent now, it comes on top of theirs."
        )


def revoke(found, *, by):
    """Take a grant back; what was submitted under it stays. Returns whether it still stood."""
    with transaction.atomic():
        if not Grant.objects.standing().filter(pk=found.pk).update(revoked_at=timezone.now()):
            return False
        notifications.grant_revoked(found)
        trail.record(found.task.track.campaign, trail.REVOKED, _subject(found), by=by, grant=found.pk)
    return True


def _takes_part(team, task):
    return Registration.objects.filter(
        campaign=task.track.campaign, team=team, state=Registration.State.APPROVED
    ).exists()


def _subject(found):
    return f"{found.team.name} in {found.task.name}: {notifications.allowance(found)}"
