"""The navigation, by who is looking."""

from functools import cache

from django.conf import settings

from campaign.models import Membership, Track
from campaign.services.permissions.roles import organises_any


def navigation(request):
    """Tell every template which of the site's parts the person signed in has a use for."""
    user = getattr(request, "user", None)
    reviewing = {"is_reviewer": bool(getattr(user, "reviewed_campaigns", None))}
    if user is None or not user.is_authenticated:
        return (
            {"navigation": [], "unread_notifications": 0, "demo_accounts": settings.DEMO_ACCOUNTS} | _mail() | reviewing
        )
    places = []
    if Membership.objects.filter(user=user).exists():
        places.append(("runs", "My runs"))
    places.append(("teams", "My teams"))
    if Track.objects.assessed_by(user).exists():
        places.append(("assessing", "Assessing"))
    if organises_any(user):
        places.append(("desk", "Organiser’s desk"))
    return {"navigation": places, "unread_notifications": cache(user.notifications.unread().count)} | reviewing


def _mail():
    """Tell the pages of signing up whether mail goes to the console, where a newcomer would not look for it."""
    return {"mail_goes_to_console": settings.DEMO_ACCOUNTS and settings.EMAIL_BACKEND.endswith("console.EmailBackend")}
