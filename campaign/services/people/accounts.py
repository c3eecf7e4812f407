"""Confirming accounts when mail fails, and erasing people who want to go."""

from allauth.account.models import EmailAddress
from django.db import transaction

from campaign.models import Campaign, Team
from campaign.services.acting import By
from campaign.services.people.teams import step_out
from campaign.services.refusals import Refused
from campaign.services.telling import trail


def unconfirmed_addresses():
    """Return the e-mail addresses that wait to be confirmed, newest account first."""
    return EmailAddress.objects.filter(verified=False, user__is_active=True).select_related("user").order_by("-user_id")


def confirm_address(address, *, by):
    """Take an e-mail address as confirmed, on an organiser's word; where another account has confirmed it, say so."""
    with transaction.atomic():
        if EmailAddress.objects.filter(email__iexact=address.email, verified=True).exclude(pk=address.pk).exists():
            raise Refused(f"{address.email} has already been confirmed by another account.")
        EmailAddress.objects.filter(user=address.user, primary=True).exclude(pk=address.pk).update(primary=False)
        address.verified = address.primary = True
        address.save()
        address.user.email = address.email
        address.user.save(update_fields=["email"])
        # Named by its number, so that deleting the account erases the person here, too.
        trail.record(None, trail.CONFIRMED, f"account {address.user_id}", by=by)


def erase_account(user):
    """Delete a person who wants to go."""
    with transaction.atomic():
        trail.record(None, trail.DELETED, "an account, by the person it was of", by=By(None))
        erase(user)


def erase(user):
    """Delete a person and all that is theirs alone; teams and their runs stay.

    What becomes of their teams is said at `step_out`.
    """
    with transaction.atomic():
        for campaign in Campaign.objects.filter(organisers=user):
            if campaign.organisers.count() == 1:
                raise Refused(
                    f"This account is the only organiser of {campaign.name}. Name another one before it is deleted."
                )
        for team in Team.objects.filter(memberships__user=user):
            step_out(user, team)
        user.delete()
