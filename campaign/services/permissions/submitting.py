"""Who may submit and try a run: whose team, until when, and how many."""

from dataclasses import dataclass

from django.db.models import Count, Max
from django.utils import timezone

from campaign.models import Grant, Registration, Run, Task
from campaign.services.permissions.roles import is_member, organises, takes_part
from limelight.moments import spoken


@dataclass(frozen=True, slots=True)
class Permission:
    """Yes, or no with a reason that can be shown."""

    allowed: bool
    reason: str = ""

    def __bool__(self):
        return self.allowed


ALLOWED = Permission(True)


def may_submit(user, team, task, moment=None, replaces=None):
    """Decide whether a person may submit a run for a team to a task, and say why not.

    Organisers may do so for a team that asks them to, under the same rules. A run that is to be replaced gives its
    place back unless it was valid.
    """
    moment = moment or timezone.now()
    if not user.is_authenticated:
        return Permission(False, "Sign in to submit a run.")
    if team is None or not (is_member(user, team) or organises(user, task.track.campaign)):
        return Permission(False, "Only members of a team submit its runs.")
    registration = Registration.objects.filter(campaign=task.track.campaign, team=team).first()
    if registration is None:
        return Permission(False, f"{team.name} is not registered for {task.track.campaign.name}.")
    if registration.state != Registration.State.APPROVED:
        return Permission(False, f"The registration of {team.name} is {registration.get_state_display()}.")
    if registration.agreement_version < task.track.campaign.agreement_version:
        return Permission(
            False,
            f"The agreement of {task.track.campaign.name} has a new version. "
            f"A leader of {team.name} has to accept it before the next run.",
        )
    if not task.traits.is_scored:
        return Permission(False, f"Runs for {task.get_kind_display()} tasks are not taken yet.")
    if moment < task.opens_at:
        return Permission(False, f"This task opens on {spoken(task.opens_at)}.")
    closes_at = closes_for(team, task)
    if moment >= closes_at:
        return Permission(False, f"This task closed on {spoken(closes_at)}.")
    freed = replaces is not None and replaces.withdrawn_at is None and replaces.state in Run.IN_FLIGHT
    if quota_left(team, task) == 0 and not freed:
        quota = quota_of(team, task)
        return Permission(
            False,
            f"{team.name} has used {'its only run' if quota == 1 else f'all of its {quota:,} runs'} for this task. "
            "Valid runs and runs in flight count; rejected runs, and runs that failed on our side, do not.",
        )
    return ALLOWED


def may_try(user, task):
    """Return whether a person may have a file looked at that is not submitted: those who submit runs, for any team."""
    return takes_part(user, task.track.campaign) or organises(user, task.track.campaign)


@dataclass(frozen=True, slots=True)
class SubmissionStanding:
    """A team's places in a task: which runs take one, and how many are left (None: no limit)."""

    team: object
    permission: Permission
    quota: int | None
    left: int | None
    grants: list
    scored: list
    withdrawn: list
    in_flight: list

    @property
    def taking(self):
        """Return the runs that take a place, in the order they came."""
        return sorted([*self.scored, *self.withdrawn, *self.in_flight], key=lambda run: run.pk)


def standing_of(user, team, task):
    """Say how a team stands in a task, for whoever wants to submit to it."""
    taking = list(Run.objects.filter(team=team, task=task).using_quota().order_by("pk"))
    in_flight = [run for run in taking if run.state != Run.State.VALID]
    valid = [run for run in taking if run.state == Run.State.VALID]
    quota = quota_of(team, task)
    return SubmissionStanding(
        team=team,
        permission=may_submit(user, team, task),
        quota=quota,
        left=None if quota is None else max(0, quota - len(taking)),
        grants=list(_grants(team, task)),
        scored=[run for run in valid if run.withdrawn_at is None],
        withdrawn=[run for run in valid if run.withdrawn_at],
        in_flight=in_flight,
    )


def quota_left(team, task):
    """Count the runs a team may still submit to a task; None where there is no limit."""
    quota = quota_of(team, task)
    if quota is None:
        return None
    return max(0, quota - Run.objects.filter(team=team, task=task).using_quota().count())


def quota_of(team, task):
    """Return how many runs a team may have in a task, with what the organisers granted it; None: no limit."""
    if task.quota is None:
        return None
    return task.quota + sum(grant.extra_runs for grant in _grants(team, task))


def closes_for(team, task):
    """Return when a task closes for a team: the deadline, or later where the organisers granted it more time."""
    return max([task.closes_at, *(grant.open_until for grant in _grants(team, task) if grant.open_until)])


def last_closing(task):
    """Return when the last team can submit to a task: its deadline, or later where one was granted more time."""
    return last_closings([task])[task.pk]


def last_closings(tasks):
    """Return when the last team can submit to each of some tasks, by their keys."""
    granted = Grant.objects.standing().filter(task__in=tasks, open_until__isnull=False)
    latest = dict(granted.values_list("task").annotate(Max("open_until")).order_by()) if tasks else {}
    return {task.pk: max(task.closes_at, latest.get(task.pk, task.closes_at)) for task in tasks}


def _grants(team, task):
    return Grant.objects.standing().filter(team=team, task=task)


def open_tasks(user, campaign, moment=None):
    """Return the keys of the tasks that take a person's runs now: those that are open, or kept open for their team."""
    if not takes_part(user, campaign):
        return set()
    moment = moment or timezone.now()
    tasks = Task.objects.filter(track__campaign=campaign)
    kept_open = tasks.filter(
        opens_at__lte=moment,
        grants__in=Grant.objects.standing().filter(team__memberships__user=user, open_until__gt=moment),
    )
    return {*tasks.open_at(moment).values_list("pk", flat=True), *kept_open.values_list("pk", flat=True)}


@dataclass(frozen=True, slots=True)
class OpenPlace:
    """A task that takes a team's runs: until when, and how many more (None: no limit)."""

    team: object
    task: Task
    closes_at: object
    left: int | None


def open_places(user, moment=None):
    """Return where a person's admitted teams can submit runs now, the nearest deadline first, in four queries."""
    moment = moment or timezone.now()
    admitted = Registration.objects.filter(team__memberships__user=user, state=Registration.State.APPROVED)
    teams = {}
    for registration in admitted.select_related("team"):
        teams.setdefault(registration.campaign_id, []).append(registration.team)
    tasks = list(Task.objects.filter(track__campaign__in=teams, opens_at__lte=moment).for_board())
    entered = {"task__in": tasks, "team__memberships__user": user}
    grants = {}
    for grant in Grant.objects.standing().filter(**entered):
        grants.setdefault((grant.team_id, grant.task_id), []).append(grant)
    taken = Run.objects.filter(**entered).using_quota().order_by().values_list("team", "task").annotate(Count("pk"))
    taken = {(team, task): count for team, task, count in taken}
    places = [
        _open_place(team, task, grants.get((team.pk, task.pk), []), taken.get((team.pk, task.pk), 0))
        for task in tasks
        for team in teams[task.track.campaign_id]
    ]
    still_open = [place for place in places if place.closes_at > moment]
    return sorted(still_open, key=lambda place: (place.closes_at, place.task.pk, place.team.name))


def _open_place(team, task, grants, taken):
    closes_at = max([task.closes_at, *(grant.open_until for grant in grants if grant.open_until)])
    quota = None if task.quota is None else task.quota + sum(grant.extra_runs for grant in grants)
    return OpenPlace(team, task, closes_at, None if quota is None else max(0, quota - taken))
