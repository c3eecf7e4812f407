"""Boards and scores by program: whole, exact, and with no name that may not be seen."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.models import Pseudonym
from campaign.services.runs.checks import check_run
from campaign.services.runs.renaming import make_official
from campaign.services.runs.submissions import withdraw_run
from evaluation.models import Score
from limelight.scoring.evaluators import ENGINE_VERSION, EVALUATORS
from tests.world import GOOD_RUN, score_run

BOARD = "/campaigns/small/ad-hoc/focused/board"
WORSE = b"1 Q0 b 1 9.0 worse 0 100\n1 Q0 a 2 8.0 worse 0 50\n"


@pytest.fixture
def scored(world):
    world.activate()

    def score(content=GOOD_RUN, name="good", user=None, team=None):
        run = world.submit(content, name=name, user=user, team=team, description=f"about {name}")
        check_run(run.pk)
        score_run(run.pk)
        return run

    return score


@pytest.fixture
def both(world, scored):
    return scored(GOOD_RUN, "of-alice"), scored(WORSE, "of-bob", world.bob, world.bobs)


def test_a_board_tells_its_lines_measures_and_provenance(world, api, both):
    board = api().get(BOARD).json()

    assert (board["task"], board["hidden"], board["team_count"]) == ("small/ad-hoc/focused", 0, 2)
    assert [(line["rank"], line["name"], line["team"], line["run"]) for line in board["lines"]] == [
        (1, "of-alice", "Lund", None),
        (2, "of-bob", "Delft", None),
    ]
    assert board["lines"][0]["description"] == "about of-alice"
    assert board["lines"][0]["scores"]["iMAP"] == Score.objects.get(measure="iMAP", evaluation__run=both[0]).mean
    names = [measure["name"] for measure in board["measures"]]
    assert names == ["iMAP", "iP[0.00]", "iP[0.01]", "iP[0.05]", "iP[0.10]"]
    assert [measure["is_official"] for measure in board["measures"]] == [True, False, False, False, False]
    assert board["measures"][0]["topic_name"] == "iAP"
    edition = world.task.editions.get()
    assert board["provenance"].pop("live_at")
    assert board["provenance"] == {
        "edition": 1,
        "edition_state": "live",
        "assessments_version": 1,
        "assessments_sha256": edition.assessment_set.sha256,
        "profile": "inex-2007",
        "parameters": {},
        "official_measure": "iMAP",
        "engine": ENGINE_VERSION,
        "axis": "characters",
        "topic_count": 3,
    }


def test_my_own_lines_bear_the_number_of_the_run(world, api, both):
    lines = api(world.alice).get(BOARD).json()["lines"]

    assert [(line["run"], line["is_own"]) for line in lines] == [(both[0].pk, True), (None, False)]


def test_a_task_without_a_board_says_when_there_will_be_one(world, api):
    response = api().get(BOARD)

    assert response.status_code == 404
    assert response.json()["detail"] == (
        "This task has no board yet. It appears when the organisers activate assessments."
    )


def test_hidden_scores_are_not_told_nor_how_many_there_are_nor_ranks(world, api, both):
    world.task.other_scores_visible = "at-publication"
    world.task.save()

    def seen_by(user):
        board = api(user).get(BOARD).json()
        lines = [(line["name"], line["rank"]) for line in board["lines"]]
        return lines, board["is_complete"], board["hidden"], board["team_count"]

    all_of_it = [("of-alice", 1), ("of-bob", 2)], True, 0, 2
    assert seen_by(None) == ([], False, None, None)
    assert seen_by(world.alice) == ([("of-alice", None)], False, None, None)
    assert seen_by(world.organiser) == all_of_it
    world.task.published_at = timezone.now() - timedelta(minutes=1)
    world.task.save()
    assert seen_by(None) == all_of_it


def test_lines_bear_the_code_of_the_run_and_the_official_mark(world, api, both):
    make_official(both[1])

    lines = api().get(BOARD).json()["lines"]

    assert [(line["code"], line["is_official"]) for line in lines] == [(both[0].code, False), (both[1].code, True)]
    own = api(world.alice)
    assert own.get(f"/runs/{both[0].pk}").json()["code"] == both[0].code
    assert own.get(f"/runs/{both[0].pk}/scores").json()["code"] == both[0].code


def test_an_anonymous_board_tells_no_names_in_any_field(world, api, both):
    world.task.names_visible = "at-publication"
    world.task.save()

    for path in (BOARD, "/campaigns/small/ad-hoc/focused/editions/1"):
        told = api(world.visitor_with_account).get(path).content.decode()
        for name in ("of-alice", "of-bob", "Lund", "lund", "Delft", "delft", "about", both[0].sha256):
            assert name not in told
        pseudonyms = set(Pseudonym.objects.values_list("name", flat=True))
        assert {line["team"] for line in json.loads(told)["lines"]} == pseudonyms
    own = api(world.alice).get(BOARD).content.decode()
    assert "of-alice" in own
    assert "of-bob" not in own


def test_old_editions_stay_and_others_are_not_there(world, api, scored):
    run = scored()
    world.activate(b"1 Q0 b 50 200 0 0:50\n")
    score_run(run.pk)

    def edition(number):
        return api().get(f"/campaigns/small/ad-hoc/focused/editions/{number}")

    old, new = edition(1).json(), edition(2).json()
    assert (old["provenance"]["edition_state"], old["provenance"]["assessments_version"]) == ("superseded", 1)
    assert (new["provenance"]["edition_state"], new["provenance"]["assessments_version"]) == ("live", 2)
    assert old["lines"][0]["scores"] != new["lines"][0]["scores"]
    assert new == api().get(BOARD).json()
    assert edition(3).status_code == 404


def test_the_scores_of_a_run_are_means_and_a_value_for_each_topic(world, api, scored):
    run = scored()

    told = api(world.alice).get(f"/runs/{run.pk}/scores").json()

    assert (told["run"], told["run_sha256"], told["topics"]) == (run.pk, run.sha256, ["1", "2", "3"])
    assert told["provenance"] == api().get(BOARD).json()["provenance"]
    official = told["measures"][0]
    assert (official["name"], official["is_official"]) == ("iMAP", True)
    assert len(official["topic_values"]) == 3
    assert sum(official["topic_values"]) / 3 == pytest.approx(official["mean"])
    assert {measure["name"] for measure in told["measures"]} == {
        measure.name for measure in EVALUATORS["focused"].measures
    }


def test_what_is_not_finite_is_null(world, api, scored):
    run = scored()
    Score.objects.filter(measure="iMAP").update(topic_values=[0.5, float("nan"), float("inf")])

    response = api(world.alice).get(f"/runs/{run.pk}/scores")

    assert response.json()["measures"][0]["topic_values"] == [0.5, None, None]


def test_the_scores_of_an_old_edition_can_be_asked_for(world, api, scored):
    run = scored()
    world.activate(b"1 Q0 b 50 200 0 0:50\n")
    score_run(run.pk)

    old = api(world.alice).get(f"/runs/{run.pk}/scores?edition=1").json()
    new = api(world.alice).get(f"/runs/{run.pk}/scores").json()

    assert (old["provenance"]["edition"], new["provenance"]["edition"]) == (1, 2)
    assert (old["topics"], new["topics"]) == (["1", "2", "3"], ["1"])
    assert api(world.alice).get(f"/runs/{run.pk}/scores?edition=3").status_code == 404


def test_scores_that_are_not_visible_yet_are_not_told(world, api, scored):
    run = scored()
    world.task.own_scores_visible = world.task.other_scores_visible = "at-deadline"
    world.task.save()
    path = f"/runs/{run.pk}/scores"

    response = api(world.alice).get(path)

    assert response.status_code == 404
    assert response.json()["detail"] == "The scores of this task become visible at the deadline."
    assert api(world.organiser).get(path).status_code == 200
    for seen in ("", "/state", "/report"):
        assert "0.6053" not in api(world.alice).get(f"/runs/{run.pk}{seen}").content.decode()


def test_a_run_without_scores_says_where_it_stands(world, api, scored):
    run = world.submit()
    path = f"/runs/{run.pk}/scores"

    assert api(world.alice).get(path).json()["detail"] == "This run has no scores. It is received."
    check_run(run.pk)
    score_run(run.pk)
    assert api(world.alice).get(path).status_code == 200
    withdraw_run(run)
    assert api(world.alice).get(path).json()["detail"] == "This run has no scores. It is withdrawn."
