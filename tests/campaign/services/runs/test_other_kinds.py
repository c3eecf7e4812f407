"""Runs for another kind of task: refused where they return no text, pointed out where their header says so."""

import io

import pytest

from campaign.models import Run, Task
from campaign.services.runs.checks import dry_run
from evaluation.__main__ import main
from limelight.formats.runs.reading import read_run
from limelight.kinds import KINDS
from limelight.rules.checking import check, read_and_check
from limelight.rules.likeness import kind_named
from limelight.rules.task_rules import Rules
from limelight.scoring.evaluators import EVALUATORS
from limelight.text.documents import read_document
from tests.folders import ROOT
from tests.world import World, checked

NEEDS_TEXT = [kind.name for kind in KINDS if kind.needs_text]

BEST_IN_CONTEXT = b"1 Q0 a 1 9 entry 0 0\n2 Q0 c 1 9 entry 5 0\n3 Q0 d 1 9 entry 10 0\n"
DEMO_RUN = ROOT / "demo" / "runs" / "argand_bic-par.txt"


def run(*lines):
    return read_run(io.BytesIO("\n".join(lines).encode()))[0]


def said(columns, kind, **known):
    return [str(problem) for problem in check(columns, Rules(kind), **known) if problem.rule == "no-text"]


def submission(task):
    result = "<result><file>a</file><fol offset='0' length='5'/></result>"
    topic = f"<topic topic-id='1'>{result}</topic>"
    return f"<inex-submission run-id='R' task='{task}'>{topic}</inex-submission>".encode()


@pytest.mark.parametrize("kind", NEEDS_TEXT)
def test_results_of_length_0_look_like_best_in_context(kind):
    words = kind.replace("-", " ")

    assert said(run("7 Q0 a 1 1 R 10 0", "7 Q0 b 2 1 R 0 0"), kind) == [
        f"2 results of length 0: this looks like a Best in Context run. A {words} run returns text: "
        "write the length of each passage."
    ]


@pytest.mark.parametrize("kind", NEEDS_TEXT)
def test_results_without_an_offset_look_like_elements_that_nobody_mapped(kind):
    words = kind.replace("-", " ")

    assert said(run("7 Q0 a 1 1 R X X", "7 Q0 b 2 1 R -1 -1"), kind) == [
        "2 results without an offset (X or -1): this looks like an element run that was not mapped to text. "
        f"A {words} run returns text: write offset and length, or element paths."
    ]


def test_both_together_are_counted():
    assert said(run("7 Q0 a 1 1 R X X", "7 Q0 b 2 1 R 3 0", "7 Q0 c 3 1 R 4 0"), "focused") == [
        "3 results without text, 2 of length 0 and 1 without an offset: this looks like a Best in Context run. "
        "A focused run returns text: write offset and length of each passage."
    ]


def test_one_result_is_one_result():
    assert said(run("7 Q0 a 1 1 R 10 0"), "focused")[0].startswith("1 result of length 0:")


@pytest.mark.parametrize("kind", NEEDS_TEXT)
def test_one_result_with_text_is_enough(kind):
    assert said(run("7 Q0 a 1 1 R 10 0", "7 Q0 b 2 1 R X X", "7 Q0 c 3 1 R 0 1"), kind) == []


@pytest.mark.parametrize("kind", ["best-in-context", "document"])
def test_tasks_about_places_and_documents_take_them(kind):
    assert said(run("7 Q0 a 1 1 R 10 0"), kind) == []
    assert said(run("7 Q0 a 1 1 R X X"), kind) == []


def test_elements_are_only_judged_where_documents_are_known():
    columns = run("7 Q0 d 1 1 R /a[1]/b[1]", "7 Q0 d 2 1 R /a[1]/c[1]")
    article = read_document(io.BytesIO(b"<a><b>one</b><i/></a>"), "d")

    assert said(columns, "focused") == []
    assert said(columns, "focused", element_spans={"d": article.places}.get) == []
    assert said(columns, "focused", element_spans={}.get) == [
        "2 results without text: none of the elements has a known place with text in it. This looks like a run over "
        "other documents. Return elements of this collection."
    ]


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("Focused", "focused"),
        ("Focused ", "focused"),
        ("CO.Focussed", "focused"),
        ("CO+S.Focussed", "focused"),
        ("RestrictedFocused", "focused"),
        ("COS.Thorough", "thorough"),
        ("RelevantInContext", "relevant-in-context"),
        ("relevant in context", "relevant-in-context"),
        ("Restricted Relevant-in-Context", "relevant-in-context"),
        ("CO.AllInContext", "relevant-in-context"),
        ("RiC", "relevant-in-context"),
        ("BestInContext", "best-in-context"),
        ("Best in Context\t", "best-in-context"),
        ("CO.BiC", "best-in-context"),
        ("Document", "document"),
        ("VVCAS", None),
        ("", None),
        ("generic", None),
    ],
)
def test_headers_name_kinds_in_many_forms(words, kind):
    assert kind_named(words) == kind


@pytest.mark.parametrize("task", ["CO.Focussed", "RelevantInContext ", "Thorough", "BestInContext", "Documents"])
@pytest.mark.parametrize("kind", EVALUATORS)
def test_a_header_that_names_another_task_warns(kind, task):
    _, problems = read_and_check(io.BytesIO(submission(task)), Rules(kind))

    told = [(problem.message, problem.severity) for problem in problems if problem.rule == "other-task"]
    words = kind.replace("-", " ")
    sentence = (
        f"The header names the task '{task.strip()}', but this is a {words} task. "
        "Make sure that this is the right file for it."
    )
    assert told == ([] if kind_named(task) == kind else [(sentence, "warning")])


def test_a_task_that_is_called_so_is_meant():
    columns = read_run(io.BytesIO(submission("Thorough reading")))[0]

    assert check(columns, Rules("focused", name="Thorough Reading")) == []
    assert [problem.rule for problem in check(columns, Rules("focused", name="Focused"))] == ["other-task"]


def test_hostile_words_in_a_header_are_quoted_short():
    columns = read_run(io.BytesIO(submission("Thorough" + "!" * 5000)))[0]

    (problem,) = check(columns, Rules("focused"))

    assert len(problem.message) < 200


@pytest.fixture
def world(db, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return World()


def test_the_site_refuses_it_and_keeps_the_quota(world):
    Task.objects.update(quota=1)
    refused = checked(world.submit(BEST_IN_CONTEXT, name="entry"))

    assert refused.state == Run.State.REJECTED
    assert refused.problems[0]["message"].startswith("3 results of length 0: this looks like a Best in Context run.")
    assert checked(world.submit(name="good")).state == Run.State.VALID


def test_the_dry_run_says_so(world):
    assert dry_run(world.task, io.BytesIO(BEST_IN_CONTEXT)).problems[0]["rule"] == "no-text"


def test_the_site_warns_of_another_task_unless_it_is_called_so(world):
    content = submission("Thorough").replace(b"<fol offset='0'", b"<fol offset='1'")

    warned = checked(world.submit(content, name="warned"))
    Task.objects.update(name="thorough")
    meant = checked(world.submit(content, name="meant"))

    assert "other-task" in warned.problem_counts
    assert "other-task" not in meant.problem_counts
    assert {warned.state, meant.state} == {Run.State.VALID}


def test_elements_where_no_text_is_loaded_are_warned_of(world):
    run = checked(world.submit(b"1 Q0 a 1 9 elements /article[1]\n", name="elements"))

    assert run.state == Run.State.VALID
    assert [problem["message"] for problem in run.problems if problem["rule"] == "unknown-place"] == [
        "The run returns elements, and the text to find them in isn't loaded here. It can only be scored where the "
        "assessments tell the sizes of elements."
    ]


@pytest.mark.parametrize("command", ["check", "score"])
def test_the_command_line_refuses_it_as_well(command, tmp_path, capsys):
    assessments = tmp_path / "assessments.qrels"
    assessments.write_bytes(b"101 Q0 lighthouse 5 5000 0 0:5\n")
    judged = [str(assessments)] if command == "score" else []

    code = main([command, "--task", "focused", *judged, str(DEMO_RUN)])

    told = capsys.readouterr()
    assert code == 1
    assert "450 results of length 0: this looks like a Best in Context run." in told.out + told.err


def test_the_command_line_refuses_to_score_elements_without_any_place(tmp_path, capsys):
    (tmp_path / "assessments.qrels").write_bytes(b"1 Q0 a 5 5000 0 0:5\n")
    (tmp_path / "run").write_bytes(b"1 Q0 a 1 9 elements /article[1]\n")

    code = main(["score", "--task", "focused", str(tmp_path / "assessments.qrels"), str(tmp_path / "run")])

    assert code == 1
    assert "1 result without text: none of the elements has a known place" in capsys.readouterr().err
    assert main(["check", "--task", "focused", str(tmp_path / "run")]) == 0
