"""What a file of assessments holds, counted topic by topic."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from limelight.arrays import Integers
from limelight.formats.assessments.columns import UNKNOWN, JudgementColumns
from limelight.formats.assessments.document_grades import GradeColumns
from limelight.formats.assessments.element_columns import ElementColumns


@dataclass(frozen=True, slots=True)
class TopicCount:
    """How much was judged for a topic; `elements` only where elements were graded."""

    topic: str
    judged: int
    relevant: int
    highlighted: int
    entry_points: int
    elements: int = 0


def topic_counts(columns: JudgementColumns | GradeColumns | ElementColumns) -> list[TopicCount]:
    """Count the judgements of each topic, in the order of the file."""
    if isinstance(columns, JudgementColumns):
        highlighted = columns.relevant_characters
        counted = [
            _by_topic(columns, columns.topic),
            _by_topic(columns, columns.topic[highlighted > 0]),
            _by_topic(columns, columns.topic, highlighted),
            _by_topic(columns, columns.topic[columns.entry_point != UNKNOWN]),
        ]
    elif isinstance(columns, GradeColumns):
        nothing = [0] * len(columns.topics)
        relevant = _by_topic(columns, columns.topic[columns.grade > 0])
        counted = [_by_topic(columns, columns.topic), relevant, nothing, nothing]
    else:
        counted = _of_elements(columns)
    return [TopicCount(topic, *numbers) for topic, *numbers in zip(columns.topics, *counted, strict=True)]


def _of_elements(columns: ElementColumns) -> list[list[int]]:
    pairs = np.column_stack([columns.topic, columns.document])[columns.exhaustivity > 0]
    relevant = np.unique(pairs, axis=0)[:, 0]
    judged = np.unique(np.column_stack([columns.judged_topic, columns.judged_document]), axis=0)[:, 0]
    nothing = [0] * len(columns.topics)
    counted = [_by_topic(columns, judged), _by_topic(columns, relevant)]
    return [*counted, nothing, nothing, _by_topic(columns, columns.topic)]


def _by_topic(
    columns: JudgementColumns | GradeColumns | ElementColumns, numbers: Integers, weights: Integers | None = None
) -> list[int]:
    counts = np.bincount(numbers, weights=weights, minlength=len(columns.topics))
    return counts.astype(np.int64).tolist()


def totals(counts: Sequence[TopicCount]) -> dict[str, int]:
    """Add up what was counted for the topics."""
    names = ("judged", "relevant", "highlighted", "entry_points", "elements")
    return {"topics": len(counts)} | {name: sum(getattr(count, name) for count in counts) for name in names}
