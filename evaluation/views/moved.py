"""What moved from one edition of a board to the next."""

from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from campaign.services.permissions.seeing import board_view, may_see_topics
from campaign.views.finding import task_or_404
from evaluation.models import Edition
from evaluation.services.moved import edition_before, what_moved
from limelight.formats.fields import whole_number


@require_safe
def moved(request, campaign, track, task, number):
    """Show each run's rank before and after, and the topics behind it, to those who may see all scores."""
    task = task_or_404(request.user, campaign, track, task)
    view = board_view(request.user, task)
    if not view.ranks:
        raise Http404
    readable = Edition.objects.shown_to(view).filter(task=task).for_board()
    edition = get_object_or_404(readable, number=number)
    old = _old(request, readable, edition)
    context = {"task": task, "edition": edition, "old": old}
    if old is not None:
        context |= {
            "moved": what_moved(
                old, edition, view, request.GET.get("measure", ""), explains_all=request.GET.get("runs") == "all"
            ),
            "links_topics": may_see_topics(request.user, task.track),
            "others": readable.exclude(pk__in=[old.pk, edition.pk]),
        }
    return render(request, "evaluation/moved.html", context)


def _old(request, readable, edition):
    """Return the edition to compare with: the one asked for, or the one before."""
    if "from" not in request.GET:
        before = edition_before(edition)
        return before and readable.get(pk=before.pk)
    wanted = whole_number(request.GET["from"])
    if wanted == edition.number:
        raise Http404
    return get_object_or_404(readable, number=wanted)
