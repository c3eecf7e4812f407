"""Charts in pages: the drawing, and the piece of a run's line in its row."""

from django import template
from django.utils.safestring import mark_safe

from limelight.figures import curves_svg, swatch_svg

register = template.Library()


@register.simple_tag
def curves_drawing(figure):
    """Draw the curves of a figure; names in it are escaped where it is drawn."""
    return mark_safe(curves_svg(figure.chart, figure.title))


@register.simple_tag
def swatch(styles, code):
    """Draw a piece of a run's line: the key to a chart, in the run's row."""
    return mark_safe(swatch_svg(styles[code])) if code in styles else ""
