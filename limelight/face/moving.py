"""moved: what new assessments change about the ranking of the same runs."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from limelight.analysis.moves import Move, gained_on, moves, tau_between
from limelight.analysis.statistics.telling_apart import tell_apart, why_not_told
from limelight.face.refusals import Refusal
from limelight.face.scores import Scores
from limelight.face.together import scored_alike

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Moved:
    """The moves of runs between two readings of the topics, by one measure.

    `tau` is None where it is not defined. `old_ranges` and `new_ranges` have the ranks that each run may truly have,
    none where the topics are too few. `gains` has, for each run and each one that it passed, the topics behind it.
    """

    measure: str
    old_topics: tuple[str, ...]
    new_topics: tuple[str, ...]
    tau: float | None
    moves: list[Move[str]]
    old_ranges: dict[str, Range]
    new_ranges: dict[str, Range]
    gains: dict[tuple[str, str], list[tuple[str, float]]]

    def parts(self, name: str) -> bool:
        """Return whether the ranges of a run before and after have no rank in common: then its move is told."""
        if name not in self.old_ranges or name not in self.new_ranges:
            return False
        (first, last), (new_first, new_last) = self.old_ranges[name], self.new_ranges[name]
        return last < new_first or new_last < first


def moved(old: Mapping[str, Scores], new: Mapping[str, Scores], measure: str) -> Moved:
    """Compare the scores of the same runs against two assessments."""
    if set(old) != set(new):
        raise Refusal(["What moved is told of the same runs, scored against two assessments."])
    for scores in (old, new):
        scored_alike(scores, [measure])
    before, after = _board(old, measure), _board(new, measure)
    old_topics, new_topics = _topics(old), _topics(new)
    found = moves(before, after, old_topics, new_topics)
    return Moved(
        measure=measure,
        old_topics=old_topics,
        new_topics=new_topics,
        tau=tau_between(
            *({name: float(np.mean(values)) for name, values in board.items()} for board in (before, after))
        ),
        moves=found,
        old_ranges=_ranges(before),
        new_ranges=_ranges(after),
        gains={
            (move.key, other): gained_on(move.key, other, before, after, old_topics, new_topics)
            for move in found
            for other in move.passed
        },
    )


def _board(scores: Mapping[str, Scores], measure: str) -> dict[str, list[float]]:
    return {name: run.result.topic_values[measure].tolist() for name, run in scores.items()}


def _topics(scores: Mapping[str, Scores]) -> tuple[str, ...]:
    return next(iter(scores.values())).topics


def _ranges(board: Mapping[str, list[float]]) -> dict[str, Range]:
    values = np.array(list(board.values()))
    return {} if why_not_told(*values.shape) else dict(zip(board, tell_apart(values).ranges(), strict=True))
