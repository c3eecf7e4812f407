"""The status page tells everyone whether the queue is alive."""

from datetime import timedelta
from io import BytesIO
from unittest.mock import patch

from django.utils import timezone
from kombu.exceptions import OperationalError

from assessments.services.previews import take_file
from campaign.machinery.heartbeats import beat
from campaign.models import Heartbeat, Run
from campaign.services.acting import By
from campaign.services.runs.checks import check_run
from config.celery import app
from evaluation.models import Edition, Evaluation
from evaluation.services.scoring import evaluate
from evaluation.services.status import status
from tests.pages import source_of
from tests.world import ASSESSMENTS, score_run


def test_a_new_site_is_silent_until_its_parts_have_worked(client, world):
    page = source_of(client.get("/status/"))

    assert "something is silent" in page
    assert page.count("never") == 2
    beat("worker")
    beat("sweep")
    assert "all is well" in source_of(client.get("/status/"))


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
    score_run(run.pk)
    scored = client.get("/status.json").json()

    assert (waiting["waiting"], waiting["last_scored"]) == (1, None)
    assert waiting["oldest_waiting"] < timezone.now().isoformat()
    assert (scored["waiting"], scored["oldest_waiting"]) == (0, None)
    assert scored["last_scored"]


def test_files_that_organisers_uploaded_wait_in_the_same_queue(world):
    take_file(world.track, by=By(world.organiser), upload=BytesIO(ASSESSMENTS), file_name="v.qrels")

    assert (status().waiting, status().working) == (1, 0)


def alive():
    beat("worker")
    beat("sweep")


def test_messages_and_runs_that_nobody_queued_are_told(client, world):
    app.control.purge()  # other tests of this process may have sent some
    world.activate()
    with patch("campaign.valid_runs._following", []):  # as if two had met at a bad moment
        check_run(world.submit().pk)

    told = client.get("/status.json").json()
    page = source_of(client.get("/status/"))

    assert (told["not_entered"], told["messages"]) == (1, 0)
    assert "<dt>Runs not yet queued for scoring</dt><dd>1</dd>" in page
    assert "<dt>Messages in the queue</dt><dd>none</dd>" in page


def test_a_queue_that_does_not_answer_is_told(client, world, monkeypatch):
    def away():
        raise OperationalError("away")

    monkeypatch.setattr("evaluation.services.status.messages_waiting", away)

    assert client.get("/status.json").json()["messages"] is None
    assert "the queue does not answer" in source_of(client.get("/status/"))


def test_a_site_that_scores_too_slowly_is_not_well(client, world):
    alive()
    world.activate()
    run = world.submit()
    check_run(run.pk)
    score_run(run.pk)
    assert client.get("/status.json").json()["well"]

    came = timezone.now() - timedelta(minutes=13)
    Run.objects.update(created_at=came)
    Edition.objects.update(live_at=came - timedelta(minutes=1))

    told = client.get("/status.json").json()
    assert (told["well"], round(told["usual_seconds"] / 60)) == (False, 13)
    assert "not well: too slow" in source_of(client.get("/status/"))


def test_a_new_board_does_not_hide_how_long_runs_took_before_it(world):
    alive()
    world.activate()
    run = world.submit()
    check_run(run.pk)
    score_run(run.pk)
    came = timezone.now() - timedelta(minutes=13)
    Run.objects.update(created_at=came)
    Edition.objects.update(live_at=came - timedelta(minutes=1))

    world.activate()
    evaluate()

    assert Edition.objects.live().get().number == 2
    assert round(status().usual_seconds / 60) == 13


def test_runs_that_were_there_before_their_board_say_nothing_about_the_pace(world):
    alive()
    check_run(world.submit().pk)
    Run.objects.update(created_at=timezone.now() - timedelta(minutes=30))
    world.activate()
    evaluate()

    assert status().usual_seconds is None
    assert status().is_well


def test_a_job_that_waits_too_long_is_not_well_unless_it_builds_a_new_edition(world):
    alive()
    run = world.submit()
    assert status().is_well

    Run.objects.update(state_since=timezone.now() - timedelta(minutes=3))
    assert not status().is_well

    check_run(run.pk)
    world.activate()
    Evaluation.objects.update(state_since=timezone.now() - timedelta(minutes=3))
    assert status().is_well

    Edition.objects.update(state="live")
    assert not status().is_well
