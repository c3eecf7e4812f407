"""A board through other eyes: as a visitor or a team sees it, now or once it is published."""

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_safe

from campaign.models import Task, Team
from campaign.services.permissions.seeing import board_view_of, hiding_assessments
from campaign.views.desk.frame import desk_page, render_desk
from campaign.views.desk.publishing import PLACE
from evaluation.models import Edition
from evaluation.services.boards import build_board
from evaluation.services.curves import curves_of
from limelight.scoring.evaluators import EVALUATORS


@desk_page
@require_safe
def preview(request, campaign, track, task):
    """Show a board as a visitor or a team sees it, now or once it is published."""
    task = get_object_or_404(Task.objects.for_board(), track__campaign=campaign, track__slug=track, slug=task)
    teams = Team.objects.admitted_to(campaign)
    team = next((one for one in teams if one.slug == request.GET.get("as")), None)
    moment = timezone.now()
    if request.GET.get("when") == "published":
        task.published_at, task.closes_at = moment, min(task.closes_at, moment)
    view = board_view_of(team, task, moment)
    edition = Edition.objects.live_for(task)
    shown = {"task": task, "edition": edition, "view": view, "teams": teams, "team": team}
    shown["when"] = request.GET.get("when", "now")
    if edition is not None:
        board = build_board(edition, view)
        shown |= {"board": board, "figure": curves_of(edition, view, among={line.code for line in board.lines})}
    others = task.track.tasks.exclude(pk=task.pk)
    shown |= {
        "evaluator": EVALUATORS.get(task.kind),
        "hiding": hiding_assessments([task, *others], moment),
        "is_listed": campaign.is_public,
    }
    return render_desk(request, "desk/preview.html", campaign, shown, tab=PLACE)
