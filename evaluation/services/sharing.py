"""What other sites and their machines are told of the results: only what any visitor may know."""

from django.conf import settings
from django.db.models import Count
from django.utils import timezone

from evaluation.cards import Card
from evaluation.services.leaders import leaders_of
from limelight.moments import ANYWHERE_ON_EARTH, day_and_time
from limelight.wording import counted


def absolute(path):
    """Return an address of this site in full, as other machines need it."""
    return f"{settings.SITE_URL}{path}"


def card_of(task):
    """Return what the card of a task's board says."""
    leaders = leaders_of([task]).get(task.pk)
    return Card(
        above=f"{task.track.campaign.name} › {task.track.name}",
        heading=task.name,
        places=tuple(_placed(leaders)) if leaders else (),
        sentence=leaders.headline if leaders else _how_it_stands(task),
        below=_size_of(leaders.edition) if leaders else task.get_kind_display(),
    )


def _placed(leaders):
    """Yield the first places: with the ranks that each may truly have, where that is known, and else without any."""
    for place in leaders.places:
        first, last = leaders.ranges.get(place.code, (None, None))
        ranks = "" if first is None else f"{first}" if first == last else f"{first}–{last}"
        yield ranks, place.run, place.team, f"{place.score:.4f}", first == 1


def _how_it_stands(task):
    """Say when runs are taken, or that results are still to come."""
    now = timezone.now()
    if now < task.opens_at:
        return f"Opens {day_and_time(task.opens_at, ANYWHERE_ON_EARTH)}"
    if task.is_open(now):
        return f"Open until {day_and_time(task.closes_at, ANYWHERE_ON_EARTH)}"
    return "Closed; no results to show yet."


def _size_of(edition):
    """Say how large a board is and what ranks it."""
    on_board = edition.evaluations.on_board().aggregate(runs=Count("pk"), teams=Count("run__team", distinct=True))
    counts = [
        counted(on_board["runs"], "run"),
        counted(on_board["teams"], "team"),
        counted(len(edition.topic_numbers), "topic"),
    ]
    return " · ".join([*counts, f"ranked by {edition.official_measure}", f"edition {edition.number}"])
