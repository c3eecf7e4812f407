"""What two runs find differently: by hand, and character by character on random runs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limelight.analysis.found_text import FoundDifference, found_differences
from limelight.scoring.evaluators import compiled
from limelight.scoring.spans import lay
from tests.examples import examples
from tests.limelight.builders import Judged, judgement_columns, qrels_columns, run_columns

JUDGED = {
    "1": {
        "a": Judged(200, 10, ((10, 20), (60, 5))),
        "b": Judged(120, 0, ((0, 40),)),
        "c": Judged(90, 30, ((30, 60),)),
        "d": Judged(300),
    },
    "2": {"a": Judged(200, 100, ((100, 50),))},
}
HIGHLIGHTS = compiled(judgement_columns(JUDGED))


def differences(kind, one, other, highlights=HIGHLIGHTS):
    return found_differences(kind, *(lay(highlights, run_columns(run)) for run in (one, other)))


def test_characters_that_only_one_run_returns_the_most_first():
    one = {"1": [("d", 0, 300), ("a", 0, 25), ("b", 0, 40)], "2": [("a", 0, 200)]}
    other = {"1": [("b", 0, 200), ("a", 20, 100), ("d", 0, 10)], "2": [("c", 0, 10)]}

    found = differences("focused", one, other)

    assert found == [
        FoundDifference(topic="2", document="a", highlighted=50, ranks=(1, None), alone=(50, 0)),
        FoundDifference(topic="1", document="a", highlighted=25, ranks=(2, 2), alone=(10, 10), both=5),
    ]
    assert found[0].turned() == FoundDifference(topic="2", document="a", highlighted=50, ranks=(None, 1), alone=(0, 50))


def test_the_rank_is_that_of_the_first_result_or_of_the_document_where_these_are_ranked():
    one = {"1": [("b", 0, 10), ("b", 10, 10), ("c", 30, 10)]}

    assert [found.ranks for found in differences("focused", one, {})] == [(1, None), (3, None)]
    assert [found.ranks for found in differences("relevant-in-context", one, {})] == [(1, None), (2, None)]


def test_entry_points_differ_where_only_one_run_has_the_document_or_in_their_distance():
    one = {"1": [("a", 10, 0), ("b", 30, 0), ("c", 30, 0), ("d", 0, 0)]}
    other = {"1": [("b", 0, 0), ("c", 30, 0)], "2": [("a", 120, 0)]}

    assert differences("best-in-context", one, other) == [
        FoundDifference(topic="1", document="a", highlighted=25, ranks=(1, None), distances=(0, None)),
        FoundDifference(topic="2", document="a", highlighted=50, ranks=(None, 1), distances=(None, 20)),
        FoundDifference(topic="1", document="b", highlighted=40, ranks=(2, 1), distances=(30, 0)),
    ]


def test_of_whole_documents_it_is_those_that_only_one_returns():
    graded = compiled(qrels_columns({"1": {"a": 1, "b": 2, "c": 0}}))
    one, other = {"1": [("a", 0, 0), ("b", 0, 0)]}, {"1": [("c", 0, 0), ("b", 0, 0)]}

    found = differences("document", one, other, graded)

    assert found == [FoundDifference(topic="1", document="a", highlighted=1, ranks=(1, None))]


def test_results_without_a_place_find_no_text():
    assert differences("focused", {"1": [("a", None, 0)]}, {"1": [("b", 50, 10)]}) == []


results = st.tuples(st.sampled_from("abcde"), st.one_of(st.none(), st.integers(0, 80)), st.integers(0, 40))
lists = st.fixed_dictionaries({"1": st.lists(results, max_size=8), "2": st.lists(results, max_size=4)})


def characters(run, topic, document):
    spans = [(offset, length) for name, offset, length in run[topic] if name == document and offset is not None]
    return {place for offset, length in spans for place in range(offset, offset + length)}


@pytest.mark.parametrize("kind", ["focused", "thorough", "relevant-in-context"])
@given(one=lists, other=lists)
@examples(60)
def test_random_runs_are_told_as_sets_of_characters(kind, one, other):
    expected = {}
    for topic, documents in JUDGED.items():
        for name, judged in documents.items():
            lit = {place for offset, length in judged.spans for place in range(offset, offset + length)}
            hits = [characters(run, topic, name) & lit for run in (one, other)]
            if hits[0] != hits[1]:
                expected[topic, name] = (len(hits[0] - hits[1]), len(hits[1] - hits[0])), len(hits[0] & hits[1])

    found = differences(kind, one, other)

    assert {(entry.topic, entry.document): (entry.alone, entry.both) for entry in found} == expected
    sizes = [sum(entry.alone) for entry in found]
    assert sizes == sorted(sizes, reverse=True)
    assert [entry.turned() for entry in found] == differences(kind, other, one)
