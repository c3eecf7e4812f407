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


@register.filter
def absolute(value):
    """Write a number without its sign."""
    return abs(value)


@register.filter
def first_of(rows, count):
    """Return the first rows."""
    return rows[:count]


@register.filter
def after(rows, count):
    """Return the rows after the first ones."""
    return rows[count:]


@register.filter
def less(number, other):
    """Subtract one number from another."""
    return number - other
