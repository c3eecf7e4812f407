"""Finding the names of one list in another, without a look at each: short names packed into numbers."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import overload

import numpy as np

from limelight.arrays import Integers, Words

PACKED_SIZE = 8
"""Bytes of a name that fit into one number; longer names are compared as text."""


Keys = tuple[Words, Integers]
"""Packed names in the order of their numbers, and which name each stands for."""


class LazyNames(Sequence[str]):
    """Names that stay bytes until somebody reads one: scoring only compares their keys. Otherwise they are a tuple."""

    __slots__ = ("_count", "_names", "_read", "keys")

    def __init__(self, count: int, read: Callable[[], Iterable[str]], keys: Keys | None = None) -> None:
        """Take a function that returns the names, and their keys as `packed` gives them."""
        self._count, self._read, self.keys = count, read, keys
        self._names: tuple[str, ...] | None = None

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...

    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        return self._tuple()[place]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tuple())

    def __eq__(self, other: object) -> bool:
        return self._tuple() == tuple(other) if isinstance(other, tuple | LazyNames) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._tuple())

    def __repr__(self) -> str:
        return repr(self._tuple())

    def _tuple(self) -> tuple[str, ...]:
        if self._names is None:
            self._names = tuple(self._read())
        return self._names


def keyed(words: Words) -> tuple[Integers, LazyNames]:
    """Number names that were packed into words, in the order of their first appearance; return the numbers and names.

    >>> numbers, names = keyed(np.array([b"b", b"a", b"b"], dtype="S8").view("<u8"))
    >>> numbers.tolist(), names
    ([0, 1, 0], ('b', 'a'))
    """
    keys, places = np.unique(words, return_inverse=True)
    first = np.empty(len(keys), dtype=np.int64)
    first[places[::-1]] = np.arange(len(words))[::-1]
    appears = np.zeros(len(words), dtype=np.int64)
    appears[first] = 1
    order = np.cumsum(appears)[first] - 1

    def read() -> list[str]:
        named = np.empty_like(keys)
        named[order] = keys
        named = named.view(f"S{PACKED_SIZE}")
        return b"\n".join(named.tolist()).decode().split("\n")

    return order[places], LazyNames(len(keys), read, (keys, order))


def packed(names: Sequence[str]) -> Keys | None:
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


def read_names(names: Sequence[str], chosen: Integers) -> list[str]:
    """Return some of the names by their numbers; packed ones are read without reading all the others.

    >>> read_names(LazyNames(2, lambda: 1 / 0, packed(("b", "a"))), np.array([1]))
    ['a']
    >>> read_names(("a rather long name", "b"), np.array([1]))
    ['b']
    """
    keys = getattr(names, "keys", None)
    if keys is None:
        listed = tuple(names)
        return [listed[number] for number in chosen.tolist()]
    words, order = keys
    named = np.empty_like(words)
    named[order] = words
    return [name.decode() for name in named[chosen].view(f"S{PACKED_SIZE}").tolist()]


def matched(names: Sequence[str], known: Mapping[str, int], known_keys: Keys | None = None) -> Integers:
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
