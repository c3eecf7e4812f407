"""score --as-is: what breaks the rules is told and scored as it stands."""

import json

import pytest

from evaluation.__main__ import main

ASSESSMENTS = "1 Q0 a 50 100 0 0:50\n1 Q0 b 0 100\n2 Q0 c 10 100 40 40:10\n"
RUNS = {
    "overlap": "1 Q0 a 1 9 r 0 50\n1 Q0 a 2 8 r 25 50\n",
    "past-the-end": "1 Q0 a 1 9 r 0 200\n",
    "rank-order": "1 Q0 a 2 9 r 0 50\n1 Q0 b 1 8 r 0 50\n",
    "document-order": "1 Q0 a 1 9 r 0 10\n1 Q0 b 2 8 r 0 10\n1 Q0 a 3 7 r 10 40\n",
    "one-a-document": "1 Q0 a 1 9 r 0 0\n1 Q0 a 2 8 r 10 0\n",
    "result-limit": "".join(f"1 Q0 d{rank} {rank} 1 r 0 5\n" for rank in range(1, 1502)) + "1 Q0 a 1502 1 r 0 50\n",
}
KINDS = {"document-order": "relevant-in-context", "one-a-document": "best-in-context"}


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "assessments.qrels").write_text(ASSESSMENTS)
    for name, lines in RUNS.items():
        (tmp_path / name).write_text(lines)
    return tmp_path


def score(capsys, name, *options, kind=None):
    code = main(["score", "--task", kind or KINDS.get(name, "focused"), *options, "assessments.qrels", name])
    return code, capsys.readouterr()


@pytest.mark.parametrize("name", RUNS)
def test_a_broken_rule_is_a_warning_and_no_refusal(capsys, name):
    refused, told = score(capsys, name)
    assert refused == 1
    sentences = [line for line in told.err.splitlines() if "breaks the rules" not in line]

    code, as_is = score(capsys, name, "--as-is")

    assert code == 0
    assert as_is.out.splitlines()[1].split()[0] == "r"
    for sentence in sentences:
        place, _, message = sentence.partition(": ")
        assert f"{place}: warning: {message.removeprefix('warning: ')}" in as_is.err.splitlines()


def test_nothing_is_clipped(capsys):
    _, told = score(capsys, "past-the-end", "--as-is", "--format", "json", "--measures", "charP,charR")

    (run,) = json.loads(told.out)["runs"]
    assert run["topics"]["1"] == {"charP": 50 / 200, "charR": 1.0}


def test_lines_count_as_they_stand(capsys):
    _, told = score(capsys, "overlap", "--as-is", "--format", "json", "--measures", "iMAP,charP")

    (run,) = json.loads(told.out)["runs"]
    assert run["topics"]["1"]["charP"] == 75 / 100


def test_a_document_that_comes_back_joins_its_first_appearance(capsys):
    _, told = score(capsys, "document-order", "--as-is", "--format", "json")

    assert json.loads(told.out)["runs"][0]["topics"]["1"]["AgP"] == 1.0


def test_the_other_commands_that_score_take_it_too(capsys):
    arguments = ["--task", "focused", "--as-is", "assessments.qrels", "overlap", "past-the-end"]

    assert main(["compare", *arguments]) == 0
    assert main(["correlate", "--measures", "iMAP,charP", *arguments]) == 0


def test_what_cannot_be_read_is_still_refused(capsys, files):
    (files / "broken").write_text("1 Q0 a one 9 r 0 50\n")

    code, told = score(capsys, "broken", "--as-is", kind="focused")

    assert (code, told.out) == (2, "")


def test_many_warnings_are_summed_up(capsys, files):
    (files / "many").write_text("".join(f"1 Q0 a {rank} 1 r 0 50\n" for rank in range(1, 500)))

    code, told = score(capsys, "many", "--as-is", kind="focused")

    assert code == 0
    assert "many: … and 493 more of the kind overlap; check --all shows them." in told.err
    assert len(told.err.splitlines()) < 12
