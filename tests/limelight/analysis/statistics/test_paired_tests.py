"""Few runs by other tests than the paired t: their p-values, corrected, and the interval that stays."""

import numpy as np
import pytest

from limelight.analysis.statistics.paired import compared_pairs, holm_corrected
from limelight.analysis.statistics.paired_tests import PAIRED_TESTS, compared_by
from limelight.analysis.statistics.pairwise import randomisation
from limelight.analysis.statistics.sentences import pair_sentence

SCORES = np.random.default_rng(3).uniform(0, 1, (4, 20)) + np.array([[0.0], [0.2], [0.3], [0.9]])


def test_the_paired_t_is_what_it_is_by_itself():
    assert compared_by("t-test", "0123", SCORES) == compared_pairs("0123", SCORES)


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_another_test_changes_the_p_value_alone(test):
    found, plain = compared_by(test, "0123", SCORES), compared_pairs("0123", SCORES)

    assert [(pair.better, pair.other, pair.difference) for pair in found] == [
        (pair.better, pair.other, pair.difference) for pair in plain
    ]
    assert {pair.test for pair in found} == {PAIRED_TESTS[test]}
    assert compared_by(test, "0123", SCORES) == found  # drawn from a seed
    assert all(abs(pair.p - other.p) < 0.1 for pair, other in zip(found, plain, strict=True))


def test_p_values_of_draws_are_corrected_by_holm():
    found = compared_by("randomisation", "0123", SCORES)

    matrix = randomisation(SCORES, order=range(4))
    plain = np.array([matrix.p_of(int(pair.better), int(pair.other)) for pair in found])
    assert [pair.p for pair in found] == pytest.approx(holm_corrected(plain).tolist())


def test_what_no_draw_reached_is_not_called_impossible():
    [pair] = compared_by("bootstrap", "ab", np.array([[0.9, 0.8, 0.85, 0.7], [0.1, 0.2, 0.15, 0.1]]))

    assert pair.p == pytest.approx(0.002)
    assert pair.differs()


def test_the_sentence_names_the_test_and_whose_interval_it_is():
    [pair] = compared_by("bootstrap", ["A", "B"], np.array([[0.9, 0.8, 0.85, 0.7], [0.1, 0.2, 0.15, 0.1]]))

    assert pair_sentence(pair).startswith(
        "A scores 0.6750 more than B (95 % interval +0.5227 to +0.8273 by paired t, 4 topics, bootstrap, p = 0.002). "
    )


def test_one_topic_and_equal_scores_never_differ():
    [one] = compared_by("bootstrap", "ab", np.array([[0.9], [0.1]]))
    [same] = compared_by("t-test", "ab", np.array([[0.9, 0.1], [0.9, 0.1]]))

    assert not one.differs()
    assert not same.differs()
