import numpy as np
import pytest
from scipy import stats

from limelight.analysis.statistics.intervals import bootstrap_intervals, student_intervals
from limelight.analysis.statistics.pairwise import (
    TESTS,
    VARIANTS,
    bootstrap,
    holm,
    own_order,
    p_text,
    randomisation,
    t_test,
    tukey_complete_null,
    tukey_hsd,
)
from limelight.analysis.statistics.resampling import bootstrap_weights
from limelight.analysis.statistics.student import quantile, upper_tail
from limelight.analysis.statistics.tiers import tiers


@pytest.fixture
def scores():
    """Twenty systems over fifty topics, each a little worse than the one before."""
    generator = np.random.default_rng(1)
    topics = generator.uniform(0.1, 0.6, 50)
    return np.clip(topics + generator.normal(0, 0.08, (20, 50)) - 0.01 * np.arange(20)[:, np.newaxis], 0, 1)


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_twenty_systems_make_190_pairs_ordered_by_decreasing_mean(test, scores):
    matrix = test(scores)

    assert matrix.pair_count == 190
    assert np.isfinite(matrix.p).sum() == 190
    assert (np.diff(scores.mean(axis=1)[list(matrix.order)]) <= 0).all()
    assert 0 < matrix.significant_count < 190


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_the_same_seed_gives_the_same_bits(test, scores):
    assert test(scores).p.tobytes() == test(scores.copy()).p.tobytes()


@pytest.mark.parametrize("test", [tukey_hsd, bootstrap, randomisation])
def test_another_seed_gives_other_resamples(test, scores):
    assert test(scores, seed=1).p.tobytes() != test(scores, seed=2).p.tobytes()


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_equal_runs_do_not_differ_and_a_far_better_one_does(test):
    topics = np.random.default_rng(3).uniform(0.2, 0.4, 40)
    scores = np.array([topics, topics + np.random.default_rng(4).uniform(0.3, 0.5, 40), topics])

    matrix = test(scores)

    assert matrix.order == (1, 0, 2)
    assert matrix.significant.tolist() == [[False, True, True], [False, False, False], [False, False, False]]


def test_the_bootstrap_counts_resampled_differences_that_are_not_above_0(scores):
    pair = scores[:2]
    weights = bootstrap_weights(50)
    expected = ((weights @ (pair[0] - pair[1])) / 50 <= 1e-12).mean()

    matrix = bootstrap(scores, order=range(20))

    assert matrix.p[0, 1] == expected


def test_the_shifted_bootstrap_asks_whether_chance_gives_as_much(scores):
    weights = bootstrap_weights(50)
    difference = scores[0] - scores[1]
    expected = ((weights @ difference) / 50 - difference.mean() >= difference.mean() - 1e-12).mean()

    matrix = bootstrap(scores, variant="shift", order=range(20))

    assert matrix.p[0, 1] == expected


def test_randomisation_counts_itself():
    scores = np.array([[1.0] * 30, [0.0] * 30])

    matrix = randomisation(scores, resamples=99)

    assert matrix.p[0, 1] == 1 / 100


@pytest.mark.parametrize("tails", [1, 2])
def test_the_t_test_equals_scipys(scores, tails):
    matrix = t_test(scores, tails=tails)

    ordered = scores[list(matrix.order)]
    for first, second in [(0, 1), (0, 19), (5, 6), (3, 12)]:
        expected = stats.ttest_rel(
            ordered[first], ordered[second], alternative="two-sided" if tails == 2 else "greater"
        ).pvalue
        assert matrix.p[first, second] == pytest.approx(expected, rel=1e-9)


def test_tukey_is_stricter_than_a_test_of_each_pair_alone(scores):
    assert tukey_hsd(scores).significant_count < t_test(scores).significant_count


def test_with_two_runs_tukey_is_the_randomisation_test():
    generator = np.random.default_rng(5)
    scores = generator.uniform(0, 1, (2, 30)) + np.array([[0.12], [0.0]])

    tukey = tukey_hsd(scores, resamples=20_000).p[0, 1]
    paired = randomisation(scores, resamples=20_000).p[0, 1]

    assert tukey == pytest.approx(paired, abs=0.02)


def test_the_complete_null_lets_bad_runs_hide_differences_among_the_others(scores):
    with_zeros = np.vstack([scores, np.zeros((5, 50))])

    assert (
        tukey_complete_null(with_zeros).significant[:20, :20].sum() < tukey_hsd(with_zeros).significant[:20, :20].sum()
    )
    assert tukey_complete_null(scores).critical_difference > tukey_hsd(scores).critical_difference


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_what_is_significant_does_not_depend_on_the_order_shown(test, scores):
    order = tuple(reversed(range(20)))

    own, shown = test(scores), test(scores, order=order)

    assert shown.order == order
    assert (shown.significant_count, shown.pair_count) == (own.significant_count, 190)
    assert own.upset_count == 0
    assert shown.upset_count == np.tril(shown.significant).sum() > 10
    place = {run: number for number, run in enumerate(own.order)}
    for first, second in [(0, 1), (0, 19), (7, 12), (19, 3)]:
        pair = place[order[first]], place[order[second]]
        assert shown.p_of(first, second) == own.p_of(*pair)
        assert shown.tells_apart(first, second) == own.tells_apart(*pair)
        better = shown.means[first] > shown.means[second]
        assert np.isnan(shown.p[first, second]) != better


def test_holm_does_not_depend_on_the_order_shown(scores):
    order = tuple(reversed(range(20)))

    np.testing.assert_array_equal(holm(t_test(scores, order=order)).p, holm(t_test(scores)).in_order(order).p)


@pytest.mark.parametrize("variant", VARIANTS)
def test_two_tails_of_the_bootstrap_ask_for_more(scores, variant):
    one, two = bootstrap(scores, variant=variant), bootstrap(scores, variant=variant, tails=2)

    upper = np.triu_indices(20, 1)
    assert (two.p[upper] >= one.p[upper]).all()
    assert two.significant_count < one.significant_count
    if variant == "percentile":
        assert two.p[upper].tolist() == np.minimum(2 * one.p[upper], 1).tolist()
        assert two.resolution == 2 * one.resolution


def test_the_shifted_bootstrap_counts_both_tails(scores):
    weights = bootstrap_weights(50)
    ordered = scores[list(own_order(scores))]
    difference = ordered[0] - ordered[1]
    expected = (np.abs((weights @ difference) / 50 - difference.mean()) >= difference.mean() - 1e-12).mean()

    assert bootstrap(scores, variant="shift", tails=2).p[0, 1] == expected


def test_holm_multiplies_the_smallest_by_the_number_of_pairs(scores):
    raw = t_test(scores[:4])

    corrected = holm(raw)

    upper = np.triu_indices(4, 1)
    by_size = np.argsort(raw.p[upper])
    stepped = np.minimum(np.maximum.accumulate(raw.p[upper][by_size] * np.array([6, 5, 4, 3, 2, 1])), 1)
    assert corrected.p[upper][by_size] == pytest.approx(stepped)
    assert corrected.warning == ""


def test_holm_says_when_too_few_resamples_let_no_pair_pass(scores):
    corrected = holm(bootstrap(scores))

    assert corrected.significant_count == 0
    assert corrected.warning == (
        "With 190 pairs Holm's correction can't find any of them significant: the smallest p-value these resamples can "
        "give is 0.001. Take more than 3,800 resamples."
    )


def test_holm_with_enough_resamples_does_not_warn(scores):
    corrected = holm(bootstrap(scores, resamples=4_000))

    assert corrected.warning == ""
    assert corrected.significant_count > 0


@pytest.mark.parametrize(
    ("p", "resolution", "text"),
    [
        (0.0, 1 / 1000, "< 0.001"),
        (0.0, 1 / 5000, "< 0.0002"),
        (0.0004, 0, "< 0.001"),
        (0.05, 0, "0.050"),
        (1.0, 0, "1.000"),
    ],
)
def test_p_values_read_as_people_write_them(p, resolution, text):
    assert p_text(p, resolution) == text


def test_a_tier_ends_before_the_first_run_significantly_below_its_best():
    matrix = bootstrap(np.zeros((5, 3)))
    significant = np.zeros((5, 5), dtype=bool)
    significant[0, 2] = significant[0, 4] = significant[2, 4] = True
    matrix = type(matrix)(matrix.method, matrix.order, matrix.means, matrix.p, significant, 0.05, 0.001)

    assert tiers(matrix) == [[0, 1], [2, 3], [4]]


def test_student_equals_scipy():
    values = np.array([-40.0, -2.5, -1e-9, 0.0, 0.3, 1.96, 7.0, 300.0])

    for degrees in (1, 2, 5, 30, 106, 1000):
        assert upper_tail(values, degrees) == pytest.approx(stats.t.sf(values, degrees), rel=1e-9, abs=1e-300)
        assert quantile(0.975, degrees) == pytest.approx(stats.t.ppf(0.975, degrees), rel=1e-9)
    assert quantile(0.1, 7) == pytest.approx(stats.t.ppf(0.1, 7), rel=1e-9)


def test_intervals_hold_the_mean_and_agree(scores):
    means = scores.mean(axis=1)

    low, high = student_intervals(scores)
    resampled_low, resampled_high = bootstrap_intervals(scores)

    expected = stats.t.interval(0.95, 49, loc=means, scale=stats.sem(scores, axis=1))
    assert low == pytest.approx(expected[0])
    assert high == pytest.approx(expected[1])
    assert np.abs(resampled_low - low).max() < 0.01
    assert np.abs(resampled_high - high).max() < 0.01


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
@pytest.mark.parametrize("shape", [(0, 5), (1, 5), (3, 1)])
def test_few_runs_or_topics_are_no_error(test, shape):
    matrix = test(np.full(shape, 0.5))

    assert matrix.significant_count == 0
    assert sum(map(len, tiers(matrix))) == shape[0]


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_two_equal_runs_have_the_largest_p_value(test):
    topics = np.random.default_rng(6).uniform(0.2, 0.4, 40)

    matrix = test(np.stack([topics, topics]))

    assert matrix.p[0, 1] == pytest.approx(1.0)
