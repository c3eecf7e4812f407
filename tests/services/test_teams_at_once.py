"""People who click at the same moment, on both databases: one membership, one link, and always a leader."""

import pytest

pytestmark = [pytest.mark.services, pytest.mark.slow]

AT_ONCE = """
from django.db import connection
from django.utils import timezone
from campaign.models import Campaign, Membership, Team, User
from campaign.services.acting import By
from campaign.services.refusals import Refused
from campaign.services.people.registrations import register
from tests.services import threads
from campaign.services.people.teams import change_role, create_team, find_invitation, invite, join, leave, remove_member

def at_once(*calls):
    return sorted(threads.at_once(*calls))

def person(name):
    return User.objects.create_user(name)

def lead(team, *people):
    for someone in people:
        Membership.objects.create(team=team, user=someone, role="leader")
"""


@pytest.fixture(scope="module")
def at_once(quiet_site):
    """Return a function that runs code in a site's Django, with `at_once` to call things in threads."""
    return lambda code: quiet_site.python(AT_ONCE + code)


def test_eight_clicks_make_one_team(at_once):
    answers = at_once("""
ada = person("ada-1")
at_once(*[lambda: create_team(by=By(ada), name="Tallow").pk] * 8)
print(json.dumps([Team.objects.filter(name="Tallow").count(), Membership.objects.filter(user=ada).count()]))
""")

    assert answers == [1, 1]


def test_eight_clicks_make_one_member_and_one_standing_link(at_once):
    answers = at_once("""
ada, grace = person("ada-2"), person("grace-2")
team = create_team(by=By(ada), name="Links")
at_once(*[lambda: invite(team, by=By(ada))] * 8)
standing = team.invitations.open()
token = standing.get().token
joined = at_once(*[lambda: join(find_invitation(token), by=By(grace))] * 8)
print(json.dumps([standing.count(), team.invitations.count(), joined, team.memberships.count()]))
""")

    assert answers == [1, 8, ["False"] * 7 + ["True"], 2]


@pytest.mark.parametrize("round_", range(2))
def test_two_leaders_who_leave_or_remove_each_other_leave_one_behind(at_once, round_):
    answers = at_once(f"""
ada, grace, kay = person("ada-3{round_}"), person("grace-3{round_}"), person("kay-3{round_}")
team = create_team(by=By(ada), name="Leaders {round_}")
lead(team, grace)
Membership.objects.create(team=team, user=kay)
left = at_once(lambda: leave(team, by=By(ada)), lambda: leave(team, by=By(grace)))
lead(team, *[someone for someone in (ada, grace) if not team.memberships.filter(user=someone).exists()])
removed = at_once(
    lambda: remove_member(team, by=By(ada), person=grace), lambda: remove_member(team, by=By(grace), person=ada)
)
lead(team, *[someone for someone in (ada, grace) if not team.memberships.filter(user=someone).exists()])
demoted = at_once(
    lambda: bool(change_role(team, by=By(ada), person=ada, role="member")),
    lambda: bool(change_role(team, by=By(grace), person=grace, role="member")),
)
print(json.dumps([left, removed, demoted, team.memberships.filter(role="leader").count()]))
""")

    left, removed, demoted, leaders = answers
    assert left[0] == "False"
    assert left[1].startswith("You are the only leader of Leaders")
    assert removed[0] == "False"
    assert removed[1].startswith("Only leaders of Leaders")
    assert "True" in demoted
    assert leaders == 1


def test_eight_clicks_make_one_registration(at_once):
    answers = at_once("""
ada = person("ada-4")
team = create_team(by=By(ada), name="Registered")
campaign = Campaign.objects.create(slug="c", name="C", year=2026, is_public=True)
states = at_once(
    *[lambda: register(Campaign.objects.get(slug="c"), by=By(ada), team=team, accepted=True).state] * 8
)
print(json.dumps([states, team.registrations.count()]))
""")

    assert answers == [["approved"] * 8, 1]
