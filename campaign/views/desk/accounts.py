"""The organiser's help where mail fails: accounts whose address nobody confirmed."""

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from campaign.services.acting import By
from campaign.services.people.accounts import confirm_address, unconfirmed_addresses
from campaign.services.permissions.managing import may_confirm_accounts
from campaign.views.buttons import pressed


def _organisers_only(user):
    if not may_confirm_accounts(user):
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
    told = f"{address.user.username} ({address.email}) is confirmed and can sign in now."
    pressed(request, confirm_address, address, by=By(request.user), told=told)
    return redirect("unconfirmed-accounts")
