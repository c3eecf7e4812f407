"""The home page, a campaign's page, and the page that machines ask."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.utils import timezone
from django.views.decorators.http import require_safe

from campaign.models import Campaign
from campaign.services.permissions.roles import organises
from campaign.services.permissions.seeing import may_see_collection, may_see_topics
from campaign.services.permissions.submitting import open_tasks
from campaign.views.finding import campaign_or_404


@require_safe
def home(request):
    """Say what this is and list the campaigns."""
    campaigns = Campaign.objects.listed_for(request.user).with_tracks()
    return render(request, "campaign/home.html", {"campaigns": campaigns, "now": timezone.now()})


@require_safe
def campaign(request, campaign):
    """Show a campaign with its tracks, tasks and deadlines."""
    campaign = campaign_or_404(request.user, campaign)
    tracks = [
        (
            track,
            may_see_topics(request.user, track),
            track.collection is not None and may_see_collection(request.user, track.collection),
        )
        for track in campaign.tracks.all()
    ]
    return render(
        request,
        "campaign/campaign_detail.html",
        {
            "campaign": campaign,
            "tracks": tracks,
            "now": timezone.now(),
            "organises": organises(request.user, campaign),
            "open_tasks": open_tasks(request.user, campaign),
        },
    )


@require_safe
def favicon(request):
    """Lead browsers that ask for the old kind of icon to ours."""
    return redirect(static("img/limelight.svg"))


@require_safe
def healthz(request):
    """Answer that the web server answers."""
    return HttpResponse("ok\n", content_type="text/plain")
