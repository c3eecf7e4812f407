"""How a ranking would change had a team not taken part: its own finds go out of the assessments.

A team's finds are the judged documents that only its runs brought into the pool. Without them, every run is scored
anew on the topics that lose relevant text; the other topics keep their values.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from limelight.analysis.pooling import DOCUMENT_BITS, PoolColumns
from limelight.analysis.ranking import ranks
from limelight.analysis.statistics.correlation import kendall_tau_b
from limelight.arrays import Flags, Integers, Reals
from limelight.formats.assessments.document_grades import GradeColumns
from limelight.formats.columns import RunColumns
from limelight.formats.matching import matched, read_names
from limelight.scoring.evaluators import Judgements, compiled, evaluate, mean_over_topics
from limelight.scoring.spans import Highlights, highest_grade


@dataclass(frozen=True, slots=True, eq=False)
class TeamLeftOut:
    """What the assessments would lack without a team: counts, the topics it touches, and those topics' assessments."""

    team: Hashable
    pooled: int
    judged: int
    relevant: int
    touched: frozenset[str]
    highlights: Highlights | None


def teams_left_out(judgements: Judgements, pooled: PoolColumns) -> list[TeamLeftOut]:
    """Return for each team of a pool what the assessments would be without what only this team found."""
    owner, relevant, highest = owners_of(judgements, pooled), is_relevant(judgements), highest_grade(judgements)
    unique = pooled.unique_of_teams.tolist()
    found = []
    for number, team in enumerate(pooled.teams):
        lost = owner == number
        touched = np.unique(judgements.topic[lost & relevant])
        rest = without(judgements, lost | ~np.isin(judgements.topic, touched)) if len(touched) else None
        found.append(
            TeamLeftOut(
                team=team,
                pooled=unique[number],
                judged=int(lost.sum()),
                relevant=int((lost & relevant).sum()),
                touched=frozenset(judgements.topics[topic] for topic in touched.tolist()),
                # Grades keep their scale, even if the highest one goes out with the team's finds.
                highlights=replace(compiled(rest), highest_grade=highest) if rest is not None else None,
            )
        )
    return found


def owners_of(judgements: Judgements, pooled: PoolColumns) -> Integers:
    """Return for each judgement the one team that brought its document into the pool, -1 where none or several did."""
    topic = matched(judgements.topics, {name: number for number, name in enumerate(pooled.topics)})[judgements.topic]
    names = {name: number for number, name in enumerate(pooled.documents)}
    document = matched(tuple(judgements.documents), names)[judgements.document]
    wanted = (topic << DOCUMENT_BITS) | document
    keys = (pooled.topic << DOCUMENT_BITS) | pooled.document
    order = np.argsort(keys)
    place = np.searchsorted(keys, wanted, sorter=order)
    entry = order[np.minimum(place, max(len(order) - 1, 0))] if len(order) else np.zeros(len(wanted), dtype=np.int64)
    hit = (topic >= 0) & (document >= 0) & (keys[entry] == wanted) if len(order) else np.zeros(len(wanted), dtype=bool)
    return np.where(hit, pooled.owners()[entry], -1) if len(order) else np.full(len(wanted), -1)


def is_relevant(judgements: Judgements) -> Flags:
    """Tell for each judgement whether it found something relevant."""
    return judgements.grade > 0 if isinstance(judgements, GradeColumns) else judgements.relevant_characters > 0


def without(judgements: Judgements, lost: Flags) -> Judgements:
    """Return the judgements without those that are lost, a flag for each."""
    kept = ~lost
    names = ("topic", "line", "grade", "document_length", "entry_point")
    columns = {name: getattr(judgements, name)[kept] for name in names if hasattr(judgements, name)}
    used, columns["document"] = np.unique(judgements.document[kept], return_inverse=True)
    columns["documents"] = tuple(read_names(judgements.documents, used))
    if hasattr(judgements, "judgement"):
        number = np.cumsum(kept) - 1
        passages = kept[judgements.judgement]
        columns["judgement"] = number[judgements.judgement[passages]]
        columns |= {name: getattr(judgements, name)[passages] for name in ("offset", "length")}
    return replace(judgements, **columns)


def score_without(
    left_out: TeamLeftOut, baseline: Reals, topics: Sequence[str], run: RunColumns, **scoring: Any
) -> float:
    """Return a run's mean without a team's finds, given its values with them in the order of the topics.

    A topic that loses all of its relevant text no longer counts. `scoring` is what `evaluate` takes, with `measures` a
    list of one measure.
    """
    if not left_out.touched:
        return mean_over_topics(baseline)
    untouched = np.array([topic not in left_out.touched for topic in topics], dtype=bool)
    values = [baseline[untouched]]
    if left_out.highlights is not None and left_out.highlights.topics:
        result = evaluate(judgements=left_out.highlights, run=run, **scoring)
        values += list(result.topic_values.values())
    return mean_over_topics(np.concatenate(values))


@dataclass(frozen=True, slots=True)
class Shift:
    """How one ranking differs from another: ranks before and after, tau-b, and the run that moves farthest."""

    before: list[int]
    after: list[int]
    tau: float | None
    farthest: int


def shift(before: Sequence[float], after: Sequence[float]) -> Shift:
    """Compare two lists of scores of the same runs.

    >>> shift([0.3, 0.2, 0.1], [0.3, 0.1, 0.2])
    Shift(before=[1, 2, 3], after=[1, 3, 2], tau=0.3333333333333333, farthest=1)
    """
    ranks_before, ranks_after = ranks(before), ranks(after)
    tau = kendall_tau_b(before, after).value
    moves = [abs(old - new) for old, new in zip(ranks_before, ranks_after, strict=True)]
    return Shift(ranks_before, ranks_after, None if np.isnan(tau) else tau, int(np.argmax(moves)) if moves else 0)
