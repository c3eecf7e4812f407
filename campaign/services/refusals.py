"""Saying no to somebody who asked for something that cannot be done."""


class Refused(Exception):
    """Something was not done; says why, and which field of the form it is about."""

    def __init__(self, reason, field=None):
        self.reason, self.field = reason, field
        super().__init__(reason)
