"""How steady a ranking is, with three splits of four topics worked out by hand."""

import time

import numpy as np
import pytest

from limelight.analysis.statistics.correlation import kendall_tau_b, pearson, tau_ap
from limelight.analysis.statistics.resampling import bootstrap_weights
from limelight.analysis.statistics.sentences import few_runs_sentence, halves_heading
from limelight.analysis.statistics.stability import (
    Middle,
    SplitHalves,
    generalisability,
    mean_square_of_runs,
    split_halves,
    splits,
    two_measures,
)
from limelight.analysis.statistics.topic_numbers import residual_variance
from tests.limelight.demo_scores import demo_scores, score_matrix

THREE = np.array([[0.5, 0.7, 0.3, 0.6], [0.4, 0.6, 0.5, 0.4], [0.3, 0.2, 0.4, 0.1]])


def test_three_splits_of_four_topics():
    chosen = np.array([[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2]])

    found = split_halves(THREE, chosen)

    assert [split_halves(THREE, chosen[[place]]).tau.mean for place in range(3)] == pytest.approx(
        [0.816497, 1 / 3, 1 / 3], abs=5e-7
    )
    assert (found.half, found.tau.left_out) == (2, 0)
    assert found.tau.mean == pytest.approx(0.494388, abs=5e-7)


def test_generalisability(tmp_path):
    assert mean_square_of_runs(THREE) == pytest.approx(0.085833, abs=5e-7)
    assert residual_variance(THREE) == pytest.approx(0.0225)
    assert generalisability(THREE) == pytest.approx(0.737864, abs=5e-7)
    assert generalisability(score_matrix(demo_scores(tmp_path), "iMAP")) == pytest.approx(0.937, abs=5e-4)
    assert generalisability(np.full((3, 4), 0.5)) == 0.0


def test_splits_are_two_halves_without_a_topic_twice():
    for topics, kept in ((15, 14), (120, 120)):
        chosen = splits(topics, count=50)

        assert chosen.shape == (50, kept)
        assert all(len(set(split)) == kept for split in chosen.tolist())
    assert splits(15).tolist() == splits(15).tolist()


def test_a_split_without_a_tau_is_left_out_and_counted():
    scores = np.array([[0.5, 0.5, 0.1, 0.3], [0.5, 0.5, 0.2, 0.1]])

    found = split_halves(scores, np.array([[0, 1, 2, 3], [0, 2, 1, 3]]))

    assert found.tau == Middle(-1.0, -1.0, -1.0, 1)


def test_coefficients_over_draws_are_those_of_the_correlation_module():
    generator = np.random.default_rng(5)
    one = generator.uniform(0, 1, (11, 12))
    other = np.clip(one + generator.normal(0, 0.3, (11, 12)), 0, 1).round(1)
    weights = bootstrap_weights(12, resamples=40)

    found = two_measures(one, other, weights=weights)

    means, others = one @ weights.T / 12, (other @ weights.T / 12).round(9)
    for name, coefficient in (("tau-b", kendall_tau_b), ("tau-AP", tau_ap), ("r", pearson)):
        expected = [coefficient(means[:, draw], others[:, draw]).value for draw in range(40)]
        assert found.redrawn[name].mean == pytest.approx(np.mean(expected))
        assert (found.redrawn[name].low, found.redrawn[name].high) == pytest.approx(
            tuple(np.quantile(expected, (0.025, 0.975)))
        )
        assert found.value[name] == pytest.approx(coefficient(one.mean(axis=1), other.mean(axis=1).round(9)).value)
    ceiling = [kendall_tau_b(means[:, draw], one.mean(axis=1)).value for draw in range(40)]
    assert found.ceiling == pytest.approx(np.mean(ceiling))


def test_copies_of_runs_tie_in_every_draw():
    generator = np.random.default_rng(7)
    runs = generator.uniform(0, 1, (6, 12))
    one = np.vstack([runs, runs[:5]])
    other = np.vstack([runs + generator.normal(0, 0.2, (6, 12)), runs[:5] + generator.normal(0, 0.2, (5, 12))])
    weights = bootstrap_weights(12, resamples=20)

    found = two_measures(one, other, weights=weights)

    means, others = (one @ weights.T / 12).round(12), other @ weights.T / 12
    expected = [tau_ap(means[:, draw], others[:, draw]).value for draw in range(20)]
    assert found.redrawn["tau-AP"].mean == pytest.approx(np.mean(expected))
    assert found.value["tau-AP"] == pytest.approx(tau_ap(one.mean(axis=1).round(12), other.mean(axis=1)).value)


def test_a_measure_agrees_with_itself_and_the_ceiling_is_below():
    scores = np.random.default_rng(6).uniform(0, 1, (12, 10))

    found = two_measures(scores, scores, resamples=50)

    assert found.redrawn["tau-b"] == Middle(1.0, 1.0, 1.0, 0)
    assert found.value == pytest.approx({"tau-b": 1.0, "tau-AP": 1.0, "r": 1.0})
    assert 0 < found.ceiling < 1


def test_three_hundred_runs_take_seconds():
    scores = np.random.default_rng(1).uniform(0, 1, (300, 120))
    before = time.process_time()

    split_halves(scores, splits(120, count=100))

    assert time.process_time() - before < 3


def test_the_words():
    assert halves_heading(SplitHalves(60, Middle(0.784, 0.69, 0.861))) == (
        "two halves of 60 topics agree with each other: 0.78 (0.69 to 0.86)"
    )
    assert few_runs_sentence(7) == "With 7 runs a coefficient means little."
