"""Teams: who makes them, who comes, who goes, and who leads."""

import re
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from campaign.models import Invitation, Membership, Team
from campaign.services.acting import By
from campaign.services.people import teams
from campaign.services.people.teams import (
    change_role,
    create_team,
    edit_team,
    find_invitation,
    invite,
    join,
    leave,
    remove_member,
    revoke_invitation,
    slug_for,
    why_closed,
)
from campaign.services.refusals import Refused
from campaign.services.runs.submissions import Refused as RefusedBySubmissions


@pytest.fixture
def carol(world):
    """Return a member of Alice's team who does not lead it."""
    carol = world.person("carol")
    Membership.objects.create(team=world.alices, user=carol)
    return carol


def role_of(user, team):
    return Membership.objects.get(user=user, team=team).role


def refusal(call, **arguments):
    """Return the sentence with which something is refused."""
    with pytest.raises(Refused) as refused:
        call(**arguments)
    return refused.value.reason


def test_whoever_makes_a_team_leads_it(world):
    team = create_team(
        by=By(world.visitor_with_account), name="  New   Team ", affiliation="Here", participant_number="7"
    )

    assert (team.slug, team.name, team.affiliation, team.participant_number) == ("new-team", "New Team", "Here", "7")
    assert role_of(world.visitor_with_account, team) == "leader"


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Université de Genève", "universite-de-geneve"),
        ("京都大学", "team"),
        ("🔦🔦", "team"),
        ("فريق البحث", "team"),
        ("京都 Lab", "lab"),
        ("New", "new-2"),
        ("Join!", "join-2"),
        ("Lund?", "lund-2"),
        ("___", "team"),
        ("=cmd|' /C calc'!A0", "cmd-c-calca0"),
        ("x" * 500, "x" * 56),
    ],
)
def test_every_name_gets_an_address_of_its_own(world, name, slug):
    assert create_team(by=By(world.bob), name=name).slug == slug


def test_names_without_latin_letters_are_numbered(world):
    slugs = [create_team(by=By(world.bob), name=name).slug for name in ("🔦", "🕯", "💡")]

    assert slugs == ["team", "team-2", "team-3"]
    assert slug_for("x" * 500) == "x" * 56


@pytest.mark.parametrize(
    ("fields", "field", "sentence"),
    [
        ({"name": " \t "}, "name", "Give the team a name that can be seen."),
        ({"name": "\u200b\u202e"}, "name", "Give the team a name that can be seen."),
        ({"name": "a\x00b"}, "name", "This holds a control character, which no page can show. Type it anew."),
        ({"affiliation": "\x07"}, "affiliation", "This holds a control character, which no page can show."),
        ({"name": "x" * 501}, "name", "Ensure this value has at most 500 characters (it has 501)."),
        ({"affiliation": "x" * 501}, "affiliation", "Ensure this value has at most 500 characters (it has 501)."),
        ({"participant_number": "12a"}, "participant_number", "A participant number has digits only."),
        ({"participant_number": "1" * 21}, "participant_number", "Ensure this value has at most 20 characters"),
    ],
)
def test_what_no_page_could_show_is_refused(world, fields, field, sentence):
    for call, more in ((create_team, {}), (edit_team, {"team": world.alices})):
        with pytest.raises(Refused) as refused:
            call(by=By(world.alice), **({"name": "Fine"} | more | fields))

        assert refused.value.field == field
        assert refused.value.reason.startswith(sentence)
    assert not Team.objects.filter(name="Fine").exists()


def test_a_name_that_another_team_has_is_refused_whatever_its_case(world):
    sentence = (
        "There is already a team named Lund. If it is yours, ask its leader for an invitation link; "
        "otherwise choose another name."
    )

    assert refusal(create_team, by=By(world.bob), name="lund") == sentence
    assert refusal(edit_team, by=By(world.bob), team=world.bobs, name="LUND") == sentence
    assert refusal(create_team, by=By(world.alice), name="Lund", affiliation="another") == sentence


def test_the_same_form_sent_twice_makes_one_team(world):
    first = create_team(by=By(world.bob), name="Twice", affiliation="Here")
    second = create_team(by=By(world.bob), name="Twice", affiliation="Here")

    assert first == second
    assert first.memberships.count() == 1


def test_a_slug_taken_in_between_is_looked_for_again(world, monkeypatch):
    offered = iter(["lund", "lund-2"])
    monkeypatch.setattr(teams, "slug_for", lambda name: next(offered))

    assert create_team(by=By(world.bob), name="Lund 2").slug == "lund-2"


def test_after_five_collisions_one_is_asked_to_try_again(world, monkeypatch):
    monkeypatch.setattr(teams, "slug_for", lambda name: "lund")

    sentence = "Other teams are being made at this very moment. Send the form once more."
    assert refusal(create_team, by=By(world.bob), name="Lund 2") == sentence
    assert not Team.objects.filter(name="Lund 2").exists()


def test_leaders_change_what_the_team_says_and_its_address_stays(world):
    team = edit_team(world.alices, by=By(world.alice), name="Malmö", affiliation="Skåne", participant_number="12")

    assert (team.slug, team.name, team.affiliation, team.participant_number) == ("lund", "Malmö", "Skåne", "12")
    assert edit_team(team, by=By(world.alice), name="malmö").name == "malmö"  # its own name, spelt anew


def test_members_are_told_which_leader_to_ask(world, carol):
    only = "Only leaders of Lund can do this. Ask alice."
    for call, more in (
        (edit_team, {"name": "Carols"}),
        (invite, {}),
        (revoke_invitation, {}),
        (remove_member, {"person": world.alice}),
        (change_role, {"person": carol, "role": "leader"}),
    ):
        assert refusal(call, by=By(carol), team=world.alices, **more) == only
    assert refusal(invite, by=By(world.bob), team=world.alices) == only
    dora = world.person("dora", first_name="Dora", last_name="Dean")
    Membership.objects.create(team=world.alices, user=dora, role="leader")
    assert refusal(invite, by=By(carol), team=world.alices).endswith("Ask alice or Dora Dean.")
    Membership.objects.filter(role="leader").delete()
    assert refusal(invite, by=By(carol), team=world.alices).endswith(
        "Lund has no leader at present; an organiser can name one."
    )


def test_a_superuser_names_a_leader_where_none_is_left(world, carol):
    root = world.person("root", is_superuser=True)
    Membership.objects.filter(role="leader").delete()

    change_role(world.alices, by=By(root), person=carol, role="leader")

    assert role_of(carol, world.alices) == "leader"


def test_an_invitation_is_a_long_secret_for_two_weeks(world):
    invitation = invite(world.alices, by=By(world.alice))

    assert re.fullmatch(r"[\w-]{43}", invitation.token)
    assert timedelta(days=13, hours=23) < invitation.expires_at - timezone.now() <= timedelta(days=14)
    assert invitation.created_by == world.alice
    assert find_invitation(invitation.token) == invitation
    assert why_closed(invitation) == ""


def test_a_renewed_link_replaces_the_one_that_stood(world):
    first, second = (invite(world.alices, by=By(world.alice)) for _ in range(2))

    first.refresh_from_db()
    assert first.revoked_at
    assert first.token != second.token
    assert list(world.alices.invitations.open()) == [second]


def test_the_database_allows_one_standing_invitation(world):
    invite(world.alices, by=By(world.alice))

    with pytest.raises(IntegrityError), transaction.atomic():
        Invitation.objects.create(team=world.alices, token="t", expires_at=timezone.now())


def test_joining_makes_a_member_once(world):
    invitation = invite(world.alices, by=By(world.alice))

    assert join(invitation, by=By(world.bob)) is True
    assert join(invitation, by=By(world.bob)) is False
    assert role_of(world.bob, world.alices) == "member"
    assert join(invitation, by=By(world.alice)) is False
    assert role_of(world.alice, world.alices) == "leader"


def test_two_clicks_at_once_make_one_membership(world, monkeypatch):
    invitation = invite(world.alices, by=By(world.alice))
    ask = teams.why_closed

    def another_click_is_faster(found):
        Membership.objects.create(team=world.alices, user=world.bob)
        return ask(found)

    monkeypatch.setattr(teams, "why_closed", another_click_is_faster)
    with transaction.atomic():
        assert join(invitation, by=By(world.bob)) is False


def test_a_revoked_or_expired_link_says_so(world):
    invitation = invite(world.alices, by=By(world.alice))
    stale = find_invitation(invitation.token)
    revoke_invitation(world.alices, by=By(world.alice))
    sentence = "This invitation to Lund was revoked. Ask a leader of the team for a new link."
    assert refusal(join, by=By(world.bob), invitation=stale) == sentence

    Invitation.objects.update(revoked_at=None, expires_at="2026-03-03 12:00Z")
    sentence = (
        "This invitation to Lund expired on 3 March 2026, 00:00 AoE (3 March 2026, 12:00 UTC). "
        "Ask a leader of the team for a new link."
    )
    assert refusal(join, by=By(world.bob), invitation=stale) == sentence
    assert not Membership.objects.filter(team=world.alices, user=world.bob).exists()


def test_an_expired_link_can_be_renewed(world):
    invite(world.alices, by=By(world.alice))
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    assert why_closed(invite(world.alices, by=By(world.alice))) == ""


@pytest.mark.parametrize("token", ["", "nonsense", "a\x00b", "x" * 5000, "🔦"])
def test_rubbish_is_no_invitation(world, token):
    assert find_invitation(token) is None


def test_a_member_leaves(world, carol):
    assert leave(world.alices, by=By(carol)) is False
    assert refusal(leave, by=By(carol), team=world.alices) == "You are not in Lund."
    assert list(world.alices.members.all()) == [world.alice]


def test_the_only_leader_stays_while_others_remain(world, carol):
    sentence = "You are the only leader of Lund. Make somebody else leader first, then leave."
    assert refusal(leave, by=By(world.alice), team=world.alices) == sentence

    change_role(world.alices, by=By(world.alice), person=carol, role="leader")
    leave(world.alices, by=By(world.alice))

    assert list(world.alices.members.all()) == [carol]


def test_an_empty_team_without_a_history_is_gone(world):
    team = create_team(by=By(world.bob), name="Short-lived")
    invite(team, by=By(world.bob))

    assert leave(team, by=By(world.bob)) is True
    assert not Team.objects.filter(pk=team.pk).exists()
    assert refusal(leave, by=By(world.bob), team=team) == "The team Short-lived no longer exists."


def test_an_empty_team_with_a_history_stays_and_lets_nobody_in(world):
    run = world.submit()
    world.alices.registrations.all().delete()
    invitation = invite(world.alices, by=By(world.alice))

    assert leave(world.alices, by=By(world.alice)) is False
    run.refresh_from_db()
    assert run.team == world.alices
    assert "was revoked" in refusal(join, by=By(world.bob), invitation=invitation)
    assert leave(world.bobs, by=By(world.bob)) is False  # registered, no runs
    assert Team.objects.filter(pk=world.bobs.pk).exists()


def test_a_removed_member_cannot_come_back_by_the_old_link(world):
    invitation = invite(world.alices, by=By(world.alice))
    join(invitation, by=By(world.bob))

    remove_member(world.alices, by=By(world.alice), person=world.bob)

    assert not Membership.objects.filter(team=world.alices, user=world.bob).exists()
    assert "was revoked" in refusal(join, by=By(world.bob), invitation=invitation)


def test_removing_has_its_limits(world, carol):
    root = world.person("root", is_superuser=True)

    assert refusal(remove_member, by=By(world.alice), team=world.alices, person=world.bob) == "bob is not in Lund."
    assert (
        refusal(remove_member, by=By(world.alice), team=world.alices, person=world.alice)
        == "To leave Lund yourself, use “Leave this team”."
    )
    assert (
        refusal(remove_member, by=By(root), team=world.alices, person=world.alice)
        == "alice is the only leader of Lund. Make somebody else leader first."
    )


def test_two_leaders_cannot_remove_each_other(world, carol):
    change_role(world.alices, by=By(world.alice), person=carol, role="leader")
    remove_member(world.alices, by=By(world.alice), person=carol)

    assert refusal(remove_member, by=By(carol), team=world.alices, person=world.alice).startswith(
        "Only leaders of Lund"
    )


def test_a_team_keeps_a_leader(world, carol):
    assert (
        refusal(change_role, by=By(world.alice), team=world.alices, person=world.alice, role="member")
        == "alice is the only leader of Lund. Make somebody else leader first."
    )
    assert (
        refusal(change_role, by=By(world.alice), team=world.alices, person=carol, role="king")
        == "In a team one is a leader or a member."
    )
    assert (
        refusal(change_role, by=By(world.alice), team=world.alices, person=world.bob, role="leader")
        == "bob is not in Lund."
    )

    change_role(world.alices, by=By(world.alice), person=carol, role="leader")
    change_role(world.alices, by=By(world.alice), person=world.alice, role="member")

    assert (role_of(world.alice, world.alices), role_of(carol, world.alices)) == ("member", "leader")


def test_one_refusal_for_all_services():
    assert RefusedBySubmissions is Refused
