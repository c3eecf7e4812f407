"""Redrawn topic sets: how often a run comes first when topics are drawn again from topics like these.

Runs are rows, topics columns; weights have a row a draw, how often each topic was drawn. Copies and close variants of a
run share its number, which is not the probability that the run is the best.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from limelight.analysis.ranking import TIE
from limelight.analysis.statistics.resampling import SEED, bootstrap_weights
from limelight.arrays import Integers, Reals

DRAWS = 10_000
TAIL = 0.025
CELLS = 4_000_000
"""So many means are held at once."""

Team = TypeVar("Team", bound=Hashable)


@dataclass(frozen=True, slots=True, eq=False)
class Redrawn:
    """What became of each run over the draws.

    `first` is the mean share of the first place, and adds up to 1 over the runs; `top3` the share of draws with a rank
    of at most 3; `ranks` counts, a row a run, how often it had each rank; `low` and `high` are the ends between which
    its rank lies in the middle 95 % of the draws.
    """

    first: Reals
    top3: Reals
    ranks: Integers
    low: Integers
    high: Integers


def topic_weights(topic_count: int, resamples: int = DRAWS, seed: int = SEED) -> Reals:
    """Draw topic sets of the same size with replacement; the same draws serve all runs and measures."""
    return bootstrap_weights(topic_count, resamples, seed)


def redraw(scores: ArrayLike, weights: Reals) -> Redrawn:
    """Rank the runs in each draw: 1 + the number of runs with a higher mean; runs tied for first share it.

    >>> found = redraw([[0.6, 0.4], [0.5, 0.5]], np.array([[2.0, 0.0], [1.0, 1.0], [0.0, 2.0]]))
    >>> found.first.tolist(), found.ranks.tolist()
    ([0.5, 0.5], [[2, 1], [2, 1]])
    """
    scores = np.asarray(scores, dtype=np.float64)
    run_count, draw_count = len(scores), len(weights)
    first = np.zeros(run_count)
    ranks = np.zeros((run_count, run_count), dtype=np.int64)
    rows = np.arange(run_count)[:, np.newaxis]
    for start in range(0, draw_count, max(1, CELLS // max(run_count, 1))):
        part = weights[start : start + max(1, CELLS // max(run_count, 1))]
        means = scores @ (part / part.sum(axis=1, keepdims=True)).T
        rank = _ranks(means)
        leads = rank == 1
        first += (leads / leads.sum(axis=0)).sum(axis=1)
        np.add.at(ranks, (rows, rank - 1), 1)
    shares = np.cumsum(ranks, axis=1) / max(draw_count, 1)
    return Redrawn(
        first=first / max(draw_count, 1),
        top3=shares[:, min(3, run_count) - 1] if run_count else np.zeros(0),
        ranks=ranks,
        low=_smallest_rank(shares, TAIL),
        high=_smallest_rank(shares, 1 - TAIL),
    )


def first_by_team(first: Sequence[float] | Reals, teams: Sequence[Team]) -> Mapping[Team, float]:
    """Add up over each team's runs how often they come first.

    >>> first_by_team([0.5, 0.25, 0.25], ["a", "b", "a"])
    {'a': 0.75, 'b': 0.25}
    """
    shares: dict[Team, float] = {}
    for team, share in zip(teams, first, strict=True):
        shares[team] = shares.get(team, 0.0) + float(share)
    return shares


def _ranks(means: Reals) -> Integers:
    # How many means lie more than TIE above each, a column a draw: by one sort of each column.
    order = np.argsort(-means, axis=0, kind="stable")
    rising = -np.take_along_axis(means, order, axis=0)
    ranks = np.empty(means.shape, dtype=np.int64)
    above = np.stack([np.searchsorted(column, column - TIE, side="left") for column in rising.T], axis=1)
    np.put_along_axis(ranks, order, above + 1, axis=0)
    return ranks


def _smallest_rank(shares: Reals, reached: float) -> Integers:
    # A share that is reached but for rounding is reached.
    return 1 + np.argmax(shares >= reached - TIE, axis=1) if shares.size else np.zeros(len(shares), dtype=np.int64)
