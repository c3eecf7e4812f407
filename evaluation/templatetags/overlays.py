"""What is laid over a document, in pages: the library writes it, and escapes all that is not its own."""

from django import template
from django.utils.safestring import mark_safe

register = template.Library()


@register.simple_tag
def overlay_strip(page):
    """Draw the strip of the whole document, with links into its text."""
    return mark_safe(page.strip + page.slices)


@register.simple_tag
def overlay_text(page):
    """Write the text with what is laid over it."""
    return mark_safe(page.laid.html)


@register.simple_tag
def overlay_outline(page):
    """Write the outline with its heat; nothing for a document without titles."""
    return mark_safe(page.outline)


@register.simple_tag
def overlay_missed(page):
    """List the places that were missed."""
    return mark_safe(page.missed)


@register.simple_tag
def overlay_results(shown):
    """List the results of a run in the document."""
    return mark_safe(shown.results)
