"""The public face in Python: the same answers as the command line, by paths or on what was read before."""

import json

import pytest

import limelight
from limelight.__main__ import main

ASSESSMENTS = """\
1 Q0 salt 100 400 0 0:100
1 Q0 pepper 0 300
2 Q0 pepper 50 300 200 200:50
3 Q0 salt 10 400 300 300:10
"""
RUNS = {
    "sharp.fol": "1 Q0 salt 1 0.9 sharp 0 75\n2 Q0 pepper 1 0.8 sharp 200 50\n3 Q0 salt 1 0.4 sharp 300 20\n",
    "blunt.fol": "1 Q0 salt 1 0.9 blunt 0 400\n2 Q0 pepper 1 0.9 blunt 0 250\n",
    "lost.fol": "1 Q0 pepper 1 0.9 lost 0 10\n",
}
TWICE = "1 Q0 salt 1 0.9 twice 0 75\n1 Q0 salt 2 0.8 twice 50 75\n"
RELEVANT = (("1 Q0 salt", 400), ("2 Q0 pepper", 300), ("3 Q0 salt", 400))
"""The documents with relevant text, and how long they are."""

KINDS = ("focused", "thorough", "relevant-in-context")


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    """Stand in a folder with assessments and runs."""
    monkeypatch.chdir(tmp_path)
    for name, text in {"assessments.qrels": ASSESSMENTS, "twice.fol": TWICE, **RUNS}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def told(capsys, *arguments):
    """Return the JSON that the command prints."""
    main([*arguments, "--format", "json"])
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("kind", KINDS)
def test_scores_are_those_of_the_command_line(capsys, kind):
    scores = limelight.score("assessments.qrels", list(RUNS), task=kind, profile="inex-2009", measures="all")

    printed = told(
        capsys,
        *("score", "--task", kind, "--profile", "inex-2009", "--measures", "all", "assessments.qrels", *RUNS),
    )
    assert [run["run"] for run in printed["runs"]] == list(scores)
    for run in printed["runs"]:
        assert run["mean"] == scores[run["run"]].means
        assert list(run["topics"]) == list(scores[run["run"]].topics)
        values = [dict(zip(run["topics"], column, strict=True)) for column in columns_of(run)]
        assert values == list(scores[run["run"]].per_topic.values())


def columns_of(printed):
    return zip(*(topic.values() for topic in printed["topics"].values()), strict=True)


def test_what_was_read_before_scores_as_its_file_does(files):
    assessments, run = limelight.read_assessments("assessments.qrels"), limelight.read_run(files / "sharp.fol")

    read, by_path = (
        limelight.score(*given, task="focused") for given in ((assessments, run), ("assessments.qrels", "sharp.fol"))
    )

    assert read.means == by_path.means
    assert read.file == "sharp"
    assert by_path.file == "sharp.fol"


def test_one_measure_is_asked_for_by_its_name():
    assert list(limelight.score("assessments.qrels", "sharp.fol", task="focused", measures="artMAP").means) == [
        "artMAP"
    ]


def test_runs_are_named_by_their_files_where_their_own_names_repeat(files):
    (files / "again.fol").write_text(RUNS["sharp.fol"])

    scores = limelight.score("assessments.qrels", ["sharp.fol", "again.fol", "blunt.fol"], task="focused")

    assert list(scores) == ["sharp.fol", "again.fol", "blunt"]


def test_runs_that_nothing_tells_apart_are_refused():
    with pytest.raises(limelight.Refusal, match=r"^2 runs are called “sharp.fol”. Give them as a dictionary, by names"):
        limelight.score("assessments.qrels", ["sharp.fol", "sharp.fol"], task="focused")


def test_a_dictionary_keeps_its_names():
    run = limelight.read_run("sharp.fol")

    scores = limelight.score("assessments.qrels", {"a": run, "b": "sharp.fol"}, task="focused")

    assert scores["a"].means == scores["b"].means


@pytest.mark.parametrize("runs", [[], {}])
def test_no_runs_are_refused(runs):
    with pytest.raises(limelight.Refusal, match=r"^There are no runs to score\.$"):
        limelight.score("assessments.qrels", runs, task="focused")


def test_warnings_say_what_the_command_line_says(capsys):
    scores = limelight.score("assessments.qrels", ["twice.fol", "lost.fol"], task="focused", as_is=True)

    main(["score", "--task", "focused", "--as-is", "assessments.qrels", "twice.fol", "lost.fol"])
    printed = capsys.readouterr().err
    for run in scores.values():
        assert run.warnings
        assert all(f"warning: {problem.message}" in printed for problem in run.warnings)
    assert [problem.rule for problem in scores["lost"].warnings] == ["missing-topics", "scores-zero"]


def test_problems_are_those_of_the_command_line(capsys, files):
    (files / "topics.xml").write_text('<topics><topic id="1"/><topic id="2"/></topics>')
    (files / "lengths.txt").write_text("salt 60\npepper 300\n")

    problems = limelight.check("twice.fol", task="focused", topics="topics.xml", collection="lengths.txt")

    given = ("--topics", "topics.xml", "--collection", "lengths.txt")
    [printed] = told(capsys, "check", "--task", "focused", *given, "twice.fol")["runs"]
    assert [problem.as_dict() for problem in problems] == printed["problems"]
    assert {problem.rule for problem in problems} == {"overlap", "past-the-end", "missing-topics"}


def test_a_check_takes_what_was_read_before(files):
    (files / "topics.xml").write_text('<topics><topic id="1"/><topic id="2"/></topics>')
    (files / "lengths.txt").write_text("salt 60\npepper 300\n")
    by_path = limelight.check(
        "twice.fol", task="focused", topics="topics.xml", collection="lengths.txt", assessments="assessments.qrels"
    )

    for topics in (limelight.read_topics("topics.xml"), ["1", "2"], files / "topics.xml"):
        problems = limelight.check(
            limelight.read_run("twice.fol"),
            task="focused",
            topics=topics,
            collection=limelight.read_collection("lengths.txt"),
            assessments=limelight.read_assessments("assessments.qrels"),
        )
        assert problems == by_path


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"test": "bootstrap", "variant": "shift", "tails": 2, "level": 0.2, "resamples": 300, "seed": 5},
        {"measure": "iP[0.10]", "test": "t-test", "order_by": "iMAP", "label_by": "iP[0.00]"},
    ],
)
def test_comparisons_are_those_of_the_command_line(capsys, options):
    comparison = limelight.compare(limelight.score("assessments.qrels", list(RUNS), task="focused"), **options)

    words = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    printed = told(capsys, "compare", "--task", "focused", *words, "assessments.qrels", *RUNS)
    assert [run["run"] for run in printed["runs"]] == comparison.names
    assert [run["label"] for run in printed["runs"]] == comparison.labels
    assert printed["tiers"] == comparison.tiers
    assert printed["test"] == comparison.method
    assert sorted(p for row in printed["p"] for p in row if p is not None) == sorted(
        pair.p for pair in comparison.pairs
    )
    assert printed["significant_pairs"] == sum(pair.significant for pair in comparison.pairs)


def test_a_pair_has_the_better_run_first_in_whatever_order_runs_are_shown(files):
    whole = [f"{topic} 1 0.9 whole 0 {length}\n" for topic, length in RELEVANT]
    (files / "whole.fol").write_text("".join(whole))
    runs = ["sharp.fol", "whole.fol"]
    scores = limelight.score("assessments.qrels", runs, task="focused", measures=["iMAP", "charR"])

    comparison = limelight.compare(scores, measure="iMAP", order_by="charR")

    assert comparison.names == ["whole", "sharp"]
    [pair] = comparison.pairs
    assert (pair.better, pair.other) == ("sharp", "whole")
    assert pair.difference > 0


def test_coefficients_are_those_of_the_command_line(capsys):
    measures = ["iMAP", "artMAP", "charP"]
    scores = limelight.score("assessments.qrels", list(RUNS), task="focused", measures=measures)

    coefficients = limelight.correlate(scores)

    printed = told(
        capsys, "correlate", "--task", "focused", "--measures", ",".join(measures), "assessments.qrels", *RUNS
    )
    assert [tuple(pair["measures"]) for pair in printed["pairs"]] == list(coefficients)
    for pair in printed["pairs"]:
        for name, coefficient in coefficients[tuple(pair["measures"])].items():
            assert pair[name] == {"value": coefficient.value, "p": coefficient.p}


def test_scores_that_were_made_in_different_ways_are_not_looked_at_together():
    one = limelight.score("assessments.qrels", "sharp.fol", task="focused")
    other = limelight.score("assessments.qrels", "blunt.fol", task="focused", profile="inex-2009")

    for look in (limelight.compare, limelight.correlate):
        with pytest.raises(limelight.Refusal, match=r"^one and other were scored in different ways\."):
            look({"one": one, "other": other})


def test_a_measure_that_was_not_scored_is_refused():
    scores = limelight.score("assessments.qrels", list(RUNS), task="focused")

    with pytest.raises(limelight.Refusal, match=r"^sharp was not scored by artMAP\. Name it in the measures of lime"):
        limelight.compare(scores, measure="artMAP")


def asked(**wrong):
    return lambda: limelight.score("assessments.qrels", "sharp.fol", **{"task": "focused"} | wrong)


def compared(**wrong):
    return lambda: limelight.compare(limelight.score("assessments.qrels", list(RUNS), task="focused"), **wrong)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (asked(result_limit=0), "result_limit must be at least 1, not 0."),
        (asked(profile="inex"), "There is no profile “inex”. Profiles are inex-2007, inex-2009 and inex-2010."),
        (asked(collection="nowhere"), "nowhere: can't be read (No such file or directory)."),
        (compared(level=7), "level takes a number above 0 and below 1, such as 0.05, not “7”."),
        (compared(variant="shift"), "variant is for test bootstrap; here the test is tukey."),
        (compared(tails=3), "tails takes 1 or 2, not “3”."),
        (compared(seed=-1), "seed takes a number from 0, not -1."),
        (
            lambda: limelight.correlate(limelight.score("assessments.qrels", list(RUNS), task="focused"), ["iMAP"]),
            'Correlating takes at least two measures, such as measures=["iMAP", "artMAP"].',
        ),
    ],
)
def test_a_refusal_speaks_of_arguments_as_python_writes_them(call, sentence):
    with pytest.raises(limelight.Refusal) as refused:
        call()

    assert refused.value.sentences == (sentence,)
    assert str(refused.value) == sentence
    assert refused.value.problems == {}


def test_a_refusal_has_every_problem_where_its_sentences_tell_the_first(files, capsys):
    lines = [f"1 Q0 salt {rank} 0.5 many 0 10" for rank in range(1, 10)]
    (files / "many.fol").write_text("\n".join(lines) + "\n")

    with pytest.raises(limelight.Refusal) as refused:
        limelight.score("assessments.qrels", ["many.fol", "twice.fol"], task="focused")

    problems = refused.value.problems
    assert refused.value.breaks_rules
    assert {file: len(them) for file, them in problems.items()} == {"many.fol": 8, "twice.fol": 1}
    assert refused.value.sentences[5] == "many.fol: … and 3 more of the kind overlap; limelight.check returns them."
    assert main(["score", "--task", "focused", "assessments.qrels", "many.fol", "twice.fol"]) == 1
    assert "many.fol: … and 3 more of the kind overlap; check --all shows them." in capsys.readouterr().err


def test_a_broken_file_is_no_broken_rule(files):
    (files / "broken.fol").write_text("1 Q0 salt first 0.9 broken 0 75\n")

    with pytest.raises(limelight.Refusal) as refused:
        limelight.score("assessments.qrels", ["broken.fol", "twice.fol"], task="focused")

    assert not refused.value.breaks_rules
    assert [problem.line for problem in refused.value.problems["broken.fol"]] == [1]
