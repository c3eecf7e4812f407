"""Runs written anew, and examples that a task takes."""

from io import BytesIO

import pytest

from campaign.services.runs.check_results import load_columns
from campaign.services.runs.checks import check_run, dry_run
from campaign.services.runs.exports import example_formats, example_run
from limelight.formats.runs.reading import read_run
from limelight.scoring.evaluators import EVALUATORS
from tests.world import World


@pytest.mark.parametrize("kind", EVALUATORS)
@pytest.mark.parametrize("with_collection", [True, False])
def test_the_example_of_a_task_is_a_run_it_would_take(db, kind, with_collection):
    world = World(kind)
    if not with_collection:
        world.track.collection = None
        world.track.save()
        world.task.track.refresh_from_db()

    for form in example_formats(world.task):
        checked = dry_run(world.task, BytesIO(example_run(world.task, form)))
        assert checked.is_valid, (form, checked.problems)
        assert checked.result_count == 4


def test_examples_can_be_downloaded_by_those_who_may_read_the_topics(client, world):
    response = client.get("/campaigns/small/ad-hoc/focused/example.fol")

    assert response["Content-Disposition"] == 'attachment; filename="example-focused.fol"'
    assert response.content.startswith(b"1 Q0 a 1 9.5 example 10 190\n")
    assert client.get("/campaigns/small/ad-hoc/focused/example.exe").status_code == 404
    world.campaign.gates_topics = True
    world.campaign.save()
    assert client.get("/campaigns/small/ad-hoc/focused/example.fol").status_code == 404


@pytest.mark.parametrize("form", ["fol", "xml"])
def test_a_valid_run_written_anew_is_the_same_run(client, world, form):
    run = world.submit()
    check_run(run.pk)
    run.refresh_from_db()
    client.force_login(world.alice)

    again, _ = read_run(BytesIO(client.get(f"/runs/{run.pk}/as.{form}").content))

    before = load_columns(run)
    assert (again.topics, again.documents) == (before.topics, before.documents)
    for column in ("topic", "document", "rank", "offset", "length"):
        assert getattr(again, column).tolist() == getattr(before, column).tolist()


def test_entry_points_and_documents_are_written_anew_as_text_only(client, db):
    world = World("document")
    run = world.submit(b"1 Q0 a 1 9 r\n2 Q0 c 1 8 r\n")
    check_run(run.pk)
    client.force_login(world.alice)

    assert client.get(f"/runs/{run.pk}/as.fol").content == b"1 Q0 a 1 9.0 r\n2 Q0 c 1 8.0 r\n"
    assert client.get(f"/runs/{run.pk}/as.xml").status_code == 404
    assert "as.xml" not in client.get(f"/runs/{run.pk}/").content.decode()


def test_only_valid_runs_of_one_s_own_are_written_anew(client, world):
    run = world.submit()
    client.force_login(world.alice)
    assert client.get(f"/runs/{run.pk}/as.fol").status_code == 404  # not checked yet
    check_run(run.pk)
    assert client.get(f"/runs/{run.pk}/as.doc").status_code == 404
    client.force_login(world.bob)
    assert client.get(f"/runs/{run.pk}/as.fol").status_code == 404
