"""What a team has on boards: its runs with their ranks, where somebody sees scores and names."""

from dataclasses import dataclass, field
from itertools import groupby

from django.db.models import F

from campaign.models import Task
from campaign.services.permissions.seeing import named_boards
from evaluation.models import Edition, Evaluation, Score
from limelight.analysis.ranking import ranks as ranks_of


@dataclass(frozen=True, slots=True)
class Result:
    """One run on a board: its official score, and its rank among all runs there."""

    name: str
    code: str
    is_official: bool
    score: float
    rank: int


@dataclass(frozen=True, slots=True)
class TaskResults:
    """A team's runs on one board, the best first."""

    task: Task
    measure: str
    run_count: int
    results: list = field(default_factory=list)


def results_of(team, user, moment=None):
    """Return what a person sees by name of a team's runs on live boards, by campaign, the latest first.

    Four queries at most, however many boards and runs there are.
    """
    own = Evaluation.objects.on_board().filter(run__team=team, edition__state=Edition.State.LIVE)
    tasks = list(Task.objects.filter(pk__in=own.values("edition__task")).for_board())
    seen = {task.pk: task for task in named_boards(user, tasks, moment)}
    if not seen:
        return []
    shown = [_on_board(seen[key], team, list(rows)) for key, rows in groupby(_scores(seen), key=lambda row: row[0])]
    shown.sort(key=lambda board: _in_order(board.task))
    return [(campaign, list(boards)) for campaign, boards in groupby(shown, key=lambda one: one.task.track.campaign)]


def _scores(tasks):
    """Return the official scores of all runs on the live boards of some tasks, task by task."""
    on_boards = Evaluation.objects.on_board().filter(edition__state=Edition.State.LIVE, edition__task__in=tasks)
    scores = Score.objects.filter(evaluation__in=on_boards, measure=F("evaluation__edition__official_measure"))
    run = "evaluation__run__"
    fields = (f"{run}task", f"{run}team", f"{run}name", f"{run}code", f"{run}is_official", "measure", "mean")
    return scores.order_by(f"{run}task", f"{run}code").values_list(*fields)


def _on_board(task, team, rows):
    ranks = ranks_of([mean for *_, mean in rows])
    results = [
        Result(name, code, is_official, mean, rank)
        for rank, (_, owner, name, code, is_official, _, mean) in zip(ranks, rows, strict=True)
        if owner == team.pk
    ]
    return TaskResults(task, rows[0][5], len(rows), sorted(results, key=lambda result: (result.rank, result.code)))


def _in_order(task):
    track = task.track
    return (
        -track.campaign.year,
        track.campaign.name,
        track.campaign_id,
        track.position,
        track.pk,
        task.position,
        task.pk,
    )
