"""Topics from files: looked at first, taken over by their hash, on the page and on the command line."""

import re
from io import BytesIO, StringIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command

from campaign.models import Run, Topic, TrailEntry
from campaign.services.acting import By
from campaign.services.refusals import Refused
from campaign.services.runs.checks import check_run
from campaign.services.setup.topics import confirm_topics, preview_topics, preview_upload
from tests.pages import source_of

FILE = b"""<inex-topic-file>
<topic id="1"><title>topic 1</title></topic>
<topic id="2"><title>another title</title></topic>
<topic id="4"><title>lamps</title><narrative>All of them.</narrative></topic>
</inex-topic-file>"""
TREC = b"<top>\n<num> Number: 451\n<title> What is a Bengals cat?\n</top>\n"
UPLOAD = "/desk/campaigns/small/tracks/ad-hoc/topics/"


def upload(content=FILE, name="topics.xml"):
    return {"file": SimpleUploadedFile(name, content)}


def topics_of(world):
    return list(world.track.topics.values_list("number", "title"))


@pytest.fixture
def organiser(client, world):
    client.force_login(world.organiser)
    return client


def test_a_file_is_looked_at_before_anything_changes(organiser, world):
    before = topics_of(world)

    response = organiser.post(UPLOAD, upload())

    page = source_of(response)
    assert response.status_code == 200
    assert "3 topics: 1 new, 1 changed, 1 unchanged" in page
    assert "1 topic of the track is not in the file and stays as it is." in page
    assert [record.identifier for record in response.context["preview"].first] == ["4", "2"]
    assert topics_of(world) == before
    assert not TrailEntry.objects.exists()


def test_topics_are_taken_over_once_they_are_confirmed(organiser, world):
    sent = {"sha256": organiser.post(UPLOAD, upload()).context["preview"].sha256, "file_name": "topics.xml"}

    response = organiser.post(f"{UPLOAD}confirm/", sent, follow=True)

    assert "Ad hoc: 3 topics: 1 new, 1 changed, 1 unchanged." in source_of(response)
    assert topics_of(world) == [("1", "topic 1"), ("2", "another title"), ("3", "topic 3"), ("4", "lamps")]
    entry = TrailEntry.objects.get()
    assert (entry.deed, entry.subject, entry.actor) == ("imported", "topics of Ad hoc", world.organiser)
    assert entry.details["new"] == 1 and entry.details["file_name"] == "topics.xml"
    organiser.post(f"{UPLOAD}confirm/", sent)  # a second click
    assert TrailEntry.objects.count() == 1
    assert len(topics_of(world)) == 4


def test_new_numbers_check_runs_again(organiser, world):
    run = world.submit(b"4 Q0 a 1 1.0 r 0 5\n")
    check_run(run.pk)
    run.refresh_from_db()
    assert run.state == Run.State.REJECTED
    sha256 = organiser.post(UPLOAD, upload()).context["preview"].sha256

    page = source_of(organiser.post(f"{UPLOAD}confirm/", {"sha256": sha256}, follow=True))

    assert "1 run is checked again in the background." in page
    check_run(run.pk)
    run.refresh_from_db()
    assert run.state == Run.State.VALID


def test_other_texts_check_no_run_again(world):
    run = world.submit()
    check_run(run.pk)
    preview = preview_upload(world.track, BytesIO(FILE.replace(b'id="4"', b'id="3"')))

    confirm_topics(world.track, by=By(world.organiser), sha256=preview.sha256)

    run.refresh_from_db()
    assert run.state == Run.State.VALID


@pytest.mark.parametrize("sha256", ["", "../../secret", "0" * 64, "F" * 64])
def test_a_preview_that_is_gone_is_refused(world, sha256):
    with pytest.raises(Refused, match=r"This preview is out of date. Upload the file once more."):
        confirm_topics(world.track, by=By(world.organiser), sha256=sha256)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "empty"),
        (b"1 Q0 a 1", "The file holds assessments, not topics. Choose another file."),
        (b"salt and pepper", "The file isn&#x27;t XML. Topics are read from INEX or TREC topic files."),
        (b"<inex-topic-file/>", "The file holds no topics."),
        (FILE.replace(b'id="4"', b'id="1"'), "<b>Line 4:</b> topic 1 was already given in line 2."),
        (
            FILE.replace(b'id="4"', b'id="' + b"9" * 65 + b'"'),
            "<b>Line 4:</b> the topic&#x27;s number is longer than 64 characters, the most that is kept.",
        ),
        (b"\x00\xff" * 100, "The file is binary, not text."),
    ],
)
def test_rubbish_is_told_with_its_lines_and_changes_nothing(organiser, world, content, sentence):
    before = topics_of(world)

    response = organiser.post(UPLOAD, upload(content))

    assert response.status_code == 422
    assert sentence in source_of(response)
    assert topics_of(world) == before


def test_no_file_is_refused(organiser):
    response = organiser.post(UPLOAD)

    assert response.status_code == 422
    assert "Choose a file." in source_of(response)


def test_a_file_that_is_too_large_says_what_else_can_be_done(organiser, settings):
    settings.UPLOAD_LIMIT_MB = 0

    response = organiser.post(UPLOAD, upload())

    assert response.status_code == 422
    sentence = "This file is larger than 0 MB. Compress it, or import it on the server with manage.py import_topics."
    assert sentence in source_of(response)


def test_trec_topics_are_read_too(world):
    assert preview_topics(world.track, BytesIO(TREC)).sentence == "1 topic: 1 new, 0 changed, 0 unchanged"


def command(*arguments):
    out = StringIO()
    call_command("import_topics", *map(str, arguments), stdout=out)
    return out.getvalue().strip()


def test_the_command_imports_and_says_what(world, tmp_path):
    file = tmp_path / "topics.xml"
    file.write_bytes(FILE)

    dry = command("small/ad-hoc", file, "--dry-run")
    assert dry == "3 topics: 1 new, 1 changed, 1 unchanged. Nothing was changed."
    assert len(topics_of(world)) == 3

    assert command("small/ad-hoc", file) == "3 topics: 1 new, 1 changed, 1 unchanged."
    assert len(topics_of(world)) == 4
    entry = TrailEntry.objects.get()
    assert (entry.actor, entry.through, entry.details["file"]) == (None, "command", "topics.xml")


@pytest.mark.parametrize("options", [(), ("--dry-run",)])
def test_the_command_fails_in_sentences(world, tmp_path, options):
    broken = tmp_path / "broken.xml"
    broken.write_bytes(FILE.replace(b'id="4"', b'id="1"'))

    with pytest.raises(CommandError, match=r"There is no track small/nothing. Write it as campaign/track"):
        command("small/nothing", broken, *options)
    with pytest.raises(CommandError, match="There is no file"):
        command("small/ad-hoc", tmp_path / "missing.xml", *options)
    with pytest.raises(CommandError, match=r"broken.xml: Line 4: topic 1 was already given in line 2."):
        command("small/ad-hoc", broken, *options)


def test_topics_that_came_in_by_mistake_are_removed_and_runs_checked_again(organiser, world):
    run = world.submit()
    check_run(run.pk)

    asked = source_of(organiser.post(f"{UPLOAD}remove/", {"numbers": " 3, 2 2"}))
    assert "Remove 2 topics of Ad hoc?" in asked and "Valid runs that are checked again" in asked
    assert len(topics_of(world)) == 3
    yes = {"numbers": " 3, 2 2", "sure": re.search(r'name="sure" value="(\w+)"', asked)[1]}
    Topic.objects.filter(number="2").update(title="changed meanwhile")
    again = source_of(organiser.post(f"{UPLOAD}remove/", yes))
    assert "The topics or runs changed after you were asked. Nothing was removed." in again
    yes["sure"] = re.search(r'name="sure" value="(\w+)"', again)[1]
    page = source_of(organiser.post(f"{UPLOAD}remove/", yes, follow=True))

    assert "2 topics of Ad hoc removed. 1 run is checked again in the background." in page
    assert topics_of(world) == [("1", "topic 1")]
    entry = TrailEntry.objects.get()
    assert (entry.deed, entry.subject, entry.details) == (
        "deleted",
        "topics of Ad hoc",
        {"topics": ["3", "2"], "rechecked": 1},
    )
    check_run(run.pk)
    run.refresh_from_db()
    assert run.state == Run.State.REJECTED


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        (" ", "Write the numbers of the topics that are to go."),
        ("3 9", "Ad hoc has no topic 9. Nothing was removed."),
        ("4 3", "Topic 3 is in assessments or in a pool, and those stay. Nothing was removed."),
    ],
)
def test_topics_that_something_stands_on_stay(organiser, world, numbers, sentence):
    world.import_assessments()
    Topic.objects.create(track=world.track, number="4", position=4)

    assert sentence in source_of(organiser.post(f"{UPLOAD}remove/", {"numbers": numbers}, follow=True))
    assert world.track.topics.count() == 4
