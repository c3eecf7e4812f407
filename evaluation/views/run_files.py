"""The files of a run for everyone who may have them: as it was submitted, and as it was scored."""

from django.http import FileResponse, Http404
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from campaign.machinery.places import EXPORTS
from campaign.machinery.storage import open_stored
from campaign.models import Run
from campaign.presence import presence_of
from campaign.services.permissions.seeing import board_view
from campaign.views.finding import task_or_404
from campaign.views.sending import attachment
from evaluation.services.commands import scored_name
from evaluation.services.scored_runs import scored_run
from evaluation.views.finding import edition_or_404


@require_safe
def submitted_file(request, campaign, track, task, code):
    """Send a run as it was submitted."""
    _, run = _found(request.user, task_or_404(request.user, campaign, track, task), code)
    return FileResponse(open_stored(run.stored_file), as_attachment=True, filename=run.file_name)


@require_safe
def scored_file(request, campaign, track, task, code, number=None):
    """Send a run as it was scored on the live board, or in an edition by its number."""
    task = task_or_404(request.user, campaign, track, task)
    view, run = _found(request.user, task, code)
    edition = edition_or_404(task, view, number)
    if edition is None or not edition.evaluations.on_board().filter(run=run).exists():
        raise Http404
    with EXPORTS.one(presence_of(request)):
        content = scored_run(run, edition)
    return attachment(content, scored_name(run))


def _found(user, task, code):
    """Return what somebody sees of a task, and a run whose file they may have."""
    view = board_view(user, task)
    run = get_object_or_404(Run.objects.valid().select_related("team"), task=task, code=code)
    if not view.shows_file_of(run):
        raise Http404
    return view, run
