"""score: the interval of a mean, what was judged, and what unjudged text leaves open."""

import json

import numpy as np
import pytest
from scipy import stats

from evaluation.__main__ import main

JUDGED = """\
1 Q0 a 50 200 0 0:50
1 Q0 b 0 200
2 Q0 a 20 200 100 100:20
2 Q0 c 100 200 0 0:100
"""
PARTLY = "1 Q0 a 1 9 partly 0 30\n1 Q0 x 2 8 partly 0 30\n2 Q0 c 1 7 partly 0 50\n"


@pytest.fixture
def partly(tmp_path):
    """Write assessments of which one topic lists relevant documents only, and a run that was judged in part."""
    (tmp_path / "judged.qrels").write_text(JUDGED)
    (tmp_path / "partly.fol").write_text(PARTLY)
    (tmp_path / "pool.xml").write_text('<pool topic="2"><file file="d"><path path="/article[1]"/></file></pool>')
    return [str(tmp_path / "judged.qrels"), str(tmp_path / "partly.fol")]


def test_the_mean_has_an_interval_of_its_own(partly, capsys):
    arguments = ["score", "--task", "focused", "--measures", "iMAP,charP", "--intervals"]

    assert main([*arguments, "--format", "json", *partly]) == 0
    [told] = json.loads(capsys.readouterr().out)["runs"]
    assert main([*arguments, *partly]) == 0
    lines = capsys.readouterr().out.splitlines()

    values = np.array([told["topics"][topic]["iAP"] for topic in ("1", "2")])
    half = stats.t.ppf(0.975, 1) * values.std(ddof=1) / np.sqrt(2)
    assert told["intervals"]["iMAP"] == pytest.approx([values.mean() - half, values.mean() + half])
    assert lines[0].split() == ["run", "iMAP", "iMAP", "low", "iMAP", "high", "charP", "charP", "low", "charP", "high"]
    assert [float(cell) for cell in lines[1].split()[1:4]] == pytest.approx(
        [values.mean(), *told["intervals"]["iMAP"]], abs=1e-4
    )
    assert lines[-1] == (
        "On other topics like these the mean would lie here 95 times in 100; do not compare two runs by it."
    )


def test_one_topic_has_no_interval(partly, tmp_path, capsys):
    (tmp_path / "one.qrels").write_text("1 Q0 a 50 200 0 0:50\n")
    files = [str(tmp_path / "one.qrels"), partly[1]]

    assert main(["score", "--task", "focused", "--measures", "iMAP", "--intervals", "--format", "json", *files]) == 0
    assert json.loads(capsys.readouterr().out)["runs"][0]["intervals"] == {"iMAP": None}
    assert main(["score", "--task", "focused", "--measures", "iMAP", "--intervals", "--format", "csv", *files]) == 0
    assert capsys.readouterr().out.splitlines()[1].endswith(",,")


def test_what_was_judged_and_what_that_leaves_open(partly, capsys):
    arguments = ["score", "--task", "focused", "--measures", "iMAP,charP,charR", "--judged"]

    assert main([*arguments, "--format", "json", *partly]) == 0
    judged = json.loads(capsys.readouterr().out)["runs"][0]["judged"]
    assert main([*arguments, "--per-topic", *partly]) == 0
    lines = capsys.readouterr().out.splitlines()

    assert judged["share"] == 0.75
    assert judged["topics"] == {"1": 0.5, "2": 1.0}
    assert judged["bounds"] == {"charP": [0.75, 1.0]}
    assert judged["ranges"]["iMAP"][0] < judged["ranges"]["iMAP"][1]
    assert judged["topic_ranges"]["iMAP"]["2"][0] == judged["topic_ranges"]["iMAP"]["2"][1]
    assert judged["ranges"]["iMAP"] == pytest.approx(np.mean(list(judged["topic_ranges"]["iMAP"].values()), axis=0))
    assert judged["without_unjudged"]["charP"] == 1.0
    assert judged["ranks_without_unjudged"] == {"iMAP": 1, "charP": 1, "charR": 1}
    assert judged["sentence"] == "1 topic lists only relevant documents and is taken as fully judged."
    assert [line.split()[-1] for line in lines[:4]] == ["judged", "0.5000", "1.0000", "0.7500"]
    assert judged["sentence"] in lines
    assert ["charP", "0.7500", "0.7500", "1.0000", "1.0000", "1", "1"] in [line.split()[1:] for line in lines]
    assert lines[-1].startswith("Ranges of iMAP and MAgP: Only text in unjudged documents that this run returned may")


def test_a_pool_tells_what_else_was_read(partly, tmp_path, capsys):
    pool = ["--pool", str(tmp_path / "pool.xml")]

    assert main(["score", "--task", "focused", "--judged", *pool, "--format", "json", *partly]) == 0
    judged = json.loads(capsys.readouterr().out)["runs"][0]["judged"]

    assert (judged["share"], judged["sentence"]) == (0.75, "")
    assert main(["score", "--task", "focused", *pool, *partly]) == 2
    assert capsys.readouterr().err == "--pool tells what was read. Give --judged with it.\n"


def test_where_nobody_knows_what_was_read_nothing_is_said(partly, tmp_path, capsys):
    (tmp_path / "relevant.qrels").write_text("1 Q0 a 50 200 0 0:50\n")
    arguments = ["score", "--task", "focused", "--judged", str(tmp_path / "relevant.qrels"), partly[1]]

    assert main(arguments) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "These assessments list only relevant documents; which others were read is not known."
    assert lines[0].split()[-1] == "judged"
    assert len(lines[1].split()) == len(lines[0].split()) - 1
