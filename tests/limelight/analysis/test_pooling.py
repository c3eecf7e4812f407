"""Pooling: which documents come in, who brought them, and what holds for any runs."""

import time
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.generated import generate
from limelight.analysis.pooling import pool_runs, top_results
from limelight.formats.columns import RunColumns
from tests.examples import examples
from tests.limelight.builders import run_columns

ONE = {"1": [("a", 0, 5), ("b", 0, 5), ("a", 9, 5), ("c", 0, 1)], "2": [("a", 3, 3)]}
TWO = {"1": [("c", 0, 1), ("d", 0, 5), ("a", 0, 5)]}
THREE = {"1": [("e", None, 0), ("d", 0, 5)], "9": [("a", 0, 1)]}


def pool(*runs, depth=3, topics=("1", "2", "3"), with_parts=True):
    """Pool runs given as (team, {topic: results})."""
    return pool_runs(((team, run_columns(run)) for team, run in runs), depth, topics, with_parts=with_parts)


def listed(pooled):
    """Return a pool as plain rows: topic, document, best rank, runs, teams."""
    columns = (pooled.topic, pooled.document, pooled.best_rank, pooled.run_count, pooled.team_count)
    return [
        (pooled.topics[topic], pooled.documents[document], *numbers)
        for topic, document, *numbers in zip(*(column.tolist() for column in columns), strict=True)
    ]


def test_a_document_is_pooled_by_its_best_part_then_by_runs_then_by_id():
    pooled = pool(("lund", ONE), ("delft", TWO), ("delft", THREE))

    assert listed(pooled) == [
        ("1", "a", 1, 2, 2),
        ("1", "c", 1, 1, 1),
        ("1", "e", 1, 1, 1),
        ("1", "d", 2, 2, 1),
        ("1", "b", 2, 1, 1),
        ("2", "a", 1, 1, 1),
    ]
    assert pooled.sizes.tolist() == [5, 1, 0]


def test_depth_counts_results_and_not_documents():
    assert [row[:2] for row in listed(pool(("lund", ONE), depth=3))] == [("1", "a"), ("1", "b"), ("2", "a")]
    assert [row[:2] for row in listed(pool(("lund", ONE), depth=4))] == [("1", "a"), ("1", "b"), ("1", "c"), ("2", "a")]


def test_parts_stand_once_in_the_order_of_the_text():
    pooled = pool(("lund", ONE), ("delft", TWO), ("delft", THREE))

    parts = {row[:2]: part for row, part in zip(listed(pooled), pooled.parts(), strict=True)}

    assert parts["1", "a"] == [[0, 5], [9, 5]]
    assert parts["1", "e"] == []  # its place is not known
    assert parts["2", "a"] == [[3, 3]]


def with_paths(run, *paths):
    """Return a run of elements: its results have these paths in turn, and no place."""
    columns = run_columns(run)
    names = tuple(dict.fromkeys(paths))
    return RunColumns(
        **{name: getattr(columns, name) for name in RunColumns.__slots__ if name not in ("paths", "path", "offset")},
        paths=names,
        path=np.array([names.index(path) for path in paths]),
        offset=np.full(len(columns), -1),
    )


def test_elements_stay_paths_and_follow_the_spans_by_name():
    run = {"1": [("a", None, 0), ("a", None, 0), ("b", None, 0)]}
    elements, others = with_paths(run, "/p[2]", "/p[1]", "/p[2]"), with_paths(run, "/b[1]", "/p[2]", "/p[1]")

    pooled = pool_runs([("x", elements), ("y", run_columns(ONE)), ("z", others)], 3, ("1",))

    parts = {row[1]: part for row, part in zip(listed(pooled), pooled.parts(), strict=True)}
    assert parts == {"a": [[0, 5], [9, 5], "/b[1]", "/p[1]", "/p[2]"], "b": [[0, 5], "/p[1]", "/p[2]"]}


def test_a_run_of_documents_has_no_parts():
    columns = run_columns({"1": [("a", 0, 0)]})
    fields = {name: getattr(columns, name) for name in RunColumns.__slots__}

    pooled = pool_runs([("x", RunColumns(**fields | {"result_type": "document"}))], 5, ("1",))

    assert pooled.parts() == [[]]


def test_overlap_and_what_only_one_brought():
    pooled = pool(("lund", ONE), ("delft", TWO), ("delft", THREE))

    assert pooled.teams == ("lund", "delft")
    assert pooled.team_sizes.tolist() == [3, 4]
    assert pooled.run_sizes.tolist() == [3, 3, 2]
    assert pooled.shared().tolist() == [[3, 1], [1, 4]]
    assert pooled.overlap().tolist() == [[1, 1 / 3], [0.25, 1]]
    assert pooled.unique_of_teams.tolist() == [2, 3]
    assert pooled.unique_of_runs.tolist() == [2, 1, 1]  # d came with both runs of Delft


@pytest.mark.parametrize("runs", [(), (("lund", {}),), (("lund", {"9": [("a", 0, 1)]}),)])
def test_nothing_is_a_pool_too(runs):
    pooled = pool(*runs)

    assert len(pooled) == 0
    assert pooled.sizes.tolist() == [0, 0, 0]
    assert pooled.parts() == []
    assert pooled.overlap().shape == (len(runs), len(runs))
    assert pooled.unique_of_teams.tolist() == [0] * len(runs)


RESULTS = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 9), st.integers(1, 5)), min_size=1, max_size=9)
RUNS = st.lists(
    st.tuples(st.sampled_from(["lund", "delft", "otago"]), st.dictionaries(st.sampled_from("1239"), RESULTS)),
    max_size=6,
)


def returned(runs, depth):
    """Return which runs have which document of which topic among their top results, the slow way."""
    return {
        (number, topic, document)
        for number, (_, run) in enumerate(runs)
        for topic, results in run.items()
        if topic != "9"
        for document, _, _ in results[:depth]
    }


@examples(200)
@given(RUNS, st.integers(1, 10))
def test_a_pool_holds_what_the_top_results_hold_and_nothing_else(runs, depth):
    brought, pooled = returned(runs, depth), pool(*runs, depth=depth)

    rows = listed(pooled)

    counted = Counter((topic, document) for _, topic, document in brought)
    assert {row[:2]: row[3] for row in rows} == counted
    assert len(rows) == len(counted)
    assert rows == sorted(rows, key=lambda row: (row[0], row[2], -row[3], row[1]))
    for topic, document, best, _, teams in rows:
        places = [
            place
            for _, run in runs
            for place, result in enumerate(run.get(topic, ()), start=1)
            if result[0] == document
        ]
        assert best == min(places) <= depth
        assert teams == len({runs[number][0] for number, *found in brought if found == [topic, document]})


@examples(200)
@given(RUNS, st.integers(1, 10))
def test_unique_contributions_are_disjoint_and_nobody_else_has_them(runs, depth):
    brought, pooled = returned(runs, depth), pool(*runs, depth=depth, with_parts=False)

    owners = pooled.owners()

    found = {}
    for number, topic, document in brought:
        found.setdefault((topic, document), set()).add(runs[number][0])
    expected = [(found[row[:2]].copy().pop() if len(found[row[:2]]) == 1 else None) for row in listed(pooled)]
    assert [pooled.teams[owner] if owner >= 0 else None for owner in owners.tolist()] == expected
    assert pooled.unique_of_teams.sum() == (owners >= 0).sum() <= len(pooled)
    assert pooled.unique_of_runs.sum() == (pooled.run_count == 1).sum()
    shared = pooled.shared()
    assert (shared == shared.T).all()
    assert (shared.diagonal() == pooled.team_sizes).all()


@examples(100)
@given(RUNS, st.integers(1, 8), st.integers(1, 8))
def test_a_deeper_pool_contains_a_shallower_one(runs, depth, more):
    shallow, deep = pool(*runs, depth=depth), pool(*runs, depth=depth + more)

    assert {row[:3] for row in listed(shallow)} <= {row[:3] for row in listed(deep)}


@examples(100)
@given(RUNS, st.integers(1, 8), st.randoms())
def test_the_order_of_the_runs_does_not_matter(runs, depth, random):
    shuffled = runs.copy()
    random.shuffle(shuffled)

    one, other = pool(*runs, depth=depth), pool(*shuffled, depth=depth)

    assert (listed(one), one.parts()) == (listed(other), other.parts())


def test_ranks_are_places_in_the_file():
    places, ranks = top_results(run_columns(ONE), 2)

    assert (places.tolist(), ranks.tolist()) == ([0, 1, 4], [1, 2, 1])


@pytest.mark.slow
def test_a_hundred_runs_are_pooled_within_seconds(tmp_path):
    generate(tmp_path, topic_count=120, run_count=10, text_count=0)
    topics = tuple(str(2009001 + number) for number in range(120))
    runs = ((number % 20, RunColumns.load(tmp_path / f"run{number % 10}.columns")) for number in range(100))
    started = time.process_time()

    pooled = pool_runs(runs, 100, topics)

    assert time.process_time() - started < 10
    assert len(pooled) > 12_000
