"""How much of a run's first results was judged."""

import numpy as np
import pytest

from limelight.analysis.judged import (
    NOT_KNOWN,
    judged_share,
    judged_shares,
    lists_only_relevant,
    not_known_sentence,
    with_read_documents,
)
from limelight.kinds import SCORED
from limelight.scoring.evaluators import compiled, evaluate
from limelight.scoring.spans import lay
from tests.limelight.builders import Judged, judgement_columns, run_columns

RELEVANT, VAIN = Judged(100, 0, ((0, 10),)), Judged(100)
JUDGEMENTS = judgement_columns({"1": {"a": RELEVANT, "b": VAIN}, "2": {"a": RELEVANT, "c": VAIN}})


def laid(run, judgements=JUDGEMENTS):
    return lay(compiled(judgements), run_columns(run))


def test_documents_are_counted_once_at_their_first_appearance():
    run = laid({"1": [("a", 0, 5), ("x", 0, 5), ("a", 20, 5), ("b", 0, 5)], "2": [("x", 0, 5), ("b", 0, 5)]})

    for kind in ("relevant-in-context", "best-in-context", "document"):
        assert judged_shares(run, kind).tolist() == [2 / 3, 0.0]
        assert judged_share(run, kind) == pytest.approx(1 / 3)


def test_focused_and_thorough_count_characters():
    run = laid({"1": [("a", 0, 30), ("x", 0, 60), ("b", 5, 10)], "2": [("c", 0, 25), ("y", 0, 75)]})

    for kind in ("focused", "thorough"):
        assert judged_shares(run, kind).tolist() == [0.4, 0.25]


def test_only_the_first_ten_count():
    first = [("a", start, 1) for start in range(10)]
    run = laid({"1": [*first, ("x", 0, 90)]})

    assert judged_shares(run, "focused").tolist() == [1.0, 0.0]
    assert judged_shares(run, "focused", depth=11).tolist() == [0.1, 0.0]


def test_results_without_a_place_have_no_characters():
    run = laid({"1": [("a", 0, 30), ("x", None, 0)], "2": [("y", None, 0)]})

    assert judged_shares(run, "focused").tolist() == [1.0, 0.0]


def test_a_topic_that_lists_only_relevant_documents_is_taken_as_fully_judged():
    judgements = judgement_columns({"1": {"a": RELEVANT, "b": VAIN}, "2": {"a": RELEVANT}})
    run = laid({"1": [("a", 0, 5), ("x", 0, 5)], "2": [("x", 0, 5), ("y", 0, 5)]}, judgements)

    assert lists_only_relevant(run.highlights).tolist() == [False, True]
    assert judged_shares(run, "relevant-in-context").tolist() == [0.5, 1.0]
    assert not_known_sentence(run.highlights) == "1 topic lists only relevant documents and is taken as fully judged."


def test_where_all_topics_list_only_relevant_documents_nothing_is_said():
    judgements = judgement_columns({"1": {"a": RELEVANT}, "2": {"a": RELEVANT}})
    run = laid({"1": [("x", 0, 5)]}, judgements)

    assert judged_share(run, "focused") is None
    assert not_known_sentence(run.highlights) == NOT_KNOWN
    assert not_known_sentence(compiled(JUDGEMENTS)) == ""


def test_a_pool_tells_what_else_was_read():
    judgements = judgement_columns({"1": {"a": RELEVANT}, "2": {"c": Judged(50, 7, ((3, 4), (20, 5)))}})
    read = [("1", "a"), ("1", "b"), ("2", "a"), ("2", "x"), ("2", "x"), ("9", "z")]

    known = with_read_documents(judgements, read)

    run = run_columns({"1": [("a", 0, 5), ("b", 0, 5), ("y", 0, 5)], "2": [("c", 0, 30), ("x", 0, 20)]})
    assert len(known) == 5
    assert known.topic.tolist() == sorted(known.topic.tolist())
    assert judged_shares(lay(compiled(known), run), "document").tolist() == [2 / 3, 1.0]
    for kind in SCORED:
        before, after = (evaluate(kind, given, run, measures="all").topic_values for given in (judgements, known))
        assert {name: values.tolist() for name, values in after.items()} == {
            name: values.tolist() for name, values in before.items()
        }


def test_an_empty_run_has_nothing_judged():
    assert judged_shares(laid({}), "focused").tolist() == [0.0, 0.0]
    assert np.isclose(judged_share(laid({}), "document"), 0.0)
