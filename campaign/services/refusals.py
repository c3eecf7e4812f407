"""Saying no to somebody who asked for something that cannot be done."""


class Refused(Exception):
    """Something was not done; says why, and which field of the form it is about."""

    def __init__(self, reason, field=None):
        self.reason, self.field = reason, field
        super().__init__(reason)


class Asks(Refused):
    """Something was not done yet, because somebody should know more before; said yes to, it is."""

    def __init__(self, reason, about):
        self.about = about
        super().__init__(reason)


class Stale(Refused):
    """What somebody agreed to is no longer what would be done: it is asked again."""


def require(permission):
    """Refuse, with its reason, what a permission does not allow."""
    if not permission:
        raise Refused(permission.reason)
