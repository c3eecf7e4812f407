"""What a run returns for a topic: the ranked list with its account, as a page and as a table to download."""

from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from campaign.models import Run
from campaign.services.permissions.seeing import board_view, may_see_collection, may_see_topics
from campaign.views.finding import task_or_404
from campaign.views.sending import attachment
from evaluation.services import ranked_lists
from evaluation.views.finding import edition_or_404
from limelight.spreadsheets import as_csv


@require_safe
def ranked_list(request, campaign, track, task, code, number, edition=None):
    """Show a page of a run's results for a topic, with what each adds to its score where that may be seen."""
    task = task_or_404(request.user, campaign, track, task)
    ranked = _ranked_or_404(request.user, task, code, number, edition)
    sees_topics = may_see_topics(request.user, task.track)
    topics = list(task.track.topics.values("number", "title"))
    place = next((place for place, topic in enumerate(topics) if topic["number"] == number), None)
    if place is None:
        raise Http404
    page = Paginator(ranked.lines, ranked_lists.LINES_A_PAGE).get_page(request.GET.get("page"))
    collection = ranked.edition.collection if ranked.edition else task.track.collection
    reads_text = collection is not None and may_see_collection(request.user, collection)
    context = {
        "task": task,
        "here": request.build_absolute_uri(request.path),
        "ranked": ranked,
        "account": ranked.account,
        "traits": ranked.traits,
        "topic": topics[place],
        "sees_topics": sees_topics,
        "previous": topics[place - 1] if place else None,
        "next": topics[place + 1] if place + 1 < len(topics) else None,
        "page": page,
        "lines": ranked_lists.shown_lines(ranked, page.object_list, collection, reads_text=reads_text),
        "sums": ranked_lists.sums_around(ranked, page.start_index(), page.end_index()),
    }
    return render(request, "evaluation/ranked_list.html", context)


@require_safe
def account_file(request, campaign, track, task, code, number, edition=None):
    """Send all lines of a ranked list as CSV, with all digits."""
    task = task_or_404(request.user, campaign, track, task)
    ranked = _ranked_or_404(request.user, task, code, number, edition)
    of_edition = f"-edition-{ranked.edition.number}" if ranked.is_of_older_edition else ""
    name = f"{ranked.name}-topic-{number.replace('/', '-')}{of_edition}.csv"
    return attachment(as_csv(ranked_lists.as_rows(ranked)), name)


def _ranked_or_404(user, task, code, number, edition):
    """Return what a run returned for a topic; a run that left, or may not be looked into, isn't there.

    An edition that an address names must have scored the run.
    """
    view = board_view(user, task)
    run = get_object_or_404(Run.objects.valid().select_related("team"), task=task, code=code)
    run.task = task
    ranked = ranked_lists.ranked_list(run, number, view, edition_or_404(task, view, edition))
    if ranked is None or (edition is not None and not ranked.is_scored):
        raise Http404
    return ranked
