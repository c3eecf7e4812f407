"""Parts that are printed add up to the difference that is printed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limelight.analysis.parts.steps import adding_up
from tests.examples import examples

amounts = st.lists(st.floats(-1, 1), min_size=1, max_size=5)


def units(value):
    return round(value * 10_000)


@examples(400)
@given(values=amounts)
def test_rounded_values_add_up_and_are_next_to_their_own(values):
    rounded = adding_up(values, sum(values))

    assert sum(map(units, rounded)) == units(round(sum(values), 4))
    assert all(abs(one - value) < 1.0001e-4 for one, value in zip(rounded, values, strict=True))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.0310, 0.0182, -0.0080], [0.0310, 0.0182, -0.0080]),
        ([0.03096, 0.01816, -0.00792], [0.0310, 0.0181, -0.0079]),
        ([0.00005, 0.00005], [0.0001, 0.0]),
        ([-0.00005, -0.00005], [0.0, -0.0001]),
        ([1e-17, -1e-17, 0.0], [0.0, 0.0, 0.0]),
        ([0.1 + 0.2, -0.3], [0.3, -0.3]),
    ],
)
def test_the_largest_remainders_are_raised(values, expected):
    assert adding_up(values, sum(values)) == expected


def test_no_zero_has_a_sign():
    assert [str(value) for value in adding_up([-1e-17, 0.0], 0.0)] == ["0.0", "0.0"]
