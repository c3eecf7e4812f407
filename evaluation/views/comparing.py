"""Two to six runs of a board, compared; and asking for what a worker has to compute about two of them."""

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaign.services.acting import By
from campaign.services.permissions.seeing import board_view, may_see_topics
from campaign.shared_pages import share
from campaign.views.buttons import pressed
from campaign.views.finding import task_or_404
from evaluation.models import Edition, Evaluation
from evaluation.services.comparing.asked import asked_runs
from evaluation.services.comparing.page import compare_page
from evaluation.services.curves import AskedCurves, curves_of
from evaluation.services.differences import request_difference
from evaluation.services.run_addresses import compare_address
from evaluation.views.finding import edition_or_404
from limelight.analysis.statistics.paired_tests import PAIRED_TESTS


@require_http_methods(["GET", "HEAD", "POST"])
def compare(request, campaign, track, task, number=None):
    """Compare runs of the live board, or of an older one by its number; or queue what was asked for of two."""
    if request.method == "POST":
        return _ask(request, campaign, track, task, number)
    task = task_or_404(request.user, campaign, track, task)
    share(request, task.track)
    view, edition, page, sees_topics = _found(request, task, number)
    context = {
        "task": task,
        "edition": edition,
        "page": page,
        "asked": page.asked,
        "here": compare_address(task, edition),
        "is_live": edition.state == Edition.State.LIVE,
        "edition_address": task.get_absolute_url() if number is None else edition.get_absolute_url(),
        "links_topics": sees_topics,
        "tests": PAIRED_TESTS,
    }
    if page.chosen is not None:
        asked = AskedCurves.by(request.GET, otherwise=page.chosen.codes)
        context["figure"] = curves_of(edition, view, asked)
        context["listed"] = {run.code for run in page.chosen.runs if view.shows_results_of(run.run)}
    return render(request, "evaluation/compare.html", context)


@login_required
def _ask(request, campaign, track, task, number):
    """Queue the difference of the pair that is looked at, and go back to the page that it will stand on."""
    task = task_or_404(request.user, campaign, track, task)
    _, edition, page, _ = _found(request, task, number)
    if page.closer is None:
        raise Http404
    one, other = (Evaluation(pk=run.key) for run in (page.pair.one, page.pair.other))
    pressed(request, request_difference, edition, by=By(request.user), one=one, other=other)
    return redirect(f"{compare_address(task, edition)}{page.asked.address()}")


def _found(request, task, number):
    """Return what somebody sees of a task, the edition and the page of it; there is none where they see no run."""
    view = board_view(request.user, task)
    edition = edition_or_404(task, view, number)
    if edition is None:
        raise Http404
    sees_topics = may_see_topics(request.user, task.track)
    titles = dict(task.track.topics.values_list("number", "title")) if sees_topics else {}
    page = compare_page(edition, view, asked_runs(request.GET), titles)
    if page is None:
        raise Http404
    return view, edition, page, sees_topics
