"""The page that searches the site."""

from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.services.search import HITS_SHOWN, LONGEST_QUERY, MOST_COUNTED, found_for, words_of


@require_safe
def search(request):
    """Show what is found for a query, by kind; one that is too long, or holds no word, is told so."""
    query = request.GET.get("q", "").replace("\x00", "").strip()
    is_too_long = len(query) > LONGEST_QUERY
    shown = {
        "query": query[:LONGEST_QUERY],
        "is_too_long": is_too_long,
        "has_words": bool(words_of(query[:LONGEST_QUERY])),
        "groups": [] if is_too_long else found_for(query),
        "longest": LONGEST_QUERY,
        "most": MOST_COUNTED,
        "shown": HITS_SHOWN,
    }
    return render(request, "evaluation/search.html", shown, status=400 if is_too_long else 200)
