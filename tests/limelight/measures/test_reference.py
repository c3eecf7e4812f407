"""The engine against the plain reference, on random small collections."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from limelight.formats.assessments.columns import UNKNOWN
from limelight.scoring.evaluators import evaluate
from tests.examples import examples
from tests.limelight.builders import Judged, judgement_columns, run_columns
from tests.limelight.measures import reference

TOPICS = ("1", "2", "3", "4")
DOCUMENTS = ("a", "b", "c", "d")
PROFILES = ("inex-2007", "inex-2009", "inex-2010")


@st.composite
def judged_documents(draw):
    spans, end = [], 0
    for _ in range(draw(st.integers(0, 3))):
        offset = end + draw(st.integers(0, 15))
        length = draw(st.integers(0, 40))
        spans.append((offset, length))
        end = offset + length
    length = draw(st.one_of(st.just(UNKNOWN), st.integers(end, end + 60)))
    entry = draw(st.one_of(st.just(UNKNOWN), st.integers(0, end + 5)))
    return Judged(length=length, entry=entry, spans=tuple(spans))


judgement_sets = st.dictionaries(
    st.sampled_from(TOPICS), st.dictionaries(st.sampled_from(DOCUMENTS), judged_documents(), max_size=4), max_size=4
)
results = st.tuples(
    st.sampled_from((*DOCUMENTS, "never judged")),
    st.one_of(st.none(), st.integers(0, 90), st.integers(0, 90)),
    st.one_of(st.just(0), st.integers(0, 60)),
)
runs = st.dictionaries(st.sampled_from((*TOPICS, "of no track")), st.lists(results, max_size=9), max_size=5)


def check(kind, judgements, run, expected_of_topic, **options):
    """Compare all topics, means and curves with what the reference says about each counted topic."""
    result = evaluate(kind, judgement_columns(judgements), run_columns(run), measures="all", **options)
    counted = reference.counted_topics(judgements)
    assert list(result.topics) == counted
    expected = [expected_of_topic(judgements[topic], run.get(topic, [])) for topic in counted]
    for name, values in result.topic_values.items():
        wanted = [float(values[name]) for values, _ in expected]
        assert values.tolist() == pytest.approx(wanted, abs=1e-12), name
        assert result.means[name] == pytest.approx(float(reference.mean([v[name] for v, _ in expected])), abs=1e-12)
    (curve,) = result.curves.values()
    mean_curve = [float(reference.mean(points)) for points in zip(*(points for _, points in expected), strict=True)]
    assert curve.tolist() == pytest.approx(mean_curve or [0.0] * len(curve), abs=1e-12)
    return result, expected


@examples(300)
@given(judgement_sets, runs, st.sampled_from(PROFILES))
def test_focused_measures_equal_the_reference(judgements, run, profile):
    unmapped_size = 0 if profile == "inex-2007" else 18

    result, expected = check(
        "focused",
        judgements,
        run,
        lambda judged, listed: reference.focused(judged, listed, unmapped_size=unmapped_size),
        profile=profile,
    )

    # Interpolated precision is one division of integers: no tolerance.
    for name in ("iP[0.00]", "iP[0.01]", "iP[0.05]", "iP[0.10]"):
        assert result.topic_values[name].tolist() == [float(values[name]) for values, _ in expected]


@examples(200)
@given(judgement_sets, runs, st.sampled_from(("new", "count_all")))
def test_thorough_measures_equal_the_reference(judgements, run, overlap):
    check(
        "thorough",
        judgements,
        run,
        lambda judged, listed: reference.focused(judged, listed, overlap=overlap),
        parameters={"overlap": overlap},
    )


@examples(300)
@given(
    judgement_sets,
    runs,
    st.sampled_from(PROFILES),
    st.sampled_from(("contained", "retrieved")),
    st.sampled_from((1, 7, 40, 300)),
)
def test_relevant_in_context_measures_equal_the_reference(judgements, run, profile, weight, tolerance):
    late = profile != "inex-2007"
    cutoffs = (1, 2, 3, 5, 10, 25, 50) if late else (5, 10, 25, 50)

    def expected(judged, listed):
        def by_reading(document):
            return reference.t2i_score(judged, listed, document, tolerance=tolerance)

        def by_f(document):
            beta, unmapped_size = (Fraction(1, 4), 18) if late else (1, 0)
            return reference.f_score(judged, listed, document, beta=beta, unmapped_size=unmapped_size)

        options = {"cutoffs": cutoffs, "past_end": "last" if late else "divide", "weight": weight}
        score = by_reading if profile == "inex-2010" else by_f
        values, curve = reference.in_context(judged, listed, score, **options)
        values["MAgP(T2I)"] = reference.in_context(judged, listed, by_reading, **options)[0]["MAgP"]
        return values, curve

    check(
        "relevant-in-context",
        judgements,
        run,
        expected,
        profile=profile,
        parameters={"weight": weight, "tolerance": tolerance},
    )


@examples(200)
@given(
    judgement_sets,
    runs,
    st.sampled_from(({}, {"A": "1"}, {"A": 10}, {"formula": "linear"}, {"formula": "linear", "n": 20})),
)
@example({"1": {"a": Judged(length=0, entry=0, spans=((0, 1),))}}, {"1": [("a", 0, 1)]}, {})
def test_best_in_context_measures_equal_the_reference(judgements, run, parameters):
    formula = parameters.get("formula", "ratio")
    options = {"formula": formula, "A": Fraction(parameters.get("A", "1/10")), "n": parameters.get("n", 1000)}

    check(
        "best-in-context",
        judgements,
        run,
        lambda judged, listed: reference.in_context(
            judged, listed, lambda document: reference.entry_score(judged, listed, document, **options)
        ),
        parameters=parameters,
    )


@pytest.mark.parametrize("total", [7, 29, 57, 58, 100, 1000, 99991])
def test_recall_levels_are_reached_exactly(total):
    judgements = judgement_columns({"1": {"a": Judged(spans=((0, total),))}})

    for level in range(1, 101):
        needed = -(-level * total // 100)
        just = evaluate("focused", judgements, run_columns({"1": [("a", 0, needed)]}))
        short = evaluate("focused", judgements, run_columns({"1": [("a", 0, needed - 1)]}))

        assert np.count_nonzero(just.curves["iP"]) - 1 >= level
        assert np.count_nonzero(short.curves["iP"]) - 1 < level
