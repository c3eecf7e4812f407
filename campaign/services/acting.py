"""Who does a deed."""

from dataclasses import dataclass

from campaign.models import TrailEntry, User

Through = TrailEntry.Through


@dataclass(frozen=True, slots=True)
class By:
    """A person, and the way on which they came; on the site where nothing else is said."""

    user: User | None
    through: Through = Through.SITE


MACHINERY = By(None, Through.MACHINERY)
"""What the site does by itself."""

COMMAND = By(None, Through.COMMAND)
"""Whoever types a command: they have no account here."""
