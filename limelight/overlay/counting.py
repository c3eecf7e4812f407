"""How many characters of each kind lie in stretches of a document: sections of its outline, or single results."""

from typing import NamedTuple

import numpy as np

from limelight.arrays import Integers
from limelight.overlay.laying import Overlay


class Counts(NamedTuple):
    """Characters of a stretch: all, the highlighted, the returned of each layer, and the highlighted among these."""

    length: int
    highlighted: int
    returned: tuple[int, ...]
    found: tuple[int, ...]
    found_by_any: int
    returned_by_any: int

    @property
    def missed(self) -> int:
        """Return how many are highlighted and returned by nobody."""
        return self.highlighted - self.found_by_any


def counts_in(overlay: Overlay, begins: Integers, ends: Integers) -> list[Counts]:
    """Count the characters of stretches, given by where they begin and end, for all of them at once."""
    edges, lit, by = overlay.columns
    lengths = np.diff(edges)
    anybody = by.any(axis=1)
    sets = [np.ones(len(lit), dtype=bool), lit, anybody, lit & anybody, *by.T, *(lit & column for column in by.T)]
    columns = [_between(edges, np.where(chosen, lengths, 0), chosen, begins, ends) for chosen in sets]
    layers = by.shape[1]
    return [
        Counts(row[0], row[1], tuple(row[4 : 4 + layers]), tuple(row[4 + layers :]), row[3], row[2])
        for row in np.stack(columns, axis=1).tolist()
    ]


def _between(edges: Integers, lengths: Integers, chosen: np.ndarray, begins: Integers, ends: Integers) -> Integers:
    """Count the chosen characters between places: those before the one minus those before the other."""
    before = np.concatenate(([0], np.cumsum(lengths)))

    def up_to(places: Integers) -> Integers:
        places = np.clip(places, edges[0], edges[-1])
        number = np.minimum(np.searchsorted(edges, places, side="right") - 1, len(chosen) - 1)
        counted: Integers = before[number] + np.where(chosen[number], places - edges[number], 0)
        return counted

    difference: Integers = up_to(ends) - up_to(begins)
    return difference
