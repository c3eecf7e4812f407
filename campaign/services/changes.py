"""What a form changes on a row: told before it is written, for the trail."""

import hashlib
from datetime import datetime


def changed_fields(row, entered):
    """Return the names of the fields that would get another value."""
    return [name for name, value in entered.items() if getattr(row, name) != value]


def told(row, entered, names):
    """Return old and new values as the trail keeps them; long texts only by name."""
    return {name: [_short(getattr(row, name)), _short(entered[name])] for name in names}


def fingerprint(row, names):
    """Return what a page keeps of a row, to see later whether somebody else changed it meanwhile."""
    return hashlib.sha256(repr([getattr(row, name) for name in names]).encode()).hexdigest()[:16]


def _short(value):
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, str) and len(value) > 200:
        return f"{value[:200]} …"
    return value if value is None or isinstance(value, str | int | float | bool | list | dict) else str(value)
