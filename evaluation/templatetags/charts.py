"""Charts in pages: the drawing, the piece of a line in a row, and what Plotly needs to keep to the site's policy."""

import re
from functools import lru_cache

from django import template
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe

from config.plotly_finder import STATIC_NAME
from limelight.figures import curves_svg, swatch_svg

register = template.Library()


@lru_cache(maxsize=1)
def style_guards():
    """Return the ids by which plotly.js tells whether the styles of its map library are in the page already."""
    with open(finders.find(STATIC_NAME), encoding="utf-8") as source:  # noqa: PTH123 - a found path
        return tuple(dict.fromkeys(re.findall(r'getElementById\("([0-9a-f]{60,64})"\)', source.read())))


@register.simple_tag
def plotly_styles():
    """Write the sheet that Plotly adds its rules to, and stand-ins for the style elements it would write itself."""
    sheet = format_html('<link id="plotly.js-style-global" rel="stylesheet" href="{}">', static("css/plotly.css"))
    return sheet + format_html_join("", '<meta id="{}">', ((guard,) for guard in style_guards()))


@register.simple_tag
def curves_drawing(figure):
    """Draw the curves of a figure; names in it are escaped where it is drawn."""
    return mark_safe(curves_svg(figure.chart, figure.title))


@register.simple_tag
def swatch(styles, code):
    """Draw a piece of a run's line: the key to a chart, in the run's row."""
    return mark_safe(swatch_svg(styles[code])) if code in styles else ""
