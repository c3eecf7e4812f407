"""Who may submit, who may see: asked by every form, page, chart, download and command."""

from dataclasses import dataclass

from django.utils import timezone

from campaign.models import Grant, Membership, Registration, Run, Task, Track, Visible
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
    if team is None or not (
        Membership.objects.filter(user=user, team=team).exists() or organises(user, task.track.campaign)
    ):
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


@dataclass(frozen=True, slots=True)
class Standing:
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
    return Standing(
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


def _grants(team, task):
    return Grant.objects.standing().filter(team=team, task=task)


def organises(user, campaign):
    """Tell whether a person runs a campaign."""
    return user.is_authenticated and (user.is_superuser or campaign.organisers.filter(pk=user.pk).exists())


def assesses(user, campaign):
    """Tell whether a person is an assessor of one of a campaign's tracks."""
    return user.is_authenticated and campaign.tracks.filter(assessors=user).exists()


def reviews(user, campaign):
    """Tell whether somebody came in by one of a campaign's reviewer links."""
    return campaign.pk in getattr(user, "reviewed_campaigns", {})


def may_see_campaign(user, campaign):
    """Tell whether a person may open a campaign's pages."""
    return (
        campaign.is_public
        or organises(user, campaign)
        or takes_part(user, campaign)
        or assesses(user, campaign)
        or reviews(user, campaign)
    )


def takes_part(user, campaign):
    """Tell whether a person is in a team admitted to a campaign."""
    return (
        user.is_authenticated
        and Registration.objects.filter(
            campaign=campaign, state=Registration.State.APPROVED, team__memberships__user=user
        ).exists()
    )


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


def may_see_topics(user, track):
    """Tell whether a person may read a track's topics."""
    campaign = track.campaign
    return may_see_campaign(user, campaign) and (
        not campaign.gates_topics
        or organises(user, campaign)
        or reviews(user, campaign)
        or takes_part(user, campaign)
        or (user.is_authenticated and track.assessors.filter(pk=user.pk).exists())
    )


def may_see_collection(user, collection):
    """Tell whether a person may read a collection's documents: through any track that uses it, in whichever version.

    What is prepared and not accepted yet is for organisers.
    """
    for track in Track.objects.filter(collection__line=collection.line).select_related("campaign"):
        campaign = track.campaign
        if collection.version is None and not organises(user, campaign):
            continue
        if may_see_campaign(user, campaign) and (
            not campaign.gates_collection
            or organises(user, campaign)
            or takes_part(user, campaign)
            or (user.is_authenticated and track.assessors.filter(pk=user.pk).exists())
        ):
            return True
    return user.is_superuser


def may_see_run(user, run):
    """Tell whether a person may open a run's own page, with its file and report."""
    return organises(user, run.task.track.campaign) or (
        user.is_authenticated and Membership.objects.filter(user=user, team=run.team).exists()
    )


def may_change_run(user, run):
    """Tell whether a person may rename, mark or withdraw a run: a member of its team, or an organiser."""
    return may_see_run(user, run)


FEWEST_TEAMS = 3
"""With fewer teams, a minimum or a median would tell what one other team scored."""


@dataclass(frozen=True, slots=True)
class BoardView:
    """What one person sees of a task's board.

    What is said about all runs (ranks, how many runs and teams there are, medians) needs all scores: a rank beside
    one's own score tells what others scored. What a team says about its run (name, description, official mark) needs
    names.
    """

    all_scores: bool
    own_scores: bool
    names: bool
    own_teams: frozenset
    is_organiser: bool

    def shows(self, run):
        """Tell whether this run's line is shown."""
        return self.all_scores or (self.own_scores and run.team_id in self.own_teams)

    def names_run(self, run):
        """Tell whether this run's team, name, description and official mark are shown."""
        return self.names or run.team_id in self.own_teams

    @property
    def ranks(self):
        """Tell whether ranks, and how many runs and teams there are, are shown."""
        return self.all_scores

    def summarises(self, team_count):
        """Tell whether the lowest, middle and highest scores of the runs of so many teams are shown."""
        return self.all_scores and team_count >= FEWEST_TEAMS


def board_view(user, task, moment=None):
    """Decide what of a task's board a person may see."""
    organiser = organises(user, task.track.campaign)
    reviewer = reviews(user, task.track.campaign)
    names_for_reviewer = reviewer and user.reviewed_campaigns[task.track.campaign_id]
    own_teams = Membership.objects.filter(user=user).values_list("team_id", flat=True) if user.is_authenticated else ()
    return BoardView(
        all_scores=organiser or reviewer or task.reveals(task.other_scores_visible, moment),
        own_scores=organiser or task.reveals(task.own_scores_visible, moment),
        names=organiser or names_for_reviewer or task.reveals(task.names_visible, moment),
        own_teams=frozenset(own_teams),
        is_organiser=organiser,
    )


def hiding_assessments(tasks, moment=None):
    """Return those of a track's tasks that keep its assessments hidden: its answer key, which all have to reveal."""
    return [task for task in tasks if not shows_assessments(task, moment)]


def shows_assessments(task, moment=None):
    """Tell whether a task lets the assessments be seen.

    While somebody can still submit to it they are an open answer key: they stay hidden, unless the task shows them at
    once or they were published along with it by a tick of their own.
    """
    if not task.reveals(task.assessments_visible, moment):
        return False
    if task.assessments_visible == Visible.AT_ONCE or task.assessments_while_open:
        return True
    return last_closing(task) <= (moment or timezone.now())


def last_closing(task):
    """Return when the last team can submit to a task: its deadline, or later where one was granted more time."""
    granted = Grant.objects.standing().filter(task=task, open_until__isnull=False)
    return max([task.closes_at, *granted.values_list("open_until", flat=True)])


def may_see_assessments(user, track, moment=None):
    """Tell whether a person may see a track's highlights and judgement files."""
    if organises(user, track.campaign) or (user.is_authenticated and track.assessors.filter(pk=user.pk).exists()):
        return True
    tasks = list(track.tasks.all())
    return may_see_campaign(user, track.campaign) and bool(tasks) and not hiding_assessments(tasks, moment)
