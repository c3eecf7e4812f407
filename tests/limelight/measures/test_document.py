"""Document measures against trec_eval, through pytrec_eval."""

from math import log2

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from limelight.scoring.evaluators import evaluate
from limelight.scoring.profiles import ParameterError
from tests.examples import examples
from tests.limelight.builders import Judged, judgement_columns, qrels_columns, run_columns

TOPICS = ("1", "2", "3")
DOCUMENTS = tuple("abcdefghijklmnopqrst")
PEERS = {"MAP": "map", "P@5": "P_5", "P@10": "P_10", "P@20": "P_20", "nDCG": "ndcg"}

# No negative grades: a topic that has no others sends trec_eval round for ever.
grade_sets = st.dictionaries(
    st.sampled_from(TOPICS), st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 4), min_size=1), min_size=1
)
rankings = st.dictionaries(st.sampled_from(TOPICS), st.lists(st.sampled_from((*DOCUMENTS, "x", "y")), unique=True))


def peer_values(grades, ranking):
    """What trec_eval -c says, topic by topic; topics without a relevant document are left out by both."""
    evaluator = pytrec_eval.RelevanceEvaluator(grades, set(PEERS.values()) | {"P"})
    run = {topic: {name: float(-rank) for rank, name in enumerate(names)} for topic, names in ranking.items() if names}
    values = evaluator.evaluate(run)
    return {
        topic: {name: values.get(topic, {}).get(peer, 0.0) for name, peer in PEERS.items()}
        for topic in grades
        if any(grade > 0 for grade in grades[topic].values())
    }


@examples(200)
@given(grade_sets, rankings)
def test_graded_documents_score_as_trec_eval_says(grades, ranking):
    run = {topic: [(name, 0, 0) for name in names] for topic, names in ranking.items()}
    expected = peer_values(grades, ranking)

    result = evaluate("document", qrels_columns(grades), run_columns(run))

    assert list(result.topics) == list(expected)
    for name in PEERS:
        assert result.topic_values[name].tolist() == pytest.approx([row[name] for row in expected.values()], abs=1e-12)


def test_highlighted_documents_score_as_trec_eval_says():
    generator = np.random.default_rng(1)
    grades = {topic: {name: int(generator.random() < 0.4) for name in DOCUMENTS} for topic in TOPICS}
    judgements = {
        topic: {name: Judged(spans=((5, 3),) if grade else ()) for name, grade in names.items()}
        for topic, names in grades.items()
    }
    ranking = {topic: generator.permutation(DOCUMENTS).tolist() for topic in TOPICS}
    # A document's second passage far down the list doesn't move it.
    run = {topic: [(name, 0, 4) for name in names] + [(names[0], 50, 4)] for topic, names in ranking.items()}

    result = evaluate("document", judgement_columns(judgements), run_columns(run))

    expected = peer_values(grades, ranking)
    for name in PEERS:
        assert result.topic_values[name].tolist() == pytest.approx([row[name] for row in expected.values()], abs=1e-12)


def test_a_negative_grade_is_not_relevant():
    run = run_columns({"1": [("spam", 0, 0), ("a", 0, 0)], "2": [("spam", 0, 0)]})

    spam = evaluate("document", qrels_columns({"1": {"a": 1, "spam": -2}, "2": {"spam": -2}}), run)
    plain = evaluate("document", qrels_columns({"1": {"a": 1, "spam": 0}}), run)

    assert spam.topics == ("1",)
    assert spam.means == plain.means


def test_expected_reciprocal_rank_by_hand():
    grades = {"1": {"a": 2, "b": 1, "c": 4, "d": 9}}
    run = {"1": [("a", 0, 0), ("x", 0, 0), ("b", 0, 0), ("d", 0, 0)]}

    as_gdeval = evaluate("document", qrels_columns(grades), run_columns(run), parameters={"max_grade": 4})
    as_assessed = evaluate("document", qrels_columns(grades), run_columns(run))

    def expected(first, third, fourth):
        return pytest.approx(first + (1 - first) * (third / 3 + (1 - third) * fourth / 4))

    assert as_gdeval.means["ERR@20"] == expected(3 / 16, 1 / 16, 15 / 16)
    assert as_assessed.means["ERR@20"] == expected(3 / 512, 1 / 512, 511 / 512)


@pytest.mark.parametrize(
    ("grades", "highest"),
    [
        ({"1": {"a": 1, "b": 0}}, 1),
        ({"1": {"a": 1}, "2": {"b": 2, "c": -2}}, 2),  # that of all topics, not of one
        ({"1": {"a": 4}}, 4),
        ({"1": {"a": 99}}, 30),
    ],
)
def test_err_goes_by_the_highest_grade_in_the_assessments_and_tells_which(grades, highest):
    result = evaluate("document", qrels_columns(grades), run_columns({"1": [("a", 0, 0)]}))

    grade = min(grades["1"]["a"], highest)
    assert result.parameters["max_grade"] == highest
    assert result.topic_values["ERR@20"][0] == (2**grade - 1) / 2**highest


def test_err_of_highlighted_text_has_one_grade():
    judgements = judgement_columns({"1": {"a": Judged(spans=((0, 5),))}})

    result = evaluate("document", judgements, run_columns({"1": [("x", 0, 9), ("a", 0, 9)]}))

    assert result.parameters["max_grade"] == 1
    assert result.means["ERR@20"] == 1 / 2 / 2


def test_expected_reciprocal_rank_stops_at_20():
    grades = {"1": {"relevant": 4}}
    before = [(f"x{number}", 0, 0) for number in range(20)]

    late = evaluate("document", qrels_columns(grades), run_columns({"1": [*before, ("relevant", 0, 0)]}))
    just = evaluate("document", qrels_columns(grades), run_columns({"1": [*before[:19], ("relevant", 0, 0)]}))

    assert late.means["ERR@20"] == 0.0
    assert just.means["ERR@20"] == 15 / 16 / 20


def test_discounted_gain_by_hand():
    grades = {"1": {"a": 3, "b": 1, "c": 2}}
    run = {"1": [("b", 0, 0), ("x", 0, 0), ("a", 0, 0)]}

    result = evaluate("document", qrels_columns(grades), run_columns(run))

    assert result.means["nDCG"] == pytest.approx((1 + 3 / log2(4)) / (3 + 2 / log2(3) + 1 / log2(4)))


def test_the_precision_curve_begins_with_precision_at_1():
    grades = {"1": {"a": 1, "b": 1}}

    result = evaluate("document", qrels_columns(grades), run_columns({"1": [("a", 0, 0), ("x", 0, 0), ("b", 0, 0)]}))

    assert result.curves["P"][:4].tolist() == [1.0, 0.5, pytest.approx(2 / 3), 0.5]
    assert len(result.curves["P"]) == 50


def test_grades_of_documents_are_no_highlighted_text():
    with pytest.raises(ParameterError) as refusal:
        evaluate("focused", qrels_columns({"1": {"a": 1}}), run_columns({"1": [("a", 0, 9)]}))

    assert str(refusal.value) == "These assessments grade whole documents. A focused task needs highlighted text."
