"""The leaderboard of a task."""

from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from assessments.services.exports import export_formats
from campaign.services.permissions.seeing import board_view
from campaign.services.permissions.submitting import open_tasks
from campaign.views.finding import task_or_404
from evaluation.models import Edition
from evaluation.services.boards import board_figure, build_board
from evaluation.services.building import building_of
from evaluation.services.engines import engines_of
from evaluation.services.moved import edition_before
from limelight.scoring.evaluators import EVALUATORS


@require_safe
def board(request, campaign, track, task, number=None):
    """Show a task's live edition, or an older one by its number; to organisers also one that is being built."""
    task = task_or_404(request.user, campaign, track, task)
    view = board_view(request.user, task)
    if number is None:
        edition = Edition.objects.live_for(task)
    else:
        edition = get_object_or_404(Edition.objects.shown_to(view).for_board(), task=task, number=number)
    context = {
        "task": task,
        "edition": edition,
        "now": timezone.now(),
        "open_tasks": open_tasks(request.user, task.track.campaign),
        "evaluator": EVALUATORS.get(task.kind),
        "assessments_visible": view.assessments,
    }
    if edition is not None:
        shown = build_board(edition, view, request.GET.get("sort", ""))
        context["edition_before"] = edition_before(edition) if view.ranks else None
        context["building"] = building_of(task.track) if edition.state == Edition.State.BUILDING else None
        context |= {"board": shown, "figure": board_figure(shown) if shown.lines else None}
        context["engines"] = engines_of(edition)
        if context["assessments_visible"]:
            context["assessment_formats"] = export_formats(edition.assessment_set)
    elif number is not None:
        raise Http404
    return render(request, "evaluation/board.html", context)
