"""The organiser's desk: campaigns, what waits and what failed."""

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from campaign.models import Campaign
from campaign.services.people.registrations import registrations_of
from campaign.services.permissions.roles import organises_any
from campaign.views.desk.frame import desk_page, render_desk
from evaluation.services.dashboard import dashboard
from evaluation.services.desk_table import desk_tables


@login_required
@require_safe
def desk(request):
    """Show an organiser the campaigns they run."""
    campaigns = list(Campaign.objects.organised_by(request.user).with_tracks())
    if not campaigns and not organises_any(request.user):
        raise PermissionDenied("The desk is for organisers. You do not organise a campaign on this site.")
    tables, registrations = desk_tables(campaigns), registrations_of(campaigns)
    return render(
        request,
        "desk/campaign_list.html",
        {
            "desks": [(campaign, tables[campaign.pk], registrations[campaign.pk]) for campaign in campaigns],
            "now": timezone.now(),
        },
    )


@desk_page
@require_safe
def overview(request, campaign):
    """Show how a campaign stands."""
    return render_desk(
        request,
        "desk/overview.html",
        campaign,
        {
            "dashboard": dashboard(campaign),
            "desk": desk_tables([campaign])[campaign.pk],
            "registrations": registrations_of([campaign])[campaign.pk],
            "now": timezone.now(),
        },
    )
