"""The assessor's page: which tracks, which topics, what has been judged."""

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.shortcuts import render
from django.views.decorators.http import require_safe

from assessments.services.overview import judged_topics
from campaign.models import Track


@login_required
@require_safe
def assessing(request):
    """Show an assessor the tracks they judge for, topic by topic."""
    tracks = Track.objects.assessed_by(request.user).select_related("campaign")
    if not tracks:
        raise PermissionDenied("This page is for assessors. You do not assess for a track on this site.")
    return render(request, "assessments/assessing.html", {"tracks": [judged_topics(track) for track in tracks]})
