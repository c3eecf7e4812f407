"""What an import warned of comes along: to the version, to its activation, and to the boards it concerns."""

import re
from importlib import import_module
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command

from assessments import migrations
from assessments.services.imports import import_assessments
from assessments.services.previews import accept_import, read_import, take_file
from campaign.models import TaskKind
from campaign.services.acting import By
from evaluation.models import Edition
from evaluation.services.decisions import Unseen, activate
from tests.world import ASSESSMENTS

ALIKE = b"".join(b"1 Q0 a%d 50 200 100 0:50\n" % number for number in range(20))
MESSAGE = "All 20 entry points are at character 100. That looks like a placeholder."
ON_BOARD = "The entry points in assessments v1 look like placeholders that nobody judged"
BOARDS = "/desk/campaigns/small/boards/"


@pytest.fixture
def alike(world):
    """Return the world with a Best in Context task and assessments whose entry points are all the same."""
    world.in_context = world.new_task(
        TaskKind.BEST_IN_CONTEXT, closes_at=world.task.closes_at, other_scores_visible="at-once"
    )
    found = take_file(world.track, by=By(world.organiser), upload=BytesIO(ALIKE), file_name="alike.qrels")
    read_import(found.pk)
    found.refresh_from_db()
    world.assessment_set = accept_import(found, by=By(world.organiser))
    return world


def text(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def test_a_version_keeps_what_its_import_warned_of(alike):
    warnings = {warning["rule"]: warning for warning in alike.assessment_set.warnings}

    assert warnings["entry-points-alike"]["message"].startswith(MESSAGE)
    assert warnings["unknown-document"]["times"] == 20
    assert "a0" in warnings["unknown-document"]["message"]


def test_every_way_in_keeps_the_warning(world, tmp_path):
    straight = import_assessments(world.track, stream=BytesIO(ALIKE), file_name="alike.qrels")
    (tmp_path / "alike.qrels").write_bytes(ALIKE)
    call_command("import_assessments", "small/ad-hoc", tmp_path / "alike.qrels", stdout=StringIO(), stderr=StringIO())
    typed = world.track.assessment_sets.get(version=2)

    assert [warning["rule"] for warning in straight.warnings] == ["entry-points-alike"]
    assert {warning["rule"] for warning in typed.warnings} == {"entry-points-alike", "unknown-document"}
    assert world.import_assessments(ASSESSMENTS).warnings == []


def test_a_warning_is_seen_before_the_activation_counts(client, alike):
    client.force_login(alike.organiser)
    assert MESSAGE in text(client.get(BOARDS))
    assert MESSAGE in text(client.get("/desk/campaigns/small/assessments/"))
    fields = {"track": "ad-hoc", "version": "1", "notes": "Why not.", "seen": "0", "goes_live": "ready"}

    asked = client.post(f"{BOARDS}activate/", fields)

    assert asked.status_code == 422
    assert MESSAGE in text(asked)
    assert "And 19 more of this kind." in text(asked)
    assert not Edition.objects.exists()
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', asked.content.decode()))
    assert client.post(f"{BOARDS}activate/", fields).status_code == 302
    assert set(Edition.objects.values_list("notes", flat=True)) == {"Why not."}


def test_a_version_without_warnings_is_activated_unasked(client, world):
    world.import_assessments()
    client.force_login(world.organiser)

    assert client.post(f"{BOARDS}activate/", {"track": "ad-hoc", "version": "1"}).status_code == 302
    assert Edition.objects.exists()


def test_the_service_refuses_who_has_not_seen_it(alike):
    with pytest.raises(Unseen, match="The import of assessments v1 warned of something"):
        activate(alike.assessment_set, warnings_seen=False)


def test_the_command_says_it_and_goes_on(alike):
    said = StringIO()

    call_command("activate", "small/ad-hoc", 1, stdout=StringIO(), stderr=said)

    assert f"The import of v1 warned: {MESSAGE}" in said.getvalue()
    assert Edition.objects.exists()


def test_the_warning_stands_on_the_board_it_concerns_and_on_no_other(client, api, alike):
    activate(alike.assessment_set)
    concerned, other = "/campaigns/small/ad-hoc/best-in-context/", "/campaigns/small/ad-hoc/focused/"

    page = text(client.get(concerned))

    assert ON_BOARD in page
    assert "character 100" not in page  # the answer key may still be hidden
    assert ON_BOARD in text(client.get(f"{concerned}editions/1/"))
    assert "placeholder" not in text(client.get(other))
    told = {kind: api().get(f"/campaigns/small/ad-hoc/{kind}/board").json() for kind in ("best-in-context", "focused")}
    assert told["focused"]["warnings"] == []
    assert told["best-in-context"]["warnings"][0].startswith(ON_BOARD)


def test_it_goes_with_the_next_edition(client, alike):
    activate(alike.assessment_set)
    activate(alike.import_assessments(ASSESSMENTS))

    assert "placeholder" not in text(client.get("/campaigns/small/ad-hoc/best-in-context/"))


def _migration():
    [found] = Path(migrations.__path__[0]).glob("*_what_an_import_warned_of.py")
    return import_module(f"{migrations.__name__}.{found.stem}")


def test_versions_that_were_there_before_are_looked_through(world):
    found = import_assessments(world.track, stream=BytesIO(ALIKE), file_name="alike.qrels")
    plain = world.import_assessments(ASSESSMENTS)
    type(found).objects.update(warnings=[])

    _migration().warn_of_placeholders(apps, None)

    found.refresh_from_db()
    plain.refresh_from_db()
    assert [warning["message"] for warning in found.warnings] == [MESSAGE]
    assert plain.warnings == []
