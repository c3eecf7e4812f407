"""Numbers of an overlay and their words."""

from fractions import Fraction

import pytest

from limelight.overlay import numbers_of, results_of, sentence
from limelight.overlay.laying import Layer
from tests.limelight.overlay.laid import layer, overlay


def said(laid, number=0):
    chosen = laid.layers[number]
    return str(sentence(laid, chosen, numbers_of(laid, chosen)))


def test_precision_recall_and_f_are_those_of_the_paper():
    """60 returned, 40 highlighted, 20 both: P 1/3, R 1/2, F 2/5, and F with beta 1/4 0.34 (INEX 2007, Eq. 4-6)."""
    laid = overlay(200, layer((0, 40), (20, 40)), highlighted=[(40, 40)])

    numbers = numbers_of(laid, laid.layers[0])

    assert (numbers.found, numbers.returned, numbers.highlighted, numbers.wasted) == (20, 60, 40, 40)
    assert (numbers.precision, numbers.recall, numbers.f) == (1 / 3, 1 / 2, float(Fraction(2, 5)))
    assert numbers_of(laid, laid.layers[0], beta=1 / 4).f == 0.34


def test_text_without_a_place_counts_as_returned_and_is_not_found():
    laid = overlay(200, layer((0, 40), unplaced=60), highlighted=[(0, 40)])

    assert numbers_of(laid, laid.layers[0]).precision == 0.4


@pytest.mark.parametrize(
    ("laid", "words"),
    [
        (
            overlay(900, layer((500, 10), (0, 40)), highlighted=[(500, 80)], entry_point=1040),
            "12 % of the highlighted text found, 40 characters wasted, entry 540 characters too early.",
        ),
        (overlay(900, layer((0, 9)), highlighted=[(0, 9)]), "All of the highlighted text found, nothing wasted."),
        (
            overlay(900, layer((20, 1)), highlighted=[(0, 9)], entry_point=20),
            "None of the highlighted text found, 1 character wasted, entry where the assessor would begin.",
        ),
        (
            overlay(900, layer((0, 1)), highlighted=[(0, 800)]),
            "Less than 1 % of the highlighted text found, nothing wasted.",
        ),
        (overlay(900, layer((0, 9)), highlighted=[]), "Nothing in this document is relevant: 9 characters wasted."),
        (
            overlay(900, layer((0, 9)), highlighted=[], is_judged=False),
            "Nobody judged this document: the 9 characters returned count as not relevant.",
        ),
        (
            overlay(900, layer((0, 9)), highlighted=[], is_judged=None),
            "The assessments list only relevant documents, and this is none of them: "
            "the 9 characters returned count as not relevant.",
        ),
        (overlay(900, layer((0, 9), (5, 9))), "14 of 900 characters returned in 2 results."),
        (overlay(0, layer((0, 9))), "9 characters returned in 1 result."),
        (overlay(900), "Nothing of this document is returned."),
        (
            overlay(900, highlighted=[(0, 5)]),
            "Nothing of this document is returned, and 5 highlighted characters in it are missed.",
        ),
        (overlay(900, highlighted=[]), "Nothing of this document is returned, and nothing in it is relevant."),
        (overlay(900, highlighted=[], is_judged=False), "Nothing of this document is returned, and nobody judged it."),
    ],
)
def test_text_is_told_in_one_line(laid, words):
    assert said(laid) == words


@pytest.mark.parametrize(
    ("laid", "words"),
    [
        ({"highlighted": [(100, 50)], "entry_point": 120}, "Entry 100 characters too early."),
        ({"highlighted": [(0, 5)], "entry_point": 0}, "Entry 20 characters too late."),
        ({"highlighted": [(0, 5)]}, "The run enters at character 20, and the assessor named no entry point."),
        ({"highlighted": []}, "Nothing in this document is relevant: the entry at character 20 is in vain."),
        (
            {"highlighted": [], "is_judged": False},
            "Nobody judged this document: its entry at character 20 counts as not relevant.",
        ),
        ({}, "The run enters at character 20 of 900."),
    ],
)
def test_entry_points_are_told_by_their_distance(laid, words):
    assert said(overlay(900, layer((20, 0)), kind="best-in-context", **laid)) == words


@pytest.mark.parametrize(
    ("judged", "words"),
    [
        ({"highlighted": [(0, 90)]}, "The whole document is returned, and 10 % of it is highlighted."),
        ({"highlighted": []}, "The whole document is returned, and nothing in it is relevant."),
        ({"highlighted": [], "grade": 2}, "The whole document is returned; its grade is 2."),
        (
            {"highlighted": [], "is_judged": False},
            "The whole document is returned. Nobody judged this document: it counts as not relevant.",
        ),
        ({}, "The whole document is returned."),
    ],
)
def test_whole_documents_are_told_by_what_they_hold(judged, words):
    assert said(overlay(900, layer((0, 900)), kind="document", **judged)) == words


def test_a_run_that_may_not_be_measured_is_told_by_what_it_returns():
    laid = overlay(900, layer((0, 9)), layer((0, 5), is_measured=False), highlighted=[(0, 9)])

    assert said(laid, 1) == "5 of 900 characters returned in 1 result."


def test_an_entry_without_a_place_is_told():
    laid = overlay(900, Layer("mine", results_of([(1, [(None, 0, "/a[1]")])])), highlighted=[], kind="best-in-context")

    assert said(laid) == "The entry point of the run has no known place."
