"""What the front page lists: tasks that take runs, and the boards that came out last."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from campaign.models import Campaign, Task
from campaign.services.permissions.visitors import scores_opened_at, shows_scores
from evaluation.models import Edition
from evaluation.services.leaders import leaders_of

MOST_OPEN, MOST_RESULTS, MOST_CAMPAIGNS = 8, 5, 6


@dataclass(frozen=True, slots=True)
class Outcome:
    """A board that came out: of which task, when, and whether its results were published then."""

    task: Task
    at: datetime
    is_published: bool


@dataclass(frozen=True, slots=True)
class Front:
    """What a front page lists; `leaders` are by task, `more_open` and `more_campaigns` say how many are not listed.

    `tasks` are all of the campaigns that somebody finds.
    """

    tasks: list
    open_tasks: list
    more_open: int
    outcomes: list
    leaders: dict
    campaigns: list
    more_campaigns: int


def front_for(user, moment=None):
    """Return what the front page lists of the campaigns that a person finds: five queries, or six, for any number."""
    moment = moment or timezone.now()
    campaigns = list(Campaign.objects.listed_for(user))
    tasks = list(Task.objects.filter(track__campaign__in=campaigns).for_board())
    taking = sorted((task for task in tasks if task.is_open(moment)), key=lambda task: (task.closes_at, task.pk))
    outcomes = _outcomes(tasks, moment)[:MOST_RESULTS]
    shown = {task.pk: task for task in (*taking[:MOST_OPEN], *(outcome.task for outcome in outcomes))}
    return Front(
        tasks=tasks,
        open_tasks=taking[:MOST_OPEN],
        more_open=max(0, len(taking) - MOST_OPEN),
        outcomes=outcomes,
        leaders=leaders_of(shown.values(), moment),
        campaigns=campaigns[:MOST_CAMPAIGNS],
        more_campaigns=max(0, len(campaigns) - MOST_CAMPAIGNS),
    )


def _outcomes(tasks, moment):
    """Return the boards that everybody sees the scores of, that which came out last first."""
    shown = {task.pk: task for task in tasks if shows_scores(task, moment)}
    live = Edition.objects.live().filter(task__in=shown, live_at__isnull=False).order_by()
    outcomes = [_outcome(shown[key], live_at, moment) for key, live_at in live.values_list("task", "live_at")]
    return sorted(outcomes, key=lambda outcome: (outcome.at, outcome.task.pk), reverse=True)


def _outcome(task, live_at, moment):
    at = max(live_at, scores_opened_at(task))
    is_published = task.is_published(moment) and task.published_at >= at
    return Outcome(task, task.published_at if is_published else at, is_published)
