"""Redrawn topic sets, with all draws of three topics worked out by hand."""

from itertools import product

import numpy as np
import pytest

from limelight.analysis.statistics.redrawing import first_by_team, redraw, topic_weights
from limelight.analysis.statistics.sentences import redrawn_sentence, share_text

THREE = np.array([[0.6, 0.4, 0.5], [0.5, 0.6, 0.3], [0.1, 0.2, 0.6]])


def every_draw(topic_count):
    return np.array([np.bincount(draw, minlength=topic_count) for draw in product(range(topic_count), repeat=3)], float)


def test_all_27_draws_of_three_topics():
    found = redraw(THREE, every_draw(3))

    assert found.first.tolist() == pytest.approx([16 / 27, 17 / 54, 5 / 54])
    assert found.ranks.tolist() == [[19, 8, 0], [10, 10, 7], [4, 3, 20]]
    assert found.low.tolist() == [1, 1, 1]
    assert found.high.tolist() == [2, 3, 3]
    assert found.top3.tolist() == [1.0, 1.0, 1.0]


def test_first_places_add_up_to_1_and_copies_share_them():
    scores = np.random.default_rng(1).uniform(0, 1, (6, 20))
    scores[5] = scores[0]

    found = redraw(scores, topic_weights(20, resamples=500))

    assert found.first.sum() == pytest.approx(1)
    assert found.first[0] == found.first[5]
    assert found.ranks.sum(axis=1).tolist() == [500] * 6
    assert found.top3.tolist() == pytest.approx((found.ranks[:, :3].sum(axis=1) / 500).tolist())


def test_ranks_are_those_of_each_draw(monkeypatch):
    scores = np.random.default_rng(2).choice([0.0, 0.25, 0.5], (7, 6))
    weights = topic_weights(6, resamples=200)
    means = scores @ weights.T
    expected = 1 + (means[np.newaxis] > means[:, np.newaxis] + 1e-9).sum(axis=1)
    monkeypatch.setattr("limelight.analysis.statistics.redrawing.CELLS", 90)

    found = redraw(scores, weights)

    for run in range(7):
        assert found.ranks[run].tolist() == np.bincount(expected[run] - 1, minlength=7).tolist()


def test_a_team_has_the_first_places_of_its_runs():
    assert first_by_team([0.25, 0.5, 0.25], [3, 4, 3]) == {3: 0.5, 4: 0.5}


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "< 1 %"),
        (0.0099, "< 1 %"),
        (0.01, "1 %"),
        (0.386, "39 %"),
        (0.99, "99 %"),
        (0.991, "> 99 %"),
        (1, "> 99 %"),
    ],
)
def test_shares_are_whole_per_cent(share, text):
    assert share_text(share) == text


def test_the_sentence_says_what_the_number_is_not():
    assert redrawn_sentence(0.391, 0.968) == (
        "If the topics were drawn again from topics like these, this run would come first in 39 % of the draws, among "
        "the first three in 97 %. Copies and close variants share this number; it is not the probability that the run "
        "is the best."
    )


@pytest.mark.parametrize("shape", [(0, 4), (1, 4)])
def test_few_runs_are_no_error(shape):
    found = redraw(np.zeros(shape), topic_weights(4, resamples=10))

    assert found.first.tolist() == [1.0] * shape[0]
    assert found.high.tolist() == [1] * shape[0]
