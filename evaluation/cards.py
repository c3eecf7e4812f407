"""A board as a card for other sites' previews: a picture of 1200 by 630 points, drawn from plain words."""

from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from limelight.wording import one_line, shortened

SIZE = WIDTH, HEIGHT = 1200, 630
MARGIN, RANKS = 72, 120
PAPER, INK, QUIET, RULE, MARKER = "#fffdf8", "#1c1a15", "#625d51", "#e4decf", "#ffe14d"
FONT = Path(__file__).parent / "fonts" / "DejaVuSans.ttf"
MISSING = "\uffff"  # no font has it: what is drawn in its place is drawn for whatever a font lacks
LONGEST = 200


@dataclass(frozen=True, slots=True)
class Card:
    """What a card says: where the task belongs, what it is called, a sentence, its first places, and how it stands.

    A place is the ranks that it may have ("" where that is not known), a run, a team and a score, as text, and whether
    it is of those that lead. The sentence says what the places are worth, or stands in their place.
    """

    above: str
    heading: str
    places: tuple
    sentence: str
    below: str


@cache
def font(size):
    """Return our font in a size."""
    return ImageFont.truetype(str(FONT), size)


@lru_cache(maxsize=4096)
def is_drawable(letter):
    """Return whether our font knows a letter."""
    return letter == " " or bytes(font(20).getmask(letter)) != bytes(font(20).getmask(MISSING))


def drawable(text):
    """Return a text in one line, with a box for each run of letters that our font lacks.

    >>> drawable("Universität 東京\\n1")
    'Universität □ 1'
    """
    kept = []
    for letter in one_line(text[:LONGEST]):
        mark = letter if is_drawable(letter) else "□"
        if mark != "□" or not kept or kept[-1] != "□":
            kept.append(mark)
    return "".join(kept)


def fitted(text, width, sizes):
    """Return a text and the largest of some sizes in which it fits; in the smallest it is shortened."""
    text = drawable(text)
    for size in sizes:
        if font(size).getlength(text) <= width:
            return text, size
    while len(text) > 1 and font(sizes[-1]).getlength(text) > width:
        text = shortened(text, len(text) - 1)
    return text, sizes[-1]


@lru_cache(maxsize=64)
def as_png(card):
    """Draw a card; the same words are drawn once."""
    picture = Image.new("RGB", SIZE, PAPER)
    draw = ImageDraw.Draw(picture)
    _mark(draw, MARGIN, 78, "Limelight", 40, bold=True)
    _line(draw, (MARGIN, 170), card.above, WIDTH - 2 * MARGIN, (28,), fill=QUIET)
    _line(draw, (MARGIN, 240), card.heading, WIDTH - 2 * MARGIN, (64, 54, 46, 40), bold=True)
    below_heading, sizes = (306, (30, 26, 22)) if card.places else (390, (34, 30, 26))
    _line(draw, (MARGIN, below_heading), card.sentence, WIDTH - 2 * MARGIN, sizes)
    left = MARGIN + (RANKS if any(ranks for ranks, *_ in card.places) else 0)
    for number, place in enumerate(card.places):
        _place(draw, 370 + 62 * number, left, place)
    draw.line([(MARGIN, 545), (WIDTH - MARGIN, 545)], fill=RULE, width=2)
    _line(draw, (MARGIN, 585), card.below, WIDTH - 2 * MARGIN, (24, 21), fill=QUIET)
    written = BytesIO()
    picture.quantize(64).save(written, "PNG", optimize=True)
    return written.getvalue()


def _place(draw, middle, left, place):
    """Draw one of the first: ranks, run and team from the left, the score at the right, marked where it leads."""
    ranks, run, team, score, leads = place
    _line(draw, (MARGIN, middle), ranks, RANKS - 16, (34, 28, 22), fill=QUIET)
    wide = font(38).getlength(score)
    if leads:
        _mark(draw, WIDTH - MARGIN - wide, middle, score, 38, bold=True)
    else:
        _line(draw, (WIDTH - MARGIN - wide, middle), score, wide + 1, (38,))
    room = WIDTH - MARGIN - left - wide - 40
    run, size = fitted(run, room * 0.62, (34, 30, 26, 22))
    draw.text((left, middle), run, INK, font(size), anchor="lm", stroke_width=0.4, stroke_fill=INK)
    begins = font(size).getlength(run) + 24
    _line(draw, (left + begins, middle), team, room - begins, (28, 24, 20), fill=QUIET)


def _line(draw, place, text, width, sizes, *, fill=INK, bold=False):
    """Write a line of text from its left middle."""
    text, size = fitted(text, width, sizes)
    draw.text(place, text, fill, font(size), anchor="lm", stroke_width=0.8 if bold else 0, stroke_fill=fill)


def _mark(draw, left, middle, text, size, *, bold):
    """Write a few words over a stroke of the marker."""
    wide = font(size).getlength(text)
    draw.rectangle([left - 6, middle + size * 0.02, left + wide + 6, middle + size * 0.48], fill=MARKER)
    _line(draw, (left, middle), text, wide + 1, (size,), bold=bold)
