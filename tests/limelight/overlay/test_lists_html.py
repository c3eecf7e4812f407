"""What stands beside the text: outline with heat, results, misses."""

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from limelight.overlay import outline_html, outline_words, results_html, results_of, stops_html, text_html
from limelight.overlay.counting import counts_in
from limelight.overlay.laying import Layer
from limelight.text.outline import outline_of
from tests.examples import examples
from tests.limelight.overlay.laid import document, layer, overlay

SECTIONS = "<a><sec><title>One</title><p>0123456789</p></sec><sec><title>Two</title><p>0123456789</p></sec></a>"
spans = st.lists(st.tuples(st.integers(0, 90), st.integers(0, 40)), max_size=6)


def characters(ranges):
    return {place for offset, length in ranges for place in range(offset, offset + length)}


@examples(300)
@given(spans, spans, spans, st.tuples(st.integers(0, 120), st.integers(0, 60)))
def test_characters_of_a_stretch_are_counted_as_sets(highlighted, one, other, stretch):
    laid = overlay(100, layer(*one), layer(*other, name="theirs"), highlighted=highlighted)
    begin, end = stretch[0], sum(stretch)

    (counts,) = counts_in(laid, np.array([begin]), np.array([end]))

    inside = set(range(begin, min(end, laid.extent)))
    wanted, mine, theirs = (characters(some) & inside for some in (highlighted, one, other))
    assert counts.length == len(inside)
    assert counts.highlighted == len(wanted)
    assert counts.returned == (len(mine), len(theirs))
    assert counts.found == (len(mine & wanted), len(theirs & wanted))
    assert counts.missed == len(wanted - mine - theirs)
    assert counts.returned_by_any == len(mine | theirs)


def heats(laid):
    text = document(SECTIONS)
    html = outline_html(text, outline_of(text), laid, prefix="d-")
    return re.findall(r'<a href="#d-c(\d+)"><bdi>(\w+)</bdi></a> <span class="heat"><svg.*?</svg> (.*?)</span>', html)


def test_the_outline_tells_of_each_section_how_much_was_found():
    laid = overlay(26, layer((3, 5)), highlighted=[(3, 10)])

    assert heats(laid) == [("0", "One", "50 %"), ("13", "Two", "–")]
    assert outline_words(laid) == "found share of what is highlighted in each section"


def test_without_the_judgement_the_outline_tells_how_much_is_returned():
    laid = overlay(26, layer((0, 13)))

    assert heats(laid) == [("0", "One", "100 %"), ("13", "Two", "0 %")]
    assert outline_words(laid) == "returned share of each section"


def test_two_runs_have_a_share_each():
    laid = overlay(26, layer((3, 5)), layer((3, 10), name="theirs"), highlighted=[(3, 10)])

    assert heats(laid)[0] == ("0", "One", "50 % · 100 %")


def test_results_are_listed_with_places_and_lead_into_the_text():
    laid = overlay(26, layer((3, 5), (20, 1)), highlighted=[(3, 10)])

    html = results_html(laid, prefix="d-")

    assert html == (
        '<ul><li><a href="#d-r1"><b>#1</b></a> 5 characters at 3, 5 highlighted</li>'
        '<li><a href="#d-r2"><b>#2</b></a> 1 character at 20, 0 highlighted</li></ul>'
    )
    assert "<a" not in results_html(laid, in_text=False)


def test_results_say_nothing_of_a_judgement_that_may_not_be_known():
    assert "highlighted" not in results_html(overlay(26, layer((3, 5))))
    laid = overlay(26, layer(), layer((3, 5), is_measured=False), highlighted=[(0, 9)])
    assert "highlighted" not in results_html(laid, 1)


def test_elements_are_named_by_their_paths():
    results = results_of([(1, [(3, 5, "/a[1]/p[1] /a[1]/p[2]")]), (2, [(None, 0, "/a[1]/<b>")])])

    html = results_html(overlay(26, Layer("mine", results)))

    assert "<code>/a[1]/p[1] to /a[1]/p[2]</code>" in html
    assert "<b>#2</b> without a place <code>/a[1]/&lt;b&gt;</code>" in html


def test_what_follows_the_first_five_is_folded_away():
    html = results_html(overlay(900, layer(*((place, 2) for place in range(0, 70, 10)))))

    assert "<details><summary>2 more results</summary>" in html
    assert html.index("#5<") < html.index("<details>") < html.index("#6<")
    assert "<details>" not in results_html(overlay(900, layer(*((place, 2) for place in range(0, 60, 10)))))


def test_misses_are_listed_by_their_places():
    text = document("<a><p>one two</p> <p>three four</p></a>")
    stops = text_html(text, overlay(len(text), layer((0, 3)), highlighted=[(0, 7), (14, 4)])).stops

    assert stops_html(stops["miss"], "miss") == (
        '<ul><li><a href="#s2">3–7</a></li><li><a href="#s3">14–18</a></li></ul>'
    )
