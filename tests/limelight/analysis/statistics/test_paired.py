"""Two runs by themselves: the paired interval, its p-value and its sentence."""

import numpy as np
import pytest
from scipy import stats

from limelight.analysis.statistics.paired import compared_pairs, holm_corrected, paired_difference
from limelight.analysis.statistics.sentences import pair_sentence
from tests.limelight.demo_scores import demo_scores, score_matrix

DIFFERENCES = np.array([0.1, 0.0, 0.2, -0.1, 0.3])


def paired(one, other, names=("A", "B")):
    return compared_pairs(names, np.array([one, other]))[0]


def test_five_differences_worked_out_by_hand():
    found = paired_difference(DIFFERENCES, np.zeros(5))

    assert found.mean == pytest.approx(0.1)
    assert found.error * np.sqrt(5) == pytest.approx(0.158114, abs=5e-7)
    assert found.mean / found.error == pytest.approx(1.414214, abs=5e-7)
    assert found.p == pytest.approx(0.2302, abs=5e-5)
    assert found.interval() == pytest.approx((-0.0963245, 0.2963245), abs=1e-6)
    assert (found.better, found.worse) == (3, 1)


@pytest.mark.parametrize("level", [0.01, 0.05, 0.2])
def test_the_interval_leaves_out_0_exactly_when_p_is_below_the_level(level):
    generator = np.random.default_rng(8)
    decided = set()
    for _ in range(300):
        one, other = generator.uniform(0, 1, (2, 12)) + np.array([[0.1], [0.0]])
        found = paired_difference(one, other)
        low, high = found.interval(level)

        assert (low > 0 or high < 0) == (found.p < level)
        assert found.p == pytest.approx(stats.ttest_rel(one, other).pvalue)
        decided.add(found.p < level)
    assert decided == {True, False}


def test_without_variance_the_interval_has_no_length():
    equal, apart = paired([0.5, 0.7], [0.5, 0.7]), paired([0.5, 0.7], [0.4, 0.6])

    assert (equal.p, equal.difference.interval()) == (1.0, (0.0, 0.0))
    assert apart.p == 0.0
    assert apart.difference.interval() == pytest.approx((0.1, 0.1))
    assert pair_sentence(equal) == "A and B score the same on each of 2 topics."
    assert pair_sentence(apart) == (
        "A scores 0.1000 more than B on each of 2 topics: all topics differ by the same amount."
    )


def test_one_topic_tells_nothing():
    pair = paired([0.9], [0.1])

    assert pair.p == 1.0
    assert pair.difference.interval() == (-np.inf, np.inf)
    assert pair_sentence(pair) == "A scores 0.8000 more than B on 1 topic: one topic cannot tell them apart."


def test_the_sentence_of_two_runs_of_the_demo(tmp_path):
    scores = demo_scores(tmp_path)
    names = ["cas-elements", "cas-mild"]

    [pair] = compared_pairs(names, score_matrix({name: scores[name] for name in names}, "iMAP"))

    assert pair_sentence(pair) == (
        "cas-mild scores 0.0316 more than cas-elements (95 % interval -0.0135 to +0.0767, 15 topics, paired t, "
        "p = 0.155): they cannot be told apart. cas-mild is better on 10 topics, cas-elements on 5."
    )


def test_a_difference_that_is_told_says_how_rarely_chance_makes_it():
    one = np.array([0.52, 0.61, 0.38, 0.71, 0.55, 0.49, 0.60, 0.43])

    pair = paired(one - np.array([0.1, -0.02, 0.12, 0.05, 0.11, -0.03, 0.2, 0.02]), one)

    assert pair.p == pytest.approx(0.0419, abs=5e-5)
    assert pair_sentence(pair) == (
        "B scores 0.0688 more than A (95 % interval +0.0033 to +0.1342, 8 topics, paired t, p = 0.042). If they were "
        "equally good on topics like these, a difference this large would come up in 4 of 100 such campaigns. B is "
        "better on 6 topics, A on 2."
    )
    assert "99 % interval" in pair_sentence(pair, level=0.01)
    assert ": they cannot be told apart." in pair_sentence(pair, level=0.01)


def test_p_values_of_several_pairs_are_corrected_and_intervals_are_not():
    scores = np.random.default_rng(3).uniform(0, 1, (4, 20)) + np.array([[0.0], [0.2], [0.3], [0.5]])
    alone = {
        frozenset((one, other)): stats.ttest_rel(scores[one], scores[other]) for one in range(4) for other in range(one)
    }

    pairs = compared_pairs("0123", scores)

    plain = np.array([alone[frozenset((int(pair.better), int(pair.other)))].pvalue for pair in pairs])
    assert [pair.p for pair in pairs] == pytest.approx(holm_corrected(plain).tolist())
    for pair in pairs:
        interval = alone[frozenset((int(pair.better), int(pair.other)))].confidence_interval()
        assert sorted(map(abs, pair.difference.interval())) == pytest.approx(sorted(map(abs, interval)))
    assert "by Holm over 6 pairs" in pair_sentence(pairs[0])


@pytest.mark.parametrize("runs", [0, 1, 7])
def test_one_run_or_more_than_six_are_not_compared_pair_by_pair(runs):
    assert compared_pairs([""] * runs, np.zeros((runs, 4))) == []
