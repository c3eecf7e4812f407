"""A person's own account: what it says, and its end."""

from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render

from campaign.forms.accounts import DeleteForm, ProfileForm
from campaign.models import Team
from campaign.services.people.accounts import erase_account
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
