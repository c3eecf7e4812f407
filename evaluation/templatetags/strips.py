"""How a run's topics are drawn: a thin column each, from the worst to the best."""

from django import template
from django.utils.html import format_html, format_html_join

from evaluation.services.run_addresses import ranked_list_address

register = template.Library()

WIDE, TALL, GAP = 10, 120, 2
"""Units of a topic's column: its width, the height of the drawing, and the room between two."""

MANY = 40
"""Of more topics there is no room for quartiles on a small screen."""


@register.simple_tag
def topic_strip(page, task, links_lists):
    """Draw what a run gains or loses on each topic beside the middle of the other teams; without these, its values."""
    topics = page.strip
    if not topics:
        return ""
    has_field = topics[0].median is not None
    reach = max((abs(value) for topic in topics for value in _extent(topic)), default=0.0) or 1.0
    zero, unit = (TALL / 2, (TALL / 2 - 4) / reach) if has_field else (TALL - 2, (TALL - 6) / reach)
    drawn = [
        _column(topic, place, zero, unit, _address(page, task, topic, links_lists))
        for place, topic in enumerate(topics)
    ]
    columns = format_html_join("\n", "{}", ((column,) for column in drawn))
    return format_html(
        '<svg class="strip{}" viewBox="0 0 {} {}" preserveAspectRatio="none" role="group" aria-label="{}">'
        '<path class="zero" d="M0 {}H{}"/>{}</svg>',
        " many" if len(topics) > MANY else "",
        len(topics) * WIDE,
        TALL,
        f"{page.measure.topic_name} topic by topic",
        zero,
        len(topics) * WIDE,
        columns,
    )


def _extent(topic):
    """Return the values that a topic's column must have room for."""
    if topic.median is None:
        return (topic.value,)
    return (topic.difference, topic.low - topic.median, topic.high - topic.median)


def _column(topic, place, zero, unit, address):
    value = topic.value if topic.difference is None else topic.difference
    top, tall = (zero - value * unit, value * unit) if value >= 0 else (zero, -value * unit)
    left = place * WIDE
    drawn = format_html(
        '<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>',
        "below" if value < 0 else "above",
        left + GAP / 2,
        round(top, 1),
        WIDE - GAP,
        round(max(tall, 0.8), 1),
    )
    if topic.median is not None:
        ends = [round(zero - (edge - topic.median) * unit, 1) for edge in (topic.low, topic.high)]
        drawn += format_html('<path class="quartile" d="M{0} {2}H{1}M{0} {3}H{1}"/>', left, left + WIDE, *ends)
    words = f"Topic {topic.number}: {topic.value:.4f}"
    if topic.difference is not None:
        words += f", {topic.difference:+.4f} beside the median".replace("-", "−")
    title = format_html("<title>{}</title>", words)
    hold = format_html('<rect class="hold" x="{}" y="0" width="{}" height="{}"/>', left, WIDE, TALL)
    if not address:
        return format_html("<g>{}{}{}</g>", title, hold, drawn)
    return format_html('<a href="{}" aria-label="{}">{}{}{}</a>', address, words, title, hold, drawn)


def _address(page, task, topic, links_lists):
    return ranked_list_address(task, page.run.code, topic.number, page.edition) if links_lists else ""
