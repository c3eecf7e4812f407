"""How moves between boards are written on pages."""

from django import template

register = template.Library()


@register.filter
def signed(value):
    """Write a difference with its sign and four decimals.

    >>> signed(0.25), signed(-0.0312)
    ('+0.2500', '−0.0312')
    """
    return f"{value:+.4f}".replace("-", "−")
