"""Topics, as participants and visitors read them."""

from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from campaign.views.finding import track_or_404


@require_safe
def topic_list(request, campaign, track):
    """List a track's topics."""
    track = track_or_404(request.user, campaign, track)
    return render(request, "campaign/topic_list.html", {"track": track, "topics": track.topics.all()})


@require_safe
def topic(request, campaign, track, number):
    """Show one topic in full, with its neighbours."""
    track = track_or_404(request.user, campaign, track)
    shown = get_object_or_404(track.topics, number=number)
    return render(
        request,
        "campaign/topic_detail.html",
        {
            "track": track,
            "topic": shown,
            "previous": track.topics.filter(position__lt=shown.position).last(),
            "next": track.topics.filter(position__gt=shown.position).first(),
        },
    )
