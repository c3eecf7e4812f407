"""Properties that every measure of the table must have."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limelight.scoring.evaluators import EVALUATORS, evaluate, official_measure
from limelight.scoring.profiles import PROFILES
from tests.examples import examples
from tests.limelight.builders import Judged, judgement_columns, run_columns

KINDS = tuple(EVALUATORS)
DOCUMENTS = tuple("abcdefgh")
EMPTY_DOCUMENTS = ("judged, nothing highlighted", "not judged")

each_kind = pytest.mark.parametrize("kind", KINDS)
each_profile = pytest.mark.parametrize("profile", PROFILES)


@st.composite
def judged_documents(draw):
    spans, end = [], 0
    for _ in range(draw(st.integers(1, 3))):
        offset = end + draw(st.integers(0, 30))
        end = offset + draw(st.integers(1, 50))
        spans.append((offset, end - offset))
    return Judged(length=end + draw(st.integers(0, 400)), entry=draw(st.integers(0, end)), spans=tuple(spans))


@st.composite
def judgement_sets(draw):
    topics = draw(st.lists(st.sampled_from("1234"), min_size=1, max_size=3, unique=True))
    highlighted = st.dictionaries(st.sampled_from(DOCUMENTS), judged_documents(), min_size=1, max_size=5)
    nothing = {EMPTY_DOCUMENTS[0]: Judged(length=100)}
    return {topic: draw(highlighted) | nothing for topic in topics}


spans = st.tuples(st.integers(0, 120), st.integers(0, 120))


@st.composite
def runs(draw, documents=(*DOCUMENTS, *EMPTY_DOCUMENTS), topics="1234"):
    """One result a document: a run that keeps the rules of every task."""
    return {
        topic: [(document, *draw(spans)) for document in draw(st.lists(st.sampled_from(documents), unique=True))]
        for topic in topics
    }


def score(kind, judgements, run, **options):
    return evaluate(kind, judgement_columns(judgements), run_columns(run), measures="all", **options)


def perfect_run(kind, judgements):
    def results(judged_documents):
        for document, judged in judged_documents.items():
            if kind == "best-in-context" and judged.spans:
                yield document, judged.entry, 0
            else:
                yield from ((document, *span) for span in judged.spans)

    return {topic: list(results(judgements[topic])) for topic in judgements}


@each_kind
def test_the_official_measure_is_reported_and_names_are_unique(kind):
    evaluator = EVALUATORS[kind]

    names = [measure.name for measure in evaluator.measures]

    assert names[0] == evaluator.official
    assert evaluator.columns()[0].name == evaluator.official
    assert evaluator.columns()[0].reported
    assert len(names) == len(set(names))
    assert len({measure.topic_name for measure in evaluator.measures}) == len(names)


@each_kind
def test_every_measure_is_explained_in_a_sentence_with_its_equation_and_source(kind):
    for measure in EVALUATORS[kind].measures:
        assert measure.explanation.endswith(".")
        assert measure.explanation.count(". ") == 0
        assert "=" in measure.equation
        assert measure.source
        assert measure.label


@each_kind
@each_profile
@examples(15)
@given(judgements=judgement_sets(), run=runs(EMPTY_DOCUMENTS))
def test_nothing_relevant_scores_0(kind, profile, judgements, run):
    result = score(kind, judgements, run, profile=profile)

    assert result.means == dict.fromkeys(result.means, 0.0)


@each_kind
@each_profile
@examples(15)
@given(judgements=judgement_sets())
def test_the_perfect_run_scores_1(kind, profile, judgements):
    result = score(kind, judgements, perfect_run(kind, judgements), profile=profile)

    perfect = {measure.name for measure in result.measures if measure.perfect}
    assert EVALUATORS[kind].official in perfect or profile == "inex-2010"
    for name in perfect:
        assert result.topic_values[name].tolist() == pytest.approx([1.0] * len(judgements), abs=1e-12), name


@each_kind
@each_profile
@examples(20)
@given(judgements=judgement_sets(), run=runs())
def test_bounded_measures_stay_between_0_and_1(kind, profile, judgements, run):
    result = score(kind, judgements, run, profile=profile)

    for measure in result.measures:
        values = result.topic_values[measure.name]
        assert len(values) == len(result.topics)
        assert (values >= 0).all(), measure.name
        assert not measure.bounded or (values <= 1 + 1e-12).all(), measure.name


@st.composite
def swaps(draw, kind):
    """A run whose first topic has a relevant result right behind a wholly non-relevant one, and the two swapped."""
    judgements, run = draw(judgement_sets()), draw(runs())
    topic = draw(st.sampled_from(sorted(judgements)))
    document = draw(st.sampled_from(sorted(set(judgements[topic]) - set(EMPTY_DOCUMENTS))))
    relevant = (document, draw(st.integers(0, judgements[topic][document].spans[0][0])), draw(st.integers(60, 200)))
    elsewhere = (*EMPTY_DOCUMENTS, document, "h") if kind in ("focused", "thorough") else EMPTY_DOCUMENTS
    other = (draw(st.sampled_from(elsewhere)), draw(st.integers(1000, 1100)), draw(st.integers(0, 90)))
    rest = [result for result in run[topic] if result[0] not in (relevant[0], other[0])]
    place = draw(st.integers(0, len(rest)))
    before = [*rest[:place], other, relevant, *rest[place:]]
    after = [*rest[:place], relevant, other, *rest[place:]]
    return judgements, run | {topic: before}, run | {topic: after}


@each_kind
@each_profile
@examples(30)
@given(choices=st.data())
def test_no_measure_falls_when_a_relevant_result_moves_up_past_a_non_relevant_one(kind, profile, choices):
    judgements, worse, better = choices.draw(swaps(kind))

    before = score(kind, judgements, worse, profile=profile)
    after = score(kind, judgements, better, profile=profile)

    for name in (measure.name for measure in before.measures if measure.monotone):
        assert (after.topic_values[name] >= before.topic_values[name] - 1e-12).all(), name


def test_only_precision_at_a_rank_may_fall_when_a_long_result_moves_up():
    falling = {
        measure.heading for evaluator in EVALUATORS.values() for measure in evaluator.measures if not measure.monotone
    }

    assert falling == {"P[r]"}


@each_kind
@each_profile
@examples(15)
@given(judgements=judgement_sets(), run=runs())
def test_renaming_topics_and_documents_changes_nothing(kind, profile, judgements, run):
    def renamed(name):
        return f"other {name[::-1]}"

    before = score(kind, judgements, run, profile=profile)
    after = score(
        kind,
        {
            renamed(topic): {renamed(document): judged for document, judged in reversed(judged_documents.items())}
            for topic, judged_documents in judgements.items()
        },
        {
            renamed(topic): [(renamed(document), offset, length) for document, offset, length in results]
            for topic, results in reversed(run.items())
        },
        profile=profile,
    )

    assert after.topics == tuple(renamed(topic) for topic in before.topics)
    for name in before.means:
        assert after.topic_values[name].tolist() == before.topic_values[name].tolist(), name


@each_kind
@each_profile
@examples(15)
@given(judgements=judgement_sets(), run=runs(), extra=runs(topics=("without judgements", "0")))
def test_topics_without_judgements_change_nothing(kind, profile, judgements, run, extra):
    before = score(kind, judgements, run, profile=profile)
    after = score(kind, judgements, extra | run, profile=profile)

    assert after.means == before.means
    assert after.topics == before.topics
    for name in before.curves:
        assert after.curves[name].tolist() == before.curves[name].tolist()


@each_kind
def test_every_measure_can_be_the_official_one_and_then_comes_first(kind):
    evaluator = EVALUATORS[kind]
    reported = [measure.name for measure in evaluator.columns()]

    for measure in evaluator.measures:
        assert official_measure(kind, measure.name) == measure.name
        columns = [column.name for column in evaluator.columns(official=measure.name)]
        assert columns == [measure.name, *(name for name in reported if name != measure.name)]
        ordered = [found.name for found in evaluator.ordered(official=measure.name)]
        assert ordered[: len(columns)] == columns
        assert sorted(ordered) == sorted(found.name for found in evaluator.measures)


TWICE = {"1": [("a", 0, 60), ("a", 0, 60), ("a", 0, 60)]}


def test_only_recall_and_what_is_made_of_it_may_exceed_1_and_only_when_text_counts_twice():
    judgements = judgement_columns({"1": {"a": Judged(length=100, entry=0, spans=((0, 50),))}})
    counted = {"parameters": {"overlap": "count_all"}, "measures": "all"}

    result = evaluate("thorough", judgements, run_columns(TWICE), **counted)

    unbounded = {measure.heading for measure in result.measures if not measure.bounded}
    assert unbounded == {"charMAP", "R[r]", "charP, charR and charF1", "hixR@r", "hixF@r", "hixMAP"}
    assert [measure.name for measure in result.measures if "char" in measure.name and not measure.bounded] == [
        "charMAP",
        "charR",
        "charF1",
    ]
    assert result.means["R[5]"] == 3.0
    for measure in result.measures:
        assert measure.bounded == ("may exceed 1" not in measure.explanation), measure.name
        assert not measure.bounded or result.means[measure.name] <= 1, measure.name
    for kind in KINDS:
        assert all(measure.bounded for measure in EVALUATORS[kind].measures)


@examples(60)
@given(judgements=judgement_sets(), run=runs(), again=runs())
def test_what_is_called_bounded_stays_below_1_when_text_counts_twice(judgements, run, again):
    tangled = {topic: [*run[topic], *again[topic], *run[topic]] for topic in run}

    result = score("thorough", judgements, tangled, parameters={"overlap": "count_all"})

    for measure in result.measures:
        assert not measure.bounded or (result.topic_values[measure.name] <= 1 + 1e-12).all(), measure.name


@each_kind
def test_a_few_measures_can_be_asked_for_by_name_in_any_order(kind):
    names = [measure.name for measure in EVALUATORS[kind].measures][-1::-2]
    judgements = {"1": {"a": Judged(length=9, entry=0, spans=((0, 5),))}}

    result = evaluate(kind, judgement_columns(judgements), run_columns({"1": [("a", 0, 5)]}), measures=names)

    assert list(result.means) == names
