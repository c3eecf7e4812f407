"""Writing the trail: one line for every deed that somebody may ask about later."""

import getpass
import os

from campaign.models import TrailEntry, User
from campaign.services.acting import COMMAND, MACHINERY

IMPORTED, ACTIVATED, WENT_LIVE, PUBLISHED, UNPUBLISHED = (
    "imported",
    "activated",
    "went live",
    "published",
    "unpublished",
)
GRANTED, REVOKED, REJECTED, REEVALUATED, DELETED = "granted", "revoked", "rejected", "re-evaluated", "deleted"
CREATED, CHANGED, COPIED, DISCARDED, PAUSED, RESUMED = "created", "changed", "copied", "discarded", "paused", "resumed"
APPROVED, REFUSED, CONFIRMED, POOLED = "approved", "refused", "confirmed", "pooled"
RETRIED, REINSTATED, ROLLED_BACK, ABANDONED = "retried", "reinstated", "rolled back", "abandoned"

NOBODY = "(nobody)"
"""Stands for nobody where the trail is narrowed to a person; no user name is like it."""

COLUMNS = ("at", "deed", "subject", "person", "through", "details")
"""What a file of the trail tells of each entry."""


def record(campaign, deed, subject, *, by=MACHINERY, **details):
    """Write what somebody did to something, in the transaction in which it is done.

    Whoever types a command has no account here: the one on the machine is kept.
    """
    if by == COMMAND:
        details["account"] = _account_on_the_machine()
    return TrailEntry.objects.create(
        campaign=campaign,
        campaign_name=campaign.name if campaign else "",
        deed=deed,
        subject=subject,
        actor=by.user,
        through=by.through,
        details=details,
    )


def _account_on_the_machine():
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container may run as a number without a name
        return str(os.getuid())


def entries(user, campaign=None, *, deed="", person=""):
    """Return the entries of a campaign's trail (of the site's own, without one), narrowed to a deed or a person."""
    found = TrailEntry.objects.of_campaigns_of(user).filter(campaign=campaign).select_related("actor")
    if deed:
        found = found.filter(deed=deed)
    if person == NOBODY:
        return found.filter(actor=None)
    return found.filter(actor__username=person) if person else found


def name_subjects(entries):
    """Give entries that are about a person that person's user name, as long as there is one."""
    keys = [entry.details["person"] for entry in entries if "person" in entry.details]
    names = dict(User.objects.filter(pk__in=keys).values_list("pk", "username")) if keys else {}
    for entry in entries:
        entry.about_person = names.get(entry.details.get("person"), "")
    return entries


def in_words(value):
    """Write a detail of an entry for people; a change as what it was and what it is.

    >>> in_words({"name": ["Small", "Smaller"], "quota": [None, 3]}), in_words(["a", "b"])
    ('name: Small → Smaller; quota: nothing → 3', 'a, b')
    """
    if isinstance(value, dict):
        return "; ".join(f"{name}: {_change_in_words(change)}" for name, change in value.items())
    if isinstance(value, list):
        return ", ".join(map(in_words, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "nothing" if value in (None, "") else str(value)


def _change_in_words(change):
    if isinstance(change, list) and len(change) == 2:
        return " → ".join(map(in_words, change))
    return in_words(change)


def as_row(entry):
    """Return an entry as a row of a file: moment, deed, subject, person, way and details."""
    person = entry.actor.username if entry.actor else ""
    return [entry.at.isoformat(), entry.deed, entry.subject, person, entry.get_through_display(), entry.details]
