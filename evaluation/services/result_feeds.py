"""News of results as feeds tell them: boards that came out, as any visitor may know them."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from campaign.services.permissions.visitors import public_tasks, scores_opened_at, shows_scores
from evaluation.models import Edition
from evaluation.services.leaders import leaders_on
from limelight.wording import one_line

LONGEST_FEED = 20


@dataclass(frozen=True, slots=True)
class Entry:
    """One piece of news; its key never changes and is nobody else's."""

    key: str
    title: str
    path: str
    at: datetime
    summary: str


def news_of(tasks=None, moment=None):
    """Return the newest pieces of news about some tasks, or about all that everybody may open, the newest first."""
    moment = moment or timezone.now()
    shown = {task.pk: task for task in (public_tasks() if tasks is None else tasks) if shows_scores(task, moment)}
    editions = Edition.objects.readable().filter(task__in=list(shown), live_at__isnull=False)
    news = []
    for edition in editions:
        edition.task = shown[edition.task_id]
        news += _of_edition(edition, moment)
    news.sort(key=lambda piece: (piece[0], piece[1].key), reverse=True)
    newest = news[:LONGEST_FEED]
    live = {edition.pk: edition for _, _, edition in newest if edition.state == Edition.State.LIVE}
    leaders = leaders_on(live.values(), moment)
    return [_with_leaders(entry, leaders.get(edition.pk)) for _, entry, edition in newest]


def _of_edition(edition, moment):
    """Yield when a board could first be seen, and when the results on it were published, each with its moment."""
    task, opened_at = edition.task, scores_opened_at(edition.task)
    name = one_line(f"{task.name}, {task.track.campaign.name}")
    if edition.superseded_at is None or edition.superseded_at > opened_at:
        at = max(edition.live_at, opened_at)
        what = "results are open" if opened_at > edition.live_at else f"new board, edition {edition.number}"
        path = edition.get_absolute_url()
        yield at, Entry(path, f"{name}: {what}", path, at, ""), edition
    is_live = edition.state == Edition.State.LIVE
    if is_live and task.is_published(moment) and task.published_at > max(edition.live_at, opened_at):
        path = task.get_absolute_url()
        entry = Entry(f"{path}#published", f"{name}: results are published", path, task.published_at, "")
        yield task.published_at, entry, edition


def _with_leaders(entry, leaders):
    """Return a piece of news with who leads on its board, where it still is the board."""
    summary = one_line(leaders.summary) if leaders else "The board is at this address."
    return Entry(entry.key, entry.title, entry.path, entry.at, summary)
