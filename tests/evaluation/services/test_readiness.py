"""`/readyz` says which part cannot do its work, in bounded time; `status.json` says by its code if all is well."""

import threading
import time

import pytest
from django.core.files.storage import default_storage

from campaign.machinery.heartbeats import beat
from campaign.machinery.storage import sweep_storage
from evaluation.services import readiness
from evaluation.services.readiness import NotReady, Readiness


@pytest.fixture
def parts(monkeypatch):
    """Return the questions that are put, all answered well; and ask anew each time."""
    asked = dict.fromkeys(readiness.PROBES, lambda: None)
    monkeypatch.setattr(readiness, "PROBES", asked)
    monkeypatch.setattr(readiness, "PATIENCE", 0.3)
    monkeypatch.setattr("evaluation.views.status.READINESS", Readiness())
    return asked


def test_a_site_that_can_do_its_work_is_ready(client, parts):
    response = client.get("/readyz")

    assert response.status_code == 200
    assert response.json() == {"ready": True, "parts": dict.fromkeys(["database", "queue", "storage", "workers"], "ok")}
    assert response["Cache-Control"] == "no-store"


@pytest.mark.parametrize("part", ["database", "queue", "storage", "workers"])
def test_the_part_that_cannot_is_named_and_no_secret_with_it(client, parts, part):
    def fail():
        raise OSError("could not connect as limelight:password")

    parts[part] = fail

    response = client.get("/readyz")

    assert response.status_code == 503
    assert response.json()["ready"] is False
    assert {name: answer for name, answer in response.json()["parts"].items() if answer != "ok"} == {
        part: "does not answer"
    }


def test_a_part_that_hangs_does_not_hang_the_answer_and_is_asked_once(parts, monkeypatch):
    monkeypatch.setattr(readiness, "FRESH", 0)
    go_on, asked = threading.Event(), []

    def hang():
        asked.append(1)
        go_on.wait(20)

    parts["queue"] = hang
    ready, began = Readiness(), time.monotonic()

    answers = [ready.answers() for _ in range(3)]

    assert time.monotonic() - began < 5
    assert [answer["queue"] for answer in answers] == ["no answer in 0.3 s"] * 3
    assert all(answer["database"] == "ok" for answer in answers)
    assert asked == [1]
    go_on.set()
    ready._asking["queue"].thread.join()
    parts["queue"] = lambda: None
    ready.answers()
    assert ready.answers()["queue"] == "ok"


def test_many_who_ask_at_once_cost_no_more_than_one(parts):
    asked = []
    parts["database"] = lambda: asked.append(1)
    ready = Readiness()

    for _ in range(20):
        ready.answers()

    assert asked == [1]


def test_the_storage_is_written_to_and_left_as_it_was(world):
    readiness.ask_storage()

    folder = default_storage.path("ready")
    assert default_storage.listdir(f"{folder}/unfinished") == ([], [])
    assert sweep_storage() == 0


def test_a_storage_that_cannot_be_written_to_is_not_ready(world, settings, tmp_path):
    (tmp_path / "a-file").write_text("where a folder should be")
    settings.MEDIA_ROOT = tmp_path / "a-file"

    with pytest.raises(OSError):
        readiness.ask_storage()


def test_a_folder_for_uploads_that_cannot_be_used_is_not_ready(world, settings, tmp_path):
    settings.TEMPORARY_DIR = tmp_path / "file"
    settings.TEMPORARY_DIR.write_text("not a folder")

    with pytest.raises(OSError):
        readiness.ask_storage()


def test_the_queue_and_the_database_are_asked(world):
    readiness.ask_queue()
    readiness.ask_database()


def test_silent_workers_are_named(world):
    beat("sweep")

    with pytest.raises(NotReady, match="silent: worker"):
        readiness.ask_workers()
    beat("worker")
    readiness.ask_workers()


def test_status_json_says_by_its_code_whether_all_is_well(client, world):
    assert (client.get("/status.json").status_code, client.get("/status.json").json()["well"]) == (503, False)
    beat("worker")
    beat("sweep")

    assert (client.get("/status.json").status_code, client.get("/status.json").json()["well"]) == (200, True)
    assert client.get("/status/").status_code == 200
