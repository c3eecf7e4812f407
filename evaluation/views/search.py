"""The page that searches the site."""

from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaign.machinery.limits import SEARCHES, asker_of
from evaluation.services.search import HITS_SHOWN, LONGEST_QUERY, MOST_COUNTED, MOST_WORDS, found_for, words_of


@require_safe
def search(request):
    """Show what is found for a query, by kind; one that cannot be searched for, or comes too soon, is told so."""
    query = request.GET.get("q", "").replace("\x00", "").strip()
    is_too_long = len(query) > LONGEST_QUERY
    words = words_of(query[:LONGEST_QUERY])
    is_searched = bool(words) and not is_too_long
    wait = SEARCHES.seconds_to_wait(asker_of(request)) if is_searched else 0
    shown = {
        "query": query[:LONGEST_QUERY],
        "is_too_long": is_too_long,
        "has_words": bool(words),
        "is_short": max(map(len, words), default=0) == 1,
        "left_out": len(words_of(query[:LONGEST_QUERY], most=None)) - len(words),
        "groups": found_for(query) if is_searched and not wait else [],
        "longest": LONGEST_QUERY,
        "most_words": MOST_WORDS,
        "most": MOST_COUNTED,
        "shown": HITS_SHOWN,
        "wait": wait,
        "limit": SEARCHES,
    }
    response = render(request, "evaluation/search.html", shown, status=400 if is_too_long else 429 if wait else 200)
    if wait:
        response["Retry-After"] = wait
    return response
