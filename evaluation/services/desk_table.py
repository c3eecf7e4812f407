"""The desk's table of a campaign: how many runs of each task are in which state, and what failed on our side."""

from dataclasses import dataclass

from campaign.models import Run, Task
from evaluation.models import Edition, Evaluation
from evaluation.services.failures import failed_checks, failed_evaluations


@dataclass(frozen=True, slots=True)
class TaskRow:
    """One task: its runs by state, its board, and the edition that is being built."""

    task: Task
    teams: int
    waiting: int
    rejected: int
    valid: int
    scored: int
    live: Edition | None
    building: Edition | None


@dataclass(frozen=True, slots=True)
class DeskTable:
    """The tasks of a campaign, and its runs that could not be checked or scored."""

    tasks: list
    failed_runs: list
    failed_evaluations: list


def desk_table(campaign):
    """Count the runs of each task of a campaign by state, and list what failed."""
    return DeskTable(
        tasks=[_row(task) for track in campaign.tracks.all() for task in track.tasks.all()],
        failed_runs=list(failed_checks(campaign)),
        failed_evaluations=list(failed_evaluations(campaign)),
    )


def _row(task):
    runs = Run.objects.filter(task=task)
    scored = Evaluation.objects.on_board().filter(edition__state=Edition.State.LIVE, edition__task=task)
    return TaskRow(
        task=task,
        teams=runs.standing().values("team").distinct().count(),
        waiting=runs.unfinished().count(),
        rejected=runs.filter(state=Run.State.REJECTED).count(),
        valid=runs.valid().count(),
        scored=scored.count(),
        live=Edition.objects.live_for(task),
        building=task.editions.building().first(),
    )
