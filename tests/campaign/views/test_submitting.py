"""What a file says about itself before it is sent: who is answered, how often, and about how much."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from campaign.machinery.limits import RateLimit
from campaign.models import Run
from limelight.formats.runs.beginning import BEGINNING_SIZE
from tests.world import ASSESSMENTS, GOOD_RUN

BEGINNING = "/campaigns/small/ad-hoc/focused/submit/beginning/"


def look_at(client, content=GOOD_RUN):
    return client.post(BEGINNING, {"file": SimpleUploadedFile("b.fol", content)})


def test_the_beginning_of_a_file_fills_the_form(client, world):
    client.force_login(world.alice)

    said = look_at(client).json()

    assert said == {"name": "good", "description": "", "query": "", "topic_fields": [], "problem": ""}
    assert client.post(BEGINNING).json() == {}
    assert client.get(BEGINNING).status_code == 405
    assert not Run.objects.exists()


def test_an_organiser_who_submits_for_a_team_has_its_file_looked_at(client, world):
    client.force_login(world.organiser)

    assert look_at(client).json()["name"] == "good"


@pytest.mark.parametrize("person", ["visitor_with_account", "assessor"])
def test_only_those_who_could_submit_have_a_file_looked_at(client, world, person):
    client.force_login(getattr(world, person))

    response = look_at(client)

    assert response.status_code == 403
    assert "Submissions are for registered teams" in response.content.decode()


def test_files_are_looked_at_only_so_often(client, world, monkeypatch):
    monkeypatch.setattr("campaign.views.submitting.BEGINNINGS", RateLimit("beginning", most=2, seconds=600))
    client.force_login(world.alice)

    responses = [look_at(client) for _ in range(3)]

    assert [response.status_code for response in responses] == [200, 200, 429]
    assert 0 < int(responses[-1]["Retry-After"]) <= 600


def test_no_more_than_the_beginning_is_taken(client, world):
    client.force_login(world.alice)

    assert look_at(client, GOOD_RUN.ljust(BEGINNING_SIZE, b"\n")).status_code == 200
    assert look_at(client, GOOD_RUN.ljust(BEGINNING_SIZE + 1, b"\n")).status_code == 413


def test_a_file_that_is_no_run_is_told_before_it_is_sent(client, world):
    client.force_login(world.alice)

    assert look_at(client, ASSESSMENTS).json()["problem"] == (
        "The file holds assessments, not a run. Choose another file."
    )
