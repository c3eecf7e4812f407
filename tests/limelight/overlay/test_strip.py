"""The strip of a document, in lanes, and the links that lie over it."""

import re

import pytest

from limelight.overlay import slices_svg, strip_svg
from limelight.text.outline import blocks_of
from tests.limelight.overlay.laid import document, layer, overlay


def drawn(svg):
    """Return what is drawn, by class: in the middle of which lanes, and from where to where."""
    found = {}
    for name, path in re.findall(r'<path class="([\w-]+)" stroke-width="[\d.]+" d="([^"]+)"/>', svg):
        place, stretches = 0, []
        middle = float(re.match(r"M\d+ ([\d.]+)", path)[1])
        for step, length in re.findall(r"[Mm](-?\d+) [\d.]+h(\d+)", path):
            place += int(step)
            stretches.append((place, place + int(length)))
            place += int(length)
        found.setdefault(name, {})[middle] = stretches
    return found


def test_a_hit_fills_both_lanes_and_miss_and_waste_one_each():
    found = drawn(strip_svg(overlay(1000, layer((0, 300)), highlighted=[(200, 300)]), "words"))

    assert found == {
        "paper": {15: [(0, 1000)]},
        "waste": {20.5: [(0, 200)]},
        "miss": {9.5: [(300, 500)]},
        "hit": {9.5: [(200, 300)], 20.5: [(200, 300)]},
    }


def test_a_sentence_in_a_long_document_is_still_seen():
    found = drawn(strip_svg(overlay(1_000_000, layer((999_999, 1), (0, 1))), "words"))

    assert found["returned"] == {20.5: [(0, 1), (999, 1000)]}


def test_where_marks_share_a_column_it_shows_what_there_is_most_of():
    laid = overlay(100_000, layer((0, 60)), highlighted=[(50, 30)])  # waste 50, hit 10, miss 20 of 100 characters

    assert drawn(strip_svg(laid, "words")) == {
        "paper": {15: [(0, 1000)]},
        "miss": {9.5: [(0, 1)]},
        "waste": {20.5: [(0, 1)]},
    }


@pytest.mark.parametrize("length", [1, 7, 999, 1000, 1001, 12_345])
def test_a_whole_document_fills_the_strip_however_long_it_is(length):
    found = drawn(strip_svg(overlay(length, layer((0, length)), highlighted=[(0, length)]), "words"))

    assert found["hit"] == {9.5: [(0, 1000)], 20.5: [(0, 1000)]}


def test_each_of_two_runs_has_a_lane_of_its_own():
    laid = overlay(1000, layer((0, 300)), layer((100, 300), name="theirs"), highlighted=[(200, 300)])

    assert set(drawn(strip_svg(laid, "words"))) == {
        "paper",
        "lit",
        "below-waste",
        "below-hit",
        "above-waste",
        "above-hit",
    }


def test_without_the_judgement_nothing_tells_of_it():
    assert set(drawn(strip_svg(overlay(1000, layer((0, 300))), "words"))) == {"paper", "returned"}


def test_entry_points_are_drawn_where_they_are_known():
    laid = overlay(1000, layer((200, 0)), highlighted=[(500, 9)], entry_point=500, kind="best-in-context")

    svg = strip_svg(laid, 'a "label"')

    assert '<polygon class="asked" points="495.0,0 505.0,0 500.0,11"/>' in svg
    assert '<polygon class="entered" points="195.0,30 205.0,30 200.0,19"/>' in svg
    assert 'aria-label="a &quot;label&quot;"' in svg


@pytest.mark.parametrize("paragraphs", [1, 3, 500])
def test_slices_lead_to_the_block_that_lies_there(paragraphs):
    text = document(f"<a>{'<p>0123456789</p>' * paragraphs}</a>")
    blocks = blocks_of(text)

    links = re.findall(
        r'<a href="#d-c(\d+)" tabindex="-1"><rect x="([\d.]+)" width="([\d.]+)"',
        slices_svg(blocks, overlay(len(text)), prefix="d-"),
    )

    assert len(links) == min(paragraphs, 60)
    for place, left, _ in links:
        begin = float(left) / 1000 * len(text)
        assert int(place) <= begin + 0.1 < int(place) + 10
    assert sum(float(width) for *_, width in links) == pytest.approx(1000, abs=5)


def test_a_document_without_text_has_no_slices():
    assert slices_svg([], overlay(100)) == ""
