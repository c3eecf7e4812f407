"""Documents as tapes: what is drawn on them adds up to what is returned and highlighted."""

from hypothesis import given
from hypothesis import strategies as st

from limelight.figures.tapes import NARROWEST, WIDTH, Stretch, tape
from limelight.text.spans import joined
from tests.examples import examples

spans = st.lists(st.tuples(st.integers(0, 90), st.integers(0, 40)), max_size=5)


def characters(stretches, whole):
    return {
        place
        for stretch in stretches
        for place in range(round(stretch.x * whole / WIDTH), round((stretch.x + stretch.width) * whole / WIDTH))
    }


@examples(200)
@given(spans, spans)
def test_hits_are_what_is_returned_and_highlighted_and_the_rest_lies_beside(returned, highlighted):
    whole = 200  # each character is wider than the narrowest stretch

    drawn = tape(whole, returned, highlighted)

    found = {place for begin, end in joined(returned) for place in range(begin, end)}
    wanted = {place for begin, end in joined(highlighted) for place in range(begin, end)}
    assert characters(drawn.hits, whole) == found & wanted
    assert characters(drawn.beside, whole) == wanted - found
    assert characters(drawn.returned, whole) == found


def test_a_sentence_in_a_long_document_is_still_seen_and_stays_on_the_tape():
    (seen,) = tape(1_000_000, [(999_990, 10)]).returned

    assert seen == Stretch(WIDTH - NARROWEST, NARROWEST)


def test_text_beyond_the_end_makes_the_tape_longer():
    assert tape(100, [(90, 60)]).length == 150
    assert tape(0, []).length == 1


def test_entry_points_have_their_places():
    drawn = tape(200, [], [(0, 20)], point=100, entry_point=0)

    assert (drawn.point, drawn.entry_point, drawn.returned) == (500.0, 0.0, ())
