"""The leaderboard of a task."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from assessments.services.exports import export_formats
from campaign.services.permissions.seeing import board_view
from campaign.services.permissions.submitting import open_tasks
from campaign.shared_pages import share
from campaign.views.finding import task_or_404
from campaign.views.sending import attachment
from evaluation.models import Edition
from evaluation.services.board_asked import asked_of
from evaluation.services.board_memory import kept
from evaluation.services.board_tables import FORMATS, cited, file_name, file_of
from evaluation.services.boards import build_board
from evaluation.services.building import building_of
from evaluation.services.columns import all_measures_of
from evaluation.services.curves import AskedCurves, curves_of
from evaluation.services.engines import engines_of
from evaluation.services.sharing import absolute
from limelight.scoring.evaluators import EVALUATORS

CHOICES = ("show", "type", "query", "field", "team", "mine", "q")
"""What the form that chooses runs sends; everything else in the address it keeps."""


@require_safe
def board(request, campaign, track, task, number=None):
    """Show a task's live edition, or an older one by its number; to organisers also one that is being built."""
    task = task_or_404(request.user, campaign, track, task)
    share(request, task.track)
    view = board_view(request.user, task)
    editions = list(
        Edition.objects.shown_to(view).filter(task=task).select_related("assessment_set").order_by("-number")
    )
    edition = _edition(task, view, number)
    context = {
        "query": request.GET.urlencode(),
        "task": task,
        "edition": edition,
        "now": timezone.now(),
        "open_tasks": open_tasks(request.user, task.track.campaign),
        "evaluator": EVALUATORS.get(task.kind),
        "assessments_visible": view.assessments,
    }
    if edition is not None:
        before = _before(editions, edition) if view.ranks else None
        shown = build_board(edition, view, asked_of(request.GET, edition), before)
        context |= {
            "board": shown,
            "figure": curves_of(edition, view, AskedCurves.by(request.GET), {line.code for line in shown.lines}),
            "editions": editions,
            "edition_before": before,
            "edition_address": task.get_absolute_url() if number is None else edition.get_absolute_url(),
            "all_measures": all_measures_of(edition),
            "kept_parameters": _kept(request.GET, CHOICES),
            "kept_without_columns": _kept(request.GET, ("columns",)),
            "building": building_of(task.track) if edition.state == Edition.State.BUILDING else None,
            "cited": cited(edition, absolute(edition.get_absolute_url()), timezone.now().date()),
            "file_formats": FORMATS,
            "engines": kept(edition, "engines", lambda: engines_of(edition)),
        }
        if context["assessments_visible"]:
            context["assessment_formats"] = export_formats(edition.assessment_set)
    return render(request, "evaluation/board.html", context)


@require_safe
def board_file(request, campaign, track, task, file_format, number=None):
    """Hand out the rows that the page of a board shows for the same query, as a file."""
    task = task_or_404(request.user, campaign, track, task)
    share(request, task.track)
    view = board_view(request.user, task)
    edition = _edition(task, view, number)
    if edition is None or file_format not in FORMATS:
        raise Http404
    shown = build_board(edition, view, asked_of(request.GET, edition))
    if not shown.all_lines:
        raise Http404
    if shown.problems:
        return HttpResponse("\n".join([*shown.problems, ""]), status=404, content_type="text/plain; charset=utf-8")
    content = file_of(shown, file_format, absolute(edition.get_absolute_url()), timezone.now().date())
    return attachment(content, file_name(edition, file_format))


def _edition(task, view, number):
    if number is None:
        return Edition.objects.live_for(task)
    edition = Edition.objects.shown_to(view).for_board().filter(task=task, number=number).first()
    if edition is None:
        raise Http404(f"This board has no edition {number}.")
    return edition


def _before(editions, edition):
    """Return the edition that was the board before this one, of those that a person may open."""
    readable = (Edition.State.LIVE, Edition.State.SUPERSEDED)
    older = (one for one in editions if one.number < edition.number and one.state in readable)
    return next(older, None)


def _kept(parameters, left_out):
    return [(name, value) for name, values in parameters.lists() if name not in left_out for value in values]
