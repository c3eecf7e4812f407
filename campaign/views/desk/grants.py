"""Grants on a campaign's desk: more runs, or more time, for a team."""

from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_POST

from campaign.forms.attempting import attempted
from campaign.forms.grants import GrantForm
from campaign.models import Grant
from campaign.services.acting import By
from campaign.services.visibility import grants as granting
from campaign.views.desk.frame import desk_page, render_desk
from limelight.formats.fields import whole_number


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def grants(request, campaign):
    """List what was granted, and grant more."""
    asked = {name: request.GET[name] for name in ("task", "team") if name in request.GET}
    form = GrantForm(request.POST or None, campaign=campaign, initial=asked)
    if made := attempted(form, granting.grant, by=By(request.user), seen=_seen(request)):
        messages.success(request, f"Granted. {made.team.name} has been told.")
        return redirect("desk-grants", campaign.slug)
    found = Grant.objects.filter(task__track__campaign=campaign).select_related("team", "task__track", "granted_by")
    context = {"form": form, "grants": found, "newest": granting.newest_of(campaign)}
    return render_desk(
        request, "desk/grants.html", campaign, context, tab="desk-runs", status=422 if form.is_bound else 200
    )


def _seen(request):
    """Return the newest grant that the page showed."""
    return whole_number(request.POST.get("seen", ""))


@desk_page
@require_POST
def revoke(request, campaign, pk):
    """Take a grant back."""
    found = get_object_or_404(
        Grant.objects.select_related("team", "task__track__campaign"), pk=pk, task__track__campaign=campaign
    )
    if granting.revoke(found, by=By(request.user)):
        messages.success(request, f"Taken back. {found.team.name} has been told.")
    else:
        messages.info(request, "This grant had been taken back already.")
    return redirect("desk-grants", campaign.slug)
