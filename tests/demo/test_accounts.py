"""The demo's runs, accounted for on every topic: the steps add up to what the board says."""

import tomllib
from io import BytesIO

import pytest

from limelight.analysis.account import account, listing, of_topic
from limelight.formats.runs.reading import read_run
from limelight.scoring.evaluators import EVALUATORS, evaluate
from limelight.text.placing import placed
from tests.folders import ROOT

DEMO = ROOT / "demo"
RUNS = tomllib.loads((DEMO / "runs.toml").read_text(encoding="utf-8"))["run"]


def columns_of(run, known):
    columns, _ = read_run(BytesIO((DEMO / "runs" / run["file"]).read_bytes()))
    return placed(columns, known["element_spans"])[0]


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run["file"])
@pytest.mark.parametrize("kind", EVALUATORS)
def test_the_steps_of_every_topic_add_up_to_its_score(run, kind, ground):
    known, highlights = ground
    columns, lengths = columns_of(run, known), known["document_lengths"]
    official = EVALUATORS[kind].official

    scored = evaluate(kind, highlights, columns, measures=[official], document_lengths=lengths)

    for topic, score in zip(scored.topics, scored.topic_values[official].tolist(), strict=True):
        told = account(kind, highlights, columns, topic, document_lengths=lengths)
        assert told.score == score
        assert abs(sum(line.step for line in told.lines) - score) < 1e-12
        assert len(told.lines) == len(listing(kind, columns, topic, document_lengths=lengths))


def test_elements_of_one_topic_lie_where_they_lie_in_the_whole_run(ground):
    known, _ = ground
    columns, _ = read_run(BytesIO((DEMO / "runs" / "swan_cas-elements.xml").read_bytes()))

    part, _ = placed(of_topic(columns, "103"), known["element_spans"])

    whole = of_topic(placed(columns, known["element_spans"])[0], "103")
    assert (part.offset.tolist(), part.length.tolist()) == (whole.offset.tolist(), whole.length.tolist())
    assert [part.paths[path] for path in part.path] == [whole.paths[path] for path in whole.path]
