"""Collections uploaded on the desk: read in the background, resumed, rejected, failed, and told."""

import io
import zipfile
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from campaign.machinery.leases import MAX_ATTEMPTS
from campaign.models import Campaign, Collection, CollectionImport, Document, Notification, Run, Track, TrailEntry
from campaign.services.acting import By
from campaign.services.documents import changes as collection_changes
from campaign.services.documents import imports as collection_imports
from campaign.services.documents import versions as collection_versions
from campaign.services.documents.imports import read_collection, receive_collection
from campaign.services.refusals import Refused
from campaign.services.runs.checks import check_run
from campaign.services.telling.notifications import LONG_READING
from evaluation.services.sweep import sweep, wake_for_what_waits
from tests.pages import source_of

DESK = "/desk/campaigns/small"
UPLOAD = f"{DESK}/tracks/ad-hoc/collection/"


def archive(count=3, **others):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as packed:
        for number in range(count):
            packed.writestr(f"d{number:04}.xml", f"<a><p>text {number}</p></a>")
        for name, content in others.items():
            packed.writestr(f"{name}.xml", content)
    return target.getvalue()


def received(world, content, name="documents.zip"):
    upload = SimpleUploadedFile(name, content)
    return receive_collection(world.collection, by=By(world.organiser), upload=upload, file_name=name)


def read(row):
    read_collection(row.pk)
    row.refresh_from_db()
    return row


@pytest.fixture
def organiser(client, world):
    client.force_login(world.organiser)
    return client


def test_an_archive_is_uploaded_read_and_told(organiser, world):
    response = organiser.post(UPLOAD, {"file": SimpleUploadedFile("documents.zip", archive(3, broken="<a>"))})

    row = CollectionImport.objects.get()
    assert response.url == f"{DESK}/collection-imports/{row.pk}/"
    waiting = source_of(organiser.get(response.url))
    assert "A worker takes it up in a moment." in waiting and "hx-get" in waiting

    read(row)

    assert (row.state, row.done, row.total) == ("accepted", 4, 4)
    page = source_of(organiser.get(response.url))
    assert "4 documents in the file: 3 new, 0 changed, 0 unchanged, <strong>1 damaged</strong>." in page
    assert "had 7 documents then." in page
    assert "<bdi>broken</bdi>" in page and "hx-get" not in page
    assert "accepted without 1 document<" in page
    assert "accepted without 1 document<" in source_of(organiser.get(f"{DESK}/material/"))
    assert TrailEntry.objects.get().details | {"sha256": ""} == {
        "file": "documents.zip",
        "sha256": "",
        "documents": 4,
        "new": 3,
        "changed": 0,
        "damaged": 1,
    }


def test_a_list_of_ids_and_lengths_is_read(world):
    row = read(received(world, b"a 200\nx 10\n", "lengths.txt"))

    assert row.state == "accepted"
    counts = {"form": "list", "documents": 2, "new": 1, "changed": 0, "unchanged": 1, "damaged": 0, "absent": 3}
    assert {name: row.outcome[name] for name in counts} == counts
    assert (row.outcome["in_collection"], row.outcome["rechecked"]) == (5, 0)
    assert Document.objects.get(identifier="x").length == 10


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"a ten\nb 5\nb 6\n", "Line 1: "),
        (archive(0), "The archive holds no XML files."),
        (archive(300)[:-40], "The zip archive is damaged or packed in a way that isn't read here. Pack it again."),
        (b"\x00\x01\x02", ""),
    ],
)
def test_a_broken_file_is_rejected_and_leaves_nothing(organiser, world, content, problem):
    row = read(received(world, content))

    assert row.state == "rejected"
    assert row.problems[0].startswith(problem)
    assert Document.objects.count() == 4
    assert not TrailEntry.objects.exists()
    page = source_of(organiser.get(f"{DESK}/collection-imports/{row.pk}/"))
    assert "to mend. Nothing was imported." in page


def test_an_archive_that_holds_a_document_twice_leaves_nothing(world, monkeypatch):
    monkeypatch.setattr(collection_versions, "BATCH", 1)
    content = io.BytesIO(archive(5))
    with zipfile.ZipFile(content, "a") as packed:
        packed.writestr("again/d0001.xml", "<a/>")

    row = read(received(world, content.getvalue()))

    assert row.state == "rejected"
    assert Document.objects.count() == 4


def test_delivered_twice_it_is_read_once(world):
    row = read(received(world, archive()))
    since = row.state_since

    read(row)

    assert row.state_since == since
    assert TrailEntry.objects.count() == 1


def test_the_same_file_sent_twice_is_one_import(world):
    content = archive()  # a zip holds the time at which it was packed

    assert received(world, content) == received(world, content)


class Killed(BaseException):
    """The process ends here."""


def test_a_killed_worker_leaves_an_import_that_is_gone_on_with(world, monkeypatch):
    monkeypatch.setattr(collection_versions, "BATCH", 2)
    row, reading = received(world, archive(7)), collection_changes.read_document
    count = 0

    def dies(*arguments):
        nonlocal count
        count += 1
        if count == 6:
            raise Killed
        return reading(*arguments)

    monkeypatch.setattr(collection_changes, "read_document", dies)
    with pytest.raises(Killed):
        read_collection(row.pk)
    row.refresh_from_db()
    assert (row.state, row.prepared.documents.count(), world.collection.documents.count()) == ("reading", 4, 4)
    read(row)
    assert row.state == "reading"  # its lease still stands
    CollectionImport.objects.update(held_until=timezone.now() - timedelta(seconds=1), woken_at=None)
    woken = []
    monkeypatch.setattr("campaign.machinery.leases.wake", lambda *message: woken.append(message))
    wake_for_what_waits()

    assert ("campaign.tasks.read_collection", row.pk) in woken
    read(row)

    assert (row.state, row.outcome["new"], row.outcome["unchanged"]) == ("accepted", 7, 0)
    assert count == 6 + 3  # what was written is not read again
    assert world.collection.documents.count() == 11


def test_a_long_import_goes_on_in_slices(world, monkeypatch):
    monkeypatch.setattr(collection_versions, "BATCH", 1)
    monkeypatch.setattr(collection_imports, "SLICE", 0)
    woken = []
    monkeypatch.setattr("campaign.machinery.leases.wake", lambda *message: woken.append(message))
    row = received(world, archive(4))

    states = [read(row).state for _ in range(4)]

    assert states == ["received", "received", "received", "received"]
    assert row.attempts == 0
    assert len(woken) == 5
    assert (read(row).state, row.outcome["new"]) == ("accepted", 4)


def test_a_worker_that_lost_its_import_writes_nothing_more(world, monkeypatch):
    row = received(world, archive(3))
    monkeypatch.setattr(collection_imports, "TELL_EVERY", 0)
    written = collection_versions.stage

    def taken_over(*arguments, **options):
        CollectionImport.objects.update(token=None)
        return written(*arguments, **options)

    monkeypatch.setattr(collection_imports, "stage", taken_over)
    read(row)

    assert row.state == "reading"
    assert not TrailEntry.objects.exists()


def test_what_fails_three_times_on_our_side_ends_and_is_told(organiser, world, monkeypatch):
    row = received(world, archive())
    monkeypatch.setattr(collection_imports, "stage", lambda *_, **__: 1 / 0)
    for _ in range(MAX_ATTEMPTS):
        CollectionImport.objects.update(held_until=None)
        read(row)

    assert row.state == "failed"
    text = (
        f"Reading documents.zip into Letters failed on our side (ref. {row.failure_reference}). "
        "Nothing was imported. You can have it read again on its page."
    )
    assert Notification.objects.get(user=world.organiser).text == text
    assert f"failed on our side (ref. {row.failure_reference})" in source_of(
        organiser.get(f"{DESK}/collection-imports/{row.pk}/")
    )
    monkeypatch.undo()

    organiser.post(f"{DESK}/collection-imports/{row.pk}/again/")

    assert read(row).state == "accepted"
    organiser.post(f"{DESK}/collection-imports/{row.pk}/again/")  # too late: it is done
    row.refresh_from_db()
    assert row.state == "accepted"


def test_the_sweep_ends_an_import_whose_workers_all_died(world):
    row = received(world, archive())
    CollectionImport.objects.update(state="reading", attempts=MAX_ATTEMPTS, held_until=timezone.now())

    sweep()

    row.refresh_from_db()
    assert row.state == "failed"
    assert Notification.objects.filter(user=world.organiser, kind="failed").exists()


def test_new_documents_check_runs_again(world):
    run = world.submit(b"1 Q0 x 1 1.0 r 0 5\n")
    check_run(run.pk)
    run.refresh_from_db()
    assert run.state == Run.State.REJECTED

    row = read(received(world, b"x 10\n"))

    assert row.outcome["rechecked"] == 1
    check_run(run.pk)
    run.refresh_from_db()
    assert run.state == Run.State.VALID


def test_a_collection_of_others_is_not_written_to(world):
    other = Campaign.objects.create(slug="other", name="Other", year=2026)
    Track.objects.create(campaign=other, slug="t", name="T", collection=world.collection)

    with pytest.raises(Refused, match=r"Letters is used by campaigns that you do not organise."):
        received(world, archive())


def test_an_empty_file_and_a_track_without_collection_are_refused(organiser, world):
    response = organiser.post(UPLOAD, {"file": SimpleUploadedFile("e.zip", b"")})
    assert response.status_code == 422
    assert "The file is empty." in source_of(response)
    Track.objects.update(collection=None)

    response = organiser.post(UPLOAD, {"file": SimpleUploadedFile("d.zip", archive())}, follow=True)

    assert "Ad hoc has no collection. Choose or make one first." in source_of(response)


def test_imports_of_other_campaigns_are_not_there(organiser, world):
    foreign = Collection.objects.create(slug="foreign", name="Foreign")
    row = CollectionImport.objects.create(collection=foreign, file_name="f", sha256="", size=1, stored_file="f")

    assert organiser.get(f"{DESK}/collection-imports/{row.pk}/").status_code == 404
    assert organiser.get(f"{DESK}/collection-imports/{row.pk}/state/").status_code == 404


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (archive(2), "documents.zip has been read: Letters has 2 new documents."),
        (b"x 10\ny ten\n", "documents.zip has 1 problem, so nothing of it came into Letters."),
    ],
    ids=["good", "broken"],
)
def test_whoever_had_to_wait_for_the_reading_is_told_of_it(world, content, told):
    row = received(world, content)
    CollectionImport.objects.update(created_at=timezone.now() - LONG_READING)

    read(row)

    told_of = Notification.objects.get()
    assert (told_of.user, told_of.kind, told_of.text) == (world.organiser, "import", told)
    assert told_of.address == f"{DESK}/collection-imports/{row.pk}/"
