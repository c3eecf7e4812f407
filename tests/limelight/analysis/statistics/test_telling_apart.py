"""Telling runs apart: critical difference, rank ranges and leading group, with numbers worked out by hand."""

import time
from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

from limelight.analysis.statistics.resampling import largest_differences
from limelight.analysis.statistics.telling_apart import (
    critical_difference,
    leading_group,
    pair_p,
    rank_ranges,
    residual_draws,
    residuals,
    tell_apart,
    why_not_told,
)
from tests.limelight.demo_scores import demo_scores, score_matrix

THREE = np.array([[0.5, 0.7, 0.3, 0.6], [0.4, 0.6, 0.5, 0.4], [0.3, 0.2, 0.4, 0.1]])


def apart(means, critical):
    return np.abs(np.subtract.outer(means, means)) > critical


@pytest.fixture
def scores():
    """Twelve runs over thirty topics, each a little worse than the one before."""
    generator = np.random.default_rng(11)
    return generator.uniform(0.1, 0.6, 30) + generator.normal(0, 0.1, (12, 30)) - 0.02 * np.arange(12)[:, np.newaxis]


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    return score_matrix(demo_scores(tmp_path_factory.mktemp("demo")), "iMAP")


def test_ranges_and_leading_group_of_four_means():
    means = [0.50, 0.46, 0.40, 0.30]

    assert rank_ranges(means, apart(means, 0.12)) == [(1, 3), (1, 3), (1, 4), (3, 4)]
    assert leading_group(means, apart(means, 0.12)) == [True, True, True, False]
    assert not apart(means, 0.12)[2, 3]


def test_ranges_do_not_depend_on_the_order_of_runs():
    means = [0.30, 0.46, 0.50, 0.40]

    assert rank_ranges(means, apart(means, 0.12)) == [(3, 4), (1, 3), (1, 3), (1, 4)]
    assert leading_group(means, apart(means, 0.12)) == [False, True, True, True]


@pytest.mark.parametrize("shift", ["a run", "a topic"])
def test_constants_of_a_run_or_a_topic_leave_every_draw_as_it_is(scores, shift):
    moved = scores.copy()
    if shift == "a run":
        moved[3] += 0.7
    else:
        moved[:, 5] += 0.7

    assert residual_draws(moved) == pytest.approx(residual_draws(scores), abs=1e-12)


def test_every_shuffle_of_three_runs_over_four_topics():
    left = residuals(THREE)
    orders = [list(order) for order in permutations(range(3))]
    spread = []
    for chosen in product(orders, repeat=4):
        means = np.array([left[order, topic] for topic, order in enumerate(chosen)]).mean(axis=0)
        spread.append(means.max() - means.min())
    draws = np.sort(spread)

    assert len(draws) == 1296
    assert THREE.mean(axis=1) == pytest.approx([0.525, 0.475, 0.250])
    assert (draws >= 0.25 - 1e-12).sum() == 30
    assert draws.max() < 0.275
    assert critical_difference(draws) == pytest.approx(0.230940, abs=5e-7)
    assert pair_p(draws, [0.25, 0.0])[0, 1] == 31 / 1297


def test_the_demos_focused_board(demo):
    told = tell_apart(demo, resamples=10_000)
    by_mean = np.argsort(-told.means)

    assert told.critical_difference() == pytest.approx(0.133, abs=1e-3)
    assert [told.ranges()[place] for place in by_mean] == [
        *[(1, 5)] * 3,
        *[(1, 6)] * 2,
        (4, 9),
        *[(6, 10)] * 3,
        (7, 10),
    ]
    assert [told.leading()[place] for place in by_mean] == [True] * 5 + [False] * 5


def test_runs_of_zeros_do_not_blunt_the_test_for_the_others(demo):
    with_zeros = np.vstack([demo, np.zeros((5, demo.shape[1]))])

    assert critical_difference(residual_draws(with_zeros, 10_000)) == pytest.approx(0.131, abs=1e-3)
    assert critical_difference(np.sort(largest_differences(with_zeros, 10_000))) > 0.2


def test_different_is_a_difference_above_the_critical_one(scores):
    told = tell_apart(scores)
    for level in (0.001, 0.01, 0.05, 0.3):
        expected = apart(told.means, told.critical_difference(level) + 1e-12)

        assert told.different(level).tolist() == expected.tolist()


def test_few_draws_find_no_pair(scores):
    told = tell_apart(scores, resamples=10)

    assert told.critical_difference() == np.inf
    assert told.ranges() == [(1, 12)] * 12


def test_the_same_seed_gives_the_same_draws(scores):
    assert residual_draws(scores).tobytes() == residual_draws(scores.copy()).tobytes()
    assert residual_draws(scores, seed=1).tobytes() != residual_draws(scores, seed=2).tobytes()


def test_the_draws_do_not_depend_on_the_order_of_runs(scores):
    assert residual_draws(scores[::-1]).tobytes() == residual_draws(scores).tobytes()


def test_equal_means_share_a_range_however_rounding_fell():
    means = [0.5, 0.38 + 4e-13, 0.38, 0.1]
    different = apart(means, 0.12 - 2e-13)
    assert different[0, 2] and not different[0, 1]

    ranges = rank_ranges(means, different)

    assert ranges[1] == ranges[2] == (1, 3)
    assert leading_group([0.5, 0.5], np.zeros((2, 2), dtype=bool)) == [True, True]


def test_two_runs_are_told_apart_by_the_paired_t_test():
    one, other = np.random.default_rng(4).uniform(0, 1, (2, 20)) + np.array([[0.35], [0.0]])

    told = tell_apart([other, one])

    assert told.method == "paired t-test"
    assert told.p[0, 1] == told.p[1, 0] == pytest.approx(stats.ttest_rel(one, other).pvalue)
    assert told.critical_difference() == pytest.approx(stats.t.ppf(0.975, 19) * stats.sem(one - other))
    assert told.ranges() == [(2, 2), (1, 1)]
    assert told.leading() == [False, True]


@pytest.mark.parametrize("shape", [(0, 5), (1, 5), (3, 1), (2, 1), (3, 0)])
def test_few_runs_or_topics_tell_nothing(shape):
    told = tell_apart(np.arange(np.prod(shape), dtype=float).reshape(shape))

    assert not told.different().any()
    assert told.ranges() == [(1, shape[0])] * shape[0]


@pytest.mark.parametrize(
    ("runs", "topics", "reason"),
    [
        (2, 10, ""),
        (300, 9, "too few topics to tell runs apart"),
        (1, 9, "too few topics to tell runs apart"),
        (1, 10, "too few runs to tell apart"),
    ],
)
def test_a_board_says_why_it_shows_no_ranges(runs, topics, reason):
    assert why_not_told(runs, topics) == reason


def test_three_hundred_runs_are_told_apart_within_seconds():
    scores = np.random.default_rng(1).uniform(0, 1, (300, 120))
    before = time.process_time()

    tell_apart(scores).ranges()

    assert time.process_time() - before < 5
