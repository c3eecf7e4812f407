"""Lines to read a run by: the field of other teams, and the band of all runs' curves."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from limelight.arrays import Reals
from limelight.wording import counted

LEAST_TEAMS = 4
LEAST_CURVES = 8
TOO_FEW_TEAMS = "too few teams"

Team = TypeVar("Team", bound=Hashable)


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """Median and quartiles over teams, one entry a value (a mean, or each topic's); None where there are too few.

    `team_count` teams are in it, of which one's own may have been left out.
    """

    team_count: int
    leaves_out_own: bool
    low: Reals | None = None
    median: Reals | None = None
    high: Reals | None = None

    @property
    def reason(self) -> str:
        """Return why there is no field; nothing where there is one."""
        return "" if self.median is not None else TOO_FEW_TEAMS

    @property
    def words(self) -> str:
        """Return what the median is called: of which teams it is."""
        return self.reason or f"median of {counted(self.team_count, 'other team' if self.leaves_out_own else 'team')}"


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """Quartiles and median over all runs at each point of a curve, and the best at each point: no single run."""

    low: Reals
    median: Reals
    high: Reals
    best: Reals


def team_values(scores: ArrayLike, teams: Sequence[Team], official: Sequence[bool]) -> dict[Team, Reals]:
    """Return one value a team: its official run's, else the median of its runs.

    Runs are rows; a row has one value or many.

    >>> team_values([[0.1], [0.3], [0.4], [0.9]], ["a", "a", "a", "b"], [False, False, False, True])
    {'a': array([0.3]), 'b': array([0.9])}
    """
    scores = np.asarray(scores, dtype=np.float64)
    rows: dict[Team, list[int]] = {}
    for place, team in enumerate(teams):
        rows.setdefault(team, []).append(place)
    chosen = {team: [place for place in places if official[place]] or places for team, places in rows.items()}
    return {team: np.median(scores[places], axis=0) for team, places in chosen.items()}


def field_of(values: Mapping[Team, Reals], own: Team | None = None) -> Field:
    """Return median and quartiles over the teams' values, without one's own team; below four teams there is none.

    >>> field = field_of({team: np.array([value]) for team, value in zip("abcde", (0.1, 0.2, 0.3, 0.4, 0.9))}, own="e")
    >>> field.words, field.median.tolist()
    ('median of 4 other teams', [0.25])
    """
    others = [value for team, value in values.items() if own is None or team != own]
    if len(others) < LEAST_TEAMS:
        return Field(len(others), own is not None)
    low, median, high = np.quantile(np.stack(others), (0.25, 0.5, 0.75), axis=0)
    return Field(len(others), own is not None, low, median, high)


def band_of(curves: ArrayLike) -> Band | None:
    """Return the band of curves, a row a run; None below eight runs, whose curves are shown themselves.

    >>> band_of(np.eye(8)).best.tolist() == [1.0] * 8, band_of(np.eye(7)) is None
    (True, True)
    """
    curves = np.asarray(curves, dtype=np.float64)
    if len(curves) < LEAST_CURVES:
        return None
    low, median, high = np.quantile(curves, (0.25, 0.5, 0.75), axis=0)
    return Band(low, median, high, curves.max(axis=0))
