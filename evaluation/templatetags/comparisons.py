"""How the parts of a comparisons page are drawn."""

from django import template
from django.utils.safestring import mark_safe

register = template.Library()


@register.simple_tag
def drawn(part):
    """Draw what a part tells; names in it are written as text by whoever drew it."""
    return mark_safe(part.svg)
