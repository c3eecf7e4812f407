import numpy as np
import pytest

from limelight.scoring.evaluators import evaluate
from tests.limelight.builders import Judged, judgement_columns, run_columns

WORKED_JUDGEMENTS = {"1": {"a": Judged(spans=((0, 25), (100, 75)))}}
WORKED_RUN = {"1": [("a", 0, 50), ("a", 100, 50)]}


def score(judgements, run, **options):
    return evaluate("focused", judgement_columns(judgements), run_columns(run), **options)


def test_the_worked_example_scores_76_of_101_times_three_quarters():
    result = score(WORKED_JUDGEMENTS, WORKED_RUN, measures="all")

    assert result.means["P[1]"] == 1 / 2
    assert result.means["P[5]"] == 3 / 4
    assert result.means["iP[0.00]"] == 3 / 4
    assert result.means["iMAP"] == pytest.approx(76 / 101 * 3 / 4, abs=1e-15)
    assert np.count_nonzero(result.curves["iP"]) == 76


def test_a_board_shows_the_measures_of_2007_in_their_order():
    result = score(WORKED_JUDGEMENTS, WORKED_RUN)

    assert list(result.means) == ["iMAP", "iP[0.00]", "iP[0.01]", "iP[0.05]", "iP[0.10]"]
    assert result.measures[0].topic_name == "iAP"


def test_a_judged_topic_that_the_run_leaves_out_scores_0_and_counts():
    judgements = WORKED_JUDGEMENTS | {"2": {"b": Judged(spans=((0, 9),))}}

    result = score(judgements, WORKED_RUN)

    assert result.topics == ("1", "2")
    assert result.topic_values["iP[0.00]"].tolist() == [0.75, 0.0]
    assert result.means["iP[0.00]"] == 0.375


def test_a_topic_without_judgements_changes_nothing():
    alone = score(WORKED_JUDGEMENTS, WORKED_RUN, measures="all")
    beside = score(WORKED_JUDGEMENTS, {"0": [("a", 0, 10)]} | WORKED_RUN, measures="all")

    assert beside.means == alone.means


def test_a_result_without_a_place_is_18_characters_in_2009_and_nothing_in_2007():
    judgements = {"1": {"a": Judged(spans=((0, 18),))}}
    run = {"1": [("a", None, 0), ("a", 0, 18)]}

    in_2007 = score(judgements, run).means["iP[0.00]"]
    in_2009 = score(judgements, run, profile="inex-2009").means["iP[0.00]"]

    assert (in_2007, in_2009) == (1.0, 0.5)


def test_a_thorough_run_counts_text_once_unless_told_otherwise():
    judgements = judgement_columns({"1": {"a": Judged(spans=((0, 50),))}})
    run = run_columns({"1": [("a", 0, 25), ("a", 0, 100)]})

    once = evaluate("thorough", judgements, run, measures=["charP", "charR"])
    always = evaluate("thorough", judgements, run, measures=["charP", "charR"], parameters={"overlap": "count_all"})

    assert once.means == {"charP": 0.5, "charR": 1.0}
    assert always.means == {"charP": 75 / 125, "charR": 1.5}


def test_no_topic_at_all_scores_0():
    result = score({"1": {"a": Judged()}}, WORKED_RUN)

    assert result.topics == ()
    assert result.means["iMAP"] == 0.0
    assert result.curves["iP"].tolist() == [0.0] * 101


def test_a_topic_that_begins_with_as_many_relevant_characters_as_the_last_one_ended_with_is_not_overlooked():
    judgements = {"1": {"a": Judged(spans=((0, 1),))}, "2": {"a": Judged(spans=((0, 1),))}}
    run = {"1": [("a", 0, 1)], "2": [("a", 0, 2)]}

    result = score(judgements, run)

    assert result.topic_values["iP[0.00]"].tolist() == [1.0, 0.5]
