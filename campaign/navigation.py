"""The navigation, by who is looking."""

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
    is_member, is_assessor, is_organiser, unread = _uses(user)
    places = [
        ("runs", "My runs", is_member),
        ("teams", "My teams", True),
        ("assessing", "Assessing", is_assessor),
        ("desk", "Organiser’s desk", is_organiser or user.is_superuser),
    ]
    shown = [(name, label) for name, label, has_use in places if has_use]
    return {"navigation": shown, "unread_notifications": unread} | reviewing


def _uses(user):
    """Return whether somebody is in a team, assesses and organises, and how much they have not read: one statement."""
    unread = user.notifications.unread().order_by().values("user").annotate(count=Count("pk")).values("count")
    asked = (
        Exists(Membership.objects.filter(user=user)),
        Exists(Track.objects.assessed_by(user)),
        Exists(Campaign.objects.filter(organisers=user)),
        Coalesce(Subquery(unread), 0),
    )
    return User.objects.filter(pk=user.pk).values_list(*asked).first() or (False, False, False, 0)


def _mail():
    """Tell the pages of signing up whether mail goes to the console, where a newcomer would not look for it."""
    return {"mail_goes_to_console": settings.DEMO_ACCOUNTS and settings.EMAIL_BACKEND.endswith("console.EmailBackend")}
