"""What moved between two editions of a board: ranks, how alike they are, and the topics behind it."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from limelight.analysis.ranking import TIE, ranks
from limelight.analysis.statistics.correlation import kendall_tau_b

Key = TypeVar("Key", bound=Hashable)
Board = Mapping[Key, Sequence[float]]
"""The values of each run, one a topic, by what names the run."""


@dataclass(frozen=True, slots=True)
class TopicChange:
    """One topic of one run: its values before and after, and what it contributed to the change of the mean.

    A value is None where the topic did not count in that edition.
    """

    topic: str
    old: float | None
    new: float | None
    contribution: float


@dataclass(frozen=True, slots=True)
class Move(Generic[Key]):
    """One run on two boards; rank and score are None on a board that it is not on.

    `passed` has the runs that stood above it and now stand below, `passed_by` those that went the other way.
    """

    key: Key
    old_rank: int | None
    new_rank: int | None
    old_score: float | None
    new_score: float | None
    topics: list[TopicChange]
    passed: list[Key]
    passed_by: list[Key]

    @property
    def places(self) -> int | None:
        """Return how many places the run rose (above 0) or fell (below 0); None where it is on one board only."""
        return None if self.old_rank is None or self.new_rank is None else self.old_rank - self.new_rank

    @property
    def has_moved(self) -> bool:
        """Return whether the run has another rank, or came or went."""
        return self.places != 0

    @property
    def difference(self) -> float | None:
        """Return how much the score changed."""
        return None if self.old_score is None or self.new_score is None else self.new_score - self.old_score


def moves(old: Board[Key], new: Board[Key], old_topics: Sequence[str], new_topics: Sequence[str]) -> list[Move[Key]]:
    """Compare two boards: each maps a run's key to its values, one a topic in the order of that edition's topics.

    Returns a Move for each run, in the order of the new board, then those that are no longer on it. Scores are means
    over topics, and a topic contributes new value / new topics - old value / old topics to their change.

    >>> [move] = moves({"a": [0.2, 0.4]}, {"a": [0.2, 0.8]}, ["1", "2"], ["1", "2"])
    >>> move.old_rank, move.new_rank, [(change.topic, round(change.contribution, 2)) for change in move.topics]
    (1, 1, [('2', 0.2)])
    """
    old_means, new_means = _means(old), _means(new)
    old_ranks, new_ranks = _ranks(old_means), _ranks(new_means)
    both = dict.fromkeys(key for key in new if key in old)
    found = [
        Move(
            key=key,
            old_rank=old_ranks.get(key),
            new_rank=new_ranks.get(key),
            old_score=old_means.get(key),
            new_score=new_means.get(key),
            topics=_changes(old[key], new[key], old_topics, new_topics) if key in old and key in new else [],
            passed=[other for other in both if key in both and _passes(key, other, old_ranks, new_ranks)],
            passed_by=[other for other in both if key in both and _passes(other, key, old_ranks, new_ranks)],
        )
        for key in [*new, *(key for key in old if key not in new)]
    ]
    return sorted(found, key=lambda move: (move.new_rank or math.inf, move.old_rank or math.inf))


def gained_on(
    one: Key, other: Key, old: Board[Key], new: Board[Key], old_topics: Sequence[str], new_topics: Sequence[str]
) -> list[tuple[str, float]]:
    """Return the topics by which one run gained on another, as (topic, gain), the largest first.

    The gains and losses of all topics add up to the change of the distance between their means.

    >>> old, new = {"a": [0.5, 0.5], "b": [0.6, 0.6]}, {"a": [0.9, 0.4], "b": [0.6, 0.6]}
    >>> [(topic, round(gain, 2)) for topic, gain in gained_on("a", "b", old, new, ["1", "2"], ["1", "2"])]
    [('1', 0.2)]
    """
    before = (np.asarray(old[one]) - np.asarray(old[other])) / max(len(old_topics), 1)
    after = (np.asarray(new[one]) - np.asarray(new[other])) / max(len(new_topics), 1)
    gains = dict(zip(new_topics, after.tolist(), strict=True))
    for topic, value in zip(old_topics, before.tolist(), strict=True):
        gains[topic] = gains.get(topic, 0.0) - value
    return sorted(((topic, gain) for topic, gain in gains.items() if gain > TIE), key=lambda pair: -pair[1])


def tau_between(old: Mapping[Key, float], new: Mapping[Key, float]) -> float | None:
    """Return Kendall's tau-b between two rankings, given as means by run, over the runs that are in both.

    Scores that differ by rounding alone are tied, as on the board. None where it is not defined: fewer than two runs,
    or a ranking in which all are tied.

    >>> tau_between({"a": 0.9, "b": 0.8, "c": 0.7}, {"a": 0.7, "b": 0.6, "c": 0.65})
    0.3333333333333333
    """
    both = [key for key in old if key in new]
    value = kendall_tau_b(ranks([old[key] for key in both]), ranks([new[key] for key in both])).value
    return None if math.isnan(value) else value


def _means(board: Board[Key]) -> dict[Key, float]:
    return {key: float(np.mean(values)) if len(values) else 0.0 for key, values in board.items()}


def _ranks(means: Mapping[Key, float]) -> dict[Key, int]:
    return dict(zip(means, ranks(list(means.values())), strict=True))


def _passes(one: Key, other: Key, old_ranks: Mapping[Key, int], new_ranks: Mapping[Key, int]) -> bool:
    return old_ranks[one] > old_ranks[other] and new_ranks[one] < new_ranks[other]


def _changes(
    old: Sequence[float], new: Sequence[float], old_topics: Sequence[str], new_topics: Sequence[str]
) -> list[TopicChange]:
    """Return the topics whose contribution is not nothing, the largest first."""
    before = dict(zip(old_topics, map(float, old), strict=True))
    after = dict(zip(new_topics, map(float, new), strict=True))
    changes = []
    for topic in [*new_topics, *(topic for topic in old_topics if topic not in after)]:
        contribution = after.get(topic, 0.0) / len(new_topics) if topic in after else 0.0
        contribution -= before[topic] / len(old_topics) if topic in before else 0.0
        if abs(contribution) > TIE:
            changes.append(TopicChange(topic, before.get(topic), after.get(topic), contribution))
    return sorted(changes, key=lambda change: -abs(change.contribution))
