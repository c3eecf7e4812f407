"""How the account of a topic is written: steps, places, and documents as tapes."""

from django import template
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import mark_safe

from limelight.figures.tapes import WIDTH

register = template.Library()

HEIGHT = 24
NO_STEP = 5e-13
"""Smaller steps are none: sums of floating-point numbers end this far from each other."""


@register.simple_tag
def step(value):
    """Write what a line adds to the score, with its sign; a dash where it adds nothing.

    >>> step(0.0123), step(-0.5), step(0.00001), step(0.0)
    ('+0.0123', '−0.5000', '+0.0000', '–')
    """
    if abs(value) < NO_STEP:
        return "–"
    return f"{'+' if value > 0 else '−'}{abs(value):.4f}"


@register.simple_tag
def places_in_words(line):
    """Write where a line's results lie: paths of elements, or first and last characters; the first few of many.

    A long path may go on in the next line, with a step of it.

    >>> from limelight.analysis.account import Line, Place
    >>> places = (Place(9760, 391), Place(12000, 0), Place(None, 0), Place(5, 10, "/a[1]"), Place(1, 2))
    >>> places_in_words(Line(rank=1, document="a", places=places, size=0, new=0))
    '9,760–10,151 · at 12,000 · without a place · and 2 more'
    >>> places_in_words(Line(rank=1, document="a", places=places[3:4], size=0, new=0))
    '<wbr>/a[1]'
    """
    shown, more = line.places[:3], len(line.places) - 3
    words = [_place(place) for place in shown]
    return mark_safe(" · ".join([*words, f"and {more} more"] if more > 0 else words))  # paths are escaped below


def _place(place):
    if place.path:
        return escape(place.path.replace(" ", " to ")).replace("/", "<wbr>/")
    if place.offset is None:
        return "without a place"
    if not place.length:
        return f"at {place.offset:,}"
    return f"{place.offset:,}–{place.offset + place.length:,}"


@register.simple_tag
def draw_tape(tape, line):
    """Draw a document as a tape; hits are filled and underlined, what is returned has an outline."""
    return format_html(
        '<svg viewBox="0 0 {} {}" preserveAspectRatio="none" role="img" aria-label="{}">'
        '<rect class="paper" x="0" y="8" width="{}" height="8"/>{}{}{}{}{}{}</svg>',
        WIDTH,
        HEIGHT,
        _in_words(tape, line),
        WIDTH,
        _rectangles("beside", tape.beside, 6, 12),
        _rectangles("hit", tape.hits, 6, 12),
        _rectangles("underline", tape.hits, 21, 3),
        _rectangles("returned", tape.returned, 3, 18),
        _triangle("own", tape.point, 15, HEIGHT),
        _triangle("asked", tape.entry_point, 0, 9),
    )


def _rectangles(name, stretches, top, height):
    return format_html_join(
        "",
        '<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>',
        ((name, stretch.x, top, stretch.width, height) for stretch in stretches),
    )


def _triangle(name, place, base, tip):
    """Draw an entry point: the run's stands under the tape and is hollow, the assessor's over it and is filled."""
    if place is None:
        return ""
    points = f"{place - 9:.1f},{base} {place + 9:.1f},{base} {place:.1f},{tip}"
    return format_html('<polygon class="{}" points="{}"/>', name, points)


def _in_words(tape, line):
    if tape.point is not None:
        return f"A document of {tape.length:,} characters."
    if line.highlighted is None:
        return f"{line.size:,} characters returned of {tape.length:,}."
    found = f"{line.highlighted:,} of {line.contained:,} highlighted ones"
    return f"{line.size:,} characters returned of {tape.length:,}, {found}."
