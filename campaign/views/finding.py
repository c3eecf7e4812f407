"""Finding what an address names, if the person may see it."""

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.http import url_has_allowed_host_and_scheme

from campaign.models import Campaign, Run, Task, Team, Track
from campaign.services.permissions.changing import may_change_run
from campaign.services.permissions.seeing import may_see_campaign, may_see_run, may_see_team, may_see_topics


class Gated(PermissionDenied):
    """A campaign can be seen, but what was asked for is for its registered teams; the page says how to become one."""

    page = "campaign/gate.html"

    def __init__(self, what, campaigns):
        self.what, self.campaigns = what, campaigns
        super().__init__(f"{what} are for registered teams.")


def campaign_or_404(user, slug):
    """Return the campaign that a slug names, with its tracks; one that may not be seen isn't there."""
    campaign = get_object_or_404(Campaign.objects.with_tracks(), slug=slug)
    if not may_see_campaign(user, campaign):
        raise Http404
    return campaign


def task_or_404(user, campaign, track, task):
    """Return the task that three slugs name; one that may not be seen isn't there."""
    task = get_object_or_404(Task.objects.for_board(), track__campaign__slug=campaign, track__slug=track, slug=task)
    if not may_see_campaign(user, task.track.campaign):
        raise Http404
    return task


def seen_track_or_404(user, campaign, track):
    """Return the track that two slugs name; one that may not be seen isn't there."""
    found = get_object_or_404(
        Track.objects.select_related("campaign", "collection"), campaign__slug=campaign, slug=track
    )
    if not may_see_campaign(user, found.campaign):
        raise Http404
    return found


def track_or_404(user, campaign, track):
    """Return the track that two slugs name, if its topics may be read."""
    found = seen_track_or_404(user, campaign, track)
    if not may_see_topics(user, found):
        raise Gated("Topics", [found.campaign])
    return found


def team_or_404(user, slug):
    """Return a team for those who are in it; others are told that it isn't there."""
    team = get_object_or_404(Team, slug=slug)
    if not may_see_team(user, team):
        raise Http404
    return team


def way_back(request):
    """Return the page on this site that sent somebody here, or nothing."""
    address = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())
    return address if is_ours else ""


def changeable_run_or_404(user, pk):
    """Return a run if this person may change it; others are told that it isn't there."""
    run = run_or_404(user, pk)
    if not may_change_run(user, run):
        raise Http404
    return run


def run_or_404(user, pk):
    """Return a run if this person may see its page; others are told that it isn't there."""
    run = get_object_or_404(Run.objects.for_lists(), pk=pk)
    if not may_see_run(user, run):
        raise Http404
    return run
