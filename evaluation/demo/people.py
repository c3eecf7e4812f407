"""The people and teams of the demos, and the hour at which their tasks close."""

from datetime import UTC, datetime, time

from django.utils import timezone

from campaign.models import Membership, Registration, Team, User
from evaluation.demo.accounts import ACCOUNTS


def accounts():
    """Return the demo's accounts by name; those that another demo brought are taken as they are."""
    return {account.username: _account(account) for account in ACCOUNTS}


def _account(account):
    is_organiser = account.username == "organiser"
    known = User.objects.filter(username=account.username, is_demo=True).first()
    return known or User.objects.create_user(
        account.username,
        f"{account.username}@example.org",
        account.password,
        first_name="Demo",
        last_name=account.username,
        is_demo=True,
        is_staff=is_organiser,
        is_superuser=is_organiser,
    )


def registered_team(campaign, *, slug, name, affiliation, leader=None):
    """Make a team and register it for a campaign; without a leader it gets one that cannot sign in."""
    leader = leader or User.objects.create_user(f"demo-{slug}", is_demo=True)
    team = Team.objects.create(slug=slug, name=name, affiliation=affiliation)
    Membership.objects.create(team=team, user=leader, role=Membership.Role.LEADER)
    let_in(team, campaign)
    return team


def let_in(team, campaign):
    """Register a team for a campaign, as its leader would."""
    Registration.objects.create(
        campaign=campaign,
        team=team,
        state=Registration.State.APPROVED,
        agreement_version=campaign.agreement_version,
        accepted_by=team.memberships.get().user,
        accepted_at=timezone.now(),
    )


def last_minute(moment):
    """Return 23:59 anywhere on earth of the day before."""
    return datetime.combine(moment.date(), time(11, 59), tzinfo=UTC)
