"""One rule for lengths: the collection first, else the assessments where they may be seen, else no complaint."""

from datetime import timedelta
from io import BytesIO

import pytest
from django.utils import timezone

from campaign.models import Document, Run, Task
from campaign.services.runs.checks import check_run, dry_run
from evaluation.__main__ import main
from limelight.formats.runs.reading import read_run
from limelight.rules.checking import check
from limelight.rules.task_rules import Rules
from tests.world import ASSESSMENTS, World

PAST = b"1 Q0 a 1 9 past 150 51\n2 Q0 x 1 9 past 0 5000\n3 Q0 d 1 9 past 0 200\n"
SENTENCE = "topic 1 returns a at 150-201, but the document has only 200 characters of text."


@pytest.fixture
def world(db, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return World()


def without_collection(world):
    Document.objects.all().delete()
    world.import_assessments()


def messages(world, content=PAST):
    """Return the errors of a check on the site; the dry run must say the same."""
    run = world.submit(content, name=f"run-{Run.objects.count()}")
    check_run(run.pk)
    run.refresh_from_db()
    told = [problem["message"] for problem in run.problems if problem["severity"] == "error"]
    dry = [problem["message"] for problem in dry_run(world.task, BytesIO(content)).problems]
    assert [message for message in dry if message in told] == told
    assert (run.state == Run.State.REJECTED) == bool(told)
    return told


def publish(world):
    Task.objects.update(published_at=timezone.now() - timedelta(minutes=1), assessments_while_open=True)


def test_the_collection_tells_first(world):
    Document.objects.filter(identifier="a").update(length=500)
    world.import_assessments()
    publish(world)

    assert messages(world, PAST.replace(b" x ", b" b ").replace(b"5000", b"50")) == []


def test_hidden_assessments_tell_nothing(world):
    without_collection(world)

    assert messages(world) == []


def test_assessments_that_may_be_seen_tell_the_lengths_of_what_they_know(world):
    without_collection(world)
    publish(world)

    assert messages(world) == [SENTENCE]


def test_one_task_that_hides_the_assessments_hides_them_for_all(world):
    without_collection(world)
    publish(world)
    world.new_task("thorough", closes_at=timezone.now() + timedelta(days=1), assessments_visible="never")

    assert messages(world) == []


def test_without_any_knowledge_there_is_no_complaint(world):
    Document.objects.all().delete()
    publish(world)

    assert messages(world) == []


@pytest.mark.parametrize("content", [b"1 0 a 1\n2 0 c 1\n", b"1 Q0 a 0 200\n"])
def test_assessments_without_highlights_or_lengths_do_no_harm(world, content):
    Document.objects.all().delete()
    world.import_assessments(content)
    publish(world)

    told = messages(world)

    assert told == ([SENTENCE] if b"200" in content else [])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "assessments.qrels").write_bytes(ASSESSMENTS)
    (tmp_path / "lengths").write_bytes(b"a 500\nd 500\nx 5000\n")
    (tmp_path / "past.fol").write_bytes(PAST)
    return tmp_path


@pytest.mark.parametrize("command", [["check", "--assessments"], ["score"]])
def test_the_command_line_knows_as_much(folder, capsys, command):
    name, *option = command
    arguments = [name, "--task", "focused", *option, "assessments.qrels", "past.fol"]

    assert main(arguments) == 1
    told = capsys.readouterr()
    assert f"past.fol:1: {SENTENCE}\n" in told.out + told.err
    assert (told.out + told.err).count("characters of text") == 1
    assert main([*arguments[:1], "--collection", "lengths", *arguments[1:]]) == 0


def test_check_without_assessments_or_collection_has_no_complaint(folder):
    assert main(["check", "--task", "focused", "past.fol"]) == 0


def test_a_document_judged_for_several_topics_has_the_longest_of_their_lengths(folder, capsys):
    (folder / "assessments.qrels").write_bytes(b"1 Q0 a 5 300 0 0:5\n2 Q0 a 0 200\n")
    (folder / "run.fol").write_bytes(b"1 Q0 a 1 9 run 150 100\n")

    assert main(["score", "--task", "focused", "assessments.qrels", "run.fol"]) == 0


def test_a_topic_without_relevant_text_tells_lengths_too(folder):
    (folder / "assessments.qrels").write_bytes(b"1 Q0 a 5 300 0 0:5\n2 Q0 b 0 200\n")
    (folder / "run.fol").write_bytes(b"1 Q0 b 1 9 run 150 100\n")

    assert main(["score", "--task", "focused", "assessments.qrels", "run.fol"]) == 1


def test_a_collection_that_does_not_know_a_length_leaves_it_to_the_assessments():
    columns, _ = read_run(BytesIO(b"1 Q0 a 1 9 r 0 20\n1 Q0 b 2 8 r 0 20\n"))

    problems = check(
        columns, Rules("focused"), document_lengths={"a": None, "b": 30}, assessed_lengths={"a": 10, "b": 10}
    )

    assert [problem.message for problem in problems] == [
        "topic 1 returns a at 0-20, but the document has only 10 characters of text."
    ]
