"""The page a run is submitted on, and the run's page while it is worked on."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from campaign.models import Membership, Run
from campaign.services.runs.checks import check_run
from tests.pages import source_of
from tests.world import GOOD_RUN, score_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def submit(client, world):
    """Return a function that sends the form as alice does."""
    client.force_login(world.alice)
    address = reverse("submit", args=world.task.address)

    def submit(name="good", **headers):
        upload = SimpleUploadedFile("good.fol", GOOD_RUN)
        return client.post(address, {"team": world.alices.pk, "file": upload, "name": name}, headers=headers)

    return submit


def page_of(client, world):
    client.force_login(world.alice)
    return source_of(client.get(reverse("submit", args=world.task.address)))


def test_a_task_without_a_limit_says_so(client, world):
    assert "may submit any number of runs: this task has no limit." in page_of(client, world)


def test_a_task_with_a_limit_tells_the_places_left(client, world):
    world.task.quota = 3
    world.task.save()

    page = page_of(client, world)

    assert "has 3 of 3 places left" in page
    assert "no limit" not in page


def test_the_page_names_the_one_team_it_submits_for(client, world):
    assert "For the team <strong><bdi>Lund</bdi></strong>" in page_of(client, world)


def test_who_has_two_teams_chooses(client, world):
    Membership.objects.create(team=world.bobs, user=world.alice)

    page = page_of(client, world)

    assert "For the team" not in page
    assert re.search(r'<select name="team".*Delft.*Lund', page, re.DOTALL)


@pytest.mark.parametrize("headers", [{}, {"X-Requested-With": "XMLHttpRequest"}])
def test_the_same_file_under_the_same_name_leads_to_the_run_and_says_so(client, submit, headers):
    submit()

    answer = submit(**headers)

    run = Run.objects.get()
    assert (answer.json()["address"] if headers else answer.url) == run.get_absolute_url()
    page = source_of(client.get(run.get_absolute_url()))
    assert "This is the run you already have: the same file came under the same name on" in page
    assert "Nothing was taken in twice." in page


def test_a_new_run_is_not_told_to_be_an_old_one(client, submit):
    submit()
    submit("another")

    page = source_of(client.get(Run.objects.get(name="another").get_absolute_url()))

    assert "already have" not in page


def test_while_a_run_is_worked_on_only_its_state_is_sent(client, world):
    run = world.submit()
    client.force_login(world.alice)

    response = client.get(reverse("run-state", args=[run.pk]))

    assert source_of(response).startswith('<section id="state"')
    assert "HX-Retarget" not in response


def test_after_scoring_the_whole_page_is_sent_anew(client, world):
    world.activate()
    run = world.submit()
    check_run(run.pk)
    score_run(run.pk)
    client.force_login(world.alice)

    response = client.get(reverse("run-state", args=[run.pk]))

    assert (response["HX-Retarget"], response["HX-Reswap"]) == ("#run", "outerHTML")
    page = source_of(response)
    assert page.startswith('<div id="run">')
    assert "passage results" in page
    assert reverse("run-export", args=[run.pk, "xml"]) in page
