"""Assessments to take away, by those who may see the answer key."""

from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from assessments.models import AssessmentSet
from assessments.services.loading import as_text
from campaign.services.permissions import may_see_assessments
from campaign.services.storage import open_stored


@require_safe
def assessment_set(request, campaign, track, version, form):
    """Send a version of a track's assessments as it was imported, or as text in the form of 2008 to 2010."""
    found = get_object_or_404(
        AssessmentSet.objects.select_related("track__campaign"),
        track__campaign__slug=campaign,
        track__slug=track,
        version=version,
    )
    if not may_see_assessments(request.user, found.track):
        raise Http404
    if form == "imported":
        return FileResponse(open_stored(found.stored_file), as_attachment=True, filename=found.file_name)
    if form != "qrels" or not found.columns_file:
        raise Http404
    name = f"{found.track.campaign.slug}-{found.track.slug}-v{found.version}.qrels"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(as_text(found), content_type="text/plain; charset=utf-8", headers=headers)
