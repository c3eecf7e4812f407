"""The front page, and below it for whoever is signed in what is theirs."""

from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from campaign.models import Run
from campaign.services.permissions.submitting import open_places
from evaluation.services.excerpts import excerpt
from evaluation.services.front import front_for
from evaluation.services.progress import with_progress
from evaluation.services.standings import standings_of
from evaluation.services.waiting import waiting_for

MOST_PLACES, MOST_RUNS, MOST_NEWS = 10, 5, 5


@require_safe
def home(request):
    """Say what this is with a passage of text, or to somebody who is known what is theirs; then who leads where."""
    now = timezone.now()
    context = {"front": front_for(request.user, now), "now": now}
    if not request.user.is_authenticated:
        return render(request, "evaluation/front.html", context | {"excerpt": excerpt()})
    places, teams = open_places(request.user, now), set(request.user.teams.values_list("pk", flat=True))
    context |= {
        "places": places[:MOST_PLACES],
        "more_places": max(0, len(places) - MOST_PLACES),
        "runs": with_progress(Run.objects.of_teams_of(request.user).for_lists()[:MOST_RUNS], request.user),
        "news": request.user.notifications.unread().order_by("-pk")[:MOST_NEWS],
        "waiting": waiting_for(request.user),
        "teams": teams,
        "standings": standings_of(teams, context["front"].tasks, now),
    }
    return render(request, "evaluation/home.html", context)
