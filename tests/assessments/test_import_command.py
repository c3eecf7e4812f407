"""`manage.py import_assessments`."""

import pytest
from django.core.management import CommandError, call_command

from assessments.models import AssessmentSet
from campaign.models import TrailEntry
from tests.world import ASSESSMENTS


def test_a_file_is_shown_and_imported(command):
    code, out, err = command("--notes", "from the archive")

    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == (
        "v.qrels: 3 topics, 5 judged documents, 4 relevant, 210 characters highlighted, 4 entry points."
    )
    assert lines[1] == "  1: 2 judged, 1 relevant, 50 characters, 1 entry points"
    assert lines[-1] == "Imported as v1 of Ad hoc. Boards change when it is activated."
    assert AssessmentSet.objects.get().notes == "from the archive"
    entry = TrailEntry.objects.get()
    assert (entry.deed, entry.through, entry.actor) == ("imported", "command", None)


def test_a_dry_run_imports_nothing(command):
    code, out, _ = command("--dry-run")

    assert code == 0
    assert out.endswith("Nothing was imported: this was a dry run.\n")
    assert not AssessmentSet.objects.exists()
    assert not TrailEntry.objects.exists()


def test_problems_are_all_told_with_their_lines(command):
    code, _, err = command(content=ASSESSMENTS + b"3 Q0\n9 Q0 a ten 200\n")

    assert code == 1
    assert "v.qrels: Line 6: 2 fields found" in err
    assert "v.qrels: Line 7: " in err
    assert err.endswith("Nothing was imported.")
    assert not AssessmentSet.objects.exists()


def test_topics_are_made_when_asked(world, command):
    content = ASSESSMENTS + b"9 Q0 a 0 200\n"
    assert command(content=content)[0] == 1

    code, out, _ = command("--make-topics", content=content)

    assert code == 0
    assert "Topics to be made: 9." in out
    assert world.track.topics.filter(number="9").exists()


def test_warnings_are_told_and_cut(command):
    content = ASSESSMENTS + b"".join(b"1 Q0 x%d 0 200\n" % number for number in range(25))

    code, _, err = command(content=content)

    assert code == 0
    assert "document x0 is not in Letters." in err
    assert err.endswith("5 more warnings.\n")


@pytest.mark.parametrize("track", ["small", "small/nothing", "nothing/ad-hoc", "/"])
def test_a_track_that_is_not_there(command, track):
    code, _, err = command(track=track)

    assert code == 2
    assert err == f"There is no track {track}. Name it as campaign/track."


def test_a_file_that_is_not_there(world):
    with pytest.raises(CommandError, match=r"^There is no file /nowhere/v\.qrels\.$") as error:
        call_command("import_assessments", "small/ad-hoc", "/nowhere/v.qrels")

    assert error.value.returncode == 2
