"""Queued evaluations: rows first, wake-ups after."""

from django.db.models import Exists, OuterRef

from campaign.models import Run
from evaluation.models import Edition, Evaluation

ENTERED_AT_ONCE = 500


def enter(run):
    """Queue a run that has just become valid in every edition that takes runs, in the transaction that made it so."""
    for edition in Edition.objects.scoring().filter(task=run.task_id):
        queue_evaluations(edition, [run])
        edition.evaluations.wake_workers()


def enter_missing():
    """Queue the valid runs that some edition lacks; returns how many, which is none unless two met at a bad moment."""
    entered = 0
    for edition, missing in not_entered():
        runs = list(missing[:ENTERED_AT_ONCE])
        queue_evaluations(edition, runs)
        entered += len(runs)
    return entered


def not_entered():
    """Return the editions that lack an evaluation of a valid run, each with these runs."""
    in_edition = Evaluation.objects.filter(run=OuterRef("pk"), edition=OuterRef(OuterRef("pk")))
    missing = Run.objects.valid().filter(~Exists(in_edition), task=OuterRef("task"))
    lacking = Edition.objects.scoring().filter(Exists(missing))
    return [
        (edition, Run.objects.valid().filter(task=edition.task_id).exclude(pk__in=edition.evaluations.values("run")))
        for edition in lacking
    ]


def queue_evaluations(edition, runs):
    """Write a queued evaluation for each run that has none in the edition yet."""
    Evaluation.objects.bulk_create(
        [Evaluation(run=run, edition=edition, run_sha256=run.sha256) for run in runs], ignore_conflicts=True
    )
