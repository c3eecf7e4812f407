"""The order of a run's results by the system's own numbers, as trec_eval has it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from limelight.arrays import Integers
from limelight.formats.columns import COLUMNS, RunColumns
from limelight.formats.matching import PACKED_SIZE


def by_score(columns: RunColumns) -> RunColumns:
    """Return a run with the results of each topic by rsv falling, ties by document id falling.

    As in trec_eval, an rsv counts as a single-precision number and ids are compared byte by byte. Results without an
    rsv come last, in the order of the file.
    """
    with np.errstate(over="ignore"):
        rsv = columns.rsv.astype(np.float32)
    falls = rsv[1:] < rsv[:-1]
    if (falls | (columns.topic[1:] != columns.topic[:-1])).all():
        return columns
    place = np.where(np.isnan(rsv), 0, places_by_name(columns.documents)[columns.document])
    order = np.lexsort((-place, -rsv, columns.topic))
    return replace(columns, **{name: getattr(columns, name)[order] for name in COLUMNS})


def places_by_name(names: Sequence[str]) -> Integers:
    """Return the place of each name among all of them, byte by byte.

    >>> places_by_name(("b", "é", "B", "a")).tolist()
    [2, 3, 0, 1]
    """
    keys = getattr(names, "keys", None)
    if keys is not None:
        words, order = keys
        named = np.empty_like(words)
        named[order] = words
        encoded = named.astype("<u8").view(f"S{PACKED_SIZE}").view(">u8")  # big end first, numbers fall as bytes do
    else:
        encoded = np.array([name.encode() for name in names], dtype=bytes)
    places = np.empty(len(encoded), dtype=np.int64)
    places[np.argsort(encoded, kind="stable")] = np.arange(len(encoded))
    return places
