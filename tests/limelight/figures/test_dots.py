"""Strips of dots: every value has one, nothing leaves the strip, and names are shown letter by letter."""

import re

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from limelight.figures.dots import Dot, Mark, Middle, dots_svg, mark_svg, median_svg
from tests.examples import examples


def drawn(values, middle=None, marks=None, words="run"):
    dots = [Dot(value, words, (marks or {}).get(place, Mark.RUN)) for place, value in enumerate(values)]
    return etree.fromstring(dots_svg(dots, "All runs", middle).encode())


def places(svg, kind="run"):
    return [
        (float(one.get("cx").rstrip("%")), float(one.get("cy")))
        for one in svg.iter("circle")
        if one.get("class") == kind
    ]


@examples(100)
@given(st.lists(st.floats(0, 1.5, allow_subnormal=False), max_size=300))
def test_every_value_has_a_dot_on_the_strip(values):
    svg = drawn(values)

    found = places(svg)
    assert len(found) == len(values)
    assert all(2 <= across <= 98 and 4 < high < float(svg.get("height")) - 24 for across, high in found)
    assert float(svg.get("height")) < 150
    assert svg.get("width") == "100%"


def test_values_lie_in_their_order_and_equal_ones_above_each_other():
    (first, low), (second, high), (third, beside) = places(drawn([0.1, 0.1, 0.5]))

    assert first == second < third
    assert low == beside == high + 8


def test_many_equal_ones_stand_closer():
    heights = sorted({high for _, high in places(drawn([0.2] * 100))})

    assert len(heights) == 100
    assert heights[-1] - heights[0] <= 97


def test_marks_differ_in_shape():
    svg = drawn([0.1, 0.2, 0.3], marks={1: Mark.OWN, 2: Mark.BEST})

    assert (len(places(svg)), len(places(svg, "ring"))) == (2, 1)
    assert [one.get("class") for one in svg.iter("svg")] == ["dots", "own"]
    assert len({mark_svg(mark) for mark in Mark} | {median_svg()}) == 4


def test_the_median_is_a_line_on_its_quartiles():
    svg = drawn([0.1, 1.0], Middle(0.25, 0.5, 0.75))

    [band] = svg.iter("rect")
    [line] = [one for one in svg.iter("line") if one.get("class") == "median"]
    assert (band.get("x"), band.get("width"), line.get("x1")) == ("26.00%", "48.00%", "50.00%")


def test_names_are_shown_letter_by_letter():
    svg = drawn([0.1], words='<b>"R&D"</b>')

    assert [one.text for one in svg.iter("title")] == ['<b>"R&D"</b>']


def test_without_runs_there_is_an_axis():
    text = dots_svg([], 'a "label"')

    assert 'aria-label="a &quot;label&quot;"' in text
    assert re.findall(r">([\d.]+)</text>", text)
