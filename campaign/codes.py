"""Codes: what a run is called where numbers and names would tell too much."""

import secrets

LETTERS = "bcdfghjkmnpqrstvwxz"
SIGNS = LETTERS + "23456789"
"""No vowels, so that no code is a word; nothing that looks like something else; nothing a spreadsheet calculates."""

LENGTH = 10


def new_code():
    """Return a random code; it begins with a letter, so that it is never taken for a number.

    >>> len(new_code()), new_code() == new_code()
    (10, False)
    """
    return secrets.choice(LETTERS) + "".join(secrets.choice(SIGNS) for _ in range(LENGTH - 1))
