"""What scoring keeps of a run: the same counts as a look at every character gives, in a small file."""

from io import BytesIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limelight.formats.columns import UNMAPPED
from limelight.scoring.evaluators import EVALUATORS, evaluate
from limelight.scoring.findings import Findings, findings_of
from tests.examples import examples
from tests.limelight.builders import Judged, judgement_columns, qrels_columns, run_columns

JUDGED = {
    "7": {
        "a": Judged(length=200, entry=40, spans=((0, 100),)),
        "b": Judged(length=120, entry=0, spans=((10, 20), (50, 70))),
        "c": Judged(length=100),
    },
    "8": {"b": Judged(length=120, entry=5, spans=((0, 10),))},
}
RESULTS = st.tuples(
    st.sampled_from("abcx"), st.one_of(st.none(), st.integers(0, 150), st.integers(0, 150)), st.integers(0, 90)
)
LISTS = st.dictionaries(st.sampled_from(("7", "8", "9")), st.lists(RESULTS, max_size=9))


def found(kind, judgements, run):
    return findings_of(kind, evaluate(kind, judgements, run).laid, run)


def read_again(findings):
    stream = BytesIO()
    findings.save(stream)
    return Findings.load(BytesIO(stream.getvalue()))


def characters(spans):
    return {place for offset, length in spans for place in range(offset, offset + length)}


@pytest.mark.parametrize("kind", ["focused", "thorough", "relevant-in-context"])
@examples(80)
@given(LISTS)
def test_what_is_kept_of_a_topic_is_what_can_be_counted_by_hand(kind, lists):
    judgements = judgement_columns(JUDGED)
    names = tuple(judgements.documents)

    findings = read_again(found(kind, judgements, run_columns(lists)))

    for number, topic in enumerate(JUDGED):
        listed = lists.get(topic, [])
        documents = list(dict.fromkeys(document for document, _, _ in listed))
        expected = []
        for rank, name in enumerate(documents, start=1):
            judged = JUDGED[topic].get(name, Judged())
            if judged.spans:
                text = characters(
                    (offset, length) for place, offset, length in listed if place == name and offset is not None
                )
                wanted = characters(judged.spans)
                expected.append((names.index(name), rank, len(text & wanted), len(text), len(wanted), judged.length))
        of_topic = findings.of_topic(number)
        columns = ("document", "rank", "hit", "returned", "highlighted", "document_length")
        assert list(zip(*(getattr(of_topic, name).tolist() for name in columns), strict=True)) == expected
        assert (of_topic.results.tolist(), of_topic.documents.tolist()) == ([len(listed)], [len(documents)])


def test_entry_points_are_kept_as_distances():
    run = run_columns({"7": [("b", 30, 0), ("c", 0, 0), ("a", None, 0)]})

    findings = read_again(found("best-in-context", judgement_columns(JUDGED), run))

    assert findings.of_topic(0).rank.tolist() == [1, 3]
    assert findings.of_topic(0).distance.tolist() == [30, -1]
    assert findings.of_topic(1).distance.tolist() == []


def test_graded_documents_are_kept_by_their_ranks():
    run = run_columns({"7": [("a", 0, 0), ("b", 0, 0), ("c", 0, 0)]})

    findings = read_again(found("document", qrels_columns({"7": {"a": 0, "c": 2}}), run))

    assert (findings.rank.tolist(), findings.highlighted.tolist(), findings.distance) == ([3], [1], None)


def test_judged_shares_are_kept_by_topic_and_on_average():
    run = run_columns({"7": [("a", 0, 30), ("x", 0, 10)], "8": [("b", 0, 5), ("x", 0, 5)]})

    findings = read_again(found("focused", judgement_columns(JUDGED), run))

    assert findings.judged.tolist() == [0.75, 1.0]  # topic 8 lists only relevant documents
    assert findings.judged_share == 0.875


def test_nothing_is_said_of_judged_shares_where_only_relevant_documents_are_listed():
    findings = found("focused", judgement_columns({"8": JUDGED["8"]}), run_columns({"8": [("x", 0, 5)]}))

    assert (findings.judged, read_again(findings).judged_share) == (None, None)


def test_a_run_of_elements_keeps_where_they_lie(monkeypatch):
    run = run_columns({"7": [("a", None, 0), ("b", None, 0)]})
    named = run.__class__(
        **{name: getattr(run, name) for name in run.__slots__} | {"paths": ("/a[1]",), "path": np.array([0, 0])}
    )
    placed = named.mapped(np.array([40, UNMAPPED]), np.array([20, 0]))

    findings = read_again(findings_of("focused", evaluate("focused", judgement_columns(JUDGED), placed).laid, placed))

    laid = findings.laid(named)
    assert (laid.offset.tolist(), laid.length.tolist()) == ([40, UNMAPPED], [20, 0])
    assert read_again(found("focused", judgement_columns(JUDGED), run)).laid(run) is run


@pytest.mark.parametrize("kind", EVALUATORS)
def test_a_run_that_finds_nothing_keeps_empty_lists(kind):
    findings = read_again(found(kind, judgement_columns(JUDGED), run_columns({"9": [("a", 0, 10)]})))

    assert (findings.results.tolist(), findings.found.tolist(), findings.of_topic(1).rank.tolist()) == (
        [0, 0],
        [0, 0],
        [],
    )


def test_a_large_run_is_kept_in_a_small_file():
    """120 topics with 60 relevant documents found in each: 300 such runs take about 40 MB."""
    topics = [str(number) for number in range(120)]
    judged = {str(number): Judged(length=30_000, entry=5, spans=((500, 2_000),)) for number in range(60)}
    listed = [(str(number), 400, 1_000) for number in range(60)]
    run = run_columns(dict.fromkeys(topics, listed))

    stream = BytesIO()
    found("focused", judgement_columns(dict.fromkeys(topics, judged)), run).save(stream)

    assert len(stream.getvalue()) < 40e6 / 300
