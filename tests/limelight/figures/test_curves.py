"""Curves as SVG: the same size however many runs there are, small, and showing names letter by letter."""

import re

import numpy as np
import pytest
from lxml import etree

from limelight.figures import AXES, HEIGHT, Chart, CurveLine, Stretch, background_of, curves_svg, team_styles
from limelight.scoring.evaluators import EVALUATORS
from tests.hostile_texts import TEXTS

SVG = "{http://www.w3.org/2000/svg}"


def curve(start, count=101):
    return start * (1 - np.linspace(0, 1, count)) ** 2


def chart_of(runs=5, drawn=5, name="iP", stretch=None, label="run {}", team="Team {}", values=None):
    count = 101 if name == "iP" else 50
    all_values = values or [curve(0.2 + 0.6 * number / runs, count) for number in range(runs)]
    styles = team_styles([], {f"c{number}": f"t{number}" for number in range(runs)})
    lines = [
        CurveLine(f"c{number}", label.format(number), team.format(number), all_values[number], styles[f"c{number}"])
        for number in range(drawn)
    ]
    stretch = stretch or AXES[name].opening(count)
    return Chart(name, "Recall", "Interpolated precision", lines, background_of(all_values), stretch)


def drawn(*arguments, **options):
    return etree.fromstring(curves_svg(chart_of(*arguments, **options), "Curves").encode())


def paths(svg, kind):
    return [one.get("d") for one in svg.iter("path") if kind in one.get("class", "").split()]


def test_every_curve_of_the_table_has_an_axis():
    assert {curve.name for evaluator in EVALUATORS.values() for curve in evaluator.curves} <= set(AXES)


@pytest.mark.parametrize("runs", [5, 50, 150])
def test_the_chart_has_the_same_size_however_many_runs_there_are(runs):
    svg = drawn(runs, min(runs, 9))

    assert (svg.get("width"), svg.get("height")) == ("100%", str(HEIGHT))
    assert len(paths(svg, "run")) == min(runs, 9) * 2  # once more in the inset


def test_nine_curves_and_the_band_are_small():
    rng = np.random.default_rng(1)
    values = [(curve(0.7) + rng.normal(0, 0.05, 101)).clip(0, 0.4) for _ in range(150)]

    assert len(curves_svg(chart_of(150, 9, values=values), "Curves")) < 25_000


def test_from_eight_runs_on_there_is_a_band_and_before_that_thin_lines():
    few, many = drawn(7, 3), drawn(8, 3)

    assert (len(paths(few, "other")), paths(few, "band")) == (14, [])
    assert (paths(many, "other"), len(paths(many, "band")), len(paths(many, "median"))) == ([], 2, 2)


def test_a_line_goes_through_its_values():
    straight = np.linspace(1, 0, 101)

    [line] = paths(drawn(1, 1, values=[straight], stretch=Stretch(0, 0.5)), "run")

    first, *_, last = re.findall(r"(\d+) (\d+)", line)
    assert (first, last) == (("0", "0"), ("1000", "500"))


def test_what_is_no_number_leaves_a_gap():
    values = curve(0.5)
    values[50] = np.nan

    assert paths(drawn(1, 1, values=[values]), "run")[0].count("M") == 2


@pytest.mark.parametrize("name", ["gP", "P"])
def test_ranks_open_on_the_first_ten(name):
    svg = drawn(5, 5, name)

    texts = [text.text for text in svg.iter("text") if "tick" in text.get("class", "")]
    assert [text for text in texts if text.isdecimal()] == [str(rank) for rank in range(1, 11)]
    assert str(AXES[name].opening(50)) == "1-10"
    assert str(AXES[name].whole(50)) == "1-50"


def test_the_beginning_is_drawn_once_more_where_no_curve_runs_under_it():
    high = np.full(101, 0.8)

    assert len(paths(drawn(2, 2), "run")) == 4
    assert len(paths(drawn(2, 2, values=[curve(0.5), high]), "run")) == 2
    assert len(paths(drawn(2, 2, stretch=Stretch(0, 0.1)), "run")) == 2


def test_up_to_six_lines_are_named_at_their_ends():
    six, seven = drawn(7, 6, "gP"), drawn(7, 7, "gP")

    labels = [group for group in six.iter("g") if group.get("class").startswith("label")]
    heights = sorted(float(group.find("text").get("y")) for group in labels)
    assert sorted("".join(group.itertext()) for group in labels) == [f"run {n} Team {n}" for n in range(6)]
    assert min(np.diff(heights)) >= 19
    assert not list(seven.iter("g"))


def test_ends_that_are_too_close_have_their_names_in_a_list_from_the_top():
    svg = drawn(6, 6)

    labels = list(svg.iter("g"))
    assert [float(group.find("text").get("y")) for group in labels] == [16 + 19 * place for place in range(6)]
    assert [group.get("data-run") for group in labels] == [f"c{place}" for place in range(6)]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("as_file", [True, False])
def test_names_are_shown_letter_by_letter(text, as_file):
    name = f"{text}\ufffe".replace("{", "{{").replace("}", "}}")
    chart = chart_of(2, 2, label=name, team=name)

    written = curves_svg(chart, text, as_file=as_file)

    svg = etree.fromstring(written.encode())
    kinds = {etree.QName(element).localname for element in svg.iter(etree.Element)}
    assert kinds <= {"svg", "title", "desc", "rect", "line", "path", "text", "tspan", "g"}
    names = {name for element in svg.iter(etree.Element) for name in element.attrib}
    assert not [name for name in names if name.startswith("on") or name in ("style", "href")]
    assert not set("\u202e\x1b\n") & set(" ".join(element.text or "" for element in svg.iter("tspan")))


def test_no_run_at_all_is_an_empty_chart():
    svg = drawn(0, 0, values=[])

    assert paths(svg, "run") == []
    assert svg.find("desc").text == "Interpolated precision at recall 0 to 1: no run."


def test_a_file_stands_for_itself():
    svg = etree.fromstring(curves_svg(chart_of(9, 4), "Focused, edition 2", as_file=True).encode())

    assert svg.tag == f"{SVG}svg"
    assert svg.find(f"{SVG}title").text == "Focused, edition 2"
    described = "Interpolated precision at recall 0 to 1: run 0, run 1, run 2, run 3; "
    assert svg.find(f"{SVG}desc").text == f"{described}grey: middle half and median of all 9 runs."
    assert {line.get("stroke") for line in svg.iter(f"{SVG}path")} >= {"#1746d1", "#d9680f"}


@pytest.mark.parametrize("height", [0.0, 0.004, 0.5, 1.0, 3.7, 40.0])
def test_no_value_is_above_the_chart(height):
    for name, count in (("iP", 101), ("gP", 50)):
        chart = chart_of(1, 1, name, values=[np.full(count, height)])
        top, ticks = chart.height()
        assert height <= top == ticks[-1]
        assert 1 <= len(ticks) - 1 <= 6
        curves_svg(chart, "Curves")


@pytest.mark.parametrize("text", ["", "x", "5", "5-5", "9-3", "1-2", "-1-5", "1e3-2e3", "1-50-3", "∞-3", "0.1.2-3"])
def test_what_is_no_stretch_is_none(text):
    assert AXES["gP"].stretch(text, 50) is None
