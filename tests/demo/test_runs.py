"""The demo's runs: made anew they're the same, and each keeps the rules of its task."""

import re
import tomllib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from demo.make_runs import METHODS, make_runs
from demo.retrieval import Analyser, Index, bm25, dirichlet, sentences, without_overlap
from limelight.formats.runs.reading import read_run
from limelight.formats.topics.inex import read_topics
from limelight.rules.checking import check
from limelight.rules.task_rules import Rules
from limelight.text.documents import read_document
from tests.folders import ROOT

DEMO = ROOT / "demo"
RUNS = tomllib.loads((DEMO / "runs.toml").read_text(encoding="utf-8"))["run"]
TEAMS = {"argand", "drummond", "fresnel", "swan"}


@pytest.fixture(scope="module")
def documents():
    found = {}
    for path in sorted((DEMO / "collection").glob("*.xml")):
        with path.open("rb") as stream:
            found[path.stem] = read_document(stream, path.stem)
    return found


@pytest.fixture(scope="module")
def topics():
    with (DEMO / "topics.xml").open("rb") as stream:
        return [topic.identifier for topic in read_topics(stream)]


@pytest.fixture(params=RUNS, ids=lambda run: run["file"])
def run(request):
    return request.param


@pytest.fixture
def columns(run):
    with (DEMO / "runs" / run["file"]).open("rb") as stream:
        read, warnings = read_run(stream)
    assert warnings == []
    return read


@pytest.mark.slow
@pytest.mark.parametrize("folder", [DEMO, DEMO / "pilot"], ids=lambda folder: folder.name)
def test_runs_made_anew_are_the_same_byte_for_byte(tmp_path, folder):
    make_runs(tmp_path, folder)

    listed = tomllib.loads((folder / "runs.toml").read_text(encoding="utf-8"))["run"]
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    kept = {path.name: path.read_bytes() for path in (folder / "runs").iterdir()}
    assert made.keys() == kept.keys() == {run["file"] for run in listed}
    assert [name for name in kept if made[name] != kept[name]] == []


def test_every_method_has_a_run_and_every_team_takes_part():
    names = [f"{run['team']}_{run['name']}" for run in RUNS]
    tasks = Counter(run["task"] for run in RUNS)

    assert names == list(METHODS)
    assert [Path(run["file"]).stem for run in RUNS] == names
    assert {run["team"] for run in RUNS} == TEAMS
    assert tasks["focused"] >= 6
    assert tasks["relevant-in-context"] >= 4
    assert tasks["best-in-context"] >= 4


def test_the_runs_are_small():
    assert sum(path.stat().st_size for path in (DEMO / "runs").iterdir()) < 2_000_000


def test_a_run_keeps_the_rules_of_its_task(run, columns, documents, topics):
    lengths = {name: len(document) for name, document in documents.items()}

    problems = check(
        columns,
        Rules(run["task"]),
        topics=topics,
        document_lengths=lengths,
        element_spans=lambda name: documents[name].places if name in documents else None,
    )

    if run.get("rejected"):
        assert {problem.rule for problem in problems} == {"overlap"}
    else:
        assert [str(problem) for problem in problems] == []


def test_a_run_has_20_to_100_results_a_topic_ranked_from_1(run, columns, topics):
    assert list(columns.topics) == topics
    for number in range(len(topics)):
        of_topic = columns.topic == number

        assert 20 <= of_topic.sum() <= 100
        assert columns.rank[of_topic].tolist() == list(range(1, of_topic.sum() + 1))
        assert (np.diff(columns.rsv[of_topic]) <= 0).all()


def test_a_run_is_called_what_the_list_calls_it(run, columns):
    assert columns.run_id == run["name"]
    assert re.fullmatch(r"[A-Za-z0-9._+-]+", run["name"])
    if columns.result_type == "element":
        assert columns.header.participant == run["team"]
        assert columns.header.query == run["query"]
        assert list(columns.header.topic_fields) == run["topic_fields"]
        assert columns.header.description == run["description"]


def test_passages_start_and_end_with_a_word(documents):
    with (DEMO / "runs" / "fresnel_win60-bm25.txt").open("rb") as stream:
        columns, _ = read_run(stream)

    for document, offset, length in zip(columns.document, columns.offset, columns.length, strict=True):
        text = documents[columns.documents[document]].text
        assert re.fullmatch(r"[^\W_].*[^\W_]", text[offset : offset + length], re.DOTALL)
        assert not text[max(offset - 1, 0) : offset].isalnum()
        assert not text[offset + length : offset + length + 1].isalnum()


def small_index(tmp_path):
    source = tmp_path / "d.xml"
    source.write_text("<a><p>Red lamp. Red, red flag! Old oil lamp.</p></a>", encoding="utf-8")
    with source.open("rb") as stream:
        return Index([read_document(stream, "d")], sentences, Analyser())


def test_bm25_is_what_the_formula_gives_by_hand(tmp_path):
    index = small_index(tmp_path)

    scores = bm25(index, {"red": 1}, k1=1.2, b=0.75)

    # idf = log(1 + 1.5 / 2.5); the sentences have 2, 3 and 3 terms, 8 / 3 on average.
    assert index.lengths == [2, 3, 3]
    assert scores[0] == pytest.approx(0.470004 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 * 3 / 8)))
    assert scores[1] == pytest.approx(0.470004 * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 * 3 / 8)))
    assert 2 not in scores


def test_dirichlet_is_what_the_formula_gives_by_hand(tmp_path):
    index = small_index(tmp_path)

    scores = dirichlet(index, {"red": 1, "unknown": 1}, mu=8)

    # red is 3 of 8 terms.
    assert scores == {0: pytest.approx(np.log((1 + 3) / (2 + 8))), 1: pytest.approx(np.log((2 + 3) / (3 + 8)))}


def test_of_overlapping_units_the_better_one_stays(tmp_path):
    index = small_index(tmp_path)
    first, second, third = index.units
    ranked = index.ranked({1: 3.0, 0: 2.0, 2: 1.0})
    wide = ranked[0]._replace(unit=second._replace(length=third.end - second.offset))

    kept = [one.unit for one in without_overlap([wide, *ranked])]

    assert kept == [wide.unit, first]
