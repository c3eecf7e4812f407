"""compare --parts: what the differences between runs are made of."""

import json

import numpy as np
import pytest

from evaluation.__main__ import main

TOPICS = 12
RUNS = ("assessments.qrels", "a.fol", "b.fol")


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    """Write assessments of twelve topics and three runs that share some documents; C shares none with B."""
    monkeypatch.chdir(tmp_path)
    generator = np.random.default_rng(2007)
    lines = {"assessments.qrels": [], "a.fol": [], "b.fol": [], "c.fol": []}
    for topic in range(1, TOPICS + 1):
        length = int(generator.integers(40, 100))
        lines["assessments.qrels"] += [f"{topic} Q0 {name} 100 1000 0 0:100" for name in "xyz"]
        lines["a.fol"] += [f"{topic} Q0 x 1 9 A 0 {length}", f"{topic} Q0 n 2 8 A 0 50", f"{topic} Q0 y 3 7 A 60 90"]
        lines["b.fol"] += [
            f"{topic} Q0 n 1 9 B 0 40",
            f"{topic} Q0 x 2 8 B 0 {3 * length}",
            f"{topic} Q0 z 3 7 B 0 {length}",
        ]
        lines["c.fol"] += [f"{topic} Q0 y 1 9 C 0 {length}"]
    for name, written in lines.items():
        (tmp_path / name).write_text("\n".join(written) + "\n")


def compared(capsys, *options, runs=RUNS, task="relevant-in-context"):
    assert main(["compare", "--task", task, "--parts", *options, *runs]) == 0
    return capsys.readouterr().out


def test_the_parts_of_two_runs_as_json(capsys):
    [pair] = json.loads(compared(capsys, "--format", "json"))["paired"]

    told = pair["parts"]
    assert [part["label"] for part in told["parts"]] == ["documents found", "order", "text within documents"]
    assert [part["part"] for part in told["text"]] == ["caught", "waste"]
    assert sum(part["mean"] for part in told["parts"]) == pytest.approx(pair["difference"], abs=1e-12)
    assert (
        round(sum(part["rounded"] for part in told["parts"]), 4) == told["difference"] == round(pair["difference"], 4)
    )
    assert round(sum(part["rounded"] for part in told["text"]), 4) == told["parts"][2]["rounded"]
    assert told["shared"] == 2 / 3
    for part in (*told["parts"], *told["text"]):
        assert part["low"] <= part["mean"] <= part["high"]
        assert part["smallest"] - 1e-12 <= part["mean"] <= part["largest"] + 1e-12
        assert np.mean(list(part["topics"].values())) == pytest.approx(part["mean"])
        assert len(part["topics"]) == TOPICS
    assert told["sentence"].startswith(f"Of the {told['difference']:.4f} by which A leads, ")


def test_the_parts_of_two_runs_in_words(capsys):
    told = json.loads(compared(capsys, "--format", "json"))["paired"][0]["parts"]
    lines = compared(capsys).splitlines()

    start = lines.index("A - B in parts")
    assert lines[start + 1].split() == ["part", "mean", "low", "high", "smallest", "largest"]
    table = [line.rsplit(maxsplit=5) for line in lines[start + 2 : start + 8]]
    assert [row[0].strip() for row in table] == [
        "documents found",
        "order",
        "text within documents",
        "highlighted text caught",
        "other text returned",
        "difference",
    ]
    for row, part in zip(table, (*told["parts"], *told["text"]), strict=False):
        numbers = [part[name] for name in ("rounded", "low", "high", "smallest", "largest")]
        assert row[1:] == [f"{round(number, 4) + 0.0:+.4f}" for number in numbers]
    assert table[-1][1] == f"{told['difference']:+.4f}"
    assert table[-1][-2:] == ["-", "-"]
    assert lines[start + 8 :] == [
        told["sentence"],
        "",
        "low, high: 95 % interval, paired t. smallest, largest: the part's step, depending on what is exchanged first.",
    ]


def test_each_pair_of_three_runs_has_its_parts(capsys):
    runs = (*RUNS, "c.fol")

    pairs = json.loads(compared(capsys, "--format", "json", runs=runs, task="focused"))["paired"]
    text = compared(capsys, runs=runs, task="focused")

    for pair in pairs:
        assert round(pair["parts"]["difference"], 4) == round(pair["difference"], 4)
        assert pair["parts"]["text"] == []
        assert f"\n{pair['better']} - {pair['other']} in parts\n" in text
        assert pair["parts"]["sentence"] in text
    assert any(
        "C returns none of B's documents: text and order cannot be compared." in line for line in text.split("\n")
    )


def test_parts_by_another_measure_and_of_one_topic(capsys, tmp_path):
    (tmp_path / "assessments.qrels").write_text("1 Q0 x 100 1000 0 0:100\n")

    [pair] = json.loads(compared(capsys, "--measure", "gP[5]", "--format", "json"))["paired"]
    text = compared(capsys, "--measure", "gP[5]")

    assert sum(part["mean"] for part in pair["parts"]["parts"]) == pytest.approx(pair["difference"], abs=1e-12)
    assert pair["parts"]["parts"][0]["low"] is None
    assert [line.split()[-4:-2] for line in text.splitlines() if line.startswith("documents found")] == [["-", "-"]]


def test_without_the_argument_nothing_is_told(capsys):
    assert main(["compare", "--task", "focused", "--format", "json", *RUNS]) == 0

    assert "parts" not in json.loads(capsys.readouterr().out)["paired"][0]


def test_what_cannot_be_told_is_refused_before_files_are_read(capsys):
    nothing = ["nothing.qrels", *["nothing.fol"] * 7]

    assert main(["compare", "--task", "thorough", "--parts", *nothing[:3]]) == 2
    assert capsys.readouterr().err == "Results of a thorough task may overlap and have no single place to exchange.\n"
    assert main(["compare", "--task", "focused", "--parts", *nothing]) == 2
    assert capsys.readouterr().err == "--parts is for two to six runs, not 7.\n"
