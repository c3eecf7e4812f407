"""What a difference is made of: three differences worked out by hand."""

import time
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from limelight.analysis.account import UncountedTopic
from limelight.analysis.parts.difference import NoParts, difference_parts, ingredients_of, why_no_parts
from limelight.analysis.parts.hybrids import FocusedHybrids, laid_alike
from limelight.scoring.evaluators import compiled, evaluate
from limelight.scoring.profiles import resolve
from tests.limelight.builders import Judged, judgement_columns, run_columns

EXACT = 1e-12


def parts_of(kind, judged, one, other, **options):
    runs = run_columns({"7": one}, "A"), run_columns({"7": other}, "B")
    return difference_parts(kind, judgement_columns({"7": judged}), *runs, **options)


def scores_of(found):
    """Return the scores of the eight hybrids by the letters of their ingredients."""
    letters = "AB"
    return {
        f"{letters[documents]}{letters[order]}{letters[text]}": float(found.scores[documents, order, text, 0])
        for documents, order, text in np.ndindex(2, 2, 2)
    }


def fractions(**named):
    return pytest.approx({name: float(Fraction(value)) for name, value in named.items()}, abs=EXACT)


def values_of(parts):
    return {part.name: float(part.topic_values[0]) for part in parts}


def ranges_of(found):
    return {part.name: part.mean_range for part in found.parts}


RELEVANT_IN_CONTEXT = (
    {
        "r1": Judged(1000, 0, ((0, 100),)),
        "r2": Judged(1000, 0, ((0, 100),)),
        "r3": Judged(1000, 0, ((0, 50),)),
        "n1": Judged(1000),
    },
    [("r1", 20, 120), ("n1", 0, 50), ("r2", 0, 50)],
    [("n1", 0, 50), ("r1", 0, 300), ("r3", 0, 50)],
)


def test_relevant_in_context():
    found = parts_of("relevant-in-context", *RELEVANT_IN_CONTEXT)

    assert scores_of(found) == fractions(
        AAA="118/297", AAB="8/27", ABA="82/297", ABB="23/108", BAA="43/99", BAB="1/3", BBA="31/99", BBB="1/4"
    )
    assert values_of(found.parts) == fractions(documents="-1/27", order="9/88", text="65/792")
    assert values_of(found.halves) == fractions(caught="-377/11286", waste="5213/45144")
    assert found.difference.mean == pytest.approx(175 / 1188, abs=EXACT)
    assert ranges_of(found)["documents"] == pytest.approx((-1 / 27, -1 / 27), abs=EXACT)
    assert ranges_of(found)["order"] == pytest.approx((1 / 12, 4 / 33), abs=EXACT)
    assert ranges_of(found)["text"] == pytest.approx((25 / 396, 10 / 99), abs=EXACT)
    assert (found.share, found.shared.tolist(), found.returned.tolist()) == (2 / 3, [2], [[3], [3]])


def test_best_in_context():
    judged = {"r1": Judged(1000, 500, ((0, 1000),)), "r2": Judged(1000, 500, ((0, 1000),)), "n1": Judged(1000)}
    one = [("r1", 500, 0), ("n1", 0, 0), ("r2", 600, 0)]
    other = [("n1", 0, 0), ("r2", 500, 0), ("r1", 200, 0)]

    found = parts_of("best-in-context", judged, one, other, parameters={"A": "0.1"})

    assert scores_of(found) == fractions(
        AAA="3/4", AAB="1/3", ABA="3/8", ABB="11/24", BAA="3/4", BAB="1/3", BBA="3/8", BBB="11/24"
    )
    assert {part.name: float(part.topic_values[0]) for part in found.parts} == pytest.approx(
        {"documents": 0, "order": 1 / 8, "entry points": 1 / 6}, abs=EXACT
    )
    assert found.difference.mean == pytest.approx(7 / 24, abs=EXACT)
    assert found.halves == ()


FOCUSED = (
    {"x": Judged(1000, 0, ((0, 40),)), "y": Judged(1000, 0, ((100, 60),))},
    [("x", 0, 40), ("z", 0, 20), ("y", 100, 40)],
    [("y", 80, 100), ("x", 0, 50), ("w", 0, 50), ("x", 60, 20)],
)


def test_focused():
    found = parts_of("focused", *FOCUSED)

    assert scores_of(found) == fractions(
        AAA="73/101",
        AAB="6116/9595",
        ABA="73/101",
        ABB="5111/8585",
        BAA="853/1313",
        BAB="3304/5555",
        BBA="853/1313",
        BBB="2/3",
    )
    assert values_of(found.parts) == pytest.approx(
        {"documents": 0.019888, "order": -0.016950, "text": 0.053167}, abs=5e-7
    )
    assert sum(values_of(found.parts).values()) == pytest.approx(17 / 303, abs=EXACT)
    assert found.halves == ()


def test_the_lists_of_two_focused_hybrids():
    judged, one, other = FOCUSED
    runs = run_columns({"7": one}), run_columns({"7": other})
    highlights = compiled(judgement_columns({"7": judged}))
    hybrids = FocusedHybrids(*laid_alike(highlights, *runs, resolve("focused")))
    names = {0: "x", 1: "z", 2: "y", 3: "w"}

    def listed(*ingredients):
        laid = hybrids.laid(*ingredients)
        rows = zip(laid.document.tolist(), laid.offset.tolist(), laid.length.tolist(), strict=True)
        return [(names[document], offset, length) for document, offset, length in rows]

    assert listed(1, 0, 0) == [("x", 0, 40), ("w", 0, 50), ("y", 100, 40)]
    assert listed(0, 0, 1) == [("x", 0, 50), ("z", 0, 20), ("x", 60, 20), ("y", 80, 100)]


def test_parts_of_the_mean_are_means_of_the_parts_and_have_intervals():
    judged, one, other = RELEVANT_IN_CONTEXT
    judgements = judgement_columns({"1": judged, "2": judged, "3": judged})
    runs = run_columns({"1": one, "2": one[:1]}), run_columns({"3": one, "1": other})

    found = difference_parts("relevant-in-context", judgements, *runs)

    assert found.topics == ("1", "2", "3")
    assert sum(part.mean.mean for part in found.parts) == pytest.approx(found.difference.mean, abs=EXACT)
    for part in (*found.parts, *found.halves):
        values = part.topic_values
        half = 4.302652729696142 * values.std(ddof=1) / np.sqrt(3)
        assert part.mean.interval() == pytest.approx((values.mean() - half, values.mean() + half))
        assert part.may_be_none()
    assert found.returned.tolist() == [[3, 1, 0], [3, 0, 3]]
    assert found.shared.tolist() == [2, 0, 0]
    assert found.share == 2 / 4
    assert found.largest_first == np.argsort(-np.abs(found.topic_differences)).tolist()


def test_one_topic_is_told_as_in_all_topics():
    judged, one, other = RELEVANT_IN_CONTEXT
    judgements = judgement_columns({"1": judged, "2": judged})
    runs = run_columns({"1": one, "2": other}), run_columns({"2": one, "1": other[1:]})

    whole = difference_parts("relevant-in-context", judgements, *runs)
    alone = difference_parts("relevant-in-context", judgements, *runs, topic="2")

    assert alone.topics == ("2",)
    assert np.array_equal(alone.scores[..., 0], whole.scores[..., 1])
    assert np.array_equal(alone.text_scores[..., 0], whole.text_scores[..., 1])
    assert (alone.shared.tolist(), alone.returned.tolist()) == ([2], [[3], [3]])
    with pytest.raises(UncountedTopic, match="Topic 9 does not count"):
        difference_parts("relevant-in-context", judgements, *runs, topic="9")


def test_runs_without_results_have_no_parts_but_zeros():
    judgements, nothing = judgement_columns({"7": RELEVANT_IN_CONTEXT[0]}), run_columns({})

    for kind in ("focused", "relevant-in-context", "best-in-context"):
        found = difference_parts(kind, judgements, nothing, nothing)

        assert not found.scores.any()
        assert found.share == 0


def test_text_has_no_halves_where_a_reader_decides():
    assert parts_of("relevant-in-context", *RELEVANT_IN_CONTEXT, profile="inex-2010").halves == ()
    assert parts_of("relevant-in-context", *RELEVANT_IN_CONTEXT, measure="MAgP(T2I)").halves == ()
    assert parts_of("relevant-in-context", *RELEVANT_IN_CONTEXT, profile="inex-2009").halves != ()


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("thorough", "Results of a thorough task may overlap and have no single place to exchange."),
        ("document", "A document task ranks whole documents: there is no text to tell apart from their order."),
        ("graded", "A graded task has no measures yet."),
    ],
)
def test_some_kinds_of_tasks_have_no_parts(kind, sentence):
    assert why_no_parts(kind) == sentence
    assert ingredients_of(kind) == ()
    with pytest.raises(NoParts) as refused:
        parts_of(kind, *FOCUSED)
    assert str(refused.value) == sentence


def test_whole_documents_are_as_long_as_somebody_tells():
    judgements = judgement_columns({"7": FOCUSED[0]})
    runs = [
        replace(run_columns({"7": [(document, 0, 0) for document in names]}), result_type="document")
        for names in ("xz", "zyx")
    ]

    found = difference_parts("focused", judgements, *runs, document_lengths={"z": 30})

    ends = [evaluate("focused", judgements, run, document_lengths={"z": 30}).means["iMAP"] for run in runs]
    assert found.difference.mean == ends[0] - ends[1]


def large_run(seed, topics=40, results=1500):
    generator = np.random.default_rng(seed)
    return run_columns(
        {
            str(topic): [
                (f"d{document}", 300 * place, 200)
                for document in generator.permutation(results // 5).tolist()
                for place in range(5)
            ]
            for topic in range(topics)
        }
    )


@pytest.mark.parametrize("kind", ["focused", "relevant-in-context"])
def test_many_results_take_no_long_time(kind):
    judged = {f"d{number}": Judged(2000, 0, ((number, 700),)) for number in range(0, 300, 7)}
    highlights = compiled(judgement_columns({str(topic): judged for topic in range(40)}))
    runs = large_run(1), large_run(2)
    seconds = []
    for _ in range(2):
        started = time.process_time()
        difference_parts(kind, highlights, *runs)
        seconds.append(time.process_time() - started)

    assert min(seconds) < 2
