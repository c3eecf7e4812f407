"""A document cut into segments: every character once, and marked as what it is."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limelight.overlay import Segment, results_of
from tests.examples import examples
from tests.limelight.overlay.laid import layer, overlay

spans = st.lists(st.tuples(st.integers(0, 90), st.integers(0, 40)), max_size=6)


def characters(ranges):
    return {place for offset, length in ranges for place in range(offset, offset + length)}


@examples(400)
@given(spans, spans, spans)
def test_segments_follow_each_other_and_say_of_each_character_what_it_is(highlighted, one, other):
    laid = overlay(100, layer(*one), layer(*other, name="theirs"), highlighted=highlighted)

    segments = laid.segments

    assert segments[0].begin == 0 and segments[-1].end == laid.extent >= 100
    assert all(before.end == after.begin for before, after in itertools.pairwise(segments))
    for segment in segments:
        for place in range(segment.begin, segment.end):
            assert segment.highlighted == (place in characters(highlighted))
            assert segment.by == (place in characters(one), place in characters(other))


@pytest.mark.parametrize(
    ("highlighted", "returned", "mark", "stop"),
    [
        (True, True, ("hit",), ("hit",)),
        (True, False, ("miss",), ("miss",)),
        (False, True, ("waste",), ()),
        (False, False, (), ()),
    ],
)
def test_a_segment_of_one_run_is_hit_miss_waste_or_nothing(highlighted, returned, mark, stop):
    laid, segment = overlay(9, highlighted=[]), Segment(0, 9, highlighted, (returned,))

    assert (laid.marks_of(segment), laid.stops_of(segment)) == (mark, stop)


@pytest.mark.parametrize("judged", [{"highlighted": None}, {"highlighted": [], "is_judged": False}])
def test_returned_text_of_which_nothing_is_known_is_neither_hit_nor_waste(judged):
    laid, segment = overlay(9, layer((0, 9)), **judged), Segment(0, 9, False, (True,))

    assert (laid.marks_of(segment), laid.stops_of(segment)) == (("returned",), ("passage",))


def test_two_runs_have_their_lines_below_and_above_and_what_one_found_alone_is_a_stop():
    laid = overlay(9, layer(), layer(name="theirs"), highlighted=[(0, 9)])

    assert laid.marks_of(Segment(0, 9, True, (True, True))) == ("lit", "below-hit", "above-hit")
    assert laid.marks_of(Segment(0, 9, False, (False, True))) == ("above-waste",)
    assert laid.stops_of(Segment(0, 9, True, (True, True))) == ("hit",)
    assert laid.stops_of(Segment(0, 9, True, (False, True))) == ("hit", "apart")
    assert laid.stops_of(Segment(0, 9, True, (False, False))) == ("miss",)


def test_a_second_run_that_may_not_be_measured_has_a_plain_line():
    laid = overlay(9, layer(), layer(name="theirs", is_measured=False), highlighted=[(0, 9)])

    assert laid.marks_of(Segment(0, 9, True, (False, True))) == ("lit", "above-returned")


@pytest.mark.parametrize("kind", ["best-in-context", "document"])
def test_entry_points_and_whole_documents_hit_and_miss_no_text(kind):
    laid = overlay(100, layer((20, 50)), highlighted=[(10, 40)], kind=kind)

    assert [(segment.begin, laid.marks_of(segment)) for segment in laid.segments] == [(0, ()), (10, ("lit",)), (50, ())]


def test_what_reaches_beyond_the_end_makes_the_document_longer():
    assert overlay(100, layer((90, 60))).extent == 150
    assert overlay(0).extent == 1


def test_results_of_one_line_are_numbered_in_it():
    results = results_of([(1, [(0, 5, "/a[1]")]), (3, [(9, 2, ""), (None, 0, "/b[1]")])])

    assert [(result.label, result.offset, result.path) for result in results] == [
        ("#1", 0, "/a[1]"),
        ("#3.1", 9, ""),
        ("#3.2", None, "/b[1]"),
    ]
