"""Collections and their documents, to read."""

from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from campaign.models import Campaign, Collection
from campaign.services.documents.files import load_document
from campaign.services.permissions.seeing import may_see_campaign, may_see_collection
from campaign.views.finding import Gated
from limelight.text.outline import blocks_of, outline_of

DOCUMENTS_A_PAGE = 100


def collection_or_404(user, slug):
    """Return a collection if this person may read it; one of campaigns that may not be seen isn't there."""
    collection = get_object_or_404(Collection, slug=slug)
    if may_see_collection(user, collection):
        return collection
    campaigns = Campaign.objects.filter(tracks__collection__line=collection.line).distinct()
    visible = [campaign for campaign in campaigns if may_see_campaign(user, campaign)]
    if not visible or collection.version is None:
        raise Http404
    raise Gated("Documents", visible)


@require_safe
def document_list(request, collection):
    """List a collection's documents, a page at a time, or those whose id or title holds some words."""
    collection = collection_or_404(request.user, collection)
    wanted = request.GET.get("q", "").strip().replace("\x00", "")
    documents = collection.documents.matching(wanted) if wanted else collection.documents.all()
    page = Paginator(documents, DOCUMENTS_A_PAGE).get_page(request.GET.get("page"))
    shown = {"collection": collection, "page": page, "wanted": wanted, "versions": _versions(collection)}
    return render(request, "campaign/document_list.html", shown)


def _versions(collection):
    """Return the versions of a collection where there is more than one to choose from."""
    versions = list(Collection.objects.versions_of(collection))
    return versions if len(versions) > 1 or not collection.is_in_use else []


@require_safe
def document(request, collection, identifier):
    """Show a document's outline and text."""
    collection = collection_or_404(request.user, collection)
    row = get_object_or_404(collection.documents, identifier=identifier)
    text = load_document(row.text_file) if row.text_file else None
    blocks = blocks_of(text) if text else []
    heading = None
    if blocks and blocks[0].is_title and blocks[0].text == row.title:
        heading, *blocks = blocks  # the page's own heading says it already
    return render(
        request,
        "campaign/document_detail.html",
        {
            "collection": collection,
            "document": row,
            "elsewhere": _elsewhere(collection, identifier),
            "heading": heading,
            "blocks": blocks,
            "outline": outline_of(text) if text else [],
            "element_count": len(text.elements) if text else 0,
            "previous": collection.documents.filter(identifier__lt=identifier).last(),
            "next": collection.documents.filter(identifier__gt=identifier).first(),
        },
    )


def _elsewhere(collection, identifier):
    """Return the same document in the version that is in use, and whether it is the same text; None in that version."""
    if collection.is_in_use:
        return None
    in_use = Collection.objects.in_use().filter(line=collection.line).first()
    return in_use and {"collection": in_use, "document": in_use.documents.filter(identifier=identifier).first()}
