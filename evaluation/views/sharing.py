"""What machines of other sites ask for: the card of a board, the sitemap, and where they may go."""

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.xmlutils import SimplerXMLGenerator
from django.views.decorators.http import conditional_page, require_safe

from campaign.services.permissions.visitors import VISITOR
from campaign.views.finding import task_or_404
from evaluation.cards import as_png
from evaluation.services.sharing import absolute, card_of
from evaluation.services.sitemaps import entries_of, parts_of, sitemap_sections

OWN = ("account", "admin", "api/v1", "assessing", "desk", "notifications", "review", "runs", "search", "teams/join")
"""Where pages are people's own, or made for whoever asks."""


@require_safe
@conditional_page
def card(request, campaign, track, task):
    """Draw the card of a task, which is the same whoever asks."""
    task = task_or_404(VISITOR, campaign, track, task)
    return HttpResponse(
        as_png(card_of(task)), content_type="image/png", headers={"Cross-Origin-Resource-Policy": "cross-origin"}
    )


@require_safe
@conditional_page
def sitemap(request):
    """List the pages that everybody may open, or the parts of that list where it is long."""
    sections = sitemap_sections()
    parts = parts_of(sections)
    if parts == 1:
        return _written("urlset", "url", entries_of(sections))
    files = [(reverse("sitemap-part", args=[part]), None) for part in range(1, parts + 1)]
    return _written("sitemapindex", "sitemap", files)


@require_safe
@conditional_page
def sitemap_part(request, part):
    """List one part of the pages that everybody may open."""
    sections = sitemap_sections()
    if not 1 <= part <= parts_of(sections):
        raise Http404
    return _written("urlset", "url", entries_of(sections, part))


def _written(root, element, entries):
    """Write addresses, each with its last change where that is known, as the protocol of sitemaps wants it."""
    response = HttpResponse(content_type="application/xml; charset=utf-8")
    xml = SimplerXMLGenerator(response, "utf-8", short_empty_elements=True)
    xml.startDocument()
    xml.startElement(root, {"xmlns": "http://www.sitemaps.org/schemas/sitemap/0.9"})
    for path, changed_at in entries:
        xml.startElement(element, {})
        xml.addQuickElement("loc", absolute(path))
        if changed_at is not None:
            xml.addQuickElement("lastmod", f"{changed_at:%Y-%m-%dT%H:%M:%SZ}")
        xml.endElement(element)
    xml.endElement(root)
    return response


@require_safe
def robots(request):
    """Tell machines where there is nothing for them: people's own pages, and pages that differ only by their order."""
    lines = [
        "User-agent: *",
        *(f"Disallow: /{path}/" for path in OWN),
        "Disallow: /*?",
        "Allow: /*?page=",
        "",
        f"Sitemap: {absolute(reverse('sitemap'))}",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")
