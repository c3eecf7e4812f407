"""One rule for three doors: the form, the API and an organiser who submits for a team ask the same `may_submit`."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from campaign.models import Registration, Run
from campaign.services.people.tokens import create_token
from tests.world import GOOD_RUN

ADDRESS = "campaigns/small/ad-hoc/focused"


def through_the_form(client, world):
    client.force_login(world.alice)
    response = client.post(f"/{ADDRESS}/submit/", {"file": file(), "team": world.alices.pk, "name": "door"})
    return response.content.decode()


def through_the_api(client, world):
    _, secret = create_token(world.alice, "door")
    response = client.post(
        f"/api/v1/{ADDRESS}/runs", {"file": file(), "name": "door"}, headers={"Authorization": f"Bearer {secret}"}
    )
    return response.content.decode()


def through_an_organiser(client, world):
    client.force_login(world.organiser)
    fields = {"file": file(), "team": world.alices.pk, "name": "door"}
    return client.post(f"/{ADDRESS}/submit/?for=lund", fields).content.decode()


def file():
    return SimpleUploadedFile("door.fol", GOOD_RUN)


DOORS = [through_the_form, through_the_api, through_an_organiser]


def too_late(world):
    world.task.closes_at = timezone.now() - timedelta(minutes=1)
    world.task.save()
    return "This task closed on"


def too_early(world):
    world.task.opens_at = timezone.now() + timedelta(hours=1)
    world.task.save()
    return "This task opens on"


def no_place_left(world):
    world.task.quota = 1
    world.task.save()
    world.submit(name="first")
    return "Lund has used its only run for this task."


def not_approved(world):
    Registration.objects.update(state=Registration.State.PENDING)
    return "registration of Lund is waiting for approval"


def old_agreement(world):
    world.campaign.agreement_version = 2
    world.campaign.save()
    return "The agreement of Small has a new version."


@pytest.mark.parametrize("door", DOORS)
def test_every_door_is_open_while_the_task_is(client, world, door):
    door(client, world)

    assert Run.objects.get(name="door").team == world.alices


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("closing", [too_late, too_early, no_place_left, not_approved, old_agreement])
def test_what_closes_one_door_closes_all(client, world, door, closing):
    sentence = closing(world)

    answer = door(client, world)

    assert not Run.objects.filter(name="door").exists()
    if closing is not not_approved:  # the team isn't even offered
        assert sentence in answer


def test_nobody_else_submits_for_a_team(client, world):
    for person in (world.bob, world.assessor, world.visitor_with_account):
        client.force_login(person)
        client.post(f"/{ADDRESS}/submit/?for=lund", {"file": file(), "team": world.alices.pk, "name": "door"})

    assert not Run.objects.exists()


def test_organisers_choose_the_team_they_submit_for(client, world):
    client.force_login(world.organiser)

    page = client.get(f"/{ADDRESS}/submit/").content.decode()

    assert "As an organiser you can submit for" in page
    assert '<option value="lund">Lund</option>' in page
    client.force_login(world.alice)
    assert "As an organiser" not in client.get(f"/{ADDRESS}/submit/").content.decode()
