"""What organisers do to many runs at once: counted by task and team before it is done."""

from collections import Counter
from dataclasses import dataclass

from django.db import transaction

from campaign.models import Membership, Run, Task
from campaign.services.refusals import Refused, Stale
from campaign.services.runs import rejections
from campaign.services.telling.audit import fingerprint
from evaluation.models import Edition, Evaluation
from evaluation.services import reruns
from evaluation.services.editions import hold

NOTHING_TO_DO = {
    "retry": "Nothing about these runs has failed, so there is nothing to try again.",
    "re-evaluate": "None of these runs has been scored or has failed, so there is nothing to do again.",
    "reject": "These runs are withdrawn or rejected already.",
    "reinstate": "None of these runs was rejected by an organiser.",
}


@dataclass(frozen=True, slots=True)
class TaskOutlook:
    """What a deed does in one task: to how many runs, and how many lines its board has now and then."""

    task: Task
    runs: int
    lines_now: int | None
    lines_then: int | None


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a deed would do: to which runs, by task and by team, and how many people are told."""

    runs: list
    tasks: list
    teams: list
    people: int
    seen: str
    """What the question keeps, to see at the answer whether it is still the same."""

    @property
    def emptied(self):
        """Return the tasks whose boards would have no line left."""
        return [one.task for one in self.tasks if one.lines_now and one.lines_then == 0]


def outlook(deed, runs):
    """Tell what a deed would do to some runs."""
    affected = list(_affected(deed, runs))
    if not affected:
        raise Refused(NOTHING_TO_DO[deed])
    teams = Counter(run.team for run in affected)
    return Outlook(
        runs=affected,
        tasks=[_in_task(deed, task, affected) for task in dict.fromkeys(run.task for run in affected)],
        teams=sorted(teams.items(), key=lambda entry: entry[0].name),
        people=Membership.objects.filter(team__in=teams).values("user").distinct().count(),
        seen=_seen(deed, affected),
    )


def _affected(deed, runs):
    if deed == "reject":
        return rejections.rejectable(runs)
    if deed == "reinstate":
        return rejections.rejected_by_organisers(runs)
    standing = Run.objects.standing().filter(pk__in=[run.pk for run in runs])
    scoring = Evaluation.objects.filter(run__in=standing, edition__in=Edition.objects.scoring())
    failed = scoring.filter(state=Evaluation.State.FAILED)
    found = standing.filter(state=Run.State.FAILED) | standing.filter(pk__in=failed.values("run"))
    if deed == "re-evaluate":
        found |= standing.filter(pk__in=scoring.on_board().values("run"))
    return found.distinct().for_lists().order_by("pk")


def _in_task(deed, task, affected):
    runs = [run for run in affected if run.task_id == task.pk]
    live = task.editions.live().first()
    if live is None:
        return TaskOutlook(task, len(runs), None, None)
    shown = set(live.evaluations.on_board().values_list("run", flat=True))
    scored = set(live.evaluations.filter(state=Evaluation.State.DONE).values_list("run", flat=True))
    chosen = {run.pk for run in runs}
    then = {"reject": shown - chosen, "reinstate": shown | (chosen & scored)}.get(deed, shown)
    return TaskOutlook(task, len(runs), len(shown), len(then))


def _seen(deed, affected):
    if deed in ("reject", "reinstate"):
        return rejections.seen_runs(affected)
    tasks = {run.task_id for run in affected}
    newest = Edition.objects.filter(task__in=tasks).order_by("-pk").values_list("pk", flat=True).first()
    return fingerprint({"runs": [run.pk for run in affected], "newest edition": newest})


def rerun(runs, *, by, deed, seen=""):
    """Try again what failed, or score anew; refuses where that is no longer what was asked about."""
    with transaction.atomic():
        for track in sorted({run.task.track for run in runs}, key=lambda track: track.pk):
            hold(track)
        if seen and seen != outlook(deed, runs).seen:
            raise Stale("The runs or their boards changed after you were asked. Nothing was done.")
        return reruns.retry(runs, by=by) if deed == "retry" else reruns.reevaluate(runs, by=by)


def take_back_outlook(rejection):
    """Tell what taking one rejection back would do."""
    return outlook("reinstate", list(rejections.runs_of(rejection)))
