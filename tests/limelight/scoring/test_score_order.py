"""Document tasks order by score as trec_eval does, whatever lines and ranks say."""

import io
import random

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from evaluation.__main__ import main
from limelight.formats.runs.ranking import by_score
from limelight.formats.runs.reading import read_run
from limelight.rules.checking import check, read_and_check
from limelight.rules.task_rules import Rules
from limelight.scoring.evaluators import evaluate
from limelight.scoring.profiles import ParameterError, resolve
from tests.examples import examples
from tests.limelight.builders import qrels_columns, run_columns

PEERS = {"MAP": "map", "P@5": "P_5", "P@10": "P_10", "P@20": "P_20", "nDCG": "ndcg"}
DOCUMENTS = ("a", "B", "b", "é", "a1", "FT911-3", "FT911-30", "LA010189-0018", "clueweb09-en0000-00-00001", "Ω")
SCORES = st.sampled_from([0.0, 1.0, -1.0, 0.1, 0.1 + 1e-9, 0.1 + 1e-6, 16777216.0, 16777217.0, 1e39, 3e38, -0.0])
LINES = st.dictionaries(
    st.sampled_from("123"), st.dictionaries(st.sampled_from(DOCUMENTS), SCORES, min_size=1), min_size=1
)
GRADES = st.dictionaries(
    st.sampled_from("123"), st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 3), min_size=1), min_size=1
)


def trec_run(scores, seed=0):
    """Return a plain TREC run with its lines shuffled and ranks that mean nothing."""
    lines = [
        f"{topic} Q0 {document} {len(document)} {score!r} R"
        for topic, row in scores.items()
        for document, score in row.items()
    ]
    random.Random(seed).shuffle(lines)
    return "\n".join(lines).encode()


def peer_values(grades, scores):
    values = pytrec_eval.RelevanceEvaluator(grades, set(PEERS.values()) | {"P"}).evaluate(scores)
    return {
        topic: {name: values.get(topic, {}).get(peer, 0.0) for name, peer in PEERS.items()}
        for topic in grades
        if any(grades[topic].values())
    }


@examples(300)
@given(grades=GRADES, scores=LINES, seed=st.integers(0, 9))
def test_lines_in_any_order_score_as_trec_eval_says(grades, scores, seed):
    columns, _ = read_run(io.BytesIO(trec_run(scores, seed)))
    expected = peer_values(grades, scores)

    result = evaluate("document", qrels_columns(grades), columns)

    for name in PEERS:
        told = dict(zip(result.topics, result.topic_values[name].tolist(), strict=True))
        assert told == {topic: pytest.approx(row[name], abs=1e-12) for topic, row in expected.items()}


@examples(100)
@given(scores=LINES, seed=st.integers(0, 9))
def test_the_rules_of_a_document_task_take_such_a_run(scores, seed):
    columns, problems = read_and_check(io.BytesIO(trec_run(scores, seed)), Rules("document"))

    assert columns is not None
    assert {problem.severity for problem in problems} <= {"warning"}
    assert len(problems) <= 2


def test_a_run_in_the_order_of_its_scores_is_left_as_it_is():
    columns = run_columns({"1": [("a", 0, 5), ("b", 0, 5)], "2": [("c", 0, 5)]})

    assert by_score(columns) is columns


def test_ties_fall_by_document_id():
    columns, _ = read_run(io.BytesIO(b"1 Q0 a 1 5 R\n1 Q0 c 2 5 R\n1 Q0 b 3 5 R\n2 Q0 a 1 5 R\n1 Q0 z 4 7 R\n"))

    ordered = by_score(columns)

    assert [ordered.documents[number] for number in ordered.document] == ["z", "c", "b", "a", "a"]
    assert ordered.line.tolist() == [5, 2, 3, 1, 4]


def test_results_without_an_rsv_come_last_in_the_order_of_the_file():
    columns = run_columns({"1": [("a", 0, 5), ("c", 0, 5), ("b", 0, 5), ("d", 0, 5)]})
    columns.rsv[:] = [np.nan, 1, np.nan, 2]

    ordered = by_score(columns)

    assert [ordered.documents[number] for number in ordered.document] == ["d", "c", "a", "b"]


def test_the_inex_way_is_a_parameter():
    grades = {"1": {"a": 1}}
    columns, _ = read_run(io.BytesIO(b"1 Q0 x 1 1 R\n1 Q0 a 2 2 R\n"))

    by_rsv = evaluate("document", qrels_columns(grades), columns)
    by_lines = evaluate("document", qrels_columns(grades), columns, parameters={"order": "lines"})

    assert (by_rsv.means["MAP"], by_lines.means["MAP"]) == (1.0, 0.5)
    assert (by_rsv.parameters["order"], by_lines.parameters["order"]) == ("score", "lines")


def test_only_document_tasks_know_it():
    with pytest.raises(ParameterError, match="There is no parameter “order” for a focused task"):
        resolve("focused", parameters={"order": "score"})
    with pytest.raises(ParameterError, match="Parameter order can't be “rank”: it takes score or lines"):
        resolve("document", parameters={"order": "rank"})


@pytest.mark.parametrize("kind", ["focused", "thorough", "relevant-in-context", "best-in-context"])
def test_other_tasks_keep_the_order_of_the_lines(kind):
    columns, _ = read_run(io.BytesIO(b"1 Q0 x 2 1 R 0 5\n1 Q0 a 1 2 R 0 5\n"))

    assert [problem.rule for problem in check(columns, Rules(kind))] == ["rank-order", "rsv-order"]


def test_a_document_task_says_once_that_the_order_is_that_of_the_scores():
    run = b"7 Q0 a 9 1 R\n8 Q0 a 9 1 R\n7 Q0 b 1 2 R\n8 Q0 b 1 2 R\n7 Q0 c 1 3 R\n"

    _, problems = read_and_check(io.BytesIO(run), Rules("document"))

    assert [str(problem) for problem in problems] == [
        "The lines of 2 topics don't stand together. That changes nothing: a document run is ordered by its rsv.",
        "The lines of 2 topics are not in the order of their rsv. A document run is scored by rsv falling, "
        "ties by document id falling, whatever lines and ranks say.",
    ]
    assert {problem.severity for problem in problems} == {"warning"}


def test_a_document_task_of_the_inex_way_keeps_the_old_rules():
    run = b"7 Q0 a 9 1 R\n8 Q0 a 9 1 R\n7 Q0 b 1 2 R\n"

    _, problems = read_and_check(io.BytesIO(run), Rules("document", order="lines"))

    assert {problem.rule for problem in problems} == {"topic-blocks", "rank-order", "rsv-order"}


def test_a_document_task_tells_what_has_no_rsv():
    columns = run_columns({"1": [("a", 0, 5), ("c", 0, 5)], "2": [("b", 0, 5)]})
    columns.rsv[:] = [1, np.nan, np.nan]

    assert [str(problem) for problem in check(columns, Rules("document"))] == [
        "2 of 3 results have no rsv, by which a document run is ordered. They come last in their topics, in the order "
        "of the file."
    ]


def test_the_command_line_orders_as_trec_eval_does_and_passes_such_a_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_bytes(b"1 0 a 1\n1 0 b 0\n2 0 c 1\n")
    (tmp_path / "run").write_bytes(b"2 Q0 x 7 0.5 R\n1 Q0 b 1 0.1 R\n2 Q0 c 3 0.75 R\n1 Q0 a 2 0.3 R\n")

    assert main(["check", "--task", "document", "run"]) == 0
    assert main(["check", "--task", "document", "--set", "order=lines", "run"]) == 1
    assert main(["score", "--task", "document", "--measures", "MAP", "qrels", "run"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split() == ["R", "1.0000"]
    assert main(["score", "--task", "document", "--set", "order=lines", "qrels", "run"]) == 1


def test_ranking_a_large_run_costs_little():
    generator = np.random.default_rng(3)
    rows = [(f"d{number:07d}", 0, 5) for number in range(100_000)]
    columns = run_columns({"1": rows})
    columns.rsv[:] = generator.integers(0, 1000, len(rows))

    ordered = by_score(columns)

    assert (np.diff(ordered.rsv) <= 0).all()
    tied = np.flatnonzero(np.diff(ordered.rsv) == 0)
    assert (ordered.document[tied] > ordered.document[tied + 1]).all()
