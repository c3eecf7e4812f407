import json

import numpy as np
import plotly.graph_objects as go
import pytest

from limelight.figures.plotly import FIGURES, PALETTE, generalised_precision_figure, recall_precision_figure
from limelight.scoring.evaluators import EVALUATORS


def luminance(colour):
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_every_curve_of_the_table_has_a_figure():
    assert {curve.name for evaluator in EVALUATORS.values() for curve in evaluator.curves} <= set(FIGURES)


@pytest.mark.parametrize("figure", FIGURES.values())
def test_a_figure_is_plain_json_that_plotly_accepts(figure):
    band = ("All runs", np.zeros(50), np.ones(50))

    drawn = figure([("one", np.linspace(1, 0, 50)), ("two", np.full(50, 0.25))], band=band, title="Curves")

    again = json.loads(json.dumps(drawn, allow_nan=False))
    assert go.Figure(again).to_dict()["data"][-1]["name"] == "two"
    assert {trace["type"] for trace in drawn["data"]} == {"scatter"}


def test_recall_runs_from_0_to_1_and_ranks_from_1():
    recall = recall_precision_figure([("a", np.zeros(101))])["data"][0]["x"]
    rank = generalised_precision_figure([("a", np.zeros(50))])["data"][0]["x"]

    assert (recall[0], recall[29], recall[100]) == (0.0, 0.29, 1.0)
    assert (rank[0], rank[-1]) == (1, 50)


def test_labels_are_shown_letter_by_letter():
    drawn = recall_precision_figure([('<a href="x">R&D</a>', np.zeros(101))], title="<b>")

    assert drawn["data"][0]["name"] == '&lt;a href="x"&gt;R&amp;D&lt;/a&gt;'
    assert drawn["layout"]["title"]["text"] == "&lt;b&gt;"
    [trace] = recall_precision_figure([("%{meta}\u202e\x1b\n$x$", np.zeros(101))])["data"]
    assert trace["name"] == "%&#123;meta} $x$"


def test_the_line_style_changes_after_ten_colours():
    drawn = recall_precision_figure([(str(number), np.zeros(101)) for number in range(21)])

    lines = [trace["line"] for trace in drawn["data"]]
    assert len({line["color"] for line in lines[:10]}) == 10
    assert [lines[place]["dash"] for place in (0, 9, 10, 19, 20)] == ["solid", "solid", "dash", "dash", "dot"]


def test_every_colour_shows_on_white_and_on_near_black():
    for colour in PALETTE:
        assert 1.05 / (luminance(colour) + 0.05) >= 2
        assert (luminance(colour) + 0.05) / (luminance("#14161a") + 0.05) >= 3


def test_a_value_that_is_not_a_number_leaves_a_gap():
    assert recall_precision_figure([("a", [0.5, float("nan")])])["data"][0]["y"] == [0.5, None]


@pytest.mark.parametrize(("values", "top"), [([0.2, 0.4], 1.02), ([2.5, 1.0], 2.55), ([float("nan")] * 2, 1.02)])
def test_the_axis_does_not_cut_off_what_exceeds_1(values, top):
    figure = recall_precision_figure([("calm", [0.1, 0.1]), ("other", values)])

    assert figure["layout"]["yaxis"]["range"] == [0, pytest.approx(top)]
