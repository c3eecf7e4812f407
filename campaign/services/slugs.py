"""Addresses made out of names."""

from itertools import count

from django.utils.text import slugify


def free_slug(name, taken, otherwise):
    """Return an address for something named by people: like the name, and not taken.

    >>> free_slug("Ad hoc", {"ad-hoc"}, "track"), free_slug("…", set(), "track")
    ('ad-hoc-2', 'track')
    """
    base = slugify(name)[:56].strip("-_") or otherwise
    candidates = (base if number == 1 else f"{base}-{number}" for number in count(1))
    return next(slug for slug in candidates if slug not in taken)
