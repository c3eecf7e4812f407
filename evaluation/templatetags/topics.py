"""How topics, and runs on them, are written and drawn on pages."""

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import mark_safe

from evaluation.services.topic_lists import COLUMNS, NUMBER
from limelight.figures.dots import Mark, mark_svg, median_svg

register = template.Library()

SCORES = ("median", "spread")


@register.filter
def drawn(figure):
    """Write a figure of ours, whose texts are escaped."""
    return mark_safe(figure)


@register.simple_tag
def dot_mark(name):
    """Draw what stands for something in a strip of dots."""
    return mark_safe(median_svg() if name == "median" else mark_svg(Mark(name)))


@register.simple_tag
def topics_asked(listed, **changes):
    """Return the address of the list with another task or order."""
    task = listed.board.task.slug if listed.board and len(listed.tasks) > 1 else ""
    sort = f"-{listed.sort}" if listed.is_turned else listed.sort
    asked = {"task": task, "sort": "" if sort == NUMBER else sort} | changes
    words = urlencode({name: value for name, value in asked.items() if value})
    return f"?{words}" if words else "?"


@register.simple_tag
def topic_head(listed, name, label=""):
    """Write the head of a column that topics can be sorted by, the other way round on a second click."""
    is_sorted = name == listed.sort
    rising = listed.is_turned != (name == NUMBER)
    state = format_html(' aria-sort="{}"', "ascending" if rising else "descending") if is_sorted else ""
    asked = f"-{name}" if is_sorted and not listed.is_turned else name
    address = topics_asked(listed, sort=asked)
    label = label or COLUMNS[name]
    return format_html('<th scope="col" class="number"{}><a href="{}">{}</a></th>', state, address, label)


@register.simple_tag
def topic_cell(line, name):
    """Write a cell with a number of a topic, or a dash where there is none."""
    value = getattr(line.numbers, name)
    text = "–" if value is None else f"{value:.4f}" if name in SCORES else intcomma(value)
    return format_html('<td class="number" data-label="{}">{}</td>', name, text)
