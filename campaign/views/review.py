"""Reviewers: what somebody with a link follows, and the way back to looking as everybody does."""

from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from campaign.models import ReviewerLink
from campaign.reviewing import forget, remember
from campaign.services.visibility import publication as service


def review(request, token):
    """Let somebody with a link look at a campaign before it is published, after a second click."""
    link = service.find_reviewer_link(token)
    if link is None:
        raise Http404
    if link not in ReviewerLink.objects.open():
        return render(request, "campaign/review.html", {"link": link, "is_open": False}, status=410)
    if request.method == "POST":
        remember(request, link)
        service.note_use(link)
        return redirect(link.campaign)
    return render(request, "campaign/review.html", {"link": link, "is_open": True})


@require_POST
def stop_reviewing(request):
    """Look at the site as everybody does again."""
    forget(request)
    return redirect(reverse("home"))
