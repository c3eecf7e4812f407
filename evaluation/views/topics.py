"""Topics: what was asked, what is relevant to it, and how runs fared on it."""

from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from campaign.shared_pages import share
from campaign.views.finding import track_or_404
from evaluation.services.topic_lists import topic_list
from evaluation.services.topic_pages import topic_page


@require_safe
def topics(request, campaign, track):
    """List a track's topics, with the numbers of the task that is asked for."""
    track = track_or_404(request.user, campaign, track)
    share(request, track)
    asked = {name: request.GET.get(name, "").strip() for name in ("task", "sort")}
    return render(
        request, "evaluation/topic_list.html", {"track": track, "listed": topic_list(request.user, track, **asked)}
    )


@require_safe
def topic(request, campaign, track, number):
    """Show one topic in full, how runs fared on it, and its neighbours."""
    track = track_or_404(request.user, campaign, track)
    share(request, track)
    if not number.isprintable():  # PostgreSQL refuses NUL
        raise Http404
    shown = get_object_or_404(track.topics, number=number)
    asks_for_documents = request.GET.get("documents") == "all"
    asked = {"whole_task": request.GET.get("runs", "").strip(), "all_documents": asks_for_documents}
    neighbours = list(track.topics.values("number", "title"))
    place = next((place for place, one in enumerate(neighbours) if one["number"] == number), 0)
    context = {
        "track": track,
        "topic": shown,
        "page": topic_page(request.user, track, shown, **asked),
        "asks_for_documents": asks_for_documents,
        "previous": neighbours[place - 1] if place else None,
        "next": neighbours[place + 1] if place + 1 < len(neighbours) else None,
    }
    return render(request, "evaluation/topic_detail.html", context)
