"""Doing work again: failed checks and evaluations from the start, scored runs in a new edition."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Max

from campaign.machinery.wake import wake
from campaign.models import Run, Track
from campaign.services.refusals import Refused
from campaign.services.runs.submissions import CHECK_TASK
from campaign.services.telling import trail
from evaluation.models import Edition, Evaluation
from evaluation.services.decisions import rebuild
from evaluation.services.editions import hold, refuse_overtaken
from evaluation.services.queue import EVALUATE_TASK

MOST_NAMED = 50


def retry(runs, user=None, through=None):
    """Start failed checks and failed evaluations of runs again, with fresh attempts; returns how many."""
    runs = list(runs)
    checks = Run.objects.standing().filter(pk__in=[run.pk for run in runs])
    evaluations = Evaluation.objects.filter(run__in=checks, edition__in=Edition.objects.scoring())
    with transaction.atomic():
        failed = set(checks.filter(state=Run.State.FAILED).values_list("pk", flat=True))
        failed |= set(evaluations.filter(state=Evaluation.State.FAILED).values_list("run", flat=True))
        started = [(CHECK_TASK, key) for key in checks.start_again()]
        started += [(EVALUATE_TASK, key) for key in evaluations.start_again()]
        for task, key in started:
            wake(task, key)
        names = defaultdict(set)
        for run in runs:
            if run.pk in failed:
                names[run.task.track.campaign].add(run.name)
        for campaign, found in names.items():
            subject = f"{', '.join(sorted(found)[:MOST_NAMED])}{' and others' if len(found) > MOST_NAMED else ''}"
            trail.record(campaign, trail.RETRIED, subject, actor=user, through=through, runs=len(found))
    return len(started)


def reevaluate(runs, user=None, notes="", through=None, seen=None):
    """Score runs again; returns how many failed ones were started again, and the editions that were begun.

    An evaluation is made once and never overwritten. So what failed starts again where it was, and what is scored is
    scored in a new edition, with all other runs of its task: a board is always one edition.
    """
    runs = list(runs)
    with transaction.atomic():
        _hold(runs, seen)
        return _reevaluate(runs, user, notes, through)


def _hold(runs, seen):
    """Hold the tracks of runs; refuse where editions of their campaigns were begun since a page was opened."""
    tracks = Track.objects.filter(tasks__runs__in=runs)
    for track in Track.objects.filter(pk__in=tracks.values("pk")).order_by("pk"):
        hold(track)
    newest = Edition.objects.filter(task__track__campaign__in=tracks.values("campaign")).aggregate(newest=Max("pk"))
    refuse_overtaken(seen, newest["newest"])


def _reevaluate(runs, user, notes, through):
    retried = retry(runs, user, through)
    done = Evaluation.objects.on_board().filter(run__in=runs, edition__in=Edition.objects.scoring())
    tasks_of_track = defaultdict(dict)
    for evaluation in done.select_related("edition__task__track__campaign"):
        task = evaluation.edition.task
        tasks_of_track[task.track_id][task.pk] = task
    started = []
    for tasks in tasks_of_track.values():
        started += rebuild(tasks.values(), user=user, notes=notes, through=through)
    if not retried and not started:
        raise Refused("None of these runs has been scored or has failed, so there is nothing to do again.")
    return retried, started


@dataclass(frozen=True, slots=True)
class Job:
    """One row of the queue: what is to be done to which run, since when, how often tried, and who has it."""

    what: str
    run: Run
    edition: Edition | None
    is_working: bool
    since: datetime
    attempts: int
    held_by: str
    held_until: datetime | None
    has_failed_before: bool


def queue_of(campaign):
    """Return what waits or is being worked on in a campaign, oldest first."""
    checks = Run.objects.standing().unfinished().filter(task__track__campaign=campaign).for_lists()
    evaluations = Evaluation.objects.unfinished().filter(run__task__track__campaign=campaign)
    evaluations = evaluations.select_related("run__team", "run__task__track__campaign", "edition")
    jobs = [_job("check", run, run, None) for run in checks]
    jobs += [_job("scoring", row, row.run, row.edition) for row in evaluations]
    return sorted(jobs, key=lambda job: (not job.is_working, job.since))


def _job(what, row, run, edition):
    return Job(
        what=what,
        run=run,
        edition=edition,
        is_working=row.state == row.WORKING,
        since=row.state_since,
        attempts=row.attempts,
        held_by=row.held_by if row.state == row.WORKING else "",
        held_until=row.held_until,
        has_failed_before=bool(row.failure),
    )
