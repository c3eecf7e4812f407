"""The page of a team: for everybody as far as its runs can be seen by name, and with tools for its members."""

from django.contrib.auth.views import redirect_to_login
from django.http import Http404
from django.shortcuts import render

from campaign.models import Team
from campaign.services.permissions.seeing import may_see_team
from campaign.views.teams import members_page
from evaluation.services.team_results import results_of

READING = ("GET", "HEAD")


def team(request, team):
    """Show a team; of one that nothing may be known of nobody is told whether it is there."""
    found = Team.objects.filter(slug=team).first()
    if found is not None and may_see_team(request.user, found):
        boards = results_of(found, request.user)
        return members_page(request, found, "evaluation/team_for_members.html", boards=boards)
    boards = results_of(found, request.user) if found is not None and request.method in READING else []
    if boards:
        return render(request, "evaluation/team_detail.html", {"team": found, "boards": boards})
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    raise Http404
