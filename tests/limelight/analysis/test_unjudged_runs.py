"""What unjudged documents leave open of whole runs, against scoring with everything judged."""

from itertools import product

import numpy as np
import pytest

from limelight.analysis.unjudged_runs import highest_means, highest_values, topic_ranges, without_unjudged
from limelight.scoring.evaluators import compiled, evaluate, evaluator_of, laid_for_scoring
from limelight.scoring.profiles import resolve
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
        {name: ranges.mean for name, ranges in topic_ranges(laid, kind, result.parameters, **options).items()},
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


COMPLETIONS = {
    "not relevant": VAIN,
    "S = 0": Judged(100, 90, ((90, 10),)),
    "S = 1/2": Judged(100, 0, ((0, 30),)),
    "S = 1": Judged(100, 0, ((0, 10),)),
}
"""What a document of which the first ten characters are returned may turn out to be."""


@pytest.mark.parametrize("seed", range(8))
def test_ranges_of_documents_are_the_extremes_over_all_completions(seed):
    generator = np.random.default_rng(seed)
    names = [f"d{number}" for number in range(6)]
    judged = {name: COMPLETIONS[str(generator.choice(list(COMPLETIONS)))] for name in names[:3]}
    judged |= {"vain": VAIN, "missed": RELEVANT}
    unjudged = names[3:]
    run = run_columns({"1": [(str(name), 0, 10) for name in generator.permutation(names)]})

    laid = laid_for_scoring(compiled(judgement_columns({"1": judged})), run, resolve("relevant-in-context"))
    ranges = topic_ranges(laid, "relevant-in-context", resolve("relevant-in-context"))["MAgP"]

    scores = [
        scored("relevant-in-context", {"1": judged | dict(zip(unjudged, states, strict=True))}, run).means["MAgP"]
        for states in product(COMPLETIONS.values(), repeat=len(unjudged))
    ]
    assert (ranges.lowest[0], ranges.highest[0]) == pytest.approx((min(scores), max(scores)))
    assert ranges.ceiling[0] == ranges.highest[0]


@pytest.mark.parametrize("seed", range(8))
def test_ranges_of_text_hold_all_completions(seed):
    generator = np.random.default_rng(seed)
    sizes = generator.integers(2, 6, 5).tolist()
    names = [f"d{number}" for number in range(5)]
    judged = {"d0": Judged(9, 0, ((0, 2),)), "d1": VAIN, "missed": Judged(9, 0, ((0, 4),))}
    order = generator.permutation(5).tolist()
    run = run_columns({"1": [(names[number], 0, sizes[number]) for number in order]})

    laid = laid_for_scoring(compiled(judgement_columns({"1": judged})), run, resolve("focused"))
    ranges = topic_ranges(laid, "focused", resolve("focused"))["iMAP"]
    highest = highest_values(laid, "focused", resolve("focused"), evaluator_of("focused").measures)

    found = [
        scored(
            "focused",
            {
                "1": judged
                | {names[place]: Judged(9, 0, ((0, long),) if long else ()) for place, long in enumerate(amounts, 2)}
            },
            run,
        ).means
        for amounts in product(*(range(size + 1) for size in sizes[2:]))
    ]
    scores = [means["iMAP"] for means in found]
    assert min(scores) - 1e-12 <= ranges.lowest[0] <= ranges.highest[0] <= max(scores) + 1e-12
    assert ranges.ceiling[0] >= max(scores) - 1e-12
    for name, values in highest.items():
        assert values[0] == pytest.approx(max(means[name] for means in found)), name


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

    assert topic_ranges(laid, "focused", parameters)["iMAP"].mean == (0.0, 0.0)
    assert set(highest_means(laid, "focused", parameters, evaluator_of("focused").measures).values()) == {0.0}
    assert np.array_equal(without_unjudged(run_columns({}), highlights).topic, [])
