"""compare --other-topics: what other topics like these would make of the runs."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from limelight.analysis.statistics.redrawing import Redrawn, redraw, topic_weights
from limelight.analysis.statistics.sentences import (
    GENERALISABILITY,
    few_runs_sentence,
    halves_heading,
    redrawn_sentence,
    share_text,
    topics_sentence,
)
from limelight.analysis.statistics.stability import LEAST_RUNS, SplitHalves, generalisability, split_halves, splits
from limelight.analysis.statistics.telling_apart import tell_apart
from limelight.analysis.statistics.topic_numbers import (
    DIFFERENCES,
    found_difference,
    residual_variance,
    topics_needed,
    topics_needed_for_all,
)
from limelight.commandline import tables
from limelight.face.comparing import Comparison
from limelight.face.scores import Scores


@dataclass(frozen=True, slots=True, eq=False)
class OtherTopics:
    """How often each run comes first on redrawn topics, what so many topics find, and how steady the ranking is.

    `critical` is what all pairs at once are told apart by. Few runs have no halves.
    """

    names: list[str]
    redrawn: Redrawn
    variance: float
    critical: float
    topic_count: int
    halves: SplitHalves | None
    generalisability: float | None

    @property
    def needed(self) -> list[tuple[float, int, int | None]]:
        """For some differences how many topics they take: between two runs, and between all at once."""
        is_known = math.isfinite(self.critical) and self.variance > 0
        return [
            (
                one,
                topics_needed(self.variance, one),
                topics_needed_for_all(self.variance, one, self.critical, self.topic_count) if is_known else None,
            )
            for one in DIFFERENCES
        ]


def other_topics(comparison: Comparison, scored: Sequence[Scores]) -> OtherTopics | None:
    """Return what other topics would make of compared runs; None where there are too few runs or topics to tell."""
    if comparison.not_told:
        return None
    places = comparison.matrix.order
    values = np.stack([scored[place].result.topic_values[comparison.measure] for place in places])
    is_enough = len(values) >= LEAST_RUNS
    return OtherTopics(
        names=comparison.names,
        redrawn=redraw(values, topic_weights(values.shape[1])),
        variance=residual_variance(values),
        critical=tell_apart(values).critical_difference(),
        topic_count=values.shape[1],
        halves=split_halves(values, splits(values.shape[1])) if is_enough else None,
        generalisability=generalisability(values) if is_enough else None,
    )


def as_json(found: OtherTopics) -> dict[str, object]:
    """Return it with all digits; null where there is no number."""
    redrawn, halves = found.redrawn, found.halves
    columns = (found.names, redrawn.first.tolist(), redrawn.top3.tolist(), redrawn.low.tolist(), redrawn.high.tolist())
    tau = None if halves is None else [_number(end) for end in (halves.tau.mean, halves.tau.low, halves.tau.high)]
    return {
        "redrawn": [
            {"run": name, "first": first, "top3": top3, "ranks": [low, high]}
            for name, first, top3, low, high in zip(*columns, strict=True)
        ],
        "variance": found.variance,
        "found_difference": float(found_difference(found.variance, found.topic_count)),
        "needed": [{"difference": one, "two_runs": two, "all_pairs": every} for one, two, every in found.needed],
        "halves": None if halves is None else {"topics": halves.half, "tau-b": tau},
        "generalisability": found.generalisability,
    }


def as_text(found: OtherTopics) -> Iterator[str]:
    """Tell it for people: sentences, and two tables."""
    redrawn = found.redrawn
    yield f"\n{redrawn_sentence(float(redrawn.first[0]), float(redrawn.top3[0]), found.names[0])}\n\n"
    columns = (found.names, redrawn.first, redrawn.top3, redrawn.low, redrawn.high)
    rows = [
        [name, share_text(float(first)), share_text(float(top3)), f"{low}" if low == high else f"{low}-{high}"]
        for name, first, top3, low, high in zip(*columns, strict=True)
    ]
    yield tables.aligned(("run", "first", "first three", "ranks"), rows, words=("run",))
    yield f"\n{topics_sentence(found.variance, found.topic_count)}\n\n"
    needed = [[f"{one:.2f}", f"{two:,}", "" if every is None else f"{every:,}"] for one, two, every in found.needed]
    yield tables.aligned(("difference", "topics, two runs", "topics, all pairs"), needed)
    if found.halves is None or found.generalisability is None:
        yield f"\n{few_runs_sentence(len(found.names))}\n"
        return
    heading = "" if math.isnan(found.halves.tau.mean) else f"{halves_heading(found.halves)}.\n"
    yield f"\n{heading[:1].upper()}{heading[1:]}Generalisability {found.generalisability:.3f}. {GENERALISABILITY}\n"


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
