"""Every demo run sent to every kind of task: what is said about it, and that nothing scores 0 in silence."""

import tomllib
from io import BytesIO

import pytest

from limelight.formats.problems import errors
from limelight.rules.checking import read_and_check
from limelight.rules.task_rules import Rules
from limelight.scoring.evaluators import EVALUATORS, evaluate
from limelight.text.placing import placed
from tests.folders import ROOT

DEMO = ROOT / "demo"
RUNS = tomllib.loads((DEMO / "runs.toml").read_text(encoding="utf-8"))["run"]

SHAPES = {
    "drummond_art-bm25.txt": "whole articles",
    "swan_ric-whole.txt": "whole articles",
    "fresnel_bic-dense.txt": "a passage an article",
    "swan_cas-elements.xml": "elements",
    "swan_all-elements.txt": "thorough",
}
"""Runs that are of another shape than others of their task."""

TASKS = ("focused", "thorough", "relevant-in-context", "best-in-context", "document")
NO_ORDER, TWICE, OVERLAP, NO_TEXT = {"document-order"}, {"one-a-document"}, {"overlap"}, {"no-text"}
OTHER = {"other-task"}
SAID = {
    "focused": (set(), set(), NO_ORDER, TWICE, TWICE),
    "elements": (set(), OTHER, NO_ORDER | OTHER, TWICE | OTHER, TWICE | OTHER),
    "thorough": (OVERLAP, set(), OVERLAP | NO_ORDER, TWICE, TWICE),
    "relevant-in-context": (set(), set(), set(), TWICE, TWICE),
    "best-in-context": (NO_TEXT, NO_TEXT, NO_TEXT, set(), set()),
    "whole articles": (set(), set(), set(), set(), set()),
    "a passage an article": (set(), set(), set(), set(), set()),
}
"""The rules that a run of a shape breaks in each kind of task."""


@pytest.mark.parametrize("kind", TASKS)
@pytest.mark.parametrize("run", RUNS, ids=lambda run: run["file"])
def test_a_run_sent_to_a_task(run, kind, ground):
    known, highlights = ground
    payload = BytesIO((DEMO / "runs" / run["file"]).read_bytes())

    columns, problems = read_and_check(payload, Rules(kind), lambda columns: known)

    shape = SHAPES.get(run["file"], run["task"])
    assert {problem.rule for problem in problems} == SAID[shape][TASKS.index(kind)]
    if not errors(problems):
        if columns.paths:
            columns, _ = placed(columns, known["element_spans"])
        scored = evaluate(kind, highlights, columns, document_lengths=known["document_lengths"])
        assert scored.means[EVALUATORS[kind].official] > 0


def test_the_matrix_has_every_kind_of_task():
    assert tuple(EVALUATORS) == TASKS
