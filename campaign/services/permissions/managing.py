"""Who may sign in, make campaigns, lead teams and fill collections."""

from django.conf import settings

from campaign.models import Campaign
from campaign.services.permissions.roles import is_leader, organises_any


def may_sign_in(user):
    """Return whether an account works here: demo accounts do only where nobody else can reach the server."""
    return user.is_active and (settings.DEMO_ACCOUNTS or not user.is_demo)


def may_create_campaign(user):
    """Return whether a person may make campaigns: superusers, and whoever organises one already."""
    return organises_any(user)


def may_confirm_accounts(user):
    """Return whether a person may confirm the address of an account on their word: organisers know who asks them."""
    return organises_any(user)


def may_manage_team(user, team):
    """Return whether a person may invite, remove and rename: leaders, and superusers where leaders are gone."""
    return user.is_superuser or is_leader(user, team)


def may_use_collection(user, collection):
    """Return whether a person may put a collection under a track: who organises a campaign that uses it already.

    Reading it is not enough: another campaign's gates would open what one campaign keeps shut.
    """
    using = Campaign.objects.organised_by(user).filter(tracks__collection=collection)
    return user.is_superuser or using.exists()


def may_fill_collection(user, collection):
    """Return whether a person may import documents into a collection: who organises every campaign that uses it."""
    using = Campaign.objects.filter(tracks__collection=collection)
    others = using.exclude(pk__in=Campaign.objects.organised_by(user))
    return user.is_superuser or (using.exists() and not others.exists())
