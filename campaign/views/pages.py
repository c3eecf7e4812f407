"""The home page, and the page that machines ask."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.utils import timezone
from django.views.decorators.http import require_safe

from campaign.models import Campaign


@require_safe
def home(request):
    """Say what this is and list the campaigns."""
    campaigns = Campaign.objects.listed_for(request.user).with_tracks()
    return render(request, "campaign/home.html", {"campaigns": campaigns, "now": timezone.now()})


@require_safe
def favicon(request):
    """Lead browsers that ask for the old kind of icon to ours."""
    return redirect(static("img/limelight.svg"))


@require_safe
def healthz(request):
    """Answer that the web server answers."""
    return HttpResponse("ok\n", content_type="text/plain")
