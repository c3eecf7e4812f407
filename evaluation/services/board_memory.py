"""What boards are made from, in the memory of a process as long as their task's generation stays the same.

Nothing of it depends on who looks or when: what a person may see is chosen from it each time. Whatever changes it
raises the generation, as for the pages that visitors share.
"""

import threading
from collections import OrderedDict
from dataclasses import dataclass, field

from django.db import connection

MOST_EDITIONS = 24
"""Those longest not asked for are forgotten first. One of 300 runs takes about 3 MB."""


@dataclass(slots=True)
class Shelf:
    """What was read of one edition at one generation, by name."""

    generation: int
    values: dict = field(default_factory=dict)


_shelves = OrderedDict()
_lock = threading.Lock()


def kept(edition, what, read):
    """Return what `read` reads of an edition, from memory where it was read at the same generation before.

    Inside a transaction nothing is kept: if it is rolled back, another one brings the same generation with other rows.
    """
    if connection.in_atomic_block:
        return read()
    values = _shelf(edition).values
    if what not in values:
        values[what] = read()
    return values[what]


def kept_each(edition, what, names, read):
    """Return by name what `read` reads for some names at once, asking it only for those that are not kept."""
    if connection.in_atomic_block:
        return read(names)
    values = _shelf(edition).values
    missing = [name for name in names if (what, name) not in values]
    if missing:
        values |= {(what, name): value for name, value in read(missing).items()}
    return {name: values[what, name] for name in names}


def _shelf(edition):
    generation = edition.task.generation
    with _lock:
        shelf = _shelves.get(edition.pk)
        if shelf is None or shelf.generation != generation:
            shelf = _shelves[edition.pk] = Shelf(generation)
        _shelves.move_to_end(edition.pk)
        while len(_shelves) > MOST_EDITIONS:
            _shelves.popitem(last=False)
    return shelf


def forget_boards():
    """Forget everything."""
    with _lock:
        _shelves.clear()
