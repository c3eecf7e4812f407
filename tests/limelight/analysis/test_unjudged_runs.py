"""What unjudged documents leave open of whole runs, against scoring with everything judged."""

import numpy as np
import pytest

from limelight.analysis.unjudged_runs import highest_means, score_ranges, without_unjudged
from limelight.scoring.evaluators import compiled, evaluate, evaluator_of, laid_for_scoring
from tests.limelight.builders import Judged, judgement_columns, run_columns

RELEVANT, VAIN = Judged(100, 10, ((10, 40),)), Judged(100)
TOPICS = {"1": {"a": RELEVANT, "b": VAIN, "c": RELEVANT}, "2": {"a": RELEVANT, "d": VAIN}}
RUN = run_columns(
    {
        "1": [("a", 10, 30), ("x", 0, 50), ("c", 5, 20), ("b", 0, 10), ("y", 20, 30)],
        "2": [("z", 0, 20), ("a", 10, 40), ("x", 0, 60)],
    }
)


def scored(kind, judgements, run=RUN):
    return evaluate(kind, judgement_columns(judgements), run, measures="all")


def looked_at(kind, judgements=TOPICS, **options):
    highlights, result = compiled(judgement_columns(judgements)), scored(kind, judgements)
    laid = laid_for_scoring(highlights, RUN, result.parameters)
    return (
        highest_means(laid, kind, result.parameters, result.measures),
        score_ranges(laid, kind, result.parameters, **options),
    )


def everything_relevant(kind):
    """Highlight all that the run returns of unjudged documents."""
    spans = {
        (RUN.topics[topic], RUN.documents[document]): (int(offset), int(length))
        for topic, document, offset, length in zip(RUN.topic, RUN.document, RUN.offset, RUN.length, strict=True)
    }
    added = {
        topic: judged
        | {
            document: Judged(100, offset, ((offset, length),))
            for (number, document), (offset, length) in spans.items()
            if number == topic and document not in judged
        }
        for topic, judged in TOPICS.items()
    }
    return scored(kind, added).means


@pytest.mark.parametrize("kind", ["relevant-in-context", "best-in-context"])
def test_generalised_precision_is_highest_when_all_is_relevant(kind):
    highest, _ = looked_at(kind)

    assert set(highest) == {name for name in scored(kind, TOPICS).means if name.startswith("gP[")}
    assert highest == pytest.approx({name: everything_relevant(kind)[name] for name in highest})


@pytest.mark.parametrize("kind", ["focused", "thorough"])
def test_precision_in_characters_is_highest_when_all_is_relevant(kind):
    highest, _ = looked_at(kind)

    assert set(highest) == {
        "iP[0.00]",
        "charP",
        *(name for name in scored(kind, TOPICS).means if name.startswith("P[")),
    }
    assert highest == pytest.approx({name: everything_relevant(kind)[name] for name in highest})


@pytest.mark.parametrize(
    ("kind", "measure"), [("focused", "iMAP"), ("relevant-in-context", "MAgP"), ("best-in-context", "MAgP")]
)
def test_ranges_hold_the_score_and_that_of_everything_relevant(kind, measure):
    _, ranges = looked_at(kind)

    low, high = ranges[measure]
    mean = scored(kind, TOPICS).means[measure]
    assert 0 < low <= mean <= high <= 1
    assert everything_relevant(kind)[measure] <= high + 1e-12
    assert looked_at(kind, depth=0)[1][measure] == pytest.approx((mean, mean))


def test_documents_and_overlapping_text_have_no_ranges():
    assert looked_at("document") == ({}, {})
    assert looked_at("thorough")[1] == {}


def test_topics_that_list_only_relevant_documents_are_taken_as_judged():
    alone = {topic: {"a": RELEVANT} for topic in TOPICS}

    highest, ranges = looked_at("focused", alone)

    means = scored("focused", alone).means
    assert highest == pytest.approx({name: means[name] for name in highest})
    assert ranges["iMAP"] == pytest.approx((means["iMAP"], means["iMAP"]))


def test_the_condensed_list_has_no_unjudged_documents():
    highlights = compiled(judgement_columns(TOPICS))
    other_topic = run_columns({"9": [("x", 0, 5)], "1": [("x", 0, 5), ("b", 0, 5), ("c", 0, 5)], "2": [("x", 0, 5)]})

    condensed = without_unjudged(other_topic, highlights)

    assert [condensed.documents[number] for number in condensed.document] == ["x", "b", "c"]
    assert [condensed.topics[number] for number in condensed.topic] == ["9", "1", "1"]
    kept = run_columns({"1": [("a", 10, 30), ("c", 5, 20), ("b", 0, 10)], "2": [("a", 10, 40)]})
    for kind in ("focused", "relevant-in-context", "document"):
        assert scored(kind, TOPICS, without_unjudged(RUN, highlights)).means == scored(kind, TOPICS, kept).means


def test_a_run_without_results_is_open_to_nothing():
    highlights = compiled(judgement_columns(TOPICS))
    parameters = scored("focused", TOPICS).parameters
    laid = laid_for_scoring(highlights, run_columns({}), parameters)

    assert score_ranges(laid, "focused", parameters) == {"iMAP": (0.0, 0.0)}
    assert set(highest_means(laid, "focused", parameters, evaluator_of("focused").measures).values()) == {0.0}
    assert np.array_equal(without_unjudged(run_columns({}), highlights).topic, [])
