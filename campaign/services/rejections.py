"""Rejections by the organisers: a run leaves the boards with a reason, and can come back."""

from django.db import IntegrityError, transaction
from django.utils import timezone

from campaign.models import Run
from campaign.services import notifications, trail
from campaign.services.checks import ENTER_TASK
from campaign.services.refusals import Refused
from campaign.services.submissions import CHECK_TASK
from campaign.wake import wake

LONGEST_REASON = 2000


def reject(runs, reason, user):
    """Reject runs, whatever state they are in, and tell their teams why; returns those that were rejected.

    Scores stay where they are, but boards show valid runs only. A worker that has the run cannot write any more: the
    row is no longer under its token.
    """
    reason = reason.strip()
    if not reason:
        raise Refused("Say why: the team reads it.", "reason")
    if len(reason) > LONGEST_REASON:
        raise Refused(f"A reason has at most {LONGEST_REASON:,} characters.", "reason")
    reason = reason if reason.endswith((".", "!", "?", "…")) else f"{reason}."  # more sentences follow it
    rejected, now = [], timezone.now()
    changes = {"state": Run.State.REJECTED, "state_since": now, "rejection_reason": reason, "rejected_by": user}
    changes |= {"is_official": False, "token": None, "held_by": "", "held_until": None}
    with transaction.atomic():
        for run in sorted(runs, key=lambda run: run.pk):
            if not Run.objects.standing().filter(pk=run.pk).exclude(state=Run.State.REJECTED).update(**changes):
                continue
            was, was_official = run.state, run.is_official
            run.refresh_from_db()
            notifications.run_rejected_by_organisers(run, now)
            trail.record(
                run.task.track.campaign,
                trail.REJECTED,
                _subject(run),
                actor=user,
                reason=reason,
                run=run.pk,
                was=was,
                was_official=was_official,
            )
            rejected.append(run)
    return rejected


def reinstate(run, user):
    """Take a rejection back: a run that had passed the check is valid again, another one is checked anew."""
    now = timezone.now()
    state = Run.State.VALID if run.columns_file else Run.State.RECEIVED
    changes = {"state": state, "state_since": now, "rejection_reason": "", "rejected_by": None}
    changes |= {"attempts": 0, "woken_at": now, "failure": "", "failure_reference": ""}
    try:
        with transaction.atomic():
            rejected = Run.objects.standing().filter(pk=run.pk, state=Run.State.REJECTED).exclude(rejection_reason="")
            if not rejected.update(**changes):
                return False
            run.refresh_from_db()
            notifications.run_reinstated(run, now)
            trail.record(run.task.track.campaign, trail.REINSTATED, _subject(run), actor=user, run=run.pk)
            wake(ENTER_TASK if state == Run.State.VALID else CHECK_TASK, run.pk)
    except IntegrityError as error:
        raise Refused(
            f"{run.team.name} has another run named {run.name} in {run.task.name} by now. Rename that one first."
        ) from error
    return True


def _subject(run):
    return f"{run.name} of {run.team.name} in {run.task.name}"
