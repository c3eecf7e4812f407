"""The desk's table of a campaign: how many runs of each task are in which state, and what failed on our side."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Count

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


def desk_tables(campaigns):
    """Return the tables of campaigns by their keys, in as many queries for many campaigns as for one."""
    rows, keys = _rows(campaigns), [campaign.pk for campaign in campaigns]
    failed_runs, failed_scoring = defaultdict(list), defaultdict(list)
    for run in failed_checks(keys):
        failed_runs[run.task.track.campaign_id].append(run)
    for evaluation in failed_evaluations(keys):
        failed_scoring[evaluation.run.task.track.campaign_id].append(evaluation)
    return {
        campaign.pk: DeskTable(
            tasks=[rows[task.pk] for task in _tasks([campaign])],
            failed_runs=failed_runs[campaign.pk],
            failed_evaluations=failed_scoring[campaign.pk],
        )
        for campaign in campaigns
    }


def _tasks(campaigns):
    return [task for campaign in campaigns for track in campaign.tracks.all() for task in track.tasks.all()]


def _rows(campaigns):
    """Return the rows of all tasks of campaigns, by the task's key."""
    tasks = _tasks(campaigns)
    runs = Run.objects.filter(task__in=tasks)
    teams = _counted(runs.standing(), Count("team", distinct=True))
    waiting, valid = _counted(runs.unfinished()), _counted(runs.valid())
    rejected = _counted(runs.filter(state=Run.State.REJECTED))
    editions = Edition.objects.filter(task__in=tasks).select_related("assessment_set")
    scored = _counted(Evaluation.objects.on_board().filter(edition__in=editions.live()), by="edition__task")
    live = {edition.task_id: edition for edition in editions.live()}
    building = {edition.task_id: edition for edition in editions.building()}
    return {
        task.pk: TaskRow(
            task=task,
            teams=teams.get(task.pk, 0),
            waiting=waiting.get(task.pk, 0),
            rejected=rejected.get(task.pk, 0),
            valid=valid.get(task.pk, 0),
            scored=scored.get(task.pk, 0),
            live=live.get(task.pk),
            building=building.get(task.pk),
        )
        for task in tasks
    }


def _counted(rows, what=None, by="task"):
    """Count rows by their task."""
    return dict(rows.order_by().values_list(by).annotate(what or Count("pk")))
