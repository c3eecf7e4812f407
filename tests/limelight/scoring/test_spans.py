import numpy as np

from limelight.scoring.articles import articles_of, retrieved_text
from limelight.scoring.evaluators import compiled, topics_that_count
from limelight.scoring.first_read import first_retrieved
from limelight.scoring.spans import NOT_JUDGED, lay
from tests.limelight.builders import Judged, judgement_columns, run_columns


def laid(judgements, run):
    return lay(compiled(judgement_columns(judgements)), run_columns(run))


def test_only_topics_with_highlighted_text_count_in_the_order_of_the_assessments():
    judgements = {
        "9": {"a": Judged(spans=((0, 5),))},
        "2": {"a": Judged(spans=((3, 0),)), "b": Judged()},
        "5": {"b": Judged(spans=((1, 1),))},
    }

    topics = topics_that_count(judgement_columns(judgements))

    assert topics == ("9", "5")


def test_highlighted_characters_are_counted_at_touching_and_empty_spans():
    judgements = {"1": {"a": Judged(spans=((10, 5), (15, 5), (30, 0), (40, 10)))}}
    run = {"1": [("a", 0, 10), ("a", 10, 10), ("a", 14, 2), ("a", 20, 20), ("a", 39, 2), ("a", 45, 500), ("a", 12, 0)]}

    relevant = laid(judgements, run).relevant

    assert relevant.tolist() == [0, 10, 2, 0, 1, 5, 0]


def test_a_document_judged_for_another_topic_is_not_judged_for_this_one():
    judgements = {"1": {"a": Judged(spans=((0, 5),))}, "2": {"b": Judged(spans=((0, 7),))}}
    run = {"2": [("a", 0, 10), ("b", 0, 10), ("c", 0, 10)], "1": [("a", 0, 10), ("b", 0, 10)]}

    on_axis = laid(judgements, run)

    assert on_axis.topic.tolist() == [0, 0, 1, 1, 1]
    assert on_axis.relevant.tolist() == [5, 0, 0, 7, 0]
    assert (on_axis.judgement == NOT_JUDGED).tolist() == [False, True, True, False, True]


def test_highlights_that_overlap_count_each_character_once():
    judgements = {"1": {"a": Judged(spans=((0, 10), (2, 3), (5, 10))), "b": Judged(spans=((0, 4),))}}

    highlights = compiled(judgement_columns(judgements))

    assert highlights.topic_relevant.tolist() == [19]
    assert lay(highlights, run_columns({"1": [("a", 0, 12), ("b", 0, 9)]})).relevant.tolist() == [12, 4]


def test_text_retrieved_twice_is_new_only_the_first_time():
    judgements = {"1": {"a": Judged(spans=((0, 50),))}}
    run = {"1": [("a", 10, 20), ("b", 10, 20), ("a", 0, 100), ("a", 5, 10), ("b", 0, 12)]}
    on_axis = laid(judgements, run)

    sizes, relevant = first_retrieved(on_axis, articles_of(on_axis).article)

    assert sizes.tolist() == [20, 20, 80, 0, 10]
    assert relevant.tolist() == [20, 0, 30, 0, 0]


def test_a_document_that_comes_back_joins_its_first_appearance():
    judgements = {"1": {"a": Judged(spans=((0, 50),))}}
    run = {"1": [("b", 0, 1), ("a", 0, 10), ("c", 0, 1), ("a", 5, 10), ("b", 7, 2)]}
    on_axis = laid(judgements, run)

    articles = articles_of(on_axis)
    sizes, relevant = retrieved_text(on_axis, articles)

    assert articles.article.tolist() == [0, 1, 2, 1, 0]
    assert articles.first.tolist() == [0, 1, 2]
    assert sizes.tolist() == [3, 15, 1]
    assert relevant.tolist() == [0, 15, 0]


def test_the_same_document_in_two_topics_is_two_articles():
    judgements = {"1": {"a": Judged(spans=((0, 50),))}, "2": {"a": Judged(spans=((0, 5),))}}
    run = {"1": [("a", 0, 10)], "2": [("a", 0, 10)]}

    articles = articles_of(laid(judgements, run))

    assert articles.bounds.tolist() == [0, 1, 2]
    assert articles.contained.tolist() == [50, 5]


def test_an_empty_run_is_laid_without_complaint():
    judgements = {"1": {"a": Judged(spans=((0, 50),))}}

    on_axis = laid(judgements, {})

    assert len(on_axis) == 0
    assert on_axis.bounds.tolist() == [0, 0]
    assert np.array_equal(articles_of(on_axis).bounds, [0, 0])


def test_an_overlap_of_one_character_is_seen():
    judgements = {"1": {"a": Judged(spans=((9, 1),))}}
    on_axis = laid(judgements, {"1": [("a", 0, 10), ("a", 9, 10)]})

    sizes, relevant = first_retrieved(on_axis, articles_of(on_axis).article)

    assert sizes.tolist() == [10, 9]
    assert relevant.tolist() == [1, 0]
