"""The account of a run for a topic: its steps add up to what the engine says, for every measure and every beginning."""

import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limelight.analysis.account import Place, UncountedTopic, account, listing, of_topic
from limelight.scoring.evaluators import EVALUATORS, compiled, evaluate
from limelight.scoring.profiles import PROFILES
from tests.examples import examples
from tests.limelight.builders import Judged, judgement_columns, qrels_columns, run_columns

DOCUMENTS = ("a", "b", "c", "d", "e")
ANYTHING = (*DOCUMENTS, "judged, nothing relevant", "never judged")

each_kind = pytest.mark.parametrize("kind", EVALUATORS)


@st.composite
def judged_documents(draw):
    spans, end = [], 0
    for _ in range(draw(st.integers(1, 3))):
        offset = end + draw(st.integers(0, 30))
        end = offset + draw(st.integers(1, 50))
        spans.append((offset, end - offset))
    entry = draw(st.one_of(st.just(-1), st.integers(0, end)))
    return Judged(length=end + draw(st.integers(0, 400)), entry=entry, spans=tuple(spans))


judgements_of_a_topic = st.dictionaries(st.sampled_from(DOCUMENTS), judged_documents(), min_size=1).map(
    lambda judged: judged | {"judged, nothing relevant": Judged(length=90)}
)
results = st.tuples(
    st.sampled_from(ANYTHING), st.one_of(st.none(), st.integers(0, 90), st.integers(0, 90)), st.integers(0, 60)
)
lists = st.lists(results, max_size=12)


def beginnings(kind, listed):
    """Return the list that ends with each line of its account: with each result, or with each document's last one."""
    if kind in ("focused", "thorough"):
        return [listed[: end + 1] for end in range(len(listed))]
    documents = list(dict.fromkeys(document for document, _, _ in listed))
    return [[result for result in listed if result[0] in documents[: end + 1]] for end in range(len(documents))]


@each_kind
@examples(80)
@given(judged=judgements_of_a_topic, listed=lists, profile=st.sampled_from(tuple(PROFILES)))
def test_each_step_is_the_score_of_the_list_up_to_it_minus_that_of_the_list_before(kind, judged, listed, profile):
    judgements = compiled(judgement_columns({"of others": judged, "7": judged}))

    def scores(results):
        run = run_columns({"7": results, "of others": results[::-1]})
        values = evaluate(kind, judgements, run, profile=profile, measures="all").topic_values
        return {name: values[name][1] for name in values}

    run = run_columns({"of others": [("a", 0, 50)], "7": listed})
    of_beginnings, of_all = [scores(results) for results in beginnings(kind, listed)], scores(listed)
    for name in of_all:
        told = account(kind, judgements, run, "7", profile=profile, measure=name)
        expected = np.diff([0.0, *(score[name] for score in of_beginnings)]).tolist()
        assert [line.step for line in told.lines] == pytest.approx(expected, abs=1e-12), name
        assert told.score == of_all[name]
        assert sum(line.step for line in told.lines) == pytest.approx(told.score, abs=1e-12), name


@examples(60)
@given(judged=judgements_of_a_topic, listed=lists, overlap=st.sampled_from(("new", "count_all")))
def test_text_returned_twice_is_new_once_and_counts_as_the_task_says(judged, listed, overlap):
    judgements = judgement_columns({"7": judged})

    told = account("thorough", judgements, run_columns({"7": listed}), "7", parameters={"overlap": overlap})

    seen, steps = set(), 0
    for line, (document, offset, length) in zip(told.lines, listed, strict=True):
        text = set() if offset is None else {(document, place) for place in range(offset, offset + length)}
        assert (line.size, line.new) == (len(text), len(text - seen))
        seen |= text
        steps += line.step
    assert steps == pytest.approx(told.score, abs=1e-12)


@examples(60)
@given(
    grades=st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 3), min_size=1),
    ranked=st.lists(st.tuples(st.sampled_from(ANYTHING), st.integers(0, 3)), unique_by=lambda pair: pair[0]),
    data=st.data(),
)
def test_document_tasks_are_accounted_for_in_the_order_that_ranks_them(grades, ranked, data):
    judgements = qrels_columns({"7": grades | {"certainly": 1}})
    run = replace(run_columns({"7": [(document, 0, 0) for document, _ in ranked]}), result_type="document")
    run = replace(run, rsv=np.array([float(rsv) for _, rsv in ranked]))
    measure = data.draw(st.sampled_from([measure.name for measure in EVALUATORS["document"].measures]))

    told = account("document", judgements, run, "7", measure=measure)

    result = evaluate("document", judgements, run, measures=[measure])
    assert told.score == result.topic_values[measure][0]
    assert sum(line.step for line in told.lines) == pytest.approx(told.score, abs=1e-12)
    by_rsv = sorted(ranked, key=lambda pair: (pair[1], pair[0].encode()), reverse=True)
    assert [line.document for line in told.lines] == [document for document, _ in by_rsv]
    assert [line.grade for line in told.lines] == [(grades | {"certainly": 1}).get(document) for document, _ in by_rsv]


JUDGED = {
    "7": {
        "a": Judged(length=200, entry=40, spans=((0, 100),)),
        "b": Judged(length=100, entry=0, spans=((10, 20), (50, 70))),
        "c": Judged(length=100),
    }
}


def test_a_focused_account_tells_of_each_result():
    run = run_columns({"7": [("a", 50, 100), ("x", 0, 50), ("c", 0, 50), ("b", None, 0)]})

    told = account("focused", judgement_columns(JUDGED), run, "7")

    assert (told.relevant_documents, told.relevant_characters, told.lists_only_relevant) == (2, 190, False)
    assert [(line.rank, line.document, line.size, line.highlighted, line.judged) for line in told.lines] == [
        (1, "a", 100, 50, True),
        (2, "x", 50, 0, False),
        (3, "c", 50, 0, True),
        (4, "b", 0, 0, True),
    ]
    assert [line.contained for line in told.lines] == [100, 0, 0, 90]
    assert [line.places for line in told.lines][::3] == [(Place(50, 100),), (Place(None, 0),)]
    assert [line.point for line in told.lines][:2] == [(50 / 190, 1 / 2), (50 / 190, 1 / 3)]
    assert [(line.recall, line.precision) for line in told.lines] == [line.point for line in told.lines]


def test_an_account_in_context_is_by_document():
    run = run_columns({"7": [("a", 0, 50), ("a", 90, 20), ("x", 0, 50), ("b", 10, 20), ("a", 40, 20)]})

    told = account("relevant-in-context", judgement_columns(JUDGED), run, "7")

    assert [(line.document, len(line.places), line.size, line.new, line.highlighted) for line in told.lines] == [
        ("a", 3, 90, 80, 70),
        ("x", 1, 50, 50, 0),
        ("b", 1, 20, 20, 20),
    ]
    assert [line.document_score for line in told.lines] == pytest.approx([2 * 70 / 180, 0, 2 * 20 / 110])
    assert [line.point for line in told.lines] == [(rank + 1, told.lines[rank].precision) for rank in range(3)]


def test_an_account_of_entry_points_tells_distances_and_no_sizes():
    run = run_columns({"7": [("a", 50, 0), ("c", 0, 0), ("b", None, 0)]})

    told = account("best-in-context", judgement_columns(JUDGED), run, "7")

    assert [(line.distance, line.size, line.highlighted) for line in told.lines] == [(10, None, None)] + [
        (None, None, None)
    ] * 2


@each_kind
def test_a_topic_that_the_run_leaves_out_has_no_lines_and_scores_0(kind):
    told = account(kind, judgement_columns(JUDGED), run_columns({"8": [("a", 0, 10)]}), "7")

    assert (told.lines, told.score) == ((), 0.0)


def test_a_topic_without_relevant_text_has_no_account():
    judgements = judgement_columns(JUDGED | {"8": {"a": Judged(length=10)}})

    with pytest.raises(
        UncountedTopic, match=r"^Topic 8 does not count: the assessments hold nothing relevant to it\.$"
    ):
        account("focused", judgements, run_columns({"8": [("a", 0, 10)]}), "8")


def test_where_only_relevant_documents_are_listed_nobody_knows_what_else_was_read():
    judgements = judgement_columns({"7": {"a": JUDGED["7"]["a"]}})

    told = account("focused", judgements, run_columns({"7": [("a", 0, 10), ("x", 0, 10)]}), "7")

    assert told.lists_only_relevant
    assert [line.judged for line in told.lines] == [True, None]


def test_the_passages_of_a_document_are_told():
    highlights = compiled(judgement_columns(JUDGED))

    assert [highlights.passages(0, name) for name in ("a", "b", "c", "x")] == [
        [(0, 100)],
        [(10, 20), (50, 70)],
        [],
        [],
    ]


@each_kind
@examples(40)
@given(judged=judgements_of_a_topic, listed=lists)
def test_a_listing_is_the_account_without_what_the_assessments_tell(kind, judged, listed):
    run = run_columns({"7": listed})

    lines = listing(kind, run, "7")

    told = account(kind, judgement_columns({"7": judged}), run, "7")
    alike = ("rank", "document", "places", "size", "new")
    assert [[getattr(line, name) for name in alike] for line in lines] == [
        [getattr(line, name) for name in alike] for line in told.lines
    ]
    silent = set(lines[0].__slots__) - set(alike) if lines else ()
    assert [name for line in lines for name in silent if getattr(line, name) is not None] == []


def test_whole_documents_are_as_long_as_the_collection_says_and_not_the_assessments():
    run = replace(run_columns({"7": [("a", None, 0), ("b", None, 0)]}), result_type="document")
    run = run.mapped(np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64))

    assert [line.size for line in listing("focused", run, "7", document_lengths={"b": 120})] == [0, 120]
    told = account("focused", judgement_columns(JUDGED), run, "7", document_lengths={"b": 120})
    assert [line.size for line in told.lines] == [200, 120]


def test_the_part_of_a_topic_keeps_its_own_names_alone():
    run = run_columns({"7": [("a", 0, 10)], "8": [("b", 5, 10), ("a", 5, 10)]})

    part = of_topic(run, "8")

    assert (part.topics, part.documents, part.document.tolist(), part.offset.tolist()) == (
        ("8",),
        ("a", "b"),
        [1, 0],
        [5, 5],
    )


@each_kind
def test_1500_results_are_accounted_for_in_a_tenth_of_a_second_of_computing(kind):
    judged = {str(number): Judged(length=1000, entry=5, spans=((number % 400, 300),)) for number in range(0, 900, 3)}
    listed = [(str(number * 7 % 900), number % 500, 400) for number in range(1500)]
    highlights, run = compiled(judgement_columns({"7": judged})), run_columns({"7": listed})

    seconds = []
    for _ in range(3):
        started = time.process_time()
        account(kind, highlights, run, "7")
        seconds.append(time.process_time() - started)

    assert min(seconds) < 0.1
