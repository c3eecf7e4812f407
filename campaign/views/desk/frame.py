"""What all pages of a campaign's desk share: only its organisers get in, and the tabs stand above."""

from functools import wraps

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import get_object_or_404, render

from campaign.models import Campaign
from campaign.services.permissions.roles import organises

TABS = (
    ("campaign-desk", "Overview"),
    ("desk-setup", "Set-up"),
    ("desk-material", "Topics and collection"),
    ("desk-assessments", "Assessments"),
    ("desk-boards", "Boards"),
    ("desk-runs", "Runs"),
    ("desk-pools", "Pools"),
    ("desk-publication", "Publication"),
    ("desk-trail", "Trail"),
)
"""The tabs of a campaign's desk: names of addresses that take the campaign's slug, and their labels."""


def desk_page(view):
    """Give a view the campaign that its address names, if the person organises it; to others it isn't there."""

    @login_required
    @wraps(view)
    def for_organisers(request, campaign, **address):
        campaign = get_object_or_404(Campaign, slug=campaign)
        if not organises(request.user, campaign):
            raise Http404
        return view(request, campaign, **address)

    return for_organisers


def render_desk(request, template, campaign, context=None, *, tab="", status=200):
    """Show a page of a campaign's desk."""
    shown = {"campaign": campaign, "desk_tabs": TABS, "tab": tab} | (context or {})
    return render(request, template, shown, status=status)
