"""The status page tells everyone whether the queue is alive."""

from datetime import timedelta
from io import BytesIO

from django.utils import timezone

from assessments.services.previews import take_file
from campaign.models import Heartbeat, Run
from campaign.services.checks import check_run
from campaign.services.heartbeats import beat
from evaluation.services.scoring import enter_run
from evaluation.services.status import status
from tests.world import ASSESSMENTS


def test_a_new_site_is_silent_until_its_parts_have_worked(client, world):
    page = client.get("/status/").content.decode()

    assert "something is silent" in page
    assert page.count("never") == 2
    beat("worker")
    beat("sweep")
    assert "all is well" in client.get("/status/").content.decode()


def test_a_worker_that_stopped_taking_messages_shows(world):
    beat("sweep")
    Heartbeat.objects.create(name="worker", at=timezone.now() - timedelta(minutes=2))

    found = status()

    assert not found.is_well
    assert {part.name: part.is_alive for part in found.parts} == {"worker": False, "sweep": True}


def test_what_waits_and_what_was_scored_last(client, world):
    world.activate()
    run = world.submit()
    Run.objects.update(state_since=timezone.now() - timedelta(minutes=5))
    waiting = client.get("/status.json").json()
    check_run(run.pk)
    enter_run(run.pk)
    scored = client.get("/status.json").json()

    assert (waiting["waiting"], waiting["last_scored"]) == (1, None)
    assert waiting["oldest_waiting"] < timezone.now().isoformat()
    assert (scored["waiting"], scored["oldest_waiting"]) == (0, None)
    assert scored["last_scored"]


def test_files_that_organisers_uploaded_wait_in_the_same_queue(world):
    take_file(world.track, BytesIO(ASSESSMENTS), file_name="v.qrels", user=world.organiser)

    assert (status().waiting, status().working) == (1, 0)
