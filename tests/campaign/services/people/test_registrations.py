"""Registration: who accepts, who decides, and what follows for submitting."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.models import Campaign, Membership, Registration, Run
from campaign.services.acting import By
from campaign.services.people import registrations
from campaign.services.people.registrations import accept_again, decide, register, standings_of, withdraw_registration
from campaign.services.people.teams import create_team
from campaign.services.permissions.submitting import may_submit
from campaign.services.refusals import Refused
from campaign.services.runs.checks import check_run
from campaign.services.runs.submissions import withdraw_run
from tests.world import BROKEN_RUN


@pytest.fixture
def newcomers(world):
    """Return a team that is not registered yet; the bystander leads it."""
    return create_team(by=By(world.visitor_with_account), name="Newcomers")


@pytest.fixture
def leader(world, newcomers):
    return world.visitor_with_account


def refusal(call, **arguments):
    with pytest.raises(Refused) as refused:
        call(**arguments)
    return refused.value.reason


def change(campaign, **fields):
    Campaign.objects.filter(pk=campaign.pk).update(**fields)
    campaign.refresh_from_db()


def test_a_registration_says_who_accepted_what_and_when(world, newcomers, leader):
    change(world.campaign, agreement="Be kind.", agreement_version=3)

    registration = register(world.campaign, by=By(leader), team=newcomers, accepted=True, version=3)

    registration.refresh_from_db()
    assert (registration.state, registration.agreement_version) == ("approved", 3)
    assert registration.accepted_by == leader
    assert timezone.now() - registration.accepted_at < timedelta(minutes=1)
    assert may_submit(leader, newcomers, world.task)


def test_where_organisers_approve_a_team_waits(world, newcomers, leader):
    change(world.campaign, needs_approval=True)

    registration = register(world.campaign, by=By(leader), team=newcomers, accepted=True)

    assert registration.state == "pending"
    assert may_submit(leader, newcomers, world.task).reason == "The registration of Newcomers is waiting for approval."
    decide(registration, by=By(world.organiser), approve=True)
    assert may_submit(leader, newcomers, world.task)
    registration.refresh_from_db()
    assert registration.decided_by == world.organiser
    assert registration.decided_at


def test_a_second_click_changes_nothing(world, newcomers, leader):
    first = register(world.campaign, by=By(leader), team=newcomers, accepted=True)
    second = register(world.campaign, by=By(leader), team=newcomers, accepted=True)

    assert first.pk == second.pk
    assert first.accepted_at == second.accepted_at


def test_two_clicks_at_once_make_one_registration(world, newcomers, leader, monkeypatch):
    register(world.campaign, by=By(leader), team=newcomers, accepted=True)
    monkeypatch.setattr(registrations, "_locked", lambda **which: None)  # it looked before the first had written

    second = register(world.campaign, by=By(leader), team=newcomers, accepted=True)

    assert second.state == "approved"
    assert Registration.objects.filter(team=newcomers).count() == 1


def test_the_agreement_has_to_be_accepted_if_there_is_one(world, newcomers, leader):
    assert register(world.campaign, by=By(world.bob), team=world.bobs, accepted=False).state == "approved"

    change(world.campaign, agreement="Be kind.")

    sentence = "Tick the box to accept the agreement for Newcomers."
    assert refusal(register, by=By(leader), team=newcomers, campaign=world.campaign, accepted=False) == sentence
    assert not newcomers.registrations.exists()


def test_nobody_accepts_a_text_that_changed_under_their_eyes(world, newcomers, leader):
    shown = world.campaign.agreement_version
    Campaign.objects.update(agreement="Be kinder.", agreement_version=2)

    sentence = "The agreement changed while you were reading it. This is version 2 now."
    arguments = {"by": By(leader), "team": newcomers, "campaign": world.campaign, "accepted": True}
    assert refusal(register, **arguments, version=shown) == sentence


def test_only_leaders_accept(world, newcomers, leader):
    member = world.person("member")
    Membership.objects.create(team=newcomers, user=member)
    sentence = "Only leaders of Newcomers accept an agreement for it. Ask bystander."
    root = world.person("root", is_superuser=True)

    for user in (member, world.bob, world.organiser, root):
        assert refusal(register, by=By(user), team=newcomers, campaign=world.campaign, accepted=True) == sentence


def test_a_campaign_that_cannot_be_seen_cannot_be_entered(world, newcomers, leader):
    change(world.campaign, is_public=False)

    sentence = "This campaign is not open to you."
    assert refusal(register, by=By(leader), team=newcomers, campaign=world.campaign, accepted=True) == sentence


def test_a_new_version_stops_submitting_until_a_leader_accepts_it(world):
    registration = world.alices.registrations.get()
    change(world.campaign, agreement="Be kinder.", agreement_version=2)
    world.task.track.campaign.refresh_from_db()

    permission = may_submit(world.alice, world.alices, world.task)
    assert permission.reason == (
        "The agreement of Small has a new version. A leader of Lund has to accept it before the next run."
    )
    with pytest.raises(Refused, match="has a new version"):
        world.submit()

    accepted = accept_again(registration, by=By(world.alice), accepted=True, version=2)

    assert (accepted.agreement_version, accepted.state) == (2, "approved")
    assert may_submit(world.alice, world.alices, world.task)


def test_accepting_again_keeps_what_was_decided(world):
    registration = world.alices.registrations.get()
    Registration.objects.update(state="pending")
    change(world.campaign, agreement_version=2)
    assert register(world.campaign, by=By(world.alice), team=world.alices, accepted=True).state == "pending"
    registration.refresh_from_db()
    assert registration.agreement_version == 2

    Registration.objects.update(state="refused", agreement_version=1)
    arguments = {"by": By(world.alice), "registration": registration, "accepted": True}
    assert refusal(accept_again, **arguments) == "Lund is not registered for Small."


def test_a_team_withdraws_and_comes_back(world):
    registration = world.alices.registrations.get()

    assert withdraw_registration(registration, by=By(world.alice)).state == "withdrawn"
    assert withdraw_registration(registration, by=By(world.alice)).state == "withdrawn"  # a second click
    assert may_submit(world.alice, world.alices, world.task).reason == "The registration of Lund is withdrawn."
    change(world.campaign, needs_approval=True)
    again = register(world.campaign, by=By(world.alice), team=world.alices, accepted=True)

    assert (again.pk, again.state) == (registration.pk, "pending")


def test_a_team_with_runs_stays_in(world):
    registration = world.alices.registrations.get()
    rejected = world.submit(BROKEN_RUN, name="broken")
    check_run(rejected.pk)
    one, two = world.submit(name="one"), world.submit(name="two")
    arguments = {"by": By(world.alice), "registration": registration}

    sentence = "Lund has 2 runs in Small. Withdraw them first, then the registration."
    assert refusal(withdraw_registration, **arguments) == sentence
    withdraw_run(one)
    sentence = "Lund has 1 run in Small. Withdraw it first, then the registration."
    assert refusal(withdraw_registration, **arguments) == sentence
    withdraw_run(two)

    assert withdraw_registration(**arguments).state == "withdrawn"
    assert Run.objects.count() == 3


def test_only_leaders_withdraw(world):
    registration = world.alices.registrations.get()

    sentence = "Only leaders of Lund withdraw its registration. Ask alice."
    assert refusal(withdraw_registration, by=By(world.organiser), registration=registration) == sentence


def test_refusing_needs_a_reason_and_an_organiser(world):
    registration = world.alices.registrations.get()

    sentence = "Only organisers of Small decide which teams take part."
    assert refusal(decide, by=By(world.alice), registration=registration, approve=True) == sentence
    assert refusal(decide, by=By(world.assessor), registration=registration, approve=True) == sentence
    sentence = "Tell Lund why it cannot take part."
    assert refusal(decide, by=By(world.organiser), registration=registration, approve=False, reason=" ") == sentence

    decided = decide(registration, by=By(world.organiser), approve=False, reason=" Not enough cake. ")

    assert (decided.state, decided.reason, decided.decided_by) == ("refused", "Not enough cake.", world.organiser)


def test_whom_the_organisers_refused_they_decide_about_again(world):
    registration = world.alices.registrations.get()
    decide(registration, by=By(world.organiser), approve=False, reason="No cake.")

    again = register(world.campaign, by=By(world.alice), team=world.alices, accepted=True)
    assert (again.state, again.reason) == ("pending", "No cake.")
    withdraw_registration(again, by=By(world.alice))
    again = register(world.campaign, by=By(world.alice), team=world.alices, accepted=True)
    assert again.state == "pending"  # withdrawing is no way around it

    assert decide(again, by=By(world.organiser), approve=True).reason == ""


def test_two_organisers_do_not_overrule_each_other_unseen(world):
    registration = world.alices.registrations.get()
    Registration.objects.update(state="pending")
    arguments = {"by": By(world.organiser), "registration": registration, "seen": "pending"}
    decide(approve=True, **arguments)

    sentence = "The registration of Lund is approved by now. Look again, then decide."
    assert refusal(decide, approve=False, reason="No cake.", **arguments) == sentence
    assert decide(approve=True, **arguments).state == "approved"  # a second click


def test_there_is_nothing_to_decide_about_a_withdrawn_registration(world):
    registration = world.alices.registrations.get()
    withdraw_registration(registration, by=By(world.alice))

    sentence = "Lund has withdrawn its registration. There is nothing to decide."
    assert refusal(decide, by=By(world.organiser), registration=registration, approve=True) == sentence


def test_standings_tell_each_team_of_a_person_apart(world, newcomers, leader):
    Membership.objects.create(team=world.alices, user=leader)
    change(world.campaign, agreement_version=2)

    lund, own = standings_of(leader, world.campaign)

    assert (lund.team, lund.leads, lund.registration.needs_acceptance, lund.can_register) == (
        world.alices,
        False,
        True,
        True,
    )
    assert (own.team, own.leads, own.registration, own.can_register) == (newcomers, True, None, True)
