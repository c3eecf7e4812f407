"""Registering a team for a campaign, and deciding about those who did."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_POST

from campaign.forms.attempting import attempted
from campaign.forms.participants import DecisionForm, RegisterForm
from campaign.models import Campaign, Registration
from campaign.services.acting import By
from campaign.services.people import registrations
from campaign.services.people.teams import whom_to_ask
from campaign.services.permissions.roles import organises
from campaign.services.permissions.seeing import may_see_campaign, may_see_team
from campaign.services.refusals import Asks, Refused, Stale
from campaign.views.buttons import pressed
from campaign.views.finding import way_back
from campaign.views.questions import answered, ask

SENTENCES = {
    Registration.State.APPROVED: "<bdi>{}</bdi> is registered for {}.",
    Registration.State.PENDING: "<bdi>{}</bdi> has asked to take part in {}. The organisers decide; their answer "
    "will stand here.",
}


@login_required
def register(request, campaign):
    """Show a campaign's agreement and let a leader accept it for a team."""
    campaign = get_object_or_404(Campaign, slug=campaign)
    if not may_see_campaign(request.user, campaign):
        raise Http404
    standings = registrations.standings_of(request.user, campaign)
    offered = [standing for standing in standings if standing.leads and standing.can_register]
    sent = request.method == "POST"
    form = RegisterForm(
        request.POST if sent else None,
        user=request.user,
        offered=[standing.team for standing in offered],
        initial={"version": campaign.agreement_version},
    )
    if entered := attempted(form, registrations.register, campaign, by=By(request.user)):
        messages.success(request, format_html(SENTENCES[entered.state], entered.team.name, campaign.name))
        return redirect("register", campaign.slug)
    return render(
        request,
        "campaign/register.html",
        {
            "campaign": campaign,
            "form": form,
            "standings": standings,
            "offered": offered,
            "only_new_version": offered and all(standing.stands for standing in offered),
            "others": [
                (standing, whom_to_ask(standing.team))
                for standing in standings
                if standing.can_register and not standing.leads
            ],
        },
        status=422 if form.is_bound and form.errors else 200,
    )


@login_required
@require_POST
def withdraw(request, pk):
    """Take a team out of a campaign."""
    registration = get_object_or_404(Registration.objects.select_related("team", "campaign"), pk=pk)
    if not may_see_team(request.user, registration.team):
        raise Http404
    sentence = "<bdi>{}</bdi> is no longer registered for {}. It can register again at any time."
    told = format_html(sentence, registration.team.name, registration.campaign.name)
    pressed(request, registrations.withdraw_registration, registration, by=By(request.user), told=told)
    return redirect(registration.team)


@login_required
@require_POST
def decide(request, pk):
    """Let an organiser approve or refuse a team."""
    registration = get_object_or_404(Registration.objects.select_related("team", "campaign"), pk=pk)
    if not organises(request.user, registration.campaign):
        raise Http404
    form, back = DecisionForm(request.POST), way_back(request) or reverse("desk")
    if not form.is_valid():
        field, sentences = next(iter(form.errors.items()))
        messages.error(request, f"{form[field].label}: {sentences[0]}")
        return redirect(back)
    try:
        decided = registrations.decide(
            registration, by=By(request.user), knowing=answered(request), **form.cleaned_data
        )
    except Asks as question:
        return _ask(request, registration, question, back)
    except Stale as refusal:
        if form.cleaned_data["reason"]:
            return _ask_again(request, registration, refusal, form.cleaned_data["reason"], back)
        messages.error(request, refusal.reason)
    except Refused as refusal:
        messages.error(request, refusal.reason)
    else:
        sentence = "The registration of <bdi>{}</bdi> for {} is {}."
        messages.success(
            request,
            format_html(sentence, registration.team.name, registration.campaign.name, decided.get_state_display()),
        )
    return redirect(back)


def _ask(request, registration, question, back):
    return ask(
        request,
        registration.campaign,
        heading=f"Approve {registration.team.name} all the same?",
        sentences=[question.reason, "Its runs stand on the boards like all others; the trail keeps that you knew."],
        button=f"Approve {registration.team.name}",
        seen=question.about,
        tab="campaign-desk",
        back=back,
        changed="Its members changed after you were asked." if answered(request) else "",
    )


def _ask_again(request, registration, refusal, reason, back):
    """Keep what was written to a team whose registration somebody else has decided meanwhile."""
    registration.refresh_from_db()
    return ask(
        request,
        registration.campaign,
        heading=f"Refuse {registration.team.name} all the same?",
        sentences=[f"You wrote: {reason}"],
        button=f"Refuse {registration.team.name}",
        seen="",
        tab="campaign-desk",
        back=back,
        grave=True,
        changed=refusal.reason,
        replaced={"seen": registration.state},
    )
