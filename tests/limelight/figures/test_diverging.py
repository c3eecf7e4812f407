"""Columns and bars that diverge from a line: how long they are, where they stand, and what they say."""

import math
import re

import pytest

from limelight.figures.diverging import (
    DEPTH,
    MOST_NAMED,
    MOST_NUMBERED,
    Column,
    Scale,
    columns_svg,
    part_svg,
    stack_svg,
)


def columns(*values, address=""):
    return [Column(str(place), value, f"Topic {place}", address) for place, value in enumerate(values)]


def heights(drawn, kind):
    return [float(height) for height in re.findall(rf'class="{kind} hue-\d+"[^>]*height="([\d.]+)"', drawn)]


def test_columns_are_as_long_as_their_differences_and_share_the_height():
    drawn = columns_svg(columns(0.3, 0.1, -0.1), "Topics", 4, 7)

    assert heights(drawn, "above") == pytest.approx([DEPTH * 0.75, DEPTH * 0.25], abs=0.1)
    assert heights(drawn, "below") == pytest.approx([DEPTH * 0.25], abs=0.1)
    assert (drawn.count("above hue-4"), drawn.count("below hue-7")) == (2, 1)
    assert re.findall(r'class="value"[^>]*>([^<]+)<', drawn) == ["+0.30", "+0.10", "−0.10"]


def test_equal_runs_have_a_line_and_nothing_on_it():
    assert heights(columns_svg(columns(0.0, 0.0), "Topics", 0, 1), "above") == [0.8, 0.8]
    assert "<rect" not in columns_svg([], "Topics", 0, 1)


def test_many_columns_lose_their_numbers_and_then_their_names():
    some, more = (columns_svg(columns(*[0.1] * count), "Topics", 0, 1) for count in (MOST_NUMBERED + 1, MOST_NAMED + 1))

    assert ('class="value"' in some, 'class="name"' in some) == (False, True)
    assert ('class="value"' in more, 'class="name"' in more) == (False, False)
    assert more.count("<title>") == MOST_NAMED + 1


def test_what_people_wrote_is_escaped():
    drawn = columns_svg([Column('"<b>', 0.1, "<i>&", '?topic="><b>')], 'of "<u>"', 0, 1)

    assert not re.search(r"<[biu]>", drawn)
    assert 'href="?topic=&quot;&gt;&lt;b&gt;"' in drawn
    assert 'aria-label="of &quot;&lt;u&gt;&quot;"' in drawn


def test_a_part_has_a_bar_an_interval_and_its_steps():
    drawn = part_svg(0.2, (0.1, 0.3), (0.15, 0.25), Scale(0.0, 0.4), may_be_none=False)

    assert '<rect class="part" x="2.0%" width="48.00%"' in drawn
    assert '<line class="interval" x1="26.0%" x2="74.0%"' in drawn
    assert '<line class="steps" x1="38.0%" x2="62.0%"' in drawn
    assert "may-be-none" in part_svg(0.2, (-0.1, 0.3), (0.15, 0.25), Scale(0.0, 0.4), may_be_none=True)


def test_an_interval_without_ends_is_left_out():
    ends = -math.inf, math.inf

    assert "interval" not in part_svg(0.2, ends, (0.2, 0.2), Scale.over([0.2, *ends]), may_be_none=False)
    assert Scale.over([0.2, *ends, math.nan]) == Scale(0.0, 0.2)


def test_parts_are_stacked_to_both_sides_with_a_mark_where_they_add_up_to():
    drawn = stack_svg([0.2, -0.1, 0.1], Scale(-0.1, 0.3))

    places = re.findall(r'class="part-(\d)" x="([\d.]+)%" width="([\d.]+)%"', drawn)
    assert places == [("0", "26.0", "48.00"), ("1", "2.0", "24.00"), ("2", "74.0", "24.00")]
    assert '<line class="total" x1="74.0%"' in drawn


def test_a_part_of_nothing_is_not_drawn():
    assert "part-1" not in stack_svg([0.2, 0.0], Scale(0.0, 0.2))
