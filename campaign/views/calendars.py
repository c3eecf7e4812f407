"""Deadlines as calendars subscribe to them: of the site and of a campaign."""

from datetime import timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import conditional_page, require_safe

from campaign.calendars import Moment, as_calendar
from campaign.services.permissions.visitors import VISITOR, public_tasks
from campaign.views.finding import campaign_or_404
from limelight.moments import ANYWHERE_ON_EARTH, day_and_time

PAST = timedelta(days=365)
"""So long a deadline stays in calendars after it has passed."""
LONGEST_CALENDAR = 1000


@require_safe
@conditional_page
def site(request):
    """Give the deadlines of all campaigns."""
    return _calendar("Deadlines on Limelight", public_tasks())


@require_safe
@conditional_page
def campaign(request, campaign):
    """Give the deadlines of a campaign."""
    campaign = campaign_or_404(VISITOR, campaign)
    return _calendar(f"Deadlines of {campaign.name}", public_tasks().filter(track__campaign=campaign))


def _calendar(name, tasks):
    """Write the deadlines of some tasks, the same whoever asks."""
    tasks = tasks.filter(closes_at__gt=timezone.now() - PAST).order_by("closes_at", "pk")[:LONGEST_CALENDAR]
    return HttpResponse(as_calendar(name, map(_deadline, tasks)), content_type="text/calendar; charset=utf-8")


def _deadline(task):
    """Return the deadline of a task; its key is its address, which stays when the deadline moves."""
    campaign = task.track.campaign
    on_earth, in_utc = day_and_time(task.closes_at, ANYWHERE_ON_EARTH), day_and_time(task.closes_at)
    return Moment(
        key=f"{'/'.join(task.address)}@{urlsplit(settings.SITE_URL).hostname}",
        at=task.closes_at,
        title=f"Deadline: {task.name}, {campaign.name}",
        text=f"Runs of {task.name} ({task.track.name}) are taken until {on_earth}, which is {in_utc}.",
        address=f"{settings.SITE_URL}{task.get_absolute_url()}",
        since=campaign.created_at,
    )
