"""What a form changes on a row: told before it is written, for the trail; and what somebody else changed meanwhile."""

import hashlib
from datetime import datetime

from campaign.services.refusals import Refused
from limelight.moments import spoken

MARK = 8
"""So many characters of a fingerprint stand for one value."""

TYPED_STAYS = (
    "Nothing of yours is saved, and nothing is lost: it stands below. Saved now, yours replaces what they saved."
)
NOTHING_DONE = "Nothing was done. Look again, then decide."


def changed_fields(row, entered):
    """Return the names of the fields that would get another value."""
    return [name for name, value in entered.items() if getattr(row, name) != value]


def told(row, entered, names):
    """Return old and new values as the trail keeps them; long texts only by name."""
    return {name: [_short(getattr(row, name)), _short(entered[name])] for name in names}


def values_of(row, names):
    """Return what a form shows of a row, each value under the words for it."""
    return {str(row._meta.get_field(name).verbose_name): _shown(row, name) for name in names}


def _shown(row, name):
    """Return a value as people read it: a choice by its words."""
    return getattr(row, f"get_{name}_display")() if row._meta.get_field(name).choices else getattr(row, name)


def fingerprint(shown):
    """Return what a page keeps of the values it shows, one mark a value, to see later which of them have changed.

    >>> fingerprint({"name": "Small"}) == fingerprint({"name": "Small"}) != fingerprint({"name": "Smaller"})
    True
    """
    return "".join(hashlib.sha256(repr(value).encode()).hexdigest()[:MARK] for value in shown.values())


def changed_since(shown, seen):
    """Return the names of the values that are no longer what a page showed; `seen` is what it kept of them."""
    now = fingerprint(shown)
    if not seen or seen == now:
        return []
    if len(seen) != len(now):
        return list(shown)
    places = range(0, len(now), MARK)
    return [
        name
        for name, place in zip(shown, places, strict=True)
        if seen[place : place + MARK] != now[place : place + MARK]
    ]


def stale_sentence(what, shown, seen, end=TYPED_STAYS):
    """Say what somebody else saved while a page was open; empty where nobody did."""
    changed = changed_since(shown, seen)
    if not changed:
        return ""
    saved = "; ".join(f"{_label(name)} is now {_in_words(shown[name])}" for name in changed)
    return f"Somebody changed {what} after you opened this page: {saved}. {end}"


def refuse_stale(what, shown, seen, end=TYPED_STAYS):
    """Refuse what was decided in front of a page that is no longer true; asked while the row is held."""
    if sentence := stale_sentence(what, shown, seen, end):
        raise Refused(sentence)


def refuse_unseen(what, shown, seen):
    """Refuse to undo or delete what is no longer as a page showed it, where there is too much of it to tell."""
    if changed_since(shown, seen):
        raise Refused(f"Somebody changed {what} after you opened this page. {NOTHING_DONE}")


def _label(name):
    return name.removesuffix(" at")


def _in_words(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return spoken(value)
    if isinstance(value, dict):
        return ", ".join(f"{name} = {_in_words(one)}" for name, one in value.items()) or "empty"
    if isinstance(value, list | tuple | set):
        return ", ".join(map(_in_words, value)) or "empty"
    if isinstance(value, int | float):
        return f"{value}"
    return "empty" if value in (None, "") else f"“{_short(str(value))}”"


def _short(value):
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, str) and len(value) > 200:
        return f"{value[:200]} …"
    return value if value is None or isinstance(value, str | int | float | bool | list | dict) else str(value)
