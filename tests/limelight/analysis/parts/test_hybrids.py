"""Random runs: hybrids and parts against their definitions, for every measure, profile and kind of list."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limelight.analysis.parts.difference import difference_parts
from limelight.analysis.parts.hybrids import FocusedHybrids, InContextHybrids, laid_alike
from limelight.scoring.evaluators import compiled, evaluate, evaluator_of
from limelight.scoring.profiles import PROFILES, resolve
from tests.examples import examples
from tests.limelight.analysis.parts.by_hand import (
    average_generalised_precision,
    documents_of,
    f_score,
    focused_hybrid,
    in_context_hybrid,
    parts_by_orders,
)
from tests.limelight.builders import Judged, judgement_columns, run_columns

EXACT = 1e-12
JUDGED = {
    "a": Judged(200, 10, ((10, 20), (60, 5))),
    "b": Judged(120, 0, ((0, 40),)),
    "c": Judged(90, 30, ((30, 60),)),
    "d": Judged(300),
}
SETTINGS = [
    ("focused", {}),
    ("focused", {"unmapped_size": 7}),
    ("relevant-in-context", {}),
    ("relevant-in-context", {"beta": "1/4", "weight": "retrieved", "past_end": "last"}),
    ("relevant-in-context", {"document_score": "t2i", "tolerance": 9}),
    ("best-in-context", {}),
    ("best-in-context", {"formula": "linear", "n": 25}),
]
IN_CONTEXT = ("relevant-in-context", "best-in-context")

results = st.tuples(
    st.sampled_from(("a", "b", "c", "d", "e")),
    st.one_of(st.none(), st.integers(0, 80), st.integers(0, 80)),
    st.integers(0, 40),
)
lists = st.lists(results, max_size=9)
"""Results may overlap, come back to a document later, be empty or have no known place."""

each_setting = pytest.mark.parametrize(("kind", "parameters"), SETTINGS)
each_kind = pytest.mark.parametrize("kind", ["focused", *IN_CONTEXT])


def apart(one):
    """Return the results in order without those that overlap one before, as a focused run must be."""
    kept = []
    for document, offset, length in one:
        if (
            offset is not None
            and length
            and all(
                other[0] != document or offset + length <= other[1] or other[1] + other[2] <= offset for other in kept
            )
        ):
            kept.append((document, offset, length))
    return kept


def told(kind, one, other, **options):
    judgements = compiled(judgement_columns({"first": JUDGED, "7": JUDGED}))
    runs = run_columns({"first": other, "7": one}), run_columns({"7": other, "first": one})
    return difference_parts(kind, judgements, *runs, **options)


def value_of(kind, listed, measure, **options):
    judgements = judgement_columns({"7": JUDGED})
    run = run_columns({"7": listed})
    return evaluate(kind, judgements, run, measures=[measure], **options).topic_values[measure][0]


def parts_of(found, place=1):
    return {part.name: float(part.topic_values[place]) for part in found.parts}


@each_setting
@examples(60)
@given(one=lists, other=lists, choice=st.randoms(use_true_random=False))
def test_every_hybrid_is_scored_like_a_run_and_the_ends_are_the_runs(kind, parameters, one, other, choice):
    hybrid = in_context_hybrid if kind in IN_CONTEXT else focused_hybrid
    measures = [measure.name for measure in evaluator_of(kind).measures_under(parameters=parameters)]
    measure = choice.choice([evaluator_of(kind).official, *measures])

    found = told(kind, one, other, measure=measure, parameters=parameters)

    for ingredients in np.ndindex(2, 2, 2):
        listed = hybrid((one, other), *ingredients)
        assert found.scores[ingredients][1] == value_of(kind, listed, measure, parameters=parameters), ingredients
    assert found.scores[0, 0, 0, 1] == value_of(kind, one, measure, parameters=parameters)
    assert found.scores[1, 1, 1, 1] == value_of(kind, other, measure, parameters=parameters)


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize(("make", "by_hand"), [(InContextHybrids, in_context_hybrid), (FocusedHybrids, focused_hybrid)])
def test_every_hybrid_has_the_results_of_its_definition_in_their_order(make, by_hand, seed):
    generator = np.random.default_rng(seed)
    one, other = (
        [
            (
                str(generator.choice(["a", "b", "c", "d"])),
                None if generator.random() < 0.1 else int(generator.integers(0, 60)),
                int(generator.integers(0, 25)),
            )
            for _ in range(int(generator.integers(0, 16)))
        ]
        for _ in range(2)
    )
    highlights = compiled(judgement_columns({"first": JUDGED, "7": JUDGED}))
    runs = run_columns({"first": other, "7": one}), run_columns({"7": other, "first": one})
    names = list(dict.fromkeys((*runs[0].documents, *runs[1].documents)))
    hybrids = make(*laid_alike(highlights, *runs, resolve("focused")))

    for ingredients in np.ndindex(2, 2, 2):
        laid = hybrids.laid(*ingredients)
        rows = list(zip(laid.document.tolist(), laid.offset.tolist(), laid.length.tolist(), strict=True))
        listed = [(names[document], None if offset < 0 else offset, length) for document, offset, length in rows]
        expected = [
            (document, offset, 0 if offset is None else length)
            for pair in ((other, one), (one, other))
            for document, offset, length in by_hand(pair, *ingredients)
        ]
        assert listed == expected, ingredients
        assert laid.bounds[1] == len(by_hand((other, one), *ingredients))


@each_kind
@pytest.mark.parametrize("profile", PROFILES)
@examples(40)
@given(one=lists, other=lists)
def test_parts_are_means_over_all_orders_of_exchange(kind, profile, one, other):
    found = told(kind, one, other, profile=profile)
    names = [part.name for part in found.parts]

    def value(taken):
        return float(found.scores[tuple(0 if name in taken else 1 for name in names)][1])

    for part in found.parts:
        mean, smallest, largest = parts_by_orders(value, names)[part.name]
        assert part.topic_values[1] == pytest.approx(mean, abs=EXACT)
        assert [ends[1] for ends in part.topic_ranges] == pytest.approx([smallest, largest], abs=EXACT)
    assert sum(parts_of(found).values()) == pytest.approx(value(names) - value(()), abs=EXACT)
    assert sum(part.mean.mean for part in found.parts) == pytest.approx(found.difference.mean, abs=EXACT)


@each_kind
@examples(40)
@given(one=lists, other=lists)
def test_exchanging_the_runs_turns_all_signs(kind, one, other):
    found, turned = told(kind, one, other), told(kind, other, one)

    assert np.array_equal(found.turned().scores, turned.scores)
    for part, its_turn, other_part in zip(
        (*found.parts, *found.halves),
        (*found.turned().parts, *found.turned().halves),
        (*turned.parts, *turned.halves),
        strict=True,
    ):
        assert other_part.topic_values == pytest.approx(-part.topic_values, abs=EXACT)
        assert its_turn.topic_values == pytest.approx(-part.topic_values, abs=EXACT)
        assert its_turn.mean_range == pytest.approx(tuple(-end for end in reversed(part.mean_range)), abs=EXACT)
    assert np.array_equal(found.turned().returned, turned.returned)


@pytest.mark.parametrize("kind", IN_CONTEXT)
@examples(40)
@given(one=lists, lengths=st.lists(st.integers(0, 60), min_size=9, max_size=9))
def test_the_same_documents_in_the_same_order_differ_by_their_text_alone(kind, one, lengths):
    other = [(document, length, 30) for (document, _, _), length in zip(one, lengths, strict=False)]

    parts = parts_of(told(kind, one, other))

    assert parts["documents"] == parts["order"] == 0


@each_kind
@examples(40)
@given(one=lists, choice=st.randoms(use_true_random=False))
def test_the_same_results_in_another_order_differ_by_order_alone(kind, one, choice):
    one = apart(one)
    documents = documents_of(one)
    choice.shuffle(documents)
    other = sorted(one, key=lambda result: documents.index(result[0]))
    if kind == "focused":
        choice.shuffle(other)

    found = told(kind, one, other)

    assert parts_of(found) == pytest.approx(
        {part.name: float(found.topic_differences[1]) if part.name == "order" else 0 for part in found.parts}, abs=EXACT
    )


@each_kind
@examples(40)
@given(one=lists, other=lists)
def test_without_a_shared_document_there_are_only_documents(kind, one, other):
    other = [result for result in other if result[0] not in documents_of(one)]

    found = told(kind, one, other)

    parts = parts_of(found)
    assert parts.pop("documents") == pytest.approx(float(found.topic_differences[1]), abs=EXACT)
    assert set(parts.values()) == {0}
    assert found.shared.tolist() == [0, 0]


@examples(40)
@given(one=lists, other=lists)
def test_precision_in_characters_does_not_know_of_order(one, other):
    assert parts_of(told("focused", one, other, measure="charP"))["order"] == 0


@pytest.mark.parametrize("beta", ["1", "1/4"])
@examples(40)
@given(one=lists, other=lists)
def test_text_in_two_by_all_orders_of_exchange(beta, one, other):
    one, other = apart(one), apart(other)
    runs = (one, other)
    shared = set(documents_of(one)) & set(documents_of(other))

    def counts(results, document):
        spans = JUDGED[document].spans if document in JUDGED else ()
        caught = size = 0
        for name, offset, length in results:
            if name == document:
                size += length
                caught += sum(max(0, min(offset + length, start + long) - max(offset, start)) for start, long in spans)
        return caught, size - caught

    def value(taken):
        documents, order, caught, waste = (
            0 if name in taken else 1 for name in ("documents", "order", "caught", "waste")
        )
        scores, relevant = [], []
        for document in documents_of(in_context_hybrid(runs, documents, order, order)):
            from_whom = (caught, waste) if document in shared else (documents, documents)
            highlighted, other_text = counts(runs[from_whom[0]], document)[0], counts(runs[from_whom[1]], document)[1]
            contained = sum(length for _, length in JUDGED[document].spans) if document in JUDGED else 0
            scores.append(f_score(highlighted, other_text, contained, Fraction(beta)))
            relevant.append(contained > 0)
        return average_generalised_precision(scores, relevant, 3)

    found = told("relevant-in-context", one, other, parameters={"beta": beta})

    by_orders = parts_by_orders(value, ("documents", "order", "caught", "waste"), together=("caught", "waste"))
    for half in found.halves:
        mean, smallest, largest = map(float, by_orders[half.name])
        assert half.topic_values[1] == pytest.approx(mean, abs=EXACT)
        assert [ends[1] for ends in half.topic_ranges] == pytest.approx([smallest, largest], abs=EXACT)
    assert sum(float(half.topic_values[1]) for half in found.halves) == pytest.approx(
        parts_of(found)["text"], abs=EXACT
    )


@each_kind
def test_runs_that_name_documents_in_their_own_ways(kind):
    """A run has its own list of documents, in its own order, with some that it never returns for these topics."""
    judgements = judgement_columns({"7": JUDGED})
    one = run_columns({"7": [("b", 0, 20), ("a", 5, 20)]})
    other = run_columns({"9": [("e", 0, 5), ("a", 0, 5)], "7": [("a", 10, 20), ("d", 0, 5), ("b", 10, 40)]})

    found = difference_parts(kind, judgements, one, other)
    plain = difference_parts(kind, judgements, one, run_columns({"7": [("a", 10, 20), ("d", 0, 5), ("b", 10, 40)]}))

    assert np.array_equal(found.scores, plain.scores)
    assert found.shared.tolist() == [2]
