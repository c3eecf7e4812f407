"""Topics, as participants and visitors read them."""

from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from campaign.views.finding import track_or_404


@require_safe
def topic_list(request, campaign, track):
    """List a track's topics."""
    found = track_or_404(request.user, campaign, track)
    return render(request, "campaign/topic_list.html", {"track": found, "topics": found.topics.all()})


@require_safe
def topic(request, campaign, track, number):
    """Show one topic in full, with its neighbours."""
    found = track_or_404(request.user, campaign, track)
    shown = get_object_or_404(found.topics, number=number)
    return render(
        request,
        "campaign/topic_detail.html",
        {
            "track": found,
            "topic": shown,
            "previous": found.topics.filter(position__lt=shown.position).last(),
            "next": found.topics.filter(position__gt=shown.position).first(),
        },
    )
