"""Assessments to take away, by those who may see the answer key."""

from django.http import FileResponse, Http404
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from assessments.models import AssessmentSet
from assessments.services.exports import export_formats, exported_assessments
from campaign.machinery.places import EXPORTS
from campaign.machinery.storage import open_stored
from campaign.presence import presence_of
from campaign.services.permissions.seeing import may_see_assessments
from campaign.views.sending import attachment
from limelight.formats.problems import FormatError

SHOWN = 20
"""Problems of documents that have changed since they were assessed, of which the first say enough."""


@require_safe
def assessment_set(request, campaign, track, version, file_format):
    """Send a version of a track's assessments as it was imported, or written anew in another format."""
    found = get_object_or_404(
        AssessmentSet.objects.select_related("track__campaign", "track__collection"),
        track__campaign__slug=campaign,
        track__slug=track,
        version=version,
    )
    if not may_see_assessments(request.user, found.track):
        raise Http404
    if file_format == "imported":
        return FileResponse(open_stored(found.stored_file), as_attachment=True, filename=found.file_name)
    if file_format not in export_formats(found):
        raise Http404
    try:
        with EXPORTS.one(presence_of(request)):
            export = exported_assessments(found, file_format)
    except FormatError as error:
        context = {"assessment_set": found, "problems": error.problems[:SHOWN], "count": len(error.problems)}
        return render(request, "assessments/export_refused.html", context, status=409)
    return attachment(export.content, export.file_name)
