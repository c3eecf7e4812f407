"""Rejections by the organisers: runs leave the boards in one deed, with a reason, and come back in one."""

from collections import Counter

from django.db import IntegrityError, transaction
from django.utils import timezone

from campaign.models import Rejection, Run, Task
from campaign.services.generations import raise_generations
from campaign.services.refusals import Refused, Stale
from campaign.services.telling import notifications, trail
from campaign.services.telling.audit import fingerprint
from campaign.valid_runs import became_valid
from limelight.wording import LONGEST_REMARK

MOST_NAMED = 50


def rejectable(runs):
    """Return those of some runs that can be rejected: they stand, and nobody has rejected them."""
    return _among(runs).exclude(state=Run.State.REJECTED)


def rejected_by_organisers(runs):
    """Return those of some runs whose rejection can be taken back: the check's own is not among them."""
    return _among(runs).filter(state=Run.State.REJECTED).exclude(rejection_reason="").select_related("rejection")


def _among(runs):
    return Run.objects.standing().filter(pk__in=[run.pk for run in runs]).for_lists().order_by("pk")


def seen_runs(runs):
    """Return what a question keeps of the runs that it asks about."""
    return fingerprint({"runs": sorted(run.pk for run in runs)})


def checked_reason(reason):
    """Return a reason as a sentence, or refuse it."""
    reason = reason.strip()
    if not reason:
        raise Refused("Say why: the team reads it.", "reason")
    if len(reason) > LONGEST_REMARK:
        raise Refused(f"A reason has at most {LONGEST_REMARK:,} characters.", "reason")
    return reason if reason.endswith((".", "!", "?", "…")) else f"{reason}."  # more sentences follow it


def reject(runs, *, by, reason, seen=""):
    """Reject runs, whatever state they are in, and tell each person once; returns those that were rejected.

    Scores stay where they are, but boards show valid runs only. A worker that has the run cannot write any more: the
    row is no longer under its token. `seen` is what was kept of the runs when it was asked about them.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        held = _held(rejectable(runs), seen)
        if not held:
            return []
        campaign = held[0].task.track.campaign
        deed = Rejection.objects.create(
            campaign=campaign,
            reason=reason,
            made_by=by.user,
            run_count=len(held),
            official_runs=[run.pk for run in held if run.is_official],
        )
        Run.objects.filter(pk__in=[run.pk for run in held]).take_away(
            Run.State.REJECTED, rejection_reason=reason, rejected_by=by.user, rejection=deed, is_official=False
        )
        notifications.runs_rejected(deed, held)
        details = {"was": dict(Counter(run.state for run in held)), "official_runs": deed.official_runs}
        _record(campaign, trail.REJECTED, held, by, reason=reason, rejection=deed.pk, **details)
    return list(_among(held))


def reinstate(runs, *, by, seen=""):
    """Take the rejection of runs back; returns those that count again, and those whose name was taken meanwhile.

    A run that had passed the check is valid again, another one is checked anew.
    """
    with transaction.atomic():
        held = _held(rejected_by_organisers(runs), seen)
        back, in_the_way = _bring_back(held)
        if back:
            notifications.runs_reinstated(back, f"runs reinstated {timezone.now().isoformat()}")
            _record(back[0].task.track.campaign, trail.REINSTATED, back, by)
    return back, in_the_way


def runs_of(rejection):
    """Return the runs that a deed rejected and that are so still; one rejected anew since belongs to that deed."""
    return rejected_by_organisers(rejection.runs.all())


def open_rejections(campaign):
    """Return the deeds of a campaign that can be taken back, each with the runs that would come back."""
    standing = Run.objects.standing().filter(state=Run.State.REJECTED, rejection__campaign=campaign)
    counts = Counter(standing.values_list("rejection", flat=True))
    deeds = campaign.rejections.filter(pk__in=counts).select_related("made_by")
    return [(deed, counts[deed.pk]) for deed in deeds]


def take_back(rejection, *, by, seen=""):
    """Take one deed back: the runs that it rejected count again, and no others; returns as `reinstate`."""
    with transaction.atomic():
        locked = Rejection.objects.select_for_update(of=("self",)).get(pk=rejection.pk)
        held = _held(runs_of(locked), seen)
        back, in_the_way = _bring_back(held)
        if back:
            Rejection.objects.filter(pk=locked.pk).update(taken_back_at=timezone.now())
            about = f"rejection {locked.pk} taken back {timezone.now().isoformat()}"
            notifications.runs_reinstated(back, about)
            _record(locked.campaign, trail.REINSTATED, back, by, rejection=locked.pk)
    return back, in_the_way


def _held(runs, seen):
    """Hold runs until the transaction ends; refuse if they are no longer those that somebody was asked about."""
    raise_generations(Task.objects.filter(runs__in=runs))
    held = list(runs.select_for_update(of=("self",)))
    if seen and seen != seen_runs(held):
        raise Stale("The runs changed after you were asked. Nothing was done.")
    return held


def _bring_back(runs):
    back, in_the_way = [], []
    for run in runs:
        (back if _brought_back(run) else in_the_way).append(run)
    return back, in_the_way


def _brought_back(run):
    changes = {"rejection_reason": "", "rejected_by": None, "rejection": None}
    changes |= {"is_official": True} if _was_official(run) else {}
    row = Run.objects.filter(pk=run.pk)
    try:
        with transaction.atomic():
            if run.columns_file:
                row.take_away(Run.State.VALID, anew=True, **changes)
            else:
                row.requeue(**changes)
    except IntegrityError:
        return False  # the team has another run of this name by now
    run.refresh_from_db(fields=["state", "state_since", *changes])
    if run.state == Run.State.VALID:
        became_valid(run)
    return True


def _was_official(run):
    """Return whether a run was its team's official one when it was rejected, and no other is by now."""
    others = Run.objects.standing().filter(task=run.task_id, team=run.team_id, is_official=True)
    return run.rejection is not None and run.pk in run.rejection.official_runs and not others.exists()


def _record(campaign, deed, runs, by, **details):
    names = [f"{run.name} of {run.team.name} in {run.task.name}" for run in runs]
    if len(runs) > 1:
        names = [f"{len(runs):,} runs: {', '.join(names[:MOST_NAMED])}{' and others' if names[MOST_NAMED:] else ''}"]
    trail.record(campaign, deed, names[0], by=by, runs=[run.pk for run in runs], **details)
