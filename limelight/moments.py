"""Moments as people read them: anywhere on earth, UTC, and how far away."""

from datetime import UTC, datetime, timedelta, timezone, tzinfo

from limelight.wording import counted

ANYWHERE_ON_EARTH = timezone(timedelta(hours=-12), "AoE")


def day_and_time(moment: datetime, zone: tzinfo = UTC) -> str:
    """Return a moment as `3 March 2026, 23:59 AoE`.

    >>> from datetime import datetime
    >>> day_and_time(datetime(2026, 3, 4, 11, 59, tzinfo=UTC), ANYWHERE_ON_EARTH)
    '3 March 2026, 23:59 AoE'
    """
    there = moment.astimezone(zone)
    return f"{there.day} {there:%B %Y, %H:%M} {there:%Z}"


def spoken(moment: datetime) -> str:
    """Return a deadline as it is announced: anywhere on earth, with UTC beside it.

    >>> from datetime import datetime
    >>> spoken(datetime(2026, 3, 4, 11, 59, tzinfo=UTC))
    '3 March 2026, 23:59 AoE (4 March 2026, 11:59 UTC)'
    """
    return f"{day_and_time(moment, ANYWHERE_ON_EARTH)} ({day_and_time(moment)})"


def distance(moment: datetime, now: datetime) -> str:
    """Return how far a moment lies ahead or back, in its two largest units.

    >>> from datetime import datetime
    >>> noon = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
    >>> distance(noon + timedelta(hours=5, minutes=12), noon), distance(noon - timedelta(days=2), noon)
    ('in 5 h 12 min', '2 days ago')
    """
    seconds = int(abs((moment - now).total_seconds()))
    days, hours, minutes = seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60
    if days:
        parts = [counted(days, "day"), f"{hours} h" if hours and days < 7 else ""]
    elif hours:
        parts = [f"{hours} h", f"{minutes} min" if minutes else ""]
    elif minutes:
        parts = [f"{minutes} min"]
    else:
        parts = [f"{seconds} s"]
    length = " ".join(filter(None, parts))
    return f"in {length}" if moment > now else f"{length} ago"
