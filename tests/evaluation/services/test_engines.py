"""A board says which engine made its numbers, and old boards keep theirs when a new engine comes."""

from importlib import import_module

import pytest
from django.apps import apps
from django.urls import reverse

from campaign.services.permissions.seeing import board_view
from evaluation.models import Edition, Evaluation, Score
from evaluation.services.boards import build_board
from evaluation.services.engines import engines_of
from limelight.scoring.evaluators import ENGINE_VERSION
from tests.folders import ROOT
from tests.pages import source_of
from tests.world import GOOD_RUN, World

pytestmark = pytest.mark.slow


def migration(app, name):
    """Return the module of a migration, whatever its number."""
    [path] = (ROOT / app / "migrations").glob(f"*_{name}.py")
    return import_module(f"{app}.migrations.{path.stem}")


def of_an_older_engine(world):
    """Make the live board one that engine 1.0 built."""
    Edition.objects.update(engine_version="1.0")
    Evaluation.objects.update(engine_version="1.0")
    return world.task.editions.get()


def test_what_is_scored_keeps_its_engine(world):
    world.activate()
    world.scored(GOOD_RUN, "good")

    assert Evaluation.objects.get().engine_version == ENGINE_VERSION == world.task.editions.get().engine_version
    assert engines_of(world.task.editions.get()) == ""


def test_a_board_of_an_older_engine_says_so_and_counts_what_a_newer_one_scored(world, client):
    world.activate()
    world.scored(GOOD_RUN, "good")
    edition = of_an_older_engine(world)
    alone = engines_of(edition)
    world.scored(GOOD_RUN, "late", user=world.bob, team=world.bobs)
    page = source_of(client.get(reverse("board", args=world.task.address)))

    older = f"an older one: {ENGINE_VERSION} scores now, and may give other numbers"
    assert alone == older
    assert f"engine 1.0 ({older}; 1 run by engine {ENGINE_VERSION}) · live since" in page
    assert world.task.editions.get().engine_version == "1.0"


def test_the_desk_offers_to_build_boards_of_an_older_engine_anew(world, client):
    client.force_login(world.organiser)
    world.activate()
    world.scored(GOOD_RUN, "good")
    assert "older engine" not in source_of(client.get("/desk/campaigns/small/boards/"))
    of_an_older_engine(world)

    page = source_of(client.get("/desk/campaigns/small/boards/"))
    client.post("/desk/campaigns/small/boards/ad-hoc/rebuild/", {"notes": f"Engine {ENGINE_VERSION}."})

    assert f"was built by an older engine than {ENGINE_VERSION}, which scores runs now" in page
    assert f"Build the boards anew with engine {ENGINE_VERSION}" in page
    assert Edition.objects.building().get().engine_version == ENGINE_VERSION


@pytest.mark.parametrize(
    ("kind", "official", "stored", "renamed"),
    [
        ("focused", "iMAP", "MAP", "charMAP"),
        ("thorough", "iMAP", "MAP", "charMAP"),
        ("relevant-in-context", "MAgP", "MAP", "MAP"),
        ("document", "MAP", "MAP", "MAP"),
    ],
)
def test_boards_from_before_keep_their_ranking_their_engine_and_their_columns(
    db, settings, tmp_path, kind, official, stored, renamed
):
    settings.MEDIA_ROOT = tmp_path
    world = World(kind)
    world.activate()
    world.scored(GOOD_RUN, "good")
    of_an_older_engine(world)
    Edition.objects.update(official_measure="?")
    Evaluation.objects.update(engine_version="")
    Score.objects.filter(measure="charMAP").update(measure=stored)
    kept = Score.objects.get(measure=stored).mean

    migration("campaign", "the_official_measure_of_a_task").name_official_measures(apps, None)
    filled = migration("evaluation", "official_measures_and_engines")
    filled.name_official_measures(apps, None)
    filled.tell_engines(apps, None)
    filled.renamed("MAP", "charMAP")(apps, None)

    world.task.refresh_from_db()
    edition = world.task.editions.get()
    assert (world.task.official_measure, edition.official_measure) == (official, official)
    assert (edition.engine_version, Evaluation.objects.get().engine_version) == ("1.0", "1.0")
    assert Score.objects.get(measure=renamed).mean == kept
    assert build_board(edition, board_view(world.organiser, world.task)).lines[0].cells[0].value is not None
