"""How the parts of a comparisons page are drawn."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import mark_safe

register = template.Library()


@register.simple_tag
def drawn(part):
    """Draw what a part tells; names in it are written as text by whoever drew it."""
    return mark_safe(part.drawn())


@register.simple_tag
def shade(name):
    """Draw a piece of a shade: the key to a grid."""
    return format_html(
        '<svg class="grid swatch" width="14" height="12" aria-hidden="true">'
        '<path class="{}" d="M0 6H14" stroke-width="12"/></svg>',
        name,
    )
