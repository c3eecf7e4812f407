"""Leave one team out: what goes, what is scored anew, and how the ranking changes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.services.runs.checks import check_run
from evaluation.models import Edition
from evaluation.services.leave_one_out import leave_one_out, left_out_lines
from limelight.analysis.leave_one_out import score_without, shift, teams_left_out, without
from limelight.analysis.pooling import pool_runs
from limelight.scoring.evaluators import compiled, evaluate
from tests.examples import examples
from tests.limelight.builders import Judged, judgement_columns, qrels_columns, run_columns
from tests.pages import source_of
from tests.world import score_run

DESK = "/desk/campaigns/small/leave-one-out/"
TOPICS = ("1", "2", "3")
SCORING = {"kind": "focused", "measures": ["iMAP"]}
JUDGED = {
    "1": {"a": Judged(200, 0, ((0, 50), (80, 10))), "b": Judged(200), "c": Judged(200, 0, ((10, 20),))},
    "2": {"c": Judged(200, 0, ((0, 100),))},
}
LUND = {"1": [("a", 0, 50), ("b", 0, 50)], "2": [("c", 0, 200)]}
DELFT = {"1": [("c", 10, 20), ("b", 60, 40)], "2": [("c", 0, 10)]}


def plain(columns):
    """Return judgements as {(topic, document): spans}."""
    found = {}
    for index, (topic, document) in enumerate(zip(columns.topic.tolist(), columns.document.tolist(), strict=True)):
        mine = columns.judgement == index
        spans = list(zip(columns.offset[mine].tolist(), columns.length[mine].tolist(), strict=True))
        found[columns.topics[topic], columns.documents[document]] = spans
    return found


def test_judgements_go_with_their_passages():
    columns = judgement_columns(JUDGED)

    rest = without(columns, np.array([True, False, False, False]))

    assert plain(rest) == {("1", "b"): [], ("1", "c"): [(10, 20)], ("2", "c"): [(0, 100)]}


def test_only_what_one_team_alone_brought_goes():
    pooled = pool_runs([("lund", run_columns(LUND)), ("delft", run_columns(DELFT))], 10, TOPICS)

    lund, delft = teams_left_out(judgement_columns(JUDGED), pooled)

    assert (lund.team, lund.pooled, lund.judged, lund.relevant, lund.touched) == ("lund", 1, 1, 1, frozenset("1"))
    assert (delft.team, delft.pooled, delft.judged, delft.relevant) == ("delft", 1, 1, 1)
    assert lund.highlights.topics == ("1",)
    assert lund.highlights.topic_relevant.tolist() == [20]
    assert delft.highlights.topic_relevant.tolist() == [60]


def test_a_topic_that_loses_all_its_relevant_text_no_longer_counts():
    judged = judgement_columns({"1": {"a": JUDGED["1"]["a"]}, "2": JUDGED["2"]})
    run = run_columns(LUND)
    pooled = pool_runs([("lund", run), ("delft", run_columns(DELFT))], 10, TOPICS)
    baseline = evaluate("focused", judged, run, measures=["iMAP"]).topic_values["iMAP"]

    lund, delft = teams_left_out(judged, pooled)

    assert lund.highlights.topics == ()
    assert score_without(lund, baseline, ("1", "2"), run, **SCORING) == baseline[1]
    assert score_without(delft, baseline, ("1", "2"), run, **SCORING) == baseline.mean()


def test_grades_of_documents_can_be_left_out_too():
    judged = qrels_columns({"1": {"a": 2, "c": 1, "b": 0}})
    pooled = pool_runs([("lund", run_columns(LUND)), ("delft", run_columns(DELFT))], 10, TOPICS)

    lund, delft = teams_left_out(judged, pooled)

    assert (lund.relevant, delft.relevant) == (1, 1)
    assert lund.highlights.relevant_documents.tolist() == [1]


RESULTS = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.integers(0, 9), st.integers(1, 5)),
    min_size=1,
    max_size=6,
    unique_by=lambda result: result[0],
)
RUNS = st.lists(
    st.tuples(st.sampled_from(["lund", "delft"]), st.dictionaries(st.sampled_from(TOPICS), RESULTS)),
    min_size=1,
    max_size=4,
)
JUDGEMENTS = st.dictionaries(
    st.sampled_from(TOPICS),
    st.dictionaries(
        st.sampled_from("abcdef"),
        st.integers(0, 9).map(lambda length: Judged(20, 0, ((3, length),) if length else ())),
        min_size=1,
    ),
    min_size=1,
)


@examples(150)
@given(RUNS, JUDGEMENTS, st.integers(1, 6))
def test_scores_are_those_of_assessments_without_the_team_s_finds(runs, judgements, depth):
    judged = judgement_columns(judgements)
    columns = [(team, run_columns(run)) for team, run in runs]
    brought = {}
    for team, run in runs:
        for topic, results in run.items():
            for document, _, _ in results[:depth]:
                brought.setdefault((topic, document), set()).add(team)
    full = compiled(judged)

    for left_out in teams_left_out(judged, pool_runs(columns, depth, TOPICS)):
        rest = {
            topic: {name: row for name, row in rows.items() if brought.get((topic, name)) != {left_out.team}}
            for topic, rows in judgements.items()
        }
        for _, run in columns:
            baseline = evaluate("focused", full, run, measures=["iMAP"]).topic_values["iMAP"]
            expected = evaluate("focused", judgement_columns(rest), run, measures=["iMAP"]).means["iMAP"]
            assert score_without(left_out, baseline, full.topics, run, **SCORING) == pytest.approx(expected, abs=1e-12)


def test_a_shift_tells_ranks_tau_and_who_moves_farthest():
    assert shift([0.5, 0.4, 0.3, 0.2], [0.1, 0.4, 0.3, 0.2]) == shift([4, 3, 2, 1], [0, 3, 2, 1])
    moved = shift([0.5, 0.4, 0.3], [0.1, 0.4, 0.3])
    assert (moved.before, moved.after, moved.farthest) == ([1, 2, 3], [3, 1, 2], 0)
    assert moved.tau == pytest.approx(-1 / 3)
    assert shift([0.5], [0.1]).tau is None


ASSESSED = b"1 Q0 a 50 200 0 0:50\n1 Q0 c 20 200 10 10:20\n2 Q0 c 100 200 0 0:100\n"
LUND_RUN = b"1 Q0 a 1 9 r 0 50\n1 Q0 b 2 8 r 0 50\n2 Q0 c 1 7 r 0 200\n"
DELFT_RUN = b"1 Q0 c 1 9 r 10 20\n1 Q0 b 2 8 r 60 40\n2 Q0 c 1 7 r 0 10\n"


@pytest.fixture
def board(world):
    """Return the live edition of a board where each team has found a document of its own."""
    world.activate(ASSESSED)
    lund = world.submit(LUND_RUN, name="lund")
    delft = world.submit(DELFT_RUN, user=world.bob, team=world.bobs, name="delft")
    for run in (lund, delft):
        check_run(run.pk)
        score_run(run.pk)
    return Edition.objects.live().get()


def test_a_board_without_each_team(world, board):
    lines = {line.team.name: line for line in left_out_lines(leave_one_out(board, 100))}

    lund, delft = lines["Lund"], lines["Delft"]
    assert (lund.pooled, lund.judged, lund.relevant, lund.topics) == (1, 1, 1, 1)
    assert (lund.best.name, lund.rank) == ("lund", 1)
    assert lund.score_without < lund.score
    assert (delft.best.name, delft.rank) == ("delft", 2)
    assert delft.score_without < delft.score


def test_the_page_says_how_the_ranking_would_change(client, world, board):
    client.force_login(world.organiser)

    page = source_of(client.get(f"{DESK}?task={world.task.pk}&depth=10"))

    assert "2 runs by iMAP · edition 1 · assessments version 1 · pool of depth 10" in page
    assert "<bdi>Lund</bdi>" in page
    assert " → " in page


def test_what_another_task_brought_into_the_pool_is_nobody_s_own_find(world, board):
    thorough = world.new_task("thorough", closes_at=world.task.closes_at)
    also = world.submit(LUND_RUN, user=world.bob, team=world.bobs, task=thorough, name="also")
    check_run(also.pk)

    lines = {line.team.name: line for line in left_out_lines(leave_one_out(board, 100))}

    assert (lines["Lund"].relevant, lines["Lund"].tau, lines["Lund"].mover) == (0, 1.0, None)
    assert lines["Lund"].score == lines["Lund"].score_without
    assert lines["Delft"].relevant == 1


def test_a_depth_out_of_bounds_is_refused(client, world, board):
    client.force_login(world.organiser)

    response = client.get(f"{DESK}?depth=1501")

    assert response.status_code == 422
    assert "A depth is a whole number from 1 to 1,500." in source_of(response)


def test_grades_of_elements_cannot_be_left_out(client, world, board):
    client.force_login(world.organiser)
    board.assessment_set.content = "elements"
    board.assessment_set.save()

    response = client.get(DESK)

    assert response.status_code == 422
    assert "Assessments that grade elements cannot be left out team by team." in source_of(response)


def test_the_page_teaches_while_there_is_no_board(client, world):
    client.force_login(world.organiser)
    assert "No task has a board yet." in source_of(client.get(DESK))
    world.activate()
    assert "No run has been scored on this board yet." in source_of(client.get(DESK))


def test_grades_keep_their_scale_when_the_highest_goes_out():
    """ERR goes by the highest grade of the whole assessment set, with and without a team's finds."""
    grades = qrels_columns({"1": {"a": 2, "b": 1}, "2": {"b": 1}})
    lund, delft = run_columns({"1": [("a", 0, 0), ("b", 0, 0)]}), run_columns({"1": [("b", 0, 0)], "2": [("b", 0, 0)]})
    pooled = pool_runs([("lund", lund), ("delft", delft)], 10, ("1", "2"))
    scoring = {"kind": "document", "measures": ["ERR@20"]}
    whole = evaluate(judgements=grades, run=delft, **scoring)

    without_lund, _ = teams_left_out(grades, pooled)
    left = score_without(without_lund, whole.topic_values["ERR@20"], whole.topics, delft, **scoring)

    assert without_lund.highlights.highest_grade == 2
    assert left == whole.means["ERR@20"] == 1 / 4
