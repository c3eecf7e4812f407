"""A person's own account, and the organiser's help where mail fails."""

from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from campaign.account_forms import DeleteForm, ProfileForm
from campaign.models import Campaign, Team
from campaign.services.people.accounts import confirm_address, erase_account, unconfirmed_addresses
from campaign.services.refusals import Refused


@login_required
def profile(request):
    """Show a person their account, and let them change their name."""
    form = ProfileForm(request.POST or None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Your name is saved.")
        return redirect("account")
    return render(
        request,
        "account/profile.html",
        {
            "form": form,
            "address": EmailAddress.objects.filter(user=request.user, primary=True).first(),
            "orcid": SocialAccount.objects.filter(user=request.user).first(),
            "orcid_offered": bool(settings.ORCID_CLIENT_ID),
            "teams": Team.objects.of(request.user),
        },
    )


@login_required
@reauthentication_required
def delete(request):
    """Erase the person who asks for it, after the password and the user name."""
    form = DeleteForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid():
        person = request.user
        try:
            erase_account(person)
        except Refused as refusal:
            form.add_error(None, refusal.reason)
        else:
            logout(request)
            messages.success(request, "Your account is deleted. The runs of your teams stay with the teams.")
            return redirect("home")
    return render(
        request,
        "account/delete.html",
        {"form": form, "teams": Team.objects.of(request.user)},
        status=422 if form.errors else 200,
    )


def _organisers_only(user):
    if not Campaign.objects.organised_by(user).exists() and not user.is_superuser:
        raise PermissionDenied("Accounts are confirmed by organisers. You do not organise a campaign on this site.")


@login_required
@require_safe
def unconfirmed(request):
    """Show an organiser the accounts whose e-mail address has not been confirmed."""
    _organisers_only(request.user)
    return render(request, "account/unconfirmed.html", {"addresses": unconfirmed_addresses()[:200]})


@login_required
@require_POST
def confirm(request, pk):
    """Confirm an account on an organiser's word."""
    _organisers_only(request.user)
    address = get_object_or_404(unconfirmed_addresses(), pk=pk)
    try:
        confirm_address(address, actor=request.user)
    except Refused as refusal:
        messages.error(request, refusal.reason)
    else:
        messages.success(request, f"{address.user.username} ({address.email}) is confirmed and can sign in now.")
    return redirect("unconfirmed-accounts")
