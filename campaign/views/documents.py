"""Collections and their documents, to read."""

from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from campaign.models import Campaign, Collection
from campaign.outline import blocks_of, outline_of
from campaign.services.collections import load_document
from campaign.services.permissions import may_see_campaign, may_see_collection
from campaign.views.finding import Gated

DOCUMENTS_A_PAGE = 100


def collection_or_404(user, slug):
    """Return a collection if this person may read it; one of campaigns that may not be seen isn't there."""
    found = get_object_or_404(Collection, slug=slug)
    if may_see_collection(user, found):
        return found
    campaigns = Campaign.objects.filter(tracks__collection=found).distinct()
    visible = [campaign for campaign in campaigns if may_see_campaign(user, campaign)]
    if not visible:
        raise Http404
    raise Gated("Documents", visible)


@require_safe
def document_list(request, collection):
    """List a collection's documents, a page at a time, or those whose id or title holds some words."""
    found = collection_or_404(request.user, collection)
    wanted = request.GET.get("q", "").strip().replace("\x00", "")
    documents = found.documents.matching(wanted) if wanted else found.documents.all()
    page = Paginator(documents, DOCUMENTS_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "campaign/document_list.html", {"collection": found, "page": page, "wanted": wanted})


@require_safe
def document(request, collection, identifier):
    """Show a document's outline and text."""
    found = collection_or_404(request.user, collection)
    row = get_object_or_404(found.documents, identifier=identifier)
    text = load_document(row.text_file) if row.text_file else None
    blocks = blocks_of(text) if text else []
    heading = None
    if blocks and blocks[0].is_title and blocks[0].text == row.title:
        heading, *blocks = blocks  # the page's own heading says it already
    return render(
        request,
        "campaign/document_detail.html",
        {
            "collection": found,
            "document": row,
            "heading": heading,
            "blocks": blocks,
            "outline": outline_of(text) if text else [],
            "element_count": len(text.elements) if text else 0,
            "previous": found.documents.filter(identifier__lt=identifier).last(),
            "next": found.documents.filter(identifier__gt=identifier).first(),
        },
    )
