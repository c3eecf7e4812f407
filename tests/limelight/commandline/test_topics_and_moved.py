"""topics and moved: what is relevant, how runs fared, and what new assessments change."""

import json

import numpy as np
import pytest

import limelight
from evaluation.__main__ import main
from limelight.analysis.moves import moves, tau_between
from limelight.analysis.topics import topic_lines
from limelight.face.moving import moved
from limelight.scoring.evaluators import compiled
from tests.limelight.builders import qrels_columns
from tests.limelight.demo_scores import COLLECTION, demo_assessments, demo_runs, demo_scores, score_matrix

OLD = """\
1 Q0 a 50 200 0 0:50
1 Q0 b 0 200
2 Q0 a 20 200 100 100:20
2 Q0 c 100 200 0 0:100
3 Q0 d 0 200
"""
NEW = """\
1 Q0 a 10 200 0 0:10
1 Q0 b 40 200 0 0:40
2 Q0 a 20 200 100 100:20
2 Q0 c 100 200 0 0:100
"""
RUNS = {
    "one": "1 Q0 a 1 9 one 0 50\n2 Q0 c 1 9 one 0 100\n",
    "two": "1 Q0 b 1 9 two 0 40\n2 Q0 c 1 9 two 0 90\n",
    "three": "1 Q0 d 1 9 three 0 50\n2 Q0 a 1 9 three 100 10\n",
}


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written = {"old.qrels": OLD, "new.qrels": NEW} | {f"{name}.fol": run for name, run in RUNS.items()}
    for name, text in written.items():
        (tmp_path / name).write_text(text)
    return tmp_path


FILES = [f"{name}.fol" for name in RUNS]


def told(capsys, *arguments):
    assert main([*arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def lines_of(capsys, *arguments):
    assert main([*arguments]) == 0
    return capsys.readouterr().out.splitlines()


def test_topics_with_what_is_relevant_and_how_runs_fared(capsys):
    scores = told(capsys, "score", "--task", "focused", "old.qrels", *FILES)["runs"]

    found = told(capsys, "topics", "--task", "focused", "old.qrels", *FILES)

    assert (found["measure"], found["runs"]) == ("iMAP", 3)
    assert [
        (line["topic"], line["judged_documents"], line["relevant_documents"], line["highlighted_characters"])
        for line in found["topics"]
    ] == [("1", 2, 1, 50), ("2", 2, 2, 120)]
    for line in found["topics"]:
        values = [run["topics"][line["topic"]]["iAP"] for run in scores]
        assert (line["low"], line["median"], line["high"]) == pytest.approx(
            tuple(np.quantile(values, (0.25, 0.5, 0.75)))
        )
    assert [line["place"] for line in found["topics"]] == [2, 1]


def test_topics_for_people(capsys):
    lines = lines_of(capsys, "topics", "--task", "focused", "--measure", "charP", "old.qrels", *FILES)

    assert [line.split() for line in lines] == [
        ["topic", "judged", "relevant", "characters", "quartile", "median", "quartile", "place"],
        ["1", "2", "1", "50", "0.0000", "0.0000", "0.5000", "2"],
        ["2", "2", "2", "120", "1.0000", "1.0000", "1.0000", "1"],
    ]


def test_topics_without_runs(capsys):
    found = told(capsys, "topics", "--task", "focused", "old.qrels")
    lines = lines_of(capsys, "topics", "--task", "focused", "old.qrels")

    assert found["runs"] == 0
    assert found["topics"][0]["median"] is None
    assert lines[0].split() == ["topic", "judged", "relevant", "characters"]


def test_graded_documents_have_no_characters():
    [line] = topic_lines(compiled(qrels_columns({"1": {"a": 2, "b": 0, "c": 1}})))

    assert (line.judged_documents, line.relevant_documents, line.highlighted_characters) == (3, 2, None)


def test_what_new_assessments_change(capsys):
    found = told(capsys, "moved", "--task", "focused", "old.qrels", "new.qrels", *FILES)

    runs = {run["run"]: run for run in found["runs"]}
    before, after = (
        {run["run"]: run["mean"]["iMAP"] for run in told(capsys, "score", "--task", "focused", name, *FILES)["runs"]}
        for name in ("old.qrels", "new.qrels")
    )
    assert [(name, run["old_rank"], run["new_rank"]) for name, run in runs.items()] == [
        ("two", 2, 1),
        ("one", 1, 2),
        ("three", 3, 3),
    ]
    assert {name: run["old_score"] for name, run in runs.items()} == pytest.approx(before)
    assert {name: run["new_score"] for name, run in runs.items()} == pytest.approx(after)
    assert found["tau-b"] == tau_between(before, after)
    assert [change["topic"] for change in runs["two"]["topics"]] == ["1"]
    assert runs["two"]["topics"][0]["contribution"] == pytest.approx(after["two"] - before["two"])
    assert [passed["run"] for passed in runs["two"]["passed"]] == ["one"]
    gain = (after["two"] - after["one"]) - (before["two"] - before["one"])
    assert runs["two"]["passed"][0]["topics"] == [{"topic": "1", "gain": pytest.approx(gain)}]
    assert (runs["two"]["old_ranks"], runs["two"]["told"]) == (None, False)


def test_what_moved_for_people(capsys):
    lines = lines_of(capsys, "moved", "--task", "focused", "--measure", "charP", "old.qrels", "new.qrels", *FILES)

    assert lines[0] == "charP over 2 topics: tau-b 0.0000; 3 of 3 runs changed rank."
    assert lines[2].split() == ["rank", "was", "run", "score", "was", "change", "topics"]
    assert lines[3].split() == ["1", "2", "two", "1.0000", "0.5000", "+0.5000", "1", "+0.5000"]
    assert lines[-1] == "two passed one by topics 1 +0.9000."


def test_the_demos_two_readings(files, capsys):
    for number in (1, 2):
        (files / f"{number}.qrels").write_bytes(demo_assessments(second_reading=number == 2))
    runs = [str(file) for file in demo_runs("focused")]

    found = told(capsys, "moved", "--task", "focused", "--collection", str(COLLECTION), "1.qrels", "2.qrels", *runs)

    old, new = (demo_scores(files, second_reading=again) for again in (False, True))
    boards = [dict(zip(scores, score_matrix(scores, "iMAP").tolist(), strict=True)) for scores in (old, new)]
    topics = next(iter(new.values())).topics
    expected = moves(*boards, topics, topics)
    assert [(run["run"], run["old_rank"], run["new_rank"]) for run in found["runs"]] == [
        (move.key, move.old_rank, move.new_rank) for move in expected
    ]
    assert {change["topic"] for run in found["runs"] for change in run["topics"]} <= {"101", "102", "110"}
    assert found["runs"][0]["new_ranks"] == [1, 5]
    assert not any(run["told"] for run in found["runs"])


def test_moves_are_told_of_the_same_runs_scored_by_the_measure():
    old, fewer = (limelight.score("old.qrels", runs, task="focused") for runs in (FILES, FILES[:2]))

    with pytest.raises(limelight.Refusal, match=r"^What moved is told of the same runs, scored against two assess"):
        moved(old, fewer, "iMAP")
    with pytest.raises(limelight.Refusal, match=r"^one was not scored by charP\."):
        moved(old, old, "charP")


@pytest.mark.parametrize("command", ["topics", "moved"])
def test_an_unknown_measure_is_a_sentence(capsys, command):
    assert main([command, "--task", "focused", "--measure", "best", "old.qrels", "new.qrels", *FILES]) == 2
    assert capsys.readouterr().err.startswith("A focused task has no measure “best”.")
