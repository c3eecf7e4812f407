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
from evaluation.services.analysis_results import AGAINST
from evaluation.services.columns import all_measures_of
from evaluation.services.compared_runs import compared_runs
from evaluation.services.comparison_asked import LEVELS, TESTS, asked_comparison, family_asked
from evaluation.services.comparisons import CSV, FORMATS, comparisons_of, file_of
from evaluation.services.requested_analyses import request_analysis
from evaluation.views.finding import edition_or_404
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
        "file_name": _file_name(task, edition),
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
    task, view, edition = _found(request.user, campaign, track, task, number)
    asked = asked_comparison(request.GET, edition)
    test = request.POST.get("test", asked.test)
    kind = {"measure": asked.measure, "test": test, "other_measure": asked.against if test == AGAINST else ""}
    if test in TESTS:  # what tests pairs has a family, what is said of all runs has none
        kind["family"], _ = family_asked(asked, compared_runs(edition, view, asked.measure))
    pressed(request, request_analysis, edition, by=By(request.user), **kind)
    query = request.GET.urlencode()
    return redirect(f"{_address(task, number)}{'?' if query else ''}{query}")


@require_safe
def comparisons_file(request, campaign, track, task, part, file_format, number=None):
    """Send a part of the page as a file: its numbers as CSV, its drawing as SVG."""
    task, view, edition = _found(request.user, campaign, track, task, number)
    if part not in FORMATS.get(file_format, ()):
        raise Http404
    found = file_of(part, file_format, edition, view, asked_comparison(request.GET, edition))
    if found is None:
        raise Http404
    return attachment(
        as_csv(found) if file_format == CSV else found, f"{_file_name(task, edition)}-{part}.{file_format}"
    )


def _file_name(task, edition):
    return f"{task.track.campaign.slug}-{task.slug}-edition-{edition.number}"


def _found(user, campaign, track, task, number):
    """Return a task, what somebody sees of it and the edition, to those who may see all scores."""
    task = task_or_404(user, campaign, track, task)
    view = board_view(user, task)
    if not view.ranks:
        raise Http404
    edition = edition_or_404(task, view, number)
    if edition is None:
        raise Http404
    return task, view, edition


def _address(task, number):
    if number is None:
        return reverse("comparisons", args=task.address)
    return reverse("edition-comparisons", args=[*task.address, number])
