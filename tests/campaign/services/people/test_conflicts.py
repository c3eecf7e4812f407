"""Whoever assesses and is in a team: the organisers are told before they decide, and lead back where they were."""

import re

import pytest

from campaign.models import Membership, Notification, Registration, TrailEntry
from campaign.services.acting import By
from campaign.services.people.registrations import register
from campaign.services.people.teams import invite, join
from tests.pages import source_of

DESK = "/desk/campaigns/small/"


@pytest.fixture
def desk(client, world):
    """Return an organiser's browser; Lund waits, and an assessor is in it."""
    Registration.objects.filter(team=world.alices).update(state="pending")
    Membership.objects.create(team=world.alices, user=world.assessor)
    world.registration = world.alices.registrations.get()
    world.decide = f"/registrations/{world.registration.pk}/decide/"
    client.force_login(world.organiser)
    return client


def sure(response):
    return re.search(r'name="sure" value="(\w+)"', source_of(response))[1]


def state(world):
    return Registration.objects.get(pk=world.registration.pk).state


@pytest.mark.parametrize("page", ["/desk/", DESK, f"{DESK}?page=2&words=a%20b"])
def test_a_decision_leads_back_where_one_was(desk, world, page):
    Membership.objects.filter(user=world.assessor).delete()
    assert f'name="next" value="{page.replace("&", "&amp;")}"' in source_of(desk.get(page))

    approved = desk.post(world.decide, {"approve": "yes", "seen": "pending", "next": page})
    refused = desk.post(world.decide, {"approve": "no", "reason": "Late.", "seen": "approved", "next": page})

    assert (approved.url, refused.url) == (page, page)


def test_a_decision_leads_to_no_other_site(desk, world):
    Membership.objects.filter(user=world.assessor).delete()

    assert desk.post(world.decide, {"approve": "yes", "next": "//evil.example/"}).url == "/desk/"


def test_approving_a_team_with_an_assessor_asks_first(desk, world):
    assert "Among its members is an assessor of the campaign: <bdi>assessor</bdi>." in source_of(desk.get(DESK))

    question = desk.post(world.decide, {"approve": "yes", "seen": "pending", "next": DESK})

    assert "assessor (assessor) of Lund assesses for Small" in source_of(question)
    assert state(world) == "pending"
    answer = {"approve": "yes", "seen": "pending", "next": DESK, "sure": sure(question)}
    assert desk.post(world.decide, answer).url == DESK
    assert state(world) == "approved"
    assert TrailEntry.objects.first().details["assessors"] == [world.assessor.pk]
    assert desk.post(world.decide, answer).url == DESK, "a second click"


def test_an_assessor_who_joined_after_the_question_is_asked_about(desk, world):
    question = desk.post(world.decide, {"approve": "yes", "seen": "pending"})
    world.track.assessors.add(world.alice)

    again = desk.post(world.decide, {"approve": "yes", "seen": "pending", "sure": sure(question)})

    assert "alice (alice) and assessor (assessor) of Lund assess for Small" in source_of(again)
    assert state(world) == "pending"


def test_refusing_asks_nothing(desk, world):
    desk.post(world.decide, {"approve": "no", "reason": "An assessor.", "seen": "pending"})

    assert state(world) == "refused"


def test_what_was_written_to_a_team_survives_another_s_decision(desk, world):
    Registration.objects.filter(pk=world.registration.pk).update(state="approved")

    late = desk.post(world.decide, {"approve": "no", "reason": "Typed for an hour.", "seen": "pending"})

    page = source_of(late)
    assert "The registration of Lund is approved by now." in page
    assert 'name="reason" value="Typed for an hour."' in page
    assert state(world) == "approved"
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))
    desk.post(world.decide, fields)
    assert state(world) == "refused"


def test_organisers_hear_of_an_assessor_where_nobody_has_to_approve(world):
    Membership.objects.create(team=world.alices, user=world.assessor)
    Registration.objects.filter(team=world.alices).delete()

    register(world.campaign, by=By(world.alice), team=world.alices, accepted=True)

    told = Notification.objects.get(user=world.organiser, kind="registration")
    assert told.text == (
        "Lund has registered for Small. Among its members are assessors of the campaign: assessor (assessor)."
    )


def test_organisers_hear_of_an_assessor_who_joins_a_team(world):
    join(invite(world.alices, by=By(world.alice)), by=By(world.assessor))

    told = Notification.objects.get(user=world.organiser)
    assert told.text == "assessor, who assesses for Small, has joined Lund, which takes part."


def test_making_a_participant_an_assessor_asks(client, world):
    client.force_login(world.organiser)
    address, fields = f"{DESK}tracks/ad-hoc/", {"name": "Ad hoc", "collection": world.collection.pk}

    question = client.post(address, fields | {"assessors": "assessor bob"})

    assert question.status_code == 422
    assert "bob (bob) is in Delft. Assessors may know the answer key." in source_of(question)
    assert set(world.track.assessors.all()) == {world.assessor}
    assert client.post(address, fields | {"assessors": "assessor bob", "sure": sure(question)}).status_code == 302
    assert client.post(address, fields | {"assessors": "assessor bob"}).status_code == 302, "bob assesses already"


def test_all_unknown_assessors_are_told_at_once(client, world):
    client.force_login(world.organiser)

    page = source_of(client.post(f"{DESK}tracks/ad-hoc/", {"name": "Ad hoc", "assessors": "nemo outis"}))

    assert "“nemo”" in page and "“outis”" in page
