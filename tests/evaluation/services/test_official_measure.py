"""The official measure of a task: set by its organisers, kept by each edition, and read from there by everything."""

import csv
import io
import re

import pytest
from django.urls import reverse

from campaign.models import Task, TrailEntry
from campaign.services.acting import By
from campaign.services.permissions.seeing import board_view
from campaign.services.refusals import Refused
from campaign.services.setup.copying import copy_campaign
from evaluation.models import Edition, Score
from evaluation.services.board_asked import Asked
from evaluation.services.boards import build_board
from evaluation.services.curves import curves_of
from evaluation.services.decisions import change_measures, roll_back
from evaluation.services.leave_one_out import leave_one_out
from evaluation.services.moved import what_moved
from evaluation.services.progress import progress_of
from tests.pages import source_of
from tests.world import GOOD_RUN, World, score_all, told

pytestmark = pytest.mark.slow

PRECISE = b"1 Q0 a 1 9 precise 0 5\n2 Q0 c 1 9 precise 0 5\n3 Q0 d 1 9 precise 10 5\n"
"""Little text, all of it relevant: first by charP, last by iMAP."""

MEASURES = "/desk/campaigns/small/boards/ad-hoc/focused/measures/"


def live(world):
    return world.task.editions.live().get()


@pytest.fixture
def by_precision(world):
    """Return the world with a board that is ranked by character precision, and two runs on it."""
    Task.objects.update(official_measure="charP")
    world.task.refresh_from_db()
    world.activate()
    world.good = world.scored(GOOD_RUN, "good")
    world.precise = world.scored(PRECISE, "precise", user=world.bob, team=world.bobs)
    return world


@pytest.fixture
def changed(world):
    """Return the world with a first edition ranked by iMAP and a second one ranked by charP."""
    world.activate()
    world.good = world.scored(GOOD_RUN, "good")
    world.precise = world.scored(PRECISE, "precise", user=world.bob, team=world.bobs)
    change_measures(world.task, by=By(world.organiser), profile="inex-2007", parameters={}, official="charP")
    score_all()
    return world


def test_the_board_is_ordered_ranked_and_drawn_by_it_and_shows_it_first(by_precision, client):
    world = by_precision
    board = build_board(live(world), board_view(world.alice, world.task))
    page = source_of(client.get(reverse("board", args=world.task.address)))

    assert [(line.rank, line.name) for line in board.lines] == [(1, "precise"), (2, "good")]
    assert [measure.name for measure in board.measures] == [
        "charP",
        "iMAP",
        *(f"iP[0.{x}]" for x in ("00", "01", "05", "10")),
    ]
    assert [cell.text for cell in (board.lines[0].cells[0], board.lines[1].cells[0])] == ["1.0000", "0.4667"]
    assert board.sorted_by == "charP"
    figure = curves_of(live(world), board_view(world.alice, world.task))
    assert [line.name for line in figure.chart.lines] == ["precise", "good"]
    assert re.search(r'<th scope="col" class="number official" aria-sort="descending"><a [^>]*>charP</a>', page)
    assert page.count("number official") == 1
    assert "ranked by charP" in page
    assert "Ranks by charP over 3 topics; equal scores share a rank." in page


def test_another_order_keeps_its_ranks(by_precision):
    board = build_board(live(by_precision), board_view(by_precision.alice, by_precision.task), Asked(sort="iMAP"))

    assert [(line.rank, line.name) for line in board.lines] == [(2, "good"), (1, "precise")]


def test_the_api_tells_it(by_precision, client):
    board = client.get("/api/v1/campaigns/small/ad-hoc/focused/board").json()

    assert board["provenance"]["official_measure"] == "charP"
    assert [(found["name"], found["is_official"]) for found in board["measures"]][:2] == [
        ("charP", True),
        ("iMAP", False),
    ]
    assert [line["name"] for line in board["lines"]] == ["precise", "good"]


def test_the_runs_page_lists_and_downloads_begin_with_it(by_precision, client):
    world = by_precision
    client.force_login(world.alice)
    page = source_of(client.get(world.good.get_absolute_url()))
    listed = source_of(client.get("/runs/"))
    downloaded = client.get(f"/runs/{world.good.pk}/scores.json").json()
    [head, *rows] = csv.reader(io.StringIO(source_of(client.get(f"/runs/{world.good.pk}/scores.csv"))))

    world.good.refresh_from_db()
    assert progress_of(world.good).scores[0][0].name == "charP"
    assert re.search(r'<tr class="official"><th scope="row"[^>]*>charP</th><td class="number">0.4667', page)
    assert "charP of each topic" in page
    assert re.search(r"0\.4667<span class=\"quiet\"> charP", listed)
    assert downloaded["official_measure"] == "charP"
    assert next(iter(downloaded["measures"])) == "charP"
    assert head[head.index("topic") + 1] == "charP"
    assert {row[head.index("official_measure")] for row in rows} == {"charP"}


def test_people_are_told_it(by_precision):
    assert told(by_precision.alice) == ["Your run good is scored: charP 0.4667 (Focused)."]


def test_leaving_a_team_out_ranks_by_it(by_precision):
    edition = live(by_precision)

    lines = {row["team"]: row for row in leave_one_out(edition, 10)}

    assert lines[by_precision.bobs.pk]["rank"] == 1
    assert lines[by_precision.bobs.pk]["score"] == pytest.approx(1.0)
    assert lines[by_precision.alices.pk]["rank"] == 2


def test_the_leave_one_out_page_names_it(by_precision, client):
    client.force_login(by_precision.organiser)

    page = source_of(client.get("/desk/campaigns/small/leave-one-out/"))

    assert "2 runs by charP" in page


def test_another_one_builds_a_new_edition_and_leaves_the_old_one_alone(changed):
    first, second = changed.task.editions.order_by("number")

    assert (first.state, first.official_measure) == ("superseded", "iMAP")
    assert (second.state, second.official_measure) == ("live", "charP")
    assert changed.task.official_measure == "charP"
    view = board_view(changed.alice, changed.task)
    assert [line.name for line in build_board(first, view).lines] == ["good", "precise"]
    assert [line.name for line in build_board(second, view).lines] == ["precise", "good"]
    entry = TrailEntry.objects.get(deed="changed")
    assert (entry.details["before"]["official_measure"], entry.details["after"]["official_measure"]) == (
        "iMAP",
        "charP",
    )
    assert change_measures(changed.task, profile="inex-2007", parameters={}, official="charP") == []
    assert change_measures(changed.task, profile="inex-2007", parameters={}) == []


def test_teams_are_told_that_the_board_is_ranked_anew(changed):
    assert told(changed.alice)[-1] == (
        "Focused was scored anew with assessments v1 and is now ranked by charP. good: rank 1 → 2."
    )


def test_scores_told_anew_are_of_one_measure(world):
    world.task.other_scores_visible = "never"
    world.task.save()
    world.activate()
    world.scored(GOOD_RUN, "good")
    change_measures(world.task, profile="inex-2007", parameters={}, official="charP")
    score_all()

    assert told(world.alice)[-1].endswith("ranked by charP. good: charP 0.4667, as before.")


def test_what_moved_compares_by_the_new_one_and_names_both(changed, client):
    first, second = changed.task.editions.order_by("number")

    moved = what_moved(first, second, board_view(changed.alice, changed.task))
    page = source_of(client.get(reverse("moved", args=[*changed.task.address, 2])))

    assert (moved.measure, moved.topic_name) == ("charP", "charP")
    assert not moved.moved  # by charP itself nothing has changed
    assert "ranked by iMAP) to" in page and "ranked by charP)" in page
    assert what_moved(first, second, board_view(changed.alice, changed.task), "iMAP").topic_name == "iAP"


def test_going_back_brings_the_old_one_back(changed):
    roll_back(changed.task.editions.get(number=1))
    score_all()

    changed.task.refresh_from_db()
    assert changed.task.official_measure == "iMAP"
    assert live(changed).official_measure == "iMAP"


@pytest.mark.parametrize(
    ("parameters", "official", "reason"),
    [
        ({}, "MAgP", "A focused task has no measure “MAgP”. It can compute iMAP, "),
        ({}, "MAP", "A focused task has no measure “MAP”. MAP alone means whole documents: "),
        ({"cutoffs": "5"}, "P[10]", "A focused task has no measure “P[10]”. It can compute iMAP, "),
    ],
)
def test_a_measure_that_the_task_does_not_have_is_refused_and_changes_nothing(world, parameters, official, reason):
    world.activate()

    with pytest.raises(Refused) as refusal:
        change_measures(world.task, profile="inex-2007", parameters=parameters, official=official)

    assert refusal.value.reason.startswith(reason)
    assert (Task.objects.get().official_measure, world.task.editions.count()) == ("", 1)


def test_cut_offs_that_take_the_official_measure_away_are_refused(world):
    world.activate()
    change_measures(world.task, profile="inex-2007", parameters={}, official="P[10]")

    with pytest.raises(Refused, match=r"^A focused task has no measure “P\[10\]”\."):
        change_measures(world.task, profile="inex-2007", parameters={"cutoffs": "5"})


def test_an_empty_one_is_the_kinds_own(world):
    world.activate()
    change_measures(world.task, profile="inex-2007", parameters={}, official="charP")

    [edition] = change_measures(world.task, profile="inex-2007", parameters={}, official="")

    assert edition.official_measure == "iMAP"


def test_the_desk_changes_it(by_precision, client):
    client.force_login(by_precision.organiser)
    page = source_of(client.get(MEASURES))
    assert '<option value="charP" selected>charP: Character precision</option>' in page
    assert "live: edition 1, ranked by charP, inex-2007" in page

    asked = source_of(client.post(MEASURES, {"profile": "inex-2007", "official_measure": "artMAP"}, follow=True))
    wrong = client.post(MEASURES, {"profile": "inex-2007", "official_measure": "best"})
    kept = client.post(MEASURES, {"profile": "inex-2009"})

    assert "1 new edition of Ad hoc is being built." in asked
    assert "ranked by artMAP" in asked
    assert wrong.status_code == 422
    assert "There is no such measure under these parameters." in source_of(wrong)
    assert kept.status_code == 302
    newest = Edition.objects.order_by("number").last()
    assert (newest.number, newest.profile, newest.official_measure) == (3, "inex-2009", "artMAP")


def test_a_measure_of_new_cut_offs_can_be_chosen_in_one_go(by_precision, client):
    client.force_login(by_precision.organiser)
    sent = {"profile": "inex-2007", "official_measure": "P[7]", "parameter-cutoffs": "7"}

    assert client.post(MEASURES, sent).status_code == 302

    assert Edition.objects.building().get().official_measure == "P[7]"


def test_measures_of_old_cut_offs_are_refused_in_a_sentence(by_precision, client):
    client.force_login(by_precision.organiser)
    sent = {"profile": "inex-2007", "official_measure": "P[50]", "parameter-cutoffs": "7"}

    response = client.post(MEASURES, sent)

    assert response.status_code == 422
    assert "A focused task has no measure “P[50]”." in source_of(response)


def test_the_administration_shows_it(by_precision, client):
    by_precision.organiser.is_staff = by_precision.organiser.is_superuser = True
    by_precision.organiser.save()
    client.force_login(by_precision.organiser)

    assert "charP" in source_of(client.get("/admin/evaluation/edition/"))
    assert "charP" in source_of(client.get(f"/admin/campaign/task/{by_precision.task.pk}/change/"))


def test_a_copy_of_the_campaign_has_it(by_precision):
    made = copy_campaign(by_precision.campaign, by=By(by_precision.organiser), name="Next", year=2027)

    assert Task.objects.get(track__campaign=made).official_measure == "charP"


def test_a_task_without_a_board_tells_what_will_rank_it(world, client):
    address = reverse("board", args=world.task.address)
    assert "ranked by iMAP" in source_of(client.get(address))

    Task.objects.update(official_measure="charP")

    assert "ranked by charP" in source_of(client.get(address))


def test_scores_of_a_measure_without_a_bound_are_shown_beside_the_best(db, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    world = World("thorough")
    Task.objects.update(official_measure="charR", parameters={"overlap": "count_all"})
    world.task.refresh_from_db()
    world.activate(b"1 Q0 a 50 200 0 0:50\n")
    world.scored(b"".join(b"1 Q0 a %d %d twice 0 %d\n" % (rank, 9 - rank, 49 + rank) for rank in (1, 2, 3, 4)), "twice")
    world.scored(b"1 Q0 a 1 9 once 0 50\n", "once", user=world.bob, team=world.bobs)

    board = build_board(live(world), board_view(world.alice, world.task))

    assert [(line.name, line.cells[0].text) for line in board.lines] == [("twice", "4.0000"), ("once", "1.0000")]
    assert "may exceed 1" in board.measures[0].explanation
    assert Score.objects.filter(measure="charR", mean__gt=1).count() == 1
