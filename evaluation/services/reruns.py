"""Doing work again: failed checks and evaluations from the start, scored runs in a new edition."""

from collections import defaultdict

from django.db import transaction
from django.db.models import Max

from campaign.models import Run, Track
from campaign.services.refusals import Refused
from campaign.services.telling import trail
from evaluation.models import Edition, Evaluation
from evaluation.services.decisions import rebuild
from evaluation.services.editions import hold, refuse_overtaken

MOST_NAMED = 50


def retry(runs, *, by):
    """Start failed checks and failed evaluations of runs again, with fresh attempts; returns how many."""
    runs = list(runs)
    standing = Run.objects.standing().filter(pk__in=[run.pk for run in runs])
    checks = standing.failed()
    evaluations = Evaluation.objects.failed().filter(run__in=standing, edition__in=Edition.objects.scoring())
    with transaction.atomic():
        failed = set(checks.values_list("pk", flat=True)) | set(evaluations.values_list("run", flat=True))
        started = [*checks.requeue(), *evaluations.requeue()]
        names = defaultdict(set)
        for run in runs:
            if run.pk in failed:
                names[run.task.track.campaign].add(run.name)
        for campaign, found in names.items():
            subject = f"{', '.join(sorted(found)[:MOST_NAMED])}{' and others' if len(found) > MOST_NAMED else ''}"
            trail.record(campaign, trail.RETRIED, subject, by=by, runs=len(found))
    return len(started)


def reevaluate(runs, *, by, notes="", seen=None):
    """Score runs again; returns how many failed ones were started again, and the editions that were begun.

    An evaluation is made once and never overwritten. So what failed starts again where it was, and what is scored is
    scored in a new edition, with all other runs of its task: a board is always one edition.
    """
    runs = list(runs)
    with transaction.atomic():
        _hold(runs, seen)
        return _reevaluate(runs, by, notes)


def _hold(runs, seen):
    """Hold the tracks of runs; refuse where editions of their campaigns were begun since a page was opened."""
    tracks = Track.objects.filter(tasks__runs__in=runs)
    for track in Track.objects.filter(pk__in=tracks.values("pk")).order_by("pk"):
        hold(track)
    newest = Edition.objects.filter(task__track__campaign__in=tracks.values("campaign")).aggregate(newest=Max("pk"))
    refuse_overtaken(seen, newest["newest"])


def _reevaluate(runs, by, notes):
    retried = retry(runs, by=by)
    done = Evaluation.objects.on_board().filter(run__in=runs, edition__in=Edition.objects.scoring())
    tasks_of_track = defaultdict(dict)
    for evaluation in done.select_related("edition__task__track__campaign"):
        task = evaluation.edition.task
        tasks_of_track[task.track_id][task.pk] = task
    started = []
    for tasks in tasks_of_track.values():
        started += rebuild(tasks.values(), by=by, notes=notes)
    if not retried and not started:
        raise Refused("None of these runs has been scored or has failed, so there is nothing to do again.")
    return retried, started
