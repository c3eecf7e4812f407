"""A document as a run returns it for a topic, with what was highlighted in it: a page, and its segments as a table."""

import re

from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from campaign.models import Run
from campaign.services.permissions.seeing import board_view, may_see_collection, may_see_topics
from campaign.views.finding import task_or_404
from campaign.views.sending import attachment
from evaluation.services.overlays import as_rows, layable_runs, overlay_page
from evaluation.services.ranked_lists import LINES_A_PAGE, ranked_list
from evaluation.services.run_addresses import overlay_address
from evaluation.views.finding import edition_or_404
from limelight.spreadsheets import as_csv

NO_SECOND = "There is no such run to lay beside this one."


@require_safe
def overlay(request, campaign, track, task, code, number, identifier, edition=None):
    """Show a document with what a run returns of it, and what was highlighted where that may be seen."""
    task = task_or_404(request.user, campaign, track, task)
    view = board_view(request.user, task)
    page = _page_or_404(request, task, view, edition, code, number, identifier)
    topic = get_object_or_404(task.track.topics.values("number", "title"), number=number)
    second = page.shown[1].ranked if len(page.shown) > 1 else None
    rank = page.overlay.layers[0].results and _line_of(page)

    def beside(document):
        address = overlay_address(task, code, number, document, page.ranked.edition) if document else ""
        return f"{address}?with={second.run.code}" if address and second else address

    context = {
        "task": task,
        "page": page,
        "ranked": page.ranked,
        "second": second,
        "notice": NO_SECOND if request.GET.get("with") and second is None else "",
        "topic": topic,
        "sees_topics": may_see_topics(request.user, task.track),
        "here": request.build_absolute_uri(request.path),
        "list_page": (rank - 1) // LINES_A_PAGE + 1 if rank else 1,
        "previous_address": beside(page.previous),
        "next_address": beside(page.next),
        "others": layable_runs(page.ranked.run, view, page.ranked.edition),
    }
    return render(request, "evaluation/overlay.html", context)


@require_safe
def overlay_file(request, campaign, track, task, code, number, identifier, edition=None):
    """Send the segments of a document as CSV: where each begins and ends, and what holds it."""
    task = task_or_404(request.user, campaign, track, task)
    page = _page_or_404(request, task, board_view(request.user, task), edition, code, number, identifier)
    of_edition = f"-edition-{page.ranked.edition.number}" if page.ranked.is_of_older_edition else ""
    name = re.sub(r"[^\w.-]+", "-", f"{page.ranked.name}-topic-{number}-{identifier}{of_edition}", flags=re.ASCII)
    return attachment(as_csv(as_rows(page)), f"{name}.csv")


def _page_or_404(request, task, view, edition, code, number, identifier):
    """Lay a run, and beside it the one that is asked for, over a document; what may not be looked into isn't there.

    An edition that an address names must have scored the run.
    """
    is_named, edition = edition is not None, edition_or_404(task, view, edition)
    ranked = _ranked(task, view, edition, code, number)
    if ranked is None or (is_named and not ranked.is_scored) or "\x00" in identifier:
        raise Http404
    asked = request.GET.get("with", "")
    is_code = re.fullmatch(r"\w{1,64}", asked, flags=re.ASCII) and asked != code
    second = _ranked(task, view, edition, asked, number) if is_code else None
    collection = edition.collection if edition else task.track.collection
    reads_text = collection is not None and may_see_collection(request.user, collection)
    page = overlay_page(ranked, identifier, second=second, collection=collection, reads_text=reads_text)
    if page is None:
        raise Http404
    return page


def _ranked(task, view, edition, code, number):
    """Return what a run returns for a topic; None for one that left, may not be looked into, or never was."""
    run = Run.objects.valid().select_related("team").filter(task=task, code=code).first()
    if run is None:
        return None
    run.task = task
    return ranked_list(run, number, view, edition)


def _line_of(page):
    """Return the rank of the first line that has the document."""
    return next(line.rank for line in page.ranked.lines if line.document == page.document)
