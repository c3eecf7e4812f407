"""A run's scores topic by topic, beside all others where they may be seen."""

import csv
import io
import re

import numpy as np
import pytest

from campaign.models import Visible
from campaign.services.permissions.seeing import board_view
from campaign.services.runs.checks import check_run
from evaluation.models import Evaluation, Score
from evaluation.services.progress import progress_of, with_progress
from evaluation.services.topic_scores import topic_table
from tests.pages import source_of
from tests.world import GOOD_RUN, score_run

pytestmark = pytest.mark.slow


@pytest.fixture
def scored(world):
    """Return a function that submits a run and has it scored."""
    world.activate()

    def scored(user=None, team=None, name="good", content=GOOD_RUN):
        run = world.submit(content, user=user, team=team, name=name)
        check_run(run.pk)
        score_run(run.pk)
        run.refresh_from_db()
        return run

    return scored


@pytest.fixture
def three_teams(world, scored):
    """Return three scored runs of three teams, the first of them alice's."""
    carol, carols = world.team_of("carol", "Lyon")
    return [
        scored(),
        scored(world.bob, world.bobs, "bobs", GOOD_RUN.replace(b" 0 50\n", b" 40 50\n")),
        scored(carol, carols, "carols", b"1 Q0 c 1 1.0 carols 0 50\n"),
    ]


def table_for(user, run, measure=""):
    evaluation = Evaluation.objects.get(run=run)
    return topic_table(evaluation, board_view(user, run.task), measure)


def test_each_topic_stands_beside_the_lowest_the_middle_and_the_highest(world, three_teams):
    table = table_for(world.alice, three_teams[0])

    scores = np.vstack(
        [Score.objects.get(evaluation__run=run, measure=table.measure.name).topic_values for run in three_teams]
    )
    assert table.has_others and (table.run_count, table.team_count) == (3, 3)
    assert [line.number for line in table.lines] == ["1", "2", "3"]
    assert [line.title for line in table.lines] == ["topic 1", "topic 2", "topic 3"]
    for column, line in enumerate(table.lines):
        assert line.score == scores[0, column]
        assert (line.minimum, line.median, line.maximum) == (
            min(scores[:, column]),
            sorted(scores[:, column])[1],
            max(scores[:, column]),
        )
    assert any(line.minimum < line.maximum for line in table.lines)


def test_two_teams_are_too_few_to_show_the_others(world, scored):
    own = scored()
    scored(world.bob, world.bobs, "bobs")

    table = table_for(world.alice, own)

    assert not table.has_others
    assert {line.median for line in table.lines} == {None}


def test_hidden_scores_of_others_stay_hidden_in_the_table(world, three_teams):
    world.task.other_scores_visible = Visible.AT_PUBLICATION
    world.task.save()
    three_teams[0].task.refresh_from_db()

    assert not table_for(world.alice, three_teams[0]).has_others
    assert table_for(world.organiser, three_teams[0]).has_others


def test_another_measure_of_the_board_can_be_chosen_and_no_other(world, three_teams):
    official = table_for(world.alice, three_teams[0])
    other = official.measures[1].name

    assert table_for(world.alice, three_teams[0], other).measure.name == other
    assert table_for(world.alice, three_teams[0], "nonsense").measure.name == official.measure.name == "iMAP"


def test_the_page_shows_the_table_and_offers_the_scores(client, world, three_teams):
    client.force_login(world.alice)
    run = three_teams[0]

    page = source_of(client.get(run.get_absolute_url()))

    assert "iAP of each topic, beside the lowest, the middle and the highest score of 3 runs of 3 teams" in page
    assert re.search(r'<th scope="col" class="number"[^>]*>iAP</th><th[^>]*>lowest</th>', page)
    assert f"/runs/{run.pk}/scores.csv" in page


def test_all_scores_can_be_taken_home_with_where_they_come_from(client, world, three_teams):
    run = three_teams[0]
    client.force_login(world.alice)

    told = client.get(f"/runs/{run.pk}/scores.json").json()
    rows = list(csv.DictReader(io.StringIO(source_of(client.get(f"/runs/{run.pk}/scores.csv")))))

    assert (told["run"], told["sha256"], told["assessments"], told["topics"]) == (
        "good",
        run.sha256,
        1,
        ["1", "2", "3"],
    )
    assert [row["topic"] for row in rows] == ["all", "1", "2", "3"]
    for measure, values in told["measures"].items():
        assert [float(row[measure]) for row in rows] == [values["mean"], *values["topics"]]
        score = Score.objects.get(evaluation__run=run, measure=measure)
        assert score.mean == values["mean"] and score.topic_values.tolist() == values["topics"]
    assert rows[0]["sha256"] == run.sha256
    assert (told["code"], told["official"]) == (run.code, False)
    assert (rows[0]["code"], rows[0]["official"]) == (run.code, "no")


def test_scores_that_may_not_be_seen_are_not_sent(client, world, three_teams):
    run = three_teams[0]
    client.force_login(world.bob)
    assert client.get(f"/runs/{run.pk}/scores.csv").status_code == 404
    world.task.own_scores_visible = Visible.NEVER
    world.task.save()
    client.force_login(world.alice)

    page = source_of(client.get(run.get_absolute_url()))

    assert client.get(f"/runs/{run.pk}/scores.csv").status_code == 404
    assert client.get(f"/runs/{run.pk}/scores.json").status_code == 404
    assert "Topic by topic" not in page and "scores.csv" not in page


def test_an_unknown_form_is_not_there(client, world, three_teams):
    client.force_login(world.alice)

    assert client.get(f"/runs/{three_teams[0].pk}/scores.exe").status_code == 404


def test_my_runs_show_the_official_score_where_it_may_be_seen(client, world, three_teams):
    client.force_login(world.alice)
    ((_, progress),) = with_progress([three_teams[0]], world.alice)
    (measure, mean), *_ = progress.scores

    assert f"{mean:.4f}" in source_of(client.get("/runs/"))
    world.task.own_scores_visible = Visible.AT_PUBLICATION
    world.task.save()
    assert f"{mean:.4f}" not in source_of(client.get("/runs/"))
    assert measure.name == "iMAP" or measure.name.startswith("iP")


def test_a_waiting_run_tells_how_many_are_before_it(world, scored):
    scored(name="done")
    world.submit(name="one")
    world.submit(name="two")
    third = world.submit(name="three")

    progress = progress_of(third)

    assert progress.ahead == 2
    assert 0 <= progress.usual_seconds < 60
