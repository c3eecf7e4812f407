"""compare: which runs differ, in any order, under any labels, with any of the tests."""

import json
import re

import numpy as np
import pytest

from evaluation.__main__ import main

TOPICS = 12
IN_CONTEXT = ("compare", "--task", "relevant-in-context")


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    """Write assessments of twelve topics and two runs: A is better by MAgP, B significantly better by MAP.

    Two of ten documents are relevant. A has one of them first, with all of its text and nothing else; B has both first,
    but hardly any of their text.
    """
    monkeypatch.chdir(tmp_path)
    generator = np.random.default_rng(2007)
    judged, a, b = [], [], []
    for topic in range(1, TOPICS + 1):
        judged += [f"{topic} Q0 {name} 100 1000 0 0:100" for name in ("x", "y")]
        judged += [f"{topic} Q0 n{number} 0 1000" for number in range(8)]
        length = int(generator.integers(80, 100))
        a += [f"{topic} Q0 x 1 9 A 0 {length}"]
        b += [f"{topic} Q0 {name} {rank} {9 - rank} B 0 {length // 20}" for rank, name in enumerate("xy", start=1)]
    for name, lines in (("assessments.qrels", judged), ("a.fol", a), ("b.fol", b)):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    return tmp_path


RUNS = ("assessments.qrels", "a.fol", "b.fol")


def compared(capsys, *options, runs=RUNS):
    assert main([*IN_CONTEXT, *options, "--format", "json", *runs]) == 0
    return json.loads(capsys.readouterr().out)


def text_of(capsys, *options, runs=RUNS):
    assert main([*IN_CONTEXT, *options, *runs]) == 0
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("test", ["tukey", "tukey-complete-null", "bootstrap", "randomisation", "t-test"])
@pytest.mark.parametrize("order", [[], ["--order-by", "MAgP"], ["--label-by", "MAgP"], ["--order-by", "gP[10]"]])
def test_a_pair_counts_whichever_of_its_runs_stands_first(capsys, test, order):
    told = compared(capsys, "--measure", "MAP", "--test", test, *order)

    assert (told["significant_pairs"], told["pairs"]) == (1, 1)
    a, b = ([run["run"] for run in told["runs"]].index(name) for name in "AB")
    assert told["significant"][b][a] and not told["significant"][a][b]
    assert told["p"][b][a] < 0.05 and told["p"][a][b] is None
    assert told["against_the_order"] == (1 if a < b else 0)


def test_the_second_matrix_of_the_poster(capsys):
    """In MAP's own order, labelled by the ranks under MAgP: its first label need not be 1."""
    lines = text_of(capsys, "--measure", "MAP", "--label-by", "MAgP", "--test", "bootstrap")

    assert lines[0] == "MAP, bootstrap (percentile), one-tailed, level 0.05; labelled by rank under MAgP"
    assert lines[2].split() == ["run", "mean", "ranks", "2", "1"]
    assert [line.split()[:2] for line in lines[3:5]] == [["2", "B"], ["1", "A"]]
    assert [line.split()[4:] for line in lines[3:5]] == [["-", "*"], ["-", "-"]]
    assert lines[6] == "1 of 1 pairs differ significantly (*)."
    assert lines[7] == "B - A: +0.5000, p < 0.001, significant"


def test_in_another_order_stars_stand_on_both_sides_of_the_diagonal(capsys):
    lines = text_of(capsys, "--measure", "MAP", "--order-by", "MAgP", "--test", "bootstrap")

    assert lines[0] == "MAP, bootstrap (percentile), one-tailed, level 0.05; ordered by MAgP"
    assert [line.split() for line in lines[3:5]] == [
        ["1", "A", "0.5000", "2", "-", "."],
        ["2", "B", "1.0000", "1", "*", "-"],
    ]
    assert lines[6] == "1 of 1 pairs differ significantly (*), 1 of them against the order shown."
    assert lines[7] == "A - B: -0.5000, p < 0.001, significant"


def test_tiers_are_those_of_the_measure_in_its_own_order(capsys):
    own = compared(capsys, "--measure", "MAP")
    shown = compared(capsys, "--measure", "MAP", "--order-by", "MAgP")

    assert own["tiers"] == shown["tiers"] == [["B"], ["A"]]


def test_two_runs_are_compared_by_the_paired_t_test_with_a_sentence(capsys):
    told = compared(capsys, "--measure", "MAP")
    lines = text_of(capsys)

    assert told["test"] == "paired t-test"
    assert [(run["ranks"], run["leads"]) for run in told["runs"]] == [([1, 1], True), ([2, 2], False)]
    assert (told["leading"], told["not_told"], told["critical_difference"], told["topics"]) == (["B"], "", None, 12)
    assert told["paired"][0]["sentence"] == (
        "B scores 0.5000 more than A on each of 12 topics: all topics differ by the same amount."
    )
    assert lines[-3:-1] == ["One run leads alone.", ""]
    assert re.fullmatch(
        r"A scores 0\.\d{4} more than B \(95 % interval \+0\.\d{4} to \+0\.\d{4}, 12 topics, paired t, p < 0\.001\)\. "
        r"If they were equally good on topics like these, a difference this large would come up in fewer than 1 of "
        r"1,000 such campaigns\. A is better on 12 topics, B on 0\.",
        lines[-1],
    )


def test_more_runs_are_compared_with_holms_correction_and_intervals_that_are_not_adjusted(capsys, files):
    (files / "c.fol").write_text("".join(f"{topic} Q0 n1 1 9 C 0 50\n" for topic in range(1, 7)))
    runs = (*RUNS, "c.fol")

    told = compared(capsys, runs=runs)
    lines = text_of(capsys, runs=runs)

    assert told["test"] == "randomised Tukey HSD"
    assert len(told["paired"]) == 3
    assert told["critical_difference"] > 0
    smallest = min(pair["p"] for pair in told["paired"])
    assert [pair["p_holm"] for pair in told["paired"] if pair["p"] == smallest] == [pytest.approx(3 * smallest)]
    assert sum("by Holm over 3 pairs): they differ." in line for line in lines) == 2
    assert sum(": all topics differ by the same amount." in line for line in lines) == 1
    assert lines[-1] == "Intervals are not adjusted for the number of pairs."


def test_few_topics_tell_no_ranks(capsys, files):
    judged = (files / "assessments.qrels").read_text().splitlines(keepends=True)
    (files / "few.qrels").write_text("".join(line for line in judged if int(line.split()[0]) < 10))
    runs = ("few.qrels", "a.fol", "b.fol")

    told = compared(capsys, runs=runs)
    lines = text_of(capsys, runs=runs)

    assert told["not_told"] == "too few topics to tell runs apart"
    assert (told["leading"], "ranks" in told["runs"][0]) == ([], False)
    assert "No ranks' ranges: too few topics to tell runs apart (9 topics, ranges take 10)." in lines


def test_a_difference_that_is_none_says_so(capsys, files):
    (files / "same.fol").write_text((files / "a.fol").read_text().replace(" A ", " same "))

    lines = text_of(capsys, runs=("assessments.qrels", "a.fol", "same.fol"))

    assert "A - same: +0.0000, p = 1.000, not significant" in lines
    assert lines[-1] == "A and same score the same on each of 12 topics."


def test_without_options_order_and_labels_are_the_measures_own(capsys):
    told = compared(capsys)

    assert (told["measure"], told["order_by"], told["label_by"]) == ("MAgP", "MAgP", "MAgP")
    assert [(run["run"], run["label"]) for run in told["runs"]] == [("A", 1), ("B", 2)]
    assert (told["tails"], told["level"]) == (2, 0.05)


def test_the_options_reach_the_tests(capsys):
    one = compared(capsys, "--test", "t-test", "--tails", "1", "--level", "0.01")
    two = compared(capsys, "--test", "t-test", "--tails", "2")
    shifted = compared(capsys, "--test", "bootstrap", "--variant", "shift", "--tails", "2")
    either = compared(capsys, "--test", "tukey", "--tails", "2")

    assert (one["tails"], one["level"], two["tails"]) == (1, 0.01, 2)
    assert one["p"][0][1] == pytest.approx(two["p"][0][1] / 2)
    assert (shifted["test"], shifted["tails"]) == ("bootstrap (shift)", 2)
    assert either["test"] == "randomised Tukey HSD"


def test_a_lower_level_finds_fewer_pairs(capsys):
    common = compared(capsys, "--test", "randomisation", "--resamples", "99")
    strict = compared(capsys, "--test", "randomisation", "--resamples", "99", "--level", "0.005")

    assert (common["significant_pairs"], strict["significant_pairs"]) == (1, 0)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--label-by", "iMAP"], "A relevant-in-context task has no measure “iMAP”. It can compute MAgP, gP[5], "),
        (["--order-by", "best"], "A relevant-in-context task has no measure “best”."),
        (["--measure", ""], "A relevant-in-context task has no measure “”."),
        (["--order-by", ""], "A relevant-in-context task has no measure “”."),
        (["--label-by", ""], "A relevant-in-context task has no measure “”."),
        (["--level", "1.5"], "--level takes a number above 0 and below 1, such as 0.05, not “1.5”."),
        (["--level", "0"], "--level takes a number above 0 and below 1, such as 0.05, not “0”."),
        (["--level", "1"], "--level takes a number above 0 and below 1, such as 0.05, not “1”."),
        (["--level=-0.05"], "--level takes a number above 0 and below 1, such as 0.05, not “-0.05”."),
        (["--level", "nan"], "--level takes a number above 0 and below 1, such as 0.05, not “nan”."),
        (["--level", "five"], "--level takes a number above 0 and below 1, such as 0.05, not “five”."),
        (["--tails", "3"], "--tails takes 1 or 2, not “3”."),
        (["--tails", "both"], "--tails takes 1 or 2, not “both”."),
        (
            ["--test", "tukey", "--tails", "1"],
            "Tukey's HSD always asks about both directions. Choose another --test for --tails 1.",
        ),
        (
            ["--test", "tukey-complete-null", "--tails", "1"],
            "Tukey's HSD always asks about both directions. Choose another --test for --tails 1.",
        ),
        (["--variant", "shift"], "--variant is for --test bootstrap; here the test is t-test."),
        (
            ["--test", "bootstrap", "--variant", "moved"],
            "There is no variant “moved”. Variants are percentile and shift.",
        ),
    ],
)
def test_an_option_that_makes_no_sense_is_a_sentence(capsys, options, sentence):
    code = main([*IN_CONTEXT, *options, *RUNS])

    told = capsys.readouterr()
    assert (code, told.out) == (2, "")
    assert told.err.startswith(sentence)
    assert len(told.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("kind", "first"),
    [("focused", "iMAP"), ("thorough", "iMAP"), ("relevant-in-context", "MAgP"), ("document", "MAP")],
)
def test_the_official_measure_comes_first_on_the_command_line(capsys, kind, first):
    outputs = []
    for options in ([], ["--measures", "all"], ["--format", "csv"], ["--format", "json"], ["--format", "latex"]):
        assert main(["score", "--task", kind, *options, *RUNS]) == 0
        outputs.append(capsys.readouterr().out)
    main(["measures", "--task", kind])
    listed = capsys.readouterr().out.splitlines()

    assert [output.split()[1] for output in outputs[:2]] == [first, first]
    assert outputs[2].startswith(f"run,file,topic,{first},")
    assert next(iter(json.loads(outputs[3])["runs"][0]["mean"])) == first
    assert f"run & {first} & " in outputs[4]
    assert listed[2].startswith(f"* {first}: ")


def test_topics_are_headed_by_their_own_names_for_people_and_by_the_measures_in_csv(capsys):
    heads = {}
    for form in ("text", "latex", "csv"):
        main(
            ["score", "--task", "focused", "--per-topic", "--measures", "iMAP,charMAP,artMAP", "--format", form, *RUNS]
        )
        heads[form] = capsys.readouterr().out
    main(["score", "--task", "focused", "--measures", "iMAP,charMAP,artMAP", "--format", "json", *RUNS])
    told = json.loads(capsys.readouterr().out)["runs"][0]

    assert heads["text"].split()[2:5] == ["iAP", "charAP", "artAP"]
    assert "run & topic & iAP & charAP & artAP" in heads["latex"]
    assert heads["csv"].splitlines()[0] == "run,file,topic,iMAP,charMAP,artMAP"
    assert list(told["mean"]) == ["iMAP", "charMAP", "artMAP"]
    assert list(told["topics"]["1"]) == ["iAP", "charAP", "artAP"]


def test_measures_without_a_bound_say_so(capsys):
    main(["measures", "--task", "thorough", "--set", "overlap=count_all"])
    counted = " ".join(capsys.readouterr().out.split())
    main(["measures", "--task", "thorough"])
    once = " ".join(capsys.readouterr().out.split())

    sentence = "text retrieved twice counts twice (overlap=count_all), so it may exceed 1."
    assert f"The share of all highlighted characters that the run returns; {sentence}" in counted
    assert sentence not in once
    assert "then recall and what is made of it may exceed 1" in once


def test_other_topics_are_told_on_request(capsys):
    values = compared(capsys)["runs"]
    assert "other_topics" not in compared(capsys)

    told = compared(capsys, "--other-topics")["other_topics"]

    assert [one["run"] for one in told["redrawn"]] == [one["run"] for one in values]
    assert sum(one["first"] for one in told["redrawn"]) == pytest.approx(1)
    assert [one["difference"] for one in told["needed"]] == [0.01, 0.02, 0.05, 0.1]
    assert told["found_difference"] == pytest.approx(2.801585 * (2 * told["variance"] / TOPICS) ** 0.5)
    assert (told["halves"], told["generalisability"]) == (None, None)
    text = " ".join(text_of(capsys, "--other-topics"))
    assert "If the topics were drawn again from topics like these, A would come first in > 99 % of the draws" in text
    assert "With 2 runs a coefficient means little." in text


@pytest.fixture
def ten(files):
    """Write ten runs that return less and less, and in topics more or less so; returns the assessments and them."""
    for number in range(10):
        sizes = [60 - (4 + topic) * number // 2 for topic in range(1, TOPICS + 1)]
        lines = [f"{topic} Q0 x 1 9 r{number} 0 {max(size, 1)}" for topic, size in enumerate(sizes, start=1)]
        (files / f"r{number}.fol").write_text("\n".join(lines) + "\n")
    return "assessments.qrels", *(f"r{number}.fol" for number in range(10))


def test_ten_runs_tell_how_steady_their_ranking_is(capsys, ten):
    told = compared(capsys, "--other-topics", runs=ten)["other_topics"]

    mean, low, high = told["halves"]["tau-b"]
    assert told["halves"]["topics"] == 6
    assert -1 <= low <= mean <= high <= 1
    assert 0 < told["generalisability"] <= 1
    text = "\n".join(text_of(capsys, "--other-topics", runs=ten))
    assert f"\nTwo halves of 6 topics agree with each other: {mean:.2f} ({low:.2f} to {high:.2f}).\n" in text
    assert f"Generalisability {told['generalisability']:.3f}." in text


def test_two_measures_of_ten_runs_are_held_against_each_other_on_other_topics(capsys, ten):
    words = ("correlate", "--task", "relevant-in-context", "--measures", "MAgP,gP[10]", "--other-topics")
    assert main([*words, "--format", "json", *ten]) == 0
    (pair,) = json.loads(capsys.readouterr().out)["pairs"]
    assert main([*words, *ten]) == 0
    text = capsys.readouterr().out

    assert list(pair["redrawn"]) == ["tau-b", "tau-AP", "Pearson"]
    for name, (mean, low, high) in pair["redrawn"].items():
        assert low <= mean <= high, name
        assert f"({low:.4f} to {high:.4f})" in text
    assert f"MAgP on redrawn topics agrees with itself on all by a tau-b of {pair['ceiling']:.4f}" in text
    assert main([*words, "--format", "json", *RUNS]) == 0
    assert "redrawn" not in json.loads(capsys.readouterr().out)["pairs"][0]
