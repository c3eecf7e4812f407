"""Setting up campaigns: making, changing, copying and deleting them, and who organises them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_POST, require_safe

from campaign.forms.attempting import attempted
from campaign.forms.setup import CampaignForm, CopyForm, PersonForm, SettingsForm
from campaign.models import Campaign, User
from campaign.services.acting import By
from campaign.services.permissions.managing import may_create_campaign
from campaign.services.refusals import Refused
from campaign.services.setup import campaigns
from campaign.services.setup.checklist import checklist, set_aside, take_up_again
from campaign.services.setup.copying import copy_campaign, first_opening
from campaign.services.setup.tracks import shown_order
from campaign.services.telling.audit import fingerprint, stale_sentence
from campaign.views.buttons import pressed
from campaign.views.desk.frame import desk_page, render_desk


@login_required
def new(request):
    """Let a superuser, or whoever organises a campaign already, make another."""
    if not may_create_campaign(request.user):
        raise PermissionDenied(
            "Campaigns are made by people who organise one already. Ask an organiser or whoever runs this site."
        )
    form = CampaignForm(request.POST if request.method == "POST" else None, initial={"year": timezone.now().year})
    if made := attempted(form, campaigns.create_campaign, by=By(request.user)):
        messages.success(request, format_html("<bdi>{}</bdi> is made. You organise it.", made.name))
        return redirect("desk-setup", made.slug)
    return render(request, "desk/campaign_new.html", {"form": form}, status=422 if form.errors else 200)


@desk_page
@require_safe
def setup(request, campaign):
    """Show what a campaign still needs, and its tracks and tasks."""
    items = checklist(campaign)
    found = list(campaign.tracks.select_related("collection").prefetch_related("tasks", "assessors"))
    for track in found:
        track.seen_order = fingerprint(shown_order(track.tasks))
    return render_desk(
        request,
        "desk/setup.html",
        campaign,
        {
            "items": items,
            "missing": [item for item in items if item.to_open and not item.is_settled],
            "left": [item for item in items if not item.is_settled],
            "tracks": found,
            "seen_order": fingerprint(shown_order(campaign.tracks)),
        },
        tab="desk-setup",
    )


@desk_page
@require_POST
def change_checklist(request, campaign):
    """Set a line of the checklist aside, with a reason, or put it back."""
    line = {"key": request.POST.get("line", ""), "seen": request.POST.get("seen")}
    if request.POST.get("deed") == "take-up":
        pressed(request, take_up_again, campaign, by=By(request.user), **line)
    else:
        reason = request.POST.get("reason", "")
        pressed(request, set_aside, campaign, by=By(request.user), reason=reason, **line)
    return redirect("desk-setup", campaign.slug)


@desk_page
def campaign_settings(request, campaign):
    """Let organisers change a campaign's settings."""
    shown_name, version = campaign.name, campaign.agreement_version
    shown, seen = campaigns.shown_settings(campaign), request.POST.get("seen", "")
    form = SettingsForm(request.POST if request.method == "POST" else None, instance=campaign)
    if request.method == "POST" and (told := stale_sentence("these settings", shown, seen)):
        form.add_error(None, told)
    if changed := attempted(form, campaigns.change_campaign, campaign, by=By(request.user), seen=seen):
        asked = changed.agreement_version != version
        more = f" The agreement is version {changed.agreement_version} now; teams accept it anew." if asked else ""
        messages.success(request, f"The settings are saved.{more}")
        return redirect("desk-settings", campaign.slug)
    campaign.name = shown_name  # the form has written what was entered into it
    return _settings_page(request, campaign, form, PersonForm())


def _settings_page(request, campaign, form, person_form, deletion_problem=""):
    stored = Campaign.objects.get(pk=campaign.pk)  # a bound form has written what was entered into the other
    wrong = form.errors or person_form.errors or deletion_problem
    return render_desk(
        request,
        "desk/settings.html",
        campaign,
        {
            "form": form,
            "person_form": person_form,
            "deletion_problem": deletion_problem,
            "seen": fingerprint(campaigns.shown_settings(stored)),
            "seen_contents": fingerprint(campaigns.contents_of(stored)),
            "organisers": campaign.organisers.order_by("username"),
        },
        tab="desk-setup",
        status=422 if wrong else 200,
    )


@desk_page
@require_POST
def add_organiser(request, campaign):
    """Let somebody else organise the campaign, too."""
    form = PersonForm(request.POST)
    if found := attempted(form, campaigns.add_organiser, campaign, by=By(request.user)):
        messages.success(request, format_html("<bdi>{}</bdi> organises the campaign.", found.display_name))
        return redirect("desk-settings", campaign.slug)
    return _settings_page(request, campaign, SettingsForm(instance=campaign), form)


@desk_page
@require_POST
def remove_organiser(request, campaign, person):
    """End somebody's organising."""
    someone = get_object_or_404(User, pk=person)
    told = format_html("<bdi>{}</bdi> no longer organises {}.", someone.display_name, campaign.name)
    is_done = pressed(request, campaigns.remove_organiser, campaign, by=By(request.user), person=someone, told=told)
    if is_done and someone == request.user and not someone.is_superuser:
        return redirect("home")
    return redirect("desk-settings", campaign.slug)


@desk_page
@require_POST
def delete(request, campaign):
    """Delete a campaign without runs, after its address was typed."""
    try:
        campaigns.delete_campaign(
            campaign, by=By(request.user), typed=request.POST.get("typed", ""), seen=request.POST.get("seen", "")
        )
    except Refused as refusal:
        form = SettingsForm(instance=campaign)
        return _settings_page(request, campaign, form, PersonForm(), refusal.reason)
    messages.success(request, f"{campaign.name} is deleted.")
    return redirect("desk" if may_create_campaign(request.user) else "home")


@desk_page
def copy(request, campaign):
    """Copy a campaign for another year."""
    suggested = {"name": campaign.name.replace(str(campaign.year), str(campaign.year + 1)), "year": campaign.year + 1}
    form = CopyForm(request.POST if request.method == "POST" else None, initial=suggested)
    if made := attempted(form, copy_campaign, campaign, by=By(request.user)):
        sentence = "<bdi>{}</bdi> ({}) is made from <bdi>{}</bdi> ({}). Nobody sees it until you list it."
        messages.success(request, format_html(sentence, made.name, made.year, campaign.name, campaign.year))
        return redirect("desk-setup", made.slug)
    return render_desk(
        request,
        "desk/copy.html",
        campaign,
        {"form": form, "first_opening": first_opening(campaign)},
        tab="desk-setup",
        status=422 if form.errors else 200,
    )
