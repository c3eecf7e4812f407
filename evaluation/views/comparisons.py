"""What all runs of a board say together: which of them differ, and how far that can be trusted."""

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from campaign.services.acting import By
from campaign.services.permissions.seeing import board_view
from campaign.views.buttons import pressed
from campaign.views.finding import task_or_404
from campaign.views.sending import attachment
from evaluation.models import Edition
from evaluation.services.analysis_results import AGAINST
from evaluation.services.columns import all_measures_of
from evaluation.services.comparison_asked import LEVELS, TESTS, asked_comparison
from evaluation.services.comparisons import FILES, comparisons_of, file_of
from evaluation.services.requested_analyses import request_analysis
from limelight.analysis.statistics.corrections import CORRECTIONS
from limelight.spreadsheets import as_csv


@require_http_methods(["GET", "HEAD", "POST"])
def comparisons(request, campaign, track, task, number=None):
    """Show the comparisons of a live edition, or of another one by its number; or queue one that was asked for."""
    if request.method == "POST":
        return _ask(request, campaign, track, task, number)
    task, view, edition = _found(request.user, campaign, track, task, number)
    asked = asked_comparison(request.GET, edition)
    context = {
        "task": task,
        "edition": edition,
        "asked": asked,
        "shown": comparisons_of(edition, view, asked),
        "all_measures": all_measures_of(edition),
        "tests": TESTS,
        "levels": LEVELS,
        "corrections": CORRECTIONS,
        "here": _address(task, number),
    }
    return render(request, "evaluation/comparisons.html", context)


@login_required
def _ask(request, campaign, track, task, number):
    """Queue an analysis, and go back to the page that it will stand on."""
    task, _, edition = _found(request.user, campaign, track, task, number)
    asked = asked_comparison(request.GET, edition)
    test = request.POST.get("test", asked.test)
    kind = {"measure": asked.measure, "test": test, "other_measure": asked.against if test == AGAINST else ""}
    pressed(request, request_analysis, edition, by=By(request.user), **kind)
    query = request.GET.urlencode()
    return redirect(f"{_address(task, number)}{'?' if query else ''}{query}")


@require_safe
def comparisons_file(request, campaign, track, task, part, number=None):
    """Send the numbers behind a part of the page as CSV."""
    task, view, edition = _found(request.user, campaign, track, task, number)
    if part not in FILES:
        raise Http404
    rows = file_of(part, edition, view, asked_comparison(request.GET, edition))
    if rows is None:
        raise Http404
    return attachment(as_csv(rows), f"{task.track.campaign.slug}-{task.slug}-edition-{edition.number}-{part}.csv")


def _found(user, campaign, track, task, number):
    """Return a task, what somebody sees of it and the edition, to those who may see all scores."""
    task = task_or_404(user, campaign, track, task)
    view = board_view(user, task)
    if not view.ranks:
        raise Http404
    if number is None:
        edition = Edition.objects.live_for(task)
    else:
        edition = Edition.objects.shown_to(view).for_board().filter(task=task, number=number).first()
    if edition is None:
        raise Http404("This board has no such edition.")
    return task, view, edition


def _address(task, number):
    if number is None:
        return reverse("comparisons", args=task.address)
    return reverse("edition-comparisons", args=[*task.address, number])
