"""What scores could have been: numbers worked out by hand, and every completion of random lists."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from limelight.analysis.unjudged import (
    agp_range,
    highest_character_precisions,
    highest_precisions,
    iap_ceiling,
    iap_range,
    iap_range_at_ends,
    within,
)
from limelight.measures.focused import interpolated_average_precision, interpolated_precisions


def flags(*places, length):
    return np.isin(np.arange(1, length + 1), places)


def agp(scores, relevant, count):
    precisions = np.cumsum(scores) / np.arange(1, len(scores) + 1)
    return precisions[np.asarray(relevant, dtype=bool)].sum() / count


def iap(relevant, sizes, total):
    relevant, bounds = np.asarray(relevant), np.array([0, len(sizes)])
    curve = interpolated_precisions(relevant, np.cumsum(relevant), np.cumsum(sizes), bounds, np.array([total]))
    return interpolated_average_precision(curve)[0]


def test_five_documents_of_which_two_are_unjudged():
    scores = np.array([0.8, 0.0, 0.5, 0.0, 0.0])
    relevant, unjudged = flags(1, 3, length=5), flags(2, 5, length=5)

    low, high = agp_range(scores, relevant, unjudged, 3)

    assert agp(scores, relevant, 3) == pytest.approx(37 / 90)
    assert (low, high) == pytest.approx((28 / 75, 469 / 750))
    assert highest_precisions(scores, unjudged)[4] == pytest.approx(0.66)
    assert scores.sum() / 5 == pytest.approx(0.26)


def test_all_unjudged_relevant_is_no_bound():
    scores = np.array([1.0, 1.0, *[0.0] * 8])
    relevant, unjudged = flags(1, 2, length=10), flags(10, length=10)

    low, high = agp_range(scores, relevant, unjudged, 2)

    assert agp(scores, relevant, 2) == 1
    assert agp(np.where(unjudged, 1.0, scores), relevant | unjudged, 3) == pytest.approx(23 / 30)
    assert (low, high) == pytest.approx((11 / 15, 1.0))


def test_four_results_of_which_two_are_unjudged():
    relevant, sizes, unjudged = np.array([30, 0, 40, 0]), np.array([40, 20, 60, 30]), flags(2, 4, length=4)

    low, high = iap_range(relevant, sizes, unjudged, 100)
    precisions = highest_character_precisions(relevant, sizes, unjudged)

    assert iap(relevant, sizes, 100) == pytest.approx(559 / 1212)
    assert low == pytest.approx(0.456700, abs=5e-7)
    assert low == pytest.approx(iap([30, 0, 40, 3], sizes, 103))
    assert high == pytest.approx(989 / 1515)
    assert high == pytest.approx(iap([30, 20, 40, 30], sizes, 150))
    assert iap_range_at_ends(relevant, sizes, unjudged, 100) == pytest.approx((559 / 1212, 989 / 1515))
    assert iap_ceiling(relevant, sizes, unjudged, 100) == pytest.approx(0.655446, abs=5e-7)
    assert (relevant.sum() / sizes.sum(), precisions[-1]) == pytest.approx((7 / 15, 4 / 5))
    assert precisions.max() == pytest.approx(float(max(Fraction(30, 40), Fraction(50, 60), Fraction(90, 120))))


@pytest.mark.parametrize("seed", range(25))
def test_agp_over_all_completions(seed):
    generator = np.random.default_rng(seed)
    length = int(generator.integers(1, 8))
    unjudged = generator.random(length) < 0.5
    relevant = ~unjudged & (generator.random(length) < 0.6)
    scores = np.where(relevant, generator.choice([0.0, 0.3, 0.7, 1.0], length), 0.0)
    count = int(relevant.sum() + generator.integers(1, 3))
    found = []
    for states in product([None, 0.0, 0.5, 1.0], repeat=int(unjudged.sum())):
        told, also = scores.copy(), relevant.copy()
        told[unjudged] = [state or 0.0 for state in states]
        also[unjudged] = [state is not None for state in states]
        found.append(agp(told, also, count + sum(state is not None for state in states)))

    assert agp_range(scores, relevant, unjudged, count) == pytest.approx((min(found), max(found)))


@pytest.mark.parametrize("seed", range(25))
def test_iap_over_all_completions(seed):
    generator = np.random.default_rng(seed)
    length = int(generator.integers(1, 5))
    sizes = generator.integers(1, 7, length)
    unjudged = generator.random(length) < 0.6
    relevant = np.where(unjudged, 0, generator.integers(0, sizes + 1))
    total = int(relevant.sum() + generator.integers(1, 6))
    found = []
    for amounts in product(*(range(size + 1) for size in sizes[unjudged].tolist())):
        told = relevant.copy()
        told[unjudged] = amounts
        found.append(iap(told, sizes, total + sum(amounts)))

    low, high = iap_range(relevant, sizes, unjudged, total)
    about_low, about_high = iap_range_at_ends(relevant, sizes, unjudged, total)

    assert (low, high) == pytest.approx((min(found), max(found)))
    assert low - 1e-12 <= about_low <= iap(relevant, sizes, total) + 1e-12
    assert iap(relevant, sizes, total) - 1e-12 <= about_high <= high + 1e-12
    assert iap_ceiling(relevant, sizes, unjudged, total) >= high - 1e-12


@pytest.mark.parametrize("seed", range(10))
def test_bounds_of_precision_over_all_completions(seed):
    generator = np.random.default_rng(seed)
    sizes = generator.integers(1, 5, 4)
    unjudged = generator.random(4) < 0.5
    relevant = np.where(unjudged, 0, generator.integers(0, sizes + 1))
    rows = []
    for amounts in product(*(range(size + 1) for size in sizes[unjudged].tolist())):
        told = relevant.copy()
        told[unjudged] = amounts
        rows.append(np.cumsum(told) / np.cumsum(sizes))

    assert highest_character_precisions(relevant, sizes, unjudged) == pytest.approx(np.max(rows, axis=0))


def test_only_the_first_are_looked_at():
    assert within(np.array([True, False, True, True]), 3).tolist() == [True, False, True, False]
