"""Two files of assessments as one: the topics that the newer one judges replace those of the older one."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from limelight.arrays import Array, Integers
from limelight.formats.assessments.columns import JudgementColumns
from limelight.formats.assessments.document_grades import GradeColumns

Version = TypeVar("Version", JudgementColumns, GradeColumns)


def merged(old: Version, new: Version) -> Version:
    """Return the judgements of `new`, and those of `old` for the topics that `new` does not judge.

    Topics keep the order of `old`; those that only `new` judges follow. Both are of one kind and on one axis.
    """
    topics = tuple(dict.fromkeys([*old.topics, *new.topics]))
    documents = tuple(dict.fromkeys([*old.documents, *new.documents]))
    judged_anew = np.array([topic in set(new.topics) for topic in old.topics], dtype=bool)
    kept = np.flatnonzero(~judged_anew[old.topic]) if len(old) else np.zeros(0, dtype=np.int64)
    topic = _joined(old, new, kept, "topic", old.topics, new.topics, topics)
    document = _joined(old, new, kept, "document", old.documents, new.documents, documents)
    order = np.argsort(topic, kind="stable")
    joined = {"topic": topic[order], "document": document[order]}
    if isinstance(new, GradeColumns):
        joined |= {name: _end_to_end(old, new, kept, name)[order] for name in ("grade", "line")}
        return GradeColumns(topics, documents, **joined)
    names = ("document_length", "entry_point", "line")
    joined |= {name: _end_to_end(old, new, kept, name)[order] for name in names}
    return JudgementColumns(topics, documents, **joined, **_passages(old, new, kept, order), axis=new.axis)


def _joined(
    old: Version,
    new: Version,
    kept: Integers,
    column: str,
    old_names: Sequence[str],
    new_names: Sequence[str],
    names: Sequence[str],
) -> Integers:
    """Return a column of numbers of both, numbered as the names of both together."""
    place = {name: number for number, name in enumerate(names)}
    numbers = [np.array([place[name] for name in own], dtype=np.int64) for own in (old_names, new_names)]
    return np.concatenate([numbers[0][getattr(old, column)[kept]], numbers[1][getattr(new, column)]])


def _end_to_end(old: Version, new: Version, kept: Integers, column: str) -> Array:
    return np.concatenate([getattr(old, column)[kept], getattr(new, column)])


def _passages(old: JudgementColumns, new: JudgementColumns, kept: Integers, order: Integers) -> dict[str, Integers]:
    """Return the passages of both, by the judgement they belong to now."""
    place = np.full(len(old), -1, dtype=np.int64)
    place[kept] = np.arange(len(kept))
    taken = np.flatnonzero(place[old.judgement] >= 0)
    judgement = np.concatenate([place[old.judgement[taken]], new.judgement + len(kept)])
    position = np.empty(len(order), dtype=np.int64)
    position[order] = np.arange(len(order))
    judgement = position[judgement]
    offset, length = (np.concatenate([getattr(old, name)[taken], getattr(new, name)]) for name in ("offset", "length"))
    by_judgement = np.argsort(judgement, kind="stable")  # within one the passages stand in order already
    return {
        "judgement": judgement[by_judgement],
        "offset": offset[by_judgement],
        "length": length[by_judgement],
    }
