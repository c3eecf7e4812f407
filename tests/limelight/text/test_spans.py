"""Spans as sets of characters."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from limelight.text.spans import joined, shared, size, without
from tests.examples import examples

spans = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 20)), max_size=8)


def characters(ranges):
    return {place for begin, end in ranges for place in range(begin, end)}


@examples(400)
@given(spans, spans)
def test_spans_are_sets_of_characters(one, other):
    first, second = joined(one), joined(other)

    assert characters(first) == {place for offset, length in one for place in range(offset, offset + length)}
    assert characters(shared(first, second)) == characters(first) & characters(second)
    assert characters(without(first, second)) == characters(first) - characters(second)
    assert size(first) == len(characters(first))


@examples(400)
@given(spans, spans)
def test_ranges_are_in_order_and_none_is_empty(one, other):
    for ranges in (joined(one), shared(joined(one), joined(other)), without(joined(one), joined(other))):
        assert all(begin < end for begin, end in ranges)
        assert all(before[1] <= after[0] for before, after in itertools.pairwise(ranges))
