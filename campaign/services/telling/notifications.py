"""What people are told: written in the transaction that changes what it tells of, once a person, kind and subject."""

from collections import Counter, defaultdict
from datetime import timedelta

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from campaign.models import Membership, Notification, Registration, Run, Task, User, Visible
from limelight.kinds import SCORED
from limelight.moments import spoken
from limelight.wording import counted, one_line

DEADLINE_IS_NEAR = timedelta(hours=24)
MAIL_AGAIN_AFTER = timedelta(minutes=10)
"""A first mail of a kind goes out at once; what follows within this time is gathered into one."""
LONG_READING = timedelta(minutes=1)
"""After so long a time, whoever uploaded a file may have left its page."""

Kind = Notification.Kind


def notify(users, kind, about, text, address=""):
    """Tell people something; whoever was told of it before is not told again."""
    now, text = timezone.now(), one_line(text)
    people = sorted(set(users), key=lambda user: user.pk)  # in one order everywhere, so that none deadlocks
    last_mailed = Notification.objects.last_mailed(people, kind)
    rows = []
    for user in people:
        by_mail = wants_by_mail(user, kind)
        rows.append(
            Notification(
                user=user,
                kind=kind,
                about=about,
                text=text,
                address=address,
                mail_state=Notification.Mail.WAITING if by_mail else Notification.Mail.UNWANTED,
                mail_after=_due(now, last_mailed.get(user.pk)) if by_mail else None,
            )
        )
    Notification.objects.bulk_create(rows, ignore_conflicts=True)


def _due(now, last_mailed):
    return max(now, last_mailed + MAIL_AGAIN_AFTER) if last_mailed else now


def wants_by_mail(user, kind):
    """Return whether a person is to get this kind of notification by mail."""
    return bool(user.is_active and user.email and not user.is_demo and kind not in user.unmailed)


def members_of(run):
    """Return the people who are told about a run: its team, unless it took the run back."""
    return [] if run.withdrawn_at else list(run.team.members.all())


def organisers_of(campaign):
    """Return the people who run a campaign; where it has none, the superusers, so that somebody is told."""
    return list(campaign.organisers.filter(is_active=True)) or list(
        User.objects.filter(is_superuser=True, is_active=True)
    )


# Runs -----------------------------------------------------------------------------------------------------------------


def run_rejected(run, again=False):
    """Tell a team that the check refused its run, perhaps one that it had let pass before."""
    text = (
        f"Your run {run.name} was rejected: {counted(run.error_count, 'problem')} to mend ({run.task.name}). "
        "It used up none of your quota: correct the file and submit it again."
    )
    if again:
        text = f"The rules, topics or documents have changed, and the check was repeated. {text}"
    about = f"run {run.pk} refused {run.state_since.isoformat()}" if again else f"run {run.pk}"
    notify(members_of(run), Kind.REJECTED, about, text, run.get_absolute_url())


def run_valid_again(run):
    """Tell a team that a run that had been refused passes the check now."""
    text = (
        f"Your run {run.name} passes the check now ({run.task.name}): the rules, topics or documents have changed. "
        "It is scored like every other."
    )
    about = f"run {run.pk} valid {run.state_since.isoformat()}"
    notify(members_of(run), Kind.COUNTS_AGAIN, about, text, run.get_absolute_url())


def runs_rejected(rejection, runs):
    """Tell each member once, however many of their runs the organisers took off the boards, and why."""
    for user, theirs in _by_member(runs).items():
        it_is, uses = ("It is", "uses") if len(theirs) == 1 else ("They are", "use")
        text = (
            f"The organisers rejected {_named(theirs)}: {rejection.reason} "
            f"{it_is} on no board and {uses} up none of your quota."
        )
        notify([user], Kind.REJECTED, f"rejection {rejection.pk}", text, _address(theirs))


def runs_reinstated(runs, about):
    """Tell each member once that the organisers took the rejection of runs back."""
    for user, theirs in _by_member(runs).items():
        counts = "It counts" if len(theirs) == 1 else "They count"
        text = f"The organisers took the rejection of {_named(theirs)} back. {counts} again."
        notify([user], Kind.COUNTS_AGAIN, about, text, _address(theirs))


def _by_member(runs):
    """Return the runs of each person who is told of them."""
    runs_of, people = defaultdict(list), defaultdict(list)
    for membership in Membership.objects.filter(team__in={run.team_id for run in runs}).select_related("user"):
        people[membership.team_id].append(membership.user)
    for run in runs:
        for user in people[run.team_id]:
            runs_of[user].append(run)
    return runs_of


def _named(runs):
    """Name one run, or say how many they are by task."""
    if len(runs) == 1:
        return f"your run {runs[0].name} ({runs[0].task.name})"
    by_task = Counter(run.task.name for run in runs)
    return f"{len(runs):,} of your runs ({', '.join(f'{task}: {count:,}' for task, count in by_task.items())})"


def _address(runs):
    return runs[0].get_absolute_url() if len(runs) == 1 else reverse("runs")


def run_failed(run):
    """Tell a team and the organisers that the check of a run failed on our side."""
    failed_on_our_side(run, "Checking", run.failure_reference, members_of(run))


def failed_on_our_side(run, what, reference, members):
    """Tell organisers what failed and what they can do, and members that it is not their file."""
    about, task = f"run {run.pk}, ref. {reference}", run.task
    for_organisers = (
        f"{what} run {run.name} of {run.team.name} failed on our side ({task.name}, ref. {reference}). "
        "The team has lost nothing. The traceback is on your desk, where you can start it again."
    )
    for_members = (
        f"{what} your run {run.name} failed on our side ({task.name}, ref. {reference}). "
        "Nothing is lost, your quota is untouched, and the organisers have been told."
    )
    address = reverse("desk-failure", args=[task.track.campaign.slug, run.pk])
    notify(organisers_of(task.track.campaign), Kind.FAILED, about, for_organisers, address)
    notify(members, Kind.FAILED, about, for_members, run.get_absolute_url())


def when_scores_are_shown(task):
    """Say when a team sees its own scores in a task that hides them for now."""
    return {
        Visible.AT_DEADLINE: f"Scores are shown after the deadline, {spoken(task.closes_at)}.",
        Visible.AT_PUBLICATION: "Scores are shown when the results are published.",
        Visible.NEVER: "This task shows no scores.",
    }[task.own_scores_visible]


# Imports --------------------------------------------------------------------------------------------------------------


def import_was_read(row, text, address):
    """Tell who uploaded a file what came of it, unless it went so quickly that they have seen it."""
    if row.created_by and timezone.now() - row.created_at >= LONG_READING:
        about = f"{row._meta.model_name} {row.pk}, attempt of {row.state_since.isoformat()}"
        notify([row.created_by], Kind.IMPORT, about, text, address)


# Deadlines ------------------------------------------------------------------------------------------------------------


def tell_of_deadlines(moment=None):
    """Tell the members of admitted teams of the tasks that close within a day; once a task and closing time."""
    moment = moment or timezone.now()
    near = Task.objects.open_at(moment).filter(closes_at__lte=moment + DEADLINE_IS_NEAR, kind__in=SCORED)
    for task in near.select_related("track__campaign"):
        deadline_is_near(task)


def deadline_is_near(task):
    """Tell those members of admitted teams who do not know it yet when a task closes, and how many runs they have."""
    about = f"task {task.pk} closes {task.closes_at.isoformat()}"
    told = set(Notification.objects.filter(kind=Kind.DEADLINE, about=about).values_list("user", flat=True))
    admitted = Membership.objects.filter(
        team__registrations__campaign=task.track.campaign,
        team__registrations__state=Registration.State.APPROVED,
    )
    teams_of = defaultdict(list)
    for membership in admitted.exclude(user__in=told).select_related("user", "team").order_by("team__name"):
        teams_of[membership.user].append(membership.team)
    if not teams_of:
        return
    runs = Counter(
        Run.objects.standing().filter(task=task).exclude(state=Run.State.REJECTED).values_list("team", flat=True)
    )
    with transaction.atomic():
        for user, teams in teams_of.items():
            standing = " ".join(_runs_so_far(team, runs[team.pk]) for team in teams)
            text = f"{task.name} ({task.track.campaign.name}) closes on {spoken(task.closes_at)}. {standing}"
            notify([user], Kind.DEADLINE, about, text, task.get_absolute_url())


def _runs_so_far(team, count):
    return f"{team.name} has {counted(count, 'run')} in it." if count else f"{team.name} has no run in it yet."


def granted(grant):
    """Tell a team that it may submit more runs, or longer, than the task's rules say."""
    task, team = grant.task, grant.team
    text = f"{team.name} may submit {allowance(grant)} to {task.name} ({task.track.campaign.name}): {grant.reason}"
    notify(team.members.all(), Kind.GRANT, f"grant {grant.pk}", text, reverse("submit", args=task.address))


def grant_revoked(grant):
    """Tell a team that it may no longer submit more runs, or longer, than the rules say."""
    task, team = grant.task, grant.team
    text = (
        f"The organisers took back that {team.name} may submit {allowance(grant)} to {task.name} "
        f"({task.track.campaign.name}). Runs that are submitted stay."
    )
    notify(team.members.all(), Kind.GRANT, f"grant {grant.pk} revoked", text, reverse("submit", args=task.address))


def allowance(grant):
    """Write what a grant gives, to follow "may submit"."""
    parts = []
    if grant.extra_runs:
        parts.append(counted(grant.extra_runs, "more run"))
    if grant.open_until:
        parts.append(f"until {spoken(grant.open_until)}")
    return " and ".join(parts)


# Teams and registrations ----------------------------------------------------------------------------------------------


def registration_requested(registration, assessors=""):
    """Tell the organisers that a team wants to take part, or does where nobody has to approve it."""
    team, campaign = registration.team, registration.campaign
    if registration.state == Registration.State.PENDING:
        text = f"{team.name} asks to take part in {campaign.name} and waits for your decision."
    else:
        text = f"{team.name} has registered for {campaign.name}."
    if assessors:
        text += f" Among its members are assessors of the campaign: {assessors}."
    about = f"registration {registration.pk} of {registration.accepted_at.isoformat()}"
    notify(organisers_of(campaign), Kind.REGISTRATION, about, text, reverse("desk"))


def registration_decided(registration):
    """Tell a team what became of its registration."""
    team, campaign = registration.team.name, registration.campaign.name
    reason = one_line(registration.reason)
    text = {
        Registration.State.PENDING: f"The registration of {team} for {campaign} waits for a decision again.",
        Registration.State.APPROVED: f"{team} takes part in {campaign}: the organisers approved the registration.",
        Registration.State.REFUSED: f"The organisers of {campaign} refused the registration of {team}"
        + (f": {reason}" if reason else "."),
        Registration.State.WITHDRAWN: f"The registration of {team} for {campaign} was withdrawn.",
    }[registration.state]
    decided = registration.decided_at.isoformat() if registration.decided_at else ""
    about = f"registration {registration.pk} {registration.state} {decided}".strip()
    members = registration.team.members.all()
    notify(members, Kind.REGISTRATION, about, text, registration.campaign.get_absolute_url())


def member_joined(team, user, address=""):
    """Tell the other members of a team that somebody joined it."""
    joined = Membership.objects.get(team=team, user=user).joined_at
    about = f"team {team.pk}: user {user.pk} joined {joined.isoformat()}"
    notify(team.members.exclude(pk=user.pk), Kind.TEAM, about, f"{user.display_name} has joined {team.name}.", address)


def assessor_joined(team, user, campaign):
    """Tell the organisers that an assessor of their campaign is now in a team that takes part."""
    joined = Membership.objects.get(team=team, user=user).joined_at
    about = f"team {team.pk}: assessor {user.pk} joined {joined.isoformat()}"
    text = f"{user.display_name}, who assesses for {campaign.name}, has joined {team.name}, which takes part."
    notify(organisers_of(campaign), Kind.REGISTRATION, about, text, reverse("campaign-desk", args=[campaign.slug]))


def member_left(team, user, address=""):
    """Tell the members of a team that somebody is no longer in it."""
    about = f"team {team.pk}: user {user.pk} left {timezone.now().isoformat()}"
    notify(team.members.exclude(pk=user.pk), Kind.TEAM, about, f"{user.display_name} has left {team.name}.", address)


# Reading --------------------------------------------------------------------------------------------------------------


def mark_read(notifications):
    """Note that notifications were seen, where that is news."""
    notifications.unread().update(read_at=timezone.now())
