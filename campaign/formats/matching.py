"""Finding the names of one list in another, without a look at each: short names packed into numbers."""

from itertools import repeat

import numpy as np

PACKED_SIZE = 8
"""Bytes of a name that fit into one number; longer names are compared as text."""


def packed(names):
    """Return names of at most eight bytes as sorted numbers, and which name each stands for; None where one is longer.

    >>> keys, order = packed(("b", "a"))
    >>> order.tolist()
    [1, 0]
    >>> packed(("too long a name",)) is None
    True
    """
    stored = getattr(names, "keys", None)
    if stored is not None:
        return stored
    encoded = [name.encode() for name in names]
    if not encoded or max(map(len, encoded)) > PACKED_SIZE:
        return None
    numbers = np.array(encoded, dtype=f"S{PACKED_SIZE}").view("<u8")
    order = np.argsort(numbers)
    return numbers[order], order


def matched(names, known, known_keys=None):
    """Return for each name the number it has in `known` (name -> number), -1 where it has none.

    `known_keys` are the packed names behind `known`, in the order of their numbers. When the names are packed too, they
    are compared as numbers, the shorter list looked up in the longer one.

    >>> matched(("x", "b"), {"a": 0, "b": 1}).tolist()
    [-1, 1]
    """
    keys = getattr(names, "keys", None)
    if keys is None or known_keys is None:
        return np.fromiter(map(known.get, names, repeat(-1)), dtype=np.int64, count=len(names))
    (mine, my_order), (theirs, their_order) = keys, known_keys
    numbers = np.full(len(names), -1, dtype=np.int64)
    if len(theirs) < len(mine):
        place = np.minimum(np.searchsorted(mine, theirs), len(mine) - 1)
        hit = mine[place] == theirs
        numbers[my_order[place[hit]]] = their_order[hit]
    else:
        place = np.minimum(np.searchsorted(theirs, mine), len(theirs) - 1)
        hit = theirs[place] == mine
        numbers[my_order[hit]] = their_order[place[hit]]
    return numbers
