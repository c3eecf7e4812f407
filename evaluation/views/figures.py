"""The curves of a board: as a page's script fetches them, and as files to take away."""

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import conditional_page, require_safe

from campaign.services.permissions.seeing import board_view
from campaign.shared_pages import share
from campaign.views.finding import task_or_404
from campaign.views.sending import attachment
from evaluation.models import Edition
from evaluation.services.curves import AskedCurves, as_json, curves_as_csv, curves_of
from limelight.figures import curves_svg


@require_safe
@conditional_page
def figure(request, campaign, track, task, number=None):
    """Send the curves that a page draws: those drawn at first, or those that the address names."""
    found = _figure_or_404(request, campaign, track, task, number)
    return JsonResponse(as_json(found), json_dumps_params={"separators": (",", ":")})


@require_safe
@conditional_page
def curves_file(request, campaign, track, task, file_format, number=None):
    """Send the same curves as a drawing or as a table."""
    if file_format not in ("csv", "svg"):
        raise Http404
    found = _figure_or_404(request, campaign, track, task, number)
    if found.notes:
        return HttpResponse("\n".join([*found.notes, ""]), status=404, content_type="text/plain; charset=utf-8")
    written = curves_as_csv(found) if file_format == "csv" else curves_svg(found.chart, found.title, as_file=True)
    return attachment(written, f"{found.file_name}.{file_format}")


def _figure_or_404(request, campaign, track, task, number):
    """Return the figure of the live edition or of the one with a number, as its board would show it."""
    task = task_or_404(request.user, campaign, track, task)
    share(request, task.track)
    view = board_view(request.user, task)
    shown = Edition.objects.shown_to(view).filter(task=task).for_board()
    edition = get_object_or_404(shown.live() if number is None else shown.filter(number=number))
    found = curves_of(edition, view, AskedCurves.by(request.GET))
    if found is None:
        raise Http404
    return found
