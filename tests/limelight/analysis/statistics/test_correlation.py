from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from limelight.analysis.statistics.correlation import COEFFICIENTS, kendall_tau_a, kendall_tau_b, pearson, tau_ap


def test_the_posters_tau_of_twenty_systems_is_128_of_190_pairs():
    """0.674 between MAP and MAgP: 159 pairs agree, 31 don't."""
    first = list(range(20, 0, -1))
    second = first.copy()
    second.insert(0, second.pop(19))
    second.insert(1, second.pop(13))

    tau = kendall_tau_a(first, second)

    assert tau.value == 128 / 190
    assert round(tau.value, 3) == 0.674
    assert tau.p < 0.001


def test_tau_b_equals_scipys_with_and_without_ties():
    generator = np.random.default_rng(1)
    for _ in range(30):
        one, other = generator.integers(0, 8, 15), generator.integers(0, 8, 15)
        expected = stats.kendalltau(one, other, method="asymptotic")
        assert kendall_tau_b(one, other).value == pytest.approx(expected.statistic)
        assert kendall_tau_b(one, other).p == pytest.approx(expected.pvalue)
        one, other = generator.normal(size=12), generator.normal(size=12)
        expected = stats.kendalltau(one, other, method="exact")
        assert kendall_tau_b(one, other).value == pytest.approx(expected.statistic)
        assert kendall_tau_b(one, other).p == pytest.approx(expected.pvalue)


def test_tau_of_many_runs_takes_the_normal_approximation():
    generator = np.random.default_rng(2)
    one = generator.normal(size=100)
    other = one + generator.normal(size=100)

    expected = stats.kendalltau(one, other, method="asymptotic")

    assert kendall_tau_b(one, other).p == pytest.approx(expected.pvalue)


def test_pearson_equals_scipys():
    generator = np.random.default_rng(3)
    one = generator.normal(size=25)
    other = 0.4 * one + generator.normal(size=25)

    found = pearson(one, other)

    assert found.value == pytest.approx(stats.pearsonr(one, other).statistic)
    assert found.p == pytest.approx(stats.pearsonr(one, other).pvalue)


def plain_tau_ap(estimate, truth):
    order = sorted(range(len(estimate)), key=lambda run: -estimate[run])
    total = 0
    for rank in range(1, len(order)):
        above = [truth[run] for run in order[:rank]]
        mine = truth[order[rank]]
        total += sum(1 if value > mine else 0.5 if value == mine else 0 for value in above) / rank
    return 2 / (len(order) - 1) * total - 1


def test_tau_ap_follows_its_definition():
    generator = np.random.default_rng(4)
    for _ in range(20):
        estimate, truth = generator.normal(size=9), generator.normal(size=9)
        assert tau_ap(estimate, truth).value == pytest.approx(plain_tau_ap(estimate, truth))


def test_tau_ap_with_ties_is_the_mean_over_all_orders_of_the_tied():
    estimate, truth = [3, 2, 2, 2, 1], [5, 1, 4, 4, 2]
    broken = [plain_tau_ap([3, *(2 + 0.1 * place for place in places), 1], truth) for places in permutations((1, 2, 3))]

    assert tau_ap(estimate, truth).value == pytest.approx(np.mean(broken))


def test_tau_ap_punishes_errors_at_the_top_more():
    truth = [5, 4, 3, 2, 1]

    top, bottom = tau_ap([4, 5, 3, 2, 1], truth).value, tau_ap([5, 4, 3, 1, 2], truth).value

    assert top < bottom


@pytest.mark.parametrize("coefficient", COEFFICIENTS.values(), ids=COEFFICIENTS)
def test_a_ranking_agrees_with_itself_and_too_few_runs_give_no_number(coefficient):
    assert coefficient([0.4, 0.3, 0.2, 0.1], [4, 3, 2, 1]).value == pytest.approx(1.0)
    assert np.isnan(coefficient([0.4], [4]).value)


@pytest.mark.parametrize("coefficient", [kendall_tau_b, pearson])
def test_a_constant_measure_correlates_with_nothing(coefficient):
    assert np.isnan(coefficient([0.5, 0.5, 0.5], [1, 2, 3]).value)
