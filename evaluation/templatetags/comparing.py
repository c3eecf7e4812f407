"""How compared runs are written: in their colours, and their differences as columns and bars."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import mark_safe

register = template.Library()


@register.simple_tag
def topic_columns(topics, figure, page):
    """Draw a run beside the reference, a column a topic; a click opens the topic."""
    drawn = topics.drawn(figure.styles, lambda number: f"{page.asked.address(topic=number)}#topic")
    return mark_safe(drawn)  # words and addresses are escaped where they are drawn


@register.simple_tag
def hue(figure, code):
    """Write the class that gives something a run's colour."""
    return f"hue-{figure.styles[code].hue}" if code in figure.styles else ""


@register.simple_tag
def drawing(svg):
    """Write a drawing that has no words in it."""
    return mark_safe(svg)


@register.simple_tag
def part_key(place):
    """Draw a piece of a part: the key to bars of parts."""
    return format_html(
        '<svg class="parted swatch" width="18" height="12" aria-hidden="true">'
        '<rect class="part-{}" width="100%" height="100%"/></svg>',
        place,
    )


@register.simple_tag
def asked_address(asked, **changes):
    """Return the query of an address that asks for the same, with some words changed."""
    return asked.address(**changes)
