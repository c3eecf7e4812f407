"""Ranks from numbers: ties share a rank, and runs without a value come last."""

from collections.abc import Iterable

import numpy as np

TIE = 1e-12
"""Scores nearer than this are the same: the last digits of a sum depend on its order."""


def ranks(scores: Iterable[float | None], *, higher_is_better: bool = True) -> list[int]:
    """Return the rank of each score, 1 for the best; equal scores share a rank, None and NaN come last.

    >>> ranks([0.4, 0.6, 0.4, 0.1])
    [2, 1, 2, 4]
    >>> ranks([None, 0.2, float("nan")])
    [2, 1, 2]
    """
    values = np.array([np.nan if score is None else score for score in scores], dtype=np.float64)
    keys = np.where(np.isnan(values), np.inf, -values if higher_is_better else values)
    order = np.argsort(keys, kind="stable")
    shared = [0] * len(keys)
    rank = 0
    for place, index in enumerate(order):
        if place == 0 or not _tied(keys[order[place - 1]], keys[index]):
            rank = place + 1
        shared[index] = rank
    return shared


def _tied(one: float, other: float) -> bool:
    return one == other or abs(one - other) <= TIE
