"""The overlay as HTML: the raw text exactly, and marks on the right characters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limelight.overlay import text_html
from tests.documents import xml_documents
from tests.examples import examples
from tests.limelight.overlay.laid import ODD, Read, document, layer, overlay

spans = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 20)), max_size=5)
MARKED = {"hit", "miss", "waste", "returned"}


def kinds(highlighted, returned, place):
    wanted, found = (any(o <= place < o + n for o, n in some) for some in (highlighted, returned))
    return {"hit"} if wanted and found else {"miss"} if wanted else {"waste"} if found else set()


@pytest.mark.parametrize("source", ODD)
@examples(80)
@given(st.data())
def test_the_text_of_odd_documents_is_the_raw_text_and_every_character_is_marked_as_it_is(source, data):
    text = document(source)
    highlighted, returned = data.draw(spans), data.draw(spans)

    read = Read(text_html(text, overlay(len(text), layer(*returned), highlighted=highlighted)).html)

    assert read.text == text.text
    for place, names in enumerate(read.classes):
        if not text.text[place].isspace():  # white space between blocks is there, and shows nothing
            assert names & MARKED == kinds(highlighted, returned, place), place


@examples(300)
@given(xml_documents(), spans, spans, spans)
def test_whatever_the_document_its_text_is_there_character_by_character(source, highlighted, one, other):
    text = document(source)

    laid = text_html(text, overlay(len(text), layer(*one), layer(*other, name="theirs"), highlighted=highlighted))
    read = Read(laid.html)

    assert read.text == text.text
    for place, names in enumerate(read.classes):
        if not text.text[place].isspace():
            found = [any(o <= place < o + n for o, n in some) for some in (highlighted, one, other)]
            sides = [any(name.startswith(side) for name in names) for side in ("below-", "above-")]
            assert ["lit" in names, *sides] == found
    for stops in laid.stops.values():
        assert all(read.anchors[stop.anchor] == stop.begin for stop in stops)


@examples(200)
@given(xml_documents(), spans)
def test_ranks_stand_where_their_results_begin_or_before_the_next_word(source, returned):
    text = document(source)
    laid = overlay(len(text), layer(*returned), highlighted=[])

    read = Read(text_html(text, laid).html)

    if not read.blocks:
        assert not text.text.strip()
        return
    assert sorted(label for _, label in read.marks) == sorted(result.label for result in laid.layers[0].results)
    labels = {result.label: min(result.offset, len(text)) for result in laid.layers[0].results}
    for place, label in read.marks:
        first, last = sorted((place, labels[label]))
        assert not text.text[first:last].strip(), f"{label} stands at {place}, not {labels[label]}"


def test_blocks_keep_their_places_and_cells_their_bounds():
    text = document(ODD[3])

    html = text_html(text, overlay(len(text), layer((0, 30)), highlighted=[(2, 9)])).html

    read = Read(html)
    assert [(tag, place) for tag, place, begin in read.blocks if place == begin] == [("p", 0), ("p", 14)]
    assert html.count('class="cell"') == 3


def test_hits_and_misses_are_stops_once_however_they_are_cut():
    text = document("<a><p>one two</p> <p>three four</p></a>")
    laid = overlay(len(text), layer((0, 3), (3, 8)), highlighted=[(0, 18)])

    stops = text_html(text, laid, prefix="d1-").stops

    assert [(stop.begin, stop.end) for stop in stops["hit"]] == [(0, 11)]
    assert [(stop.anchor, stop.begin, stop.end) for stop in stops["miss"]] == [("d1-s2", 11, 18)]


def test_entry_points_stand_between_the_characters():
    text = document("<a><p>one two</p></a>")
    laid = overlay(7, layer((2, 3)), highlighted=[(0, 3)], entry_point=4, kind="best-in-context")

    read = Read(text_html(text, laid).html)

    assert read.marks == [(2, "▽"), (2, "#1"), (4, "▼")]


def test_of_two_runs_each_has_its_ranks_and_anchors():
    text = document("<a><p>one two three</p></a>")
    laid = overlay(13, layer((0, 3)), layer((4, 3), name="theirs"), highlighted=[])

    html = text_html(text, laid).html

    assert '<sub class="rank" id="r1" data-mark>#1</sub>' in html
    assert '<sup class="rank" id="q1" data-mark>#1</sup>' in html


def test_names_and_paths_cannot_break_out_of_attributes():
    text = document("<a><p>one</p></a>")
    laid = overlay(3, layer((0, 3), name='"><script>'), highlighted=[(0, 1)], entry_point=0)

    assert "<script>" not in text_html(text, laid).html


def test_a_document_without_text_is_empty():
    text = document("<a><b/></a>")

    assert text_html(text, overlay(0, layer((0, 5)), highlighted=[])).html == ""
