"""What people and programs hear when the disk is full or the database is away: a status and a sentence."""

import errno
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connection
from django.test import Client

from campaign.faults import AWAY, NO_ROOM, STORAGE_AWAY
from campaign.machinery import whole_files
from campaign.models import Run
from campaign.services.runs.checks import check_run
from config import uploads
from tests.world import ASSESSMENTS, GOOD_RUN

SUBMIT = "/campaigns/small/ad-hoc/focused/submit/"
FOCUSED = "/campaigns/small/ad-hoc/focused"


def fill_while_storing(monkeypatch):
    """Let the disk be full in the middle of the next file that is put into place."""

    def half(source, target, length):
        target.write(source.read(40))
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(whole_files.shutil, "copyfileobj", half)


def full_device():
    return Path("/dev/full").open("w+b", buffering=4096)


def fill_while_spooling(monkeypatch):
    """Write uploads to the kernel's own full device."""
    monkeypatch.setattr(uploads, "temporary_file", full_device)


def fill_the_database(monkeypatch):
    """Let SQLite's file not grow any more; what is in its pages already can be read and changed."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA page_count")
        pages = cursor.fetchone()[0]
        cursor.execute(f"PRAGMA max_page_count = {pages}")


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO])
def test_a_storage_that_cannot_be_written_is_said_to_be_away(alice, world, monkeypatch, number):
    def refuse(*arguments):
        raise OSError(number, "no")

    monkeypatch.setattr(whole_files.shutil, "copyfileobj", refuse)

    answer = alice.post(SUBMIT, {"team": world.alices.pk, "file": SimpleUploadedFile("r.fol", GOOD_RUN), "name": "r"})

    assert answer.status_code == 503
    assert STORAGE_AWAY in answer.content.decode()
    assert not Run.objects.exists()


@pytest.fixture
def emptied():
    yield
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count = 4294967294")


@pytest.fixture
def alice(world):
    client = Client(raise_request_exception=False)
    client.force_login(world.alice)
    return client


def sent(world, **more):
    return {"file": SimpleUploadedFile("mine.fol", GOOD_RUN), "team": world.alices.pk, "name": "mine"} | more


FULL = [fill_while_storing, fill_while_spooling]


@pytest.mark.parametrize("fill", FULL)
def test_a_full_disk_is_told_and_the_next_try_is_all_there(alice, world, monkeypatch, fill, settings):
    with monkeypatch.context() as full:
        fill(full)
        response = alice.post(SUBMIT, sent(world))

    assert response.status_code == 507
    assert NO_ROOM in response.content.decode()
    assert not Run.objects.exists()
    assert not [path for path in settings.MEDIA_ROOT.rglob("*") if path.is_file()]

    assert alice.post(SUBMIT, sent(world)).status_code == 302
    run = Run.objects.get()
    check_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.result_count) == (Run.State.VALID, 4)


@pytest.mark.parametrize("fill", FULL)
def test_a_full_disk_is_told_to_our_script_so_that_the_form_stays(alice, world, monkeypatch, fill):
    fill(monkeypatch)

    response = alice.post(SUBMIT, sent(world), headers={"X-Requested-With": "XMLHttpRequest"})

    assert response.status_code == 507
    assert response.json() == {"errors": {"__all__": [NO_ROOM]}}


@pytest.mark.parametrize("fill", FULL)
def test_a_full_disk_is_told_to_programs(api, world, monkeypatch, fill):
    upload = {"file": SimpleUploadedFile("mine.fol", GOOD_RUN), "name": "mine"}
    with monkeypatch.context() as full:
        fill(full)
        response = api(world.alice).post(f"{FOCUSED}/runs", upload, headers={"Idempotency-Key": "one"})

    assert response.status_code == 507
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["detail"] == NO_ROOM
    upload["file"].seek(0)
    again = api(world.alice).post(f"{FOCUSED}/runs", upload, headers={"Idempotency-Key": "one"})
    assert again.status_code == 201


@pytest.mark.parametrize(
    ("path", "field", "content"),
    [
        ("/desk/campaigns/small/tracks/ad-hoc/collection/", "file", b"a 200\n"),
        ("/desk/campaigns/small/tracks/ad-hoc/topics/", "file", b'<topic id="9"><title>nine</title></topic>'),
        ("/desk/campaigns/small/ad-hoc/assessments/upload/", "ad-hoc-file", ASSESSMENTS),
    ],
)
@pytest.mark.parametrize("fill", FULL)
def test_a_full_disk_is_told_wherever_files_are_uploaded(world, monkeypatch, fill, path, field, content):
    client = Client(raise_request_exception=False)
    client.force_login(world.organiser)
    fill(monkeypatch)

    response = client.post(path, {field: SimpleUploadedFile("some.txt", content)})

    assert response.status_code == 507
    assert not world.track.assessment_imports.exists() and not world.collection.imports.exists()


@pytest.mark.slow
def test_a_full_database_is_the_same_as_a_full_disk(alice, api, world, monkeypatch, emptied):
    program = api(world.alice)
    fill_the_database(monkeypatch)
    long = "x" * 2000

    statuses = [alice.post(SUBMIT, sent(world, name=f"run-{number}", description=long)) for number in range(40)]
    upload = {"file": SimpleUploadedFile("mine.fol", GOOD_RUN), "name": "by-program", "description": long}
    answer = program.post(f"{FOCUSED}/runs", upload)

    assert {response.status_code for response in statuses} <= {302, 507}
    assert statuses[-1].status_code == 507
    assert NO_ROOM in statuses[-1].content.decode()
    assert (answer.status_code, answer.json()["detail"]) == (507, NO_ROOM)


def test_an_upload_leaves_no_name_in_any_folder(alice, world, settings, monkeypatch):
    seen = []

    def look(stream, folder):
        seen.extend(settings.TEMPORARY_DIR.iterdir())
        raise OSError(errno.ENOSPC, "stop here")

    monkeypatch.setattr("campaign.services.runs.submissions.store", look)

    alice.post(SUBMIT, sent(world))

    assert settings.TEMPORARY_DIR.is_dir()
    assert seen == []


def test_a_database_that_is_away_is_told_so(alice, world, monkeypatch):
    def away(*arguments, **options):
        raise OperationalError("connection to server failed: password=secret")

    monkeypatch.setattr("evaluation.services.front.Campaign.objects.listed_for", away)

    response = alice.get("/")

    assert (response.status_code, response["Retry-After"]) == (503, "60")
    assert AWAY in response.content.decode()
    assert "secret" not in response.content.decode()


def test_what_nobody_foresaw_stays_our_fault(alice, world, monkeypatch):
    monkeypatch.setattr("evaluation.views.home.render", lambda *arguments: 1 / 0)

    response = alice.get("/")

    assert response.status_code == 500
    assert "This one is our fault" in response.content.decode()
