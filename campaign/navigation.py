"""The navigation, by who is looking."""

from functools import cache

from django.conf import settings
from django.db.models import Count, Exists, Subquery
from django.db.models.functions import Coalesce

from campaign.models import Campaign, Membership, Track, User


def navigation(request):
    """Tell every template which of the site's parts the person signed in has a use for."""
    user = getattr(request, "user", None)
    reviewing = {"is_reviewer": bool(getattr(user, "reviewed_campaigns", None))}
    if user is None or not user.is_authenticated:
        return (
            {"navigation": [], "unread_notifications": 0, "demo_accounts": settings.DEMO_ACCOUNTS} | _mail() | reviewing
        )
    uses = cache(lambda: _uses(user))  # asked when a page shows it: a fragment does not
    return {"navigation": lambda: _places(*uses()[:3]), "unread_notifications": lambda: uses()[3]} | reviewing


def _places(is_member, is_assessor, is_organiser):
    """Return the parts of the site that somebody has a use for."""
    places = [
        ("runs", "My runs", is_member),
        ("teams", "My teams", True),
        ("assessing", "Assessing", is_assessor),
        ("desk", "Organiser’s desk", is_organiser),
    ]
    return [(name, label) for name, label, has_use in places if has_use]


def _uses(user):
    """Return whether somebody is in a team, assesses and organises, and how much they have not read: one statement."""
    unread = user.notifications.unread().order_by().values("user").annotate(count=Count("pk")).values("count")
    asked = (
        Exists(Membership.objects.filter(user=user)),
        Exists(Track.objects.assessed_by(user)),
        Exists(Campaign.objects.filter(organisers=user)),
        Coalesce(Subquery(unread), 0),
    )
    found = User.objects.filter(pk=user.pk).values_list(*asked).first() or (False, False, False, 0)
    is_member, is_assessor, is_organiser, count = found
    return is_member, is_assessor, is_organiser or user.is_superuser, count


def _mail():
    """Tell the pages of signing up whether mail goes to the console, where a newcomer would not look for it."""
    return {"mail_goes_to_console": settings.DEMO_ACCOUNTS and settings.EMAIL_BACKEND.endswith("console.EmailBackend")}
