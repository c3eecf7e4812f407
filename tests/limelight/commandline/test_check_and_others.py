import io
import json

import numpy as np
import pytest

from evaluation.__main__ import main
from limelight.commandline.progress import watched
from limelight.scoring.evaluators import EVALUATORS

TOPICS = 12


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    """Assessments of twelve topics and three runs: one good, one nearly as good, one poor."""
    monkeypatch.chdir(tmp_path)
    judged = "".join(f"{topic} Q0 a 100 1000 0 0:100\n" for topic in range(1, TOPICS + 1))
    (tmp_path / "assessments.qrels").write_text(judged)
    generator = np.random.default_rng(1)
    for name, low, high in [("good", 60, 100), ("near", 58, 100), ("poor", 1, 20)]:
        lines = (
            f"{topic} Q0 a 1 1 {name} 0 {generator.integers(low, high)}\n{topic} Q0 b 2 0.5 {name} 0 50\n"
            for topic in range(1, TOPICS + 1)
        )
        (tmp_path / f"{name}.fol").write_text("".join(lines))
    return tmp_path


RUNS = ("assessments.qrels", "poor.fol", "good.fol", "near.fol")


def test_compare_shows_the_matrix_and_the_ranks(capsys):
    code = main(["compare", "--task", "focused", "--measure", "iMAP", *RUNS])

    lines = capsys.readouterr().out.splitlines()
    assert code == 0
    assert lines[0] == "iMAP, randomised Tukey HSD, level 0.05"
    table = [line.split() for line in lines[3:6]]
    assert {table[0][1], table[1][1]} == {"good", "near"}
    assert [row[3] for row in table] == ["1-2", "1-2", "3"]
    assert [row[4:] for row in table] == [["-", ".", "*"], ["-", "-", "*"], ["-", "-", "-"]]
    assert lines[7] == "2 of 3 pairs differ significantly (*)."
    assert lines[11].endswith(" apart differ (5 %, tested among 3 runs); below, they cannot be told from chance here.")
    assert lines[12] == "Two runs share the lead."


@pytest.mark.parametrize("test", ["tukey", "tukey-complete-null", "bootstrap", "randomisation", "t-test"])
def test_compare_as_json_is_the_same_every_time(test, capsys):
    arguments = ["compare", "--task", "focused", "--test", test, "--format", "json", *RUNS]

    main(arguments)
    first = capsys.readouterr().out
    main(arguments)

    assert capsys.readouterr().out == first
    told = json.loads(first)
    assert told["measure"] == "iMAP"
    assert told["pairs"] == 3
    assert told["significant_pairs"] == 2
    assert told["p"][2] == [None, None, None]
    assert [len(tier) for tier in told["tiers"]] == [2, 1]
    assert [run["mean"] for run in told["runs"]] == sorted((run["mean"] for run in told["runs"]), reverse=True)


def test_compare_warns_when_holm_can_not_find_anything(capsys):
    arguments = ["compare", "--task", "focused", "--test", "randomisation", "--resamples", "50", "--holm", *RUNS]

    code = main(arguments)

    assert code == 0
    assert capsys.readouterr().err == (
        "With 3 pairs Holm's correction can't find any of them significant: the smallest p-value these resamples can "
        "give is 0.02. Take more than 60 resamples.\n"
    )


def test_correlate_tells_all_coefficients(capsys):
    code = main(["correlate", "--task", "focused", "--measures", "iMAP,charMAP", "--format", "json", *RUNS])

    told = json.loads(capsys.readouterr().out)
    assert code == 0
    assert told["runs"] == 3
    assert told["pairs"][0]["measures"] == ["iMAP", "charMAP"]
    assert told["pairs"][0]["tau-b"] == {"value": 1.0, "p": pytest.approx(1 / 3)}
    assert told["pairs"][0]["tau-AP"] == {"value": 1.0, "p": None}


def test_correlate_for_people(capsys):
    main(["correlate", "--task", "focused", "--measures", "iMAP,charMAP", *RUNS])

    assert capsys.readouterr().out.splitlines()[:3] == ["3 runs", "iMAP and charMAP", "  tau-b    1.0000  p = 0.333"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["compare", "--task", "focused", "assessments.qrels", "good.fol"], "Comparing takes at least two runs."),
        (
            ["compare", "--task", "focused", "--test", "sign", *RUNS],
            "There is no test “sign”. Tests are tukey, tukey-complete-null, bootstrap, randomisation, t-test.",
        ),
        (
            ["compare", "--task", "focused", "--resamples", "0", *RUNS],
            "--resamples takes a number from 1 to 1,000,000, not 0.",
        ),
        (["compare", "--task", "focused", "--seed", "-1", *RUNS], "--seed takes a number from 0, not -1."),
        (["compare", "--task", "focused", "--measure", "MAgP", *RUNS], "A focused task has no measure “MAgP”."),
        (
            ["correlate", "--task", "focused", "--measures", "iMAP", *RUNS],
            "Correlating takes at least two measures, such as --measures iMAP,artMAP.",
        ),
        (
            ["correlate", "--task", "focused", "--measures", "iMAP,charMAP", "assessments.qrels", "good.fol"],
            "Correlating takes at least two runs.",
        ),
        (["check", "--task", "focused", "missing.fol"], "missing.fol: can't be read (No such file or directory)."),
        (["check", "--task", "unknown", "good.fol"], "There is no kind of task “unknown”."),
        (["check", "--task", "focused", "--topics", "good.fol", "good.fol"], "good.fol"),
        (["check", "--task", "focused", "--collection", "nowhere", "good.fol"], "nowhere: can't be read"),
        (["measures", "--task", "focused", "--set", "x=1"], "There is no parameter “x” for a focused task."),
        (["weigh"], "Argument COMMAND: invalid choice: 'weigh'"),
        ([], "The following arguments are required: COMMAND."),
    ],
)
def test_a_wrong_request_is_a_sentence_and_exit_2(arguments, sentence, capsys):
    code = main(arguments)

    told = capsys.readouterr()
    assert code == 2
    assert told.out == ""
    assert told.err.startswith(sentence)


def test_check_says_when_all_is_well(capsys):
    code = main(["check", "--task", "focused", "good.fol"])

    assert code == 0
    assert capsys.readouterr().out == "good.fol: keeps the rules of a focused task.\n"


def test_check_tells_all_problems_with_file_and_line(capsys, files):
    (files / "bad.fol").write_text("1 Q0 a 1 9 bad 0 50\n1 Q0 a 2 9 bad 10 5\n1 Q0 a 1 8 bad 60 5\n")

    code = main(["check", "--task", "focused", "bad.fol"])

    lines = capsys.readouterr().out.splitlines()
    assert code == 1
    assert [line.split(": ")[0] for line in lines] == ["bad.fol:2", "bad.fol:3"]


def test_check_tells_every_broken_line(capsys, files):
    (files / "broken.fol").write_text("1 Q0 a x 9 bad 0 50\n1 Q0 a 2 9 bad 10 -5\n")

    code = main(["check", "--task", "focused", "broken.fol"])

    lines = capsys.readouterr().out.splitlines()
    assert code == 1
    assert [line.split(": ")[0] for line in lines] == ["broken.fol:1", "broken.fol:2"]


def test_warnings_do_not_refuse(capsys, files):
    (files / "rising.fol").write_text("1 Q0 a 1 1 up 0 50\n1 Q0 b 2 2 up 0 50\n")

    code = main(["check", "--task", "focused", "rising.fol"])

    assert code == 0
    assert capsys.readouterr().out.startswith("rising.fol:2: warning: ")


def test_check_knows_topics_and_collection(capsys, files):
    (files / "topics.xml").write_text('<inex-topic-file><topic id="1"><title>t</title></topic></inex-topic-file>')
    (files / "lengths").write_text("a 40\n")
    (files / "far.fol").write_text("2 Q0 a 1 1 far 0 50\n")

    code = main(["check", "--task", "focused", "--topics", "topics.xml", "--collection", "lengths", "far.fol"])

    lines = capsys.readouterr().out
    assert code == 1
    assert "topic 2" in lines
    assert "far.fol:1: " in lines
    assert "40" in lines


def test_check_as_json_tells_rule_line_and_topic(capsys, files):
    (files / "bad.fol").write_text("1 Q0 a 1 9 bad 0 50\n1 Q0 a 2 9 bad 10 5\n")

    code = main(["check", "--task", "focused", "--format", "json", "bad.fol", "good.fol"])

    bad, good = json.loads(capsys.readouterr().out)["runs"]
    assert code == 1
    assert (bad["file"], good["file"], good["problems"]) == ("bad.fol", "good.fol", [])
    assert [(problem["rule"], problem["line"], problem["topic"]) for problem in bad["problems"]] == [
        ("overlap", 2, "1")
    ]


@pytest.mark.parametrize("kind", EVALUATORS)
def test_measures_explains_the_whole_table(kind, capsys):
    main(["measures", "--task", kind])

    told = capsys.readouterr().out
    for measure in EVALUATORS[kind].measures:
        assert f" {measure.name}: {measure.label}." in told
    for parameter in EVALUATORS[kind].parameters:
        assert parameter.explanation in told or parameter.name == "n"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_is_drawn_only_for_people_and_wiped_away():
    terminal, pipe = Terminal(), io.StringIO()

    assert list(watched("abcd", "Reading", terminal)) == list("abcd")
    assert list(watched("abcd", "Reading", pipe)) == list("abcd")

    assert "Reading [" in terminal.getvalue()
    assert "3/4" in terminal.getvalue()
    assert terminal.getvalue().endswith(" \r")
    assert pipe.getvalue() == ""


def test_the_one_useful_line_comes_first_and_the_rest_is_folded(capsys, files):
    lines = [f"{topic} Q0 d{rank} {rank} 1 r\n" for rank in range(1, 40) for topic in (1, 2, 3)]
    (files / "mixed.txt").write_text("".join(lines))

    code = main(["check", "--task", "focused", str(files / "mixed.txt")])

    out = capsys.readouterr().out
    assert code == 1
    assert "6 columns: no offset and length." in out.splitlines()[0]
    assert len(out.splitlines()) == 1


def test_check_folds_after_five_of_a_kind_unless_asked_for_all(capsys, files):
    (files / "twice.fol").write_text("".join(f"1 Q0 a {rank} 1 r 0 50\n" for rank in range(1, 30)))

    folded, everything = lines_of(capsys, files, []), lines_of(capsys, files, ["--all"])

    assert len([line for line in folded if "overlaps line" in line]) == 5
    assert any(line.endswith("… and 23 more of the kind overlap; check --all shows them.") for line in folded)
    assert len([line for line in everything if "overlaps line" in line]) == 28


def lines_of(capsys, files, option):
    main(["check", "--task", "focused", *option, str(files / "twice.fol")])
    return capsys.readouterr().out.splitlines()
