"""What failed on our side: checks and evaluations that were given up, and why."""

from campaign.models import Run
from evaluation.models import Edition, Evaluation


def failed_checks(campaigns):
    """Return the runs of campaigns whose check was given up."""
    return Run.objects.filter(state=Run.State.FAILED, task__track__campaign__in=campaigns).for_lists()


def failed_evaluations(campaigns):
    """Return the evaluations of campaigns that were given up, in editions that are or become boards."""
    failed = Evaluation.objects.filter(state=Evaluation.State.FAILED, edition__in=Edition.objects.scoring())
    of_campaigns = failed.filter(run__task__track__campaign__in=campaigns)
    return of_campaigns.select_related("run__team", "run__task__track__campaign", "edition__task")


def failures_of(run):
    """Return what failed on our side about a run, with the tracebacks, newest first."""
    rows = [("Check", run, None)] if run.failure else []
    failed = run.evaluations.exclude(failure="").select_related("edition__task")
    rows += [("Scoring", evaluation, evaluation.edition) for evaluation in failed]
    return sorted(rows, key=lambda row: row[1].state_since, reverse=True)
