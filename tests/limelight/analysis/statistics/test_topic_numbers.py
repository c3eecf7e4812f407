"""How many topics: numbers of the formulas, of the demo, and of the exact distribution."""

import numpy as np
import pytest
from scipy import stats

from limelight.analysis.statistics.sentences import topics_sentence
from limelight.analysis.statistics.telling_apart import critical_difference, residual_draws
from limelight.analysis.statistics.topic_numbers import (
    exact_topics,
    found_curve,
    found_difference,
    residual_variance,
    topics_needed,
    topics_needed_for_all,
)
from tests.limelight.demo_scores import demo_scores, score_matrix


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    return score_matrix(demo_scores(tmp_path_factory.mktemp("demo")), "iMAP")


@pytest.mark.parametrize(
    ("deviation", "difference", "topics"), [(0.2, 0.05, 128), (0.2, 0.02, 787), (0.2, 0.1, 34), (0.15, 0.05, 73)]
)
def test_topics_for_a_difference(deviation, difference, topics):
    assert topics_needed(deviation**2 / 2, difference) == topics


def test_the_formula_agrees_with_the_noncentral_t():
    assert exact_topics(0.2**2 / 2, 0.05) == pytest.approx(127.503, abs=5e-4)

    def power(topics):
        limit = stats.t.ppf(0.975, topics - 1)
        return stats.nct.sf(limit, topics - 1, 0.05 / 0.2 * np.sqrt(topics))

    assert power(127) < 0.8 <= power(128)


def test_the_demo(demo):
    variance = residual_variance(demo)

    assert variance == pytest.approx(0.013676, abs=5e-7)
    assert found_difference(variance, np.array([15, 50, 100])) == pytest.approx([0.1196, 0.0655, 0.0463], abs=5e-5)
    assert (topics_needed(variance, 0.05), topics_needed(variance, 0.1)) == (88, 24)
    assert topics_sentence(variance, 15) == (
        "With 15 topics like these, a difference of 0.12 between two runs is found four times out of five. For 0.05 "
        "plan 88 topics. From this campaign's variance; another collection has another."
    )


def test_all_pairs_at_once_take_more_topics(demo):
    variance, critical = residual_variance(demo), critical_difference(residual_draws(demo))

    needed = topics_needed_for_all(variance, 0.05, critical, demo.shape[1])

    q = critical * np.sqrt(demo.shape[1] / variance)
    enough = [
        (q * np.sqrt(variance) + 0.841621 * np.sqrt(2 * variance)) / np.sqrt(n) <= 0.05 for n in (needed - 1, needed)
    ]
    assert enough == [False, True]
    assert needed > topics_needed(variance, 0.05)


def test_the_curve_falls_from_10_to_500_topics(demo):
    counts, found = found_curve(residual_variance(demo))

    assert (counts[0], counts[-1], len(counts)) == (10, 500, 491)
    assert (np.diff(found) < 0).all()


def test_differences_of_runs_and_topics_do_not_count(demo):
    shifted = demo + np.linspace(0, 1, len(demo))[:, np.newaxis] + np.linspace(0, 1, demo.shape[1])

    assert residual_variance(shifted) == pytest.approx(residual_variance(demo))
    assert np.isnan(residual_variance(demo[:1]))
    assert np.isnan(residual_variance(demo[:, :1]))
