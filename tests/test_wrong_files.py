"""Every kind of wrong file to every slot of the site: one sentence, wherever it is put in."""

from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command

from assessments.services.previews import read_import, take_file
from campaign.services.acting import By
from campaign.services.documents.imports import read_collection, receive_collection
from campaign.services.runs.checks import check_run, dry_run
from campaign.services.runs.submissions import said_by
from campaign.services.setup.topics import preview_upload
from tests.limelight.formats import seeds
from tests.limelight.formats.wrong_files import FOL, PNG, PROSE, TEXTS
from tests.world import ASSESSMENTS

FILES = {
    "image": PNG,
    "table": TEXTS["CSV"],
    "prose": PROSE,
    "Word": TEXTS["Word"],
    "run": FOL,
    "XML run": seeds.SUBMISSION,
    "assessments": ASSESSMENTS,
    "graded": seeds.GRADED,
    "topics": seeds.TOPICS,
    "pool": seeds.POOL,
    "lengths": b"a 200\nb 200\nc 200\n",
}


def by_dry_run(world, upload):
    return [problem["message"] for problem in dry_run(world.task, upload).problems]


def by_submitting(world, upload):
    run = world.submit(upload.read())
    check_run(run.pk)
    run.refresh_from_db()
    return [problem["message"] for problem in run.problems]


def by_beginning(_world, upload):
    return [said_by(upload)["problem"]]


def by_assessments(world, upload):
    found = take_file(world.track, by=By(world.organiser), upload=upload, file_name="v")
    read_import(found.pk)
    found.refresh_from_db()
    return [problem["message"] for problem in found.problems]


def by_topics(world, upload):
    return [problem.message for problem in preview_upload(world.track, upload).problems]


def by_collection(world, upload):
    row = receive_collection(world.collection, by=By(world.organiser), upload=upload, file_name="v")
    read_collection(row.pk)
    row.refresh_from_db()
    return row.problems


SLOTS = {
    "dry run": (by_dry_run, ("run", "XML run")),
    "submission": (by_submitting, ("run", "XML run")),
    "beginning": (by_beginning, ("run", "XML run")),
    "assessments": (by_assessments, ("assessments", "graded")),
    "topics": (by_topics, ("topics",)),
    "collection": (by_collection, ("lengths",)),
}


@pytest.mark.parametrize("slot", SLOTS)
@pytest.mark.parametrize("name", FILES)
def test_a_wrong_file_gets_one_sentence_in_every_slot(world, name, slot):
    said, own = SLOTS[slot]

    sentences = said(world, SimpleUploadedFile("v", FILES[name]))

    if name not in own:
        assert len(sentences) == 1
        assert sentences[0].startswith(("The file ", "The fields are parted by commas"))


def test_the_api_says_the_same_sentence(world, api):
    for name in ("image", "table", "assessments", "topics"):
        form = {"file": SimpleUploadedFile("v", FILES[name])}

        told = api(world.alice).post("/campaigns/small/ad-hoc/focused/dry-run", form).json()

        assert [problem["message"] for problem in told["problems"]] == by_beginning(world, BytesIO(FILES[name]))


@pytest.mark.parametrize(
    ("command", "content", "sentence"),
    [
        (["import_topics", "small/ad-hoc"], FOL, "The file is a run, not topics."),
        (["import_assessments", "small/ad-hoc"], FOL, "The file is a run, not assessments."),
        (["import_collection", "letters"], FOL, "The file is a run, not documents."),
        (["import_topics", "small/ad-hoc"], PNG, "The file is a PNG image."),
        (["import_assessments", "small/ad-hoc"], PNG, "The file is a PNG image."),
        (["import_collection", "letters"], PNG, "The file is a PNG image."),
    ],
)
def test_commands_say_the_same_sentence(world, tmp_path, command, content, sentence, capsys):
    file = tmp_path / "v"
    file.write_bytes(content)

    with pytest.raises((CommandError, SystemExit)) as refused:
        call_command(*command, str(file))

    printed = capsys.readouterr()
    assert sentence in f"{refused.value}{printed.out}{printed.err}"


def test_a_folder_of_something_else_is_not_taken_for_documents(world, tmp_path):
    (tmp_path / "7.xml").write_bytes(seeds.GRADED)

    with pytest.raises(CommandError, match=r"7\.xml holds assessments, not a document\."):
        call_command("import_collection", "letters", str(tmp_path))
