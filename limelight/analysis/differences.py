"""What changed between two versions of assessments: documents and characters, topic by topic."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from limelight.formats.assessments.columns import UNKNOWN, JudgementColumns
from limelight.formats.assessments.document_grades import GradeColumns, grades_of_highlights
from limelight.text.documents import Span

Version = JudgementColumns | GradeColumns

ADDED, DROPPED, CHANGED = "added", "dropped", "changed"


class NotComparable(ValueError):
    """Two versions count text differently, so that no difference between them means anything."""


@dataclass(frozen=True, slots=True)
class DocumentDifference:
    """What changed about one document of a topic; grades and entry points are None where there are none."""

    document: str
    change: str
    gained: int = 0
    lost: int = 0
    old_grade: int | None = None
    new_grade: int | None = None
    old_entry_point: int | None = None
    new_entry_point: int | None = None

    @property
    def entry_point_moved(self) -> bool:
        """Return whether the assessor's entry point is another one."""
        return self.change == CHANGED and self.old_entry_point != self.new_entry_point


@dataclass(frozen=True, slots=True)
class TopicDifference:
    """What changed for a topic: the documents that did, and how many did not."""

    topic: str
    documents: tuple[DocumentDifference, ...]
    unchanged: int

    def count(self, change: str) -> int:
        """Count the documents that were added, dropped or changed."""
        return sum(document.change == change for document in self.documents)

    @property
    def added(self) -> int:
        """Count the documents that only the new version judges."""
        return self.count(ADDED)

    @property
    def dropped(self) -> int:
        """Count the documents that only the old version judges."""
        return self.count(DROPPED)

    @property
    def changed(self) -> int:
        """Count the documents that both judge, and differently."""
        return self.count(CHANGED)

    @property
    def gained(self) -> int:
        """Count the characters that only the new version highlights."""
        return sum(document.gained for document in self.documents)

    @property
    def lost(self) -> int:
        """Count the characters that only the old version highlights."""
        return sum(document.lost for document in self.documents)


@dataclass(frozen=True, slots=True)
class Judged:
    """One judged document, as far as it can differ."""

    spans: tuple[Span, ...] = ()
    entry_point: int | None = None
    grade: int | None = None

    @property
    def characters(self) -> int:
        return sum(length for _, length in self.spans)


NOT_JUDGED = Judged()


def topic_differences(old: Version, new: Version) -> list[TopicDifference]:
    """Return what differs between two versions' columns for each topic of either, those of the new one first.

    Highlights beside grades are compared as relevant or not. Raises NotComparable for two different axes.
    """
    old, new = _alike(old, new)
    before, after = _by_topic(old), _by_topic(new)
    return [
        _difference(topic, before.get(topic, {}), after.get(topic, {}))
        for topic in dict.fromkeys([*new.topics, *old.topics])
    ]


def _alike(old: Version, new: Version) -> tuple[Version, Version]:
    if isinstance(old, JudgementColumns) and isinstance(new, JudgementColumns):
        if old.axis != new.axis:
            raise NotComparable(
                "One version counts every character, the other sizes with white space merged. "
                "The two cannot be compared."
            )
        return old, new
    if isinstance(old, GradeColumns) and isinstance(new, GradeColumns):
        return old, new
    return _binary(old), _binary(new)


def _binary(columns: Version) -> GradeColumns:
    if isinstance(columns, JudgementColumns):
        return grades_of_highlights(columns)
    grade = (columns.grade > 0).astype(np.int64)
    return GradeColumns(columns.topics, columns.documents, columns.topic, columns.document, grade, columns.line)


def _by_topic(columns: Version) -> dict[str, dict[str, Judged]]:
    found: dict[str, dict[str, Judged]] = {topic: {} for topic in columns.topics}
    rows = zip(columns.topic.tolist(), columns.document.tolist(), _judged(columns), strict=True)
    for topic, document, judged in rows:
        found[columns.topics[topic]][columns.documents[document]] = judged
    return found


def _judged(columns: Version) -> list[Judged]:
    if not isinstance(columns, JudgementColumns):
        return [Judged(grade=grade) for grade in columns.grade.tolist()]
    bounds = np.searchsorted(columns.judgement, np.arange(len(columns) + 1)).tolist()
    spans = [(offset, length) for offset, length in zip(columns.offset.tolist(), columns.length.tolist(), strict=True)]
    return [
        Judged(tuple(spans[bounds[index] : bounds[index + 1]]), None if entry == UNKNOWN else entry)
        for index, entry in enumerate(columns.entry_point.tolist())
    ]


def _difference(topic: str, before: Mapping[str, Judged], after: Mapping[str, Judged]) -> TopicDifference:
    documents, unchanged = [], 0
    for document in dict.fromkeys([*after, *before]):
        old, new = before.get(document), after.get(document)
        if old == new:
            unchanged += 1
            continue
        change = ADDED if old is None else DROPPED if new is None else CHANGED
        documents.append(_document(document, change, old or NOT_JUDGED, new or NOT_JUDGED))
    return TopicDifference(topic, tuple(documents), unchanged)


def _document(document: str, change: str, old: Judged, new: Judged) -> DocumentDifference:
    shared = shared_characters(old.spans, new.spans)
    return DocumentDifference(
        document,
        change,
        gained=new.characters - shared,
        lost=old.characters - shared,
        old_grade=old.grade,
        new_grade=new.grade,
        old_entry_point=old.entry_point,
        new_entry_point=new.entry_point,
    )


def shared_characters(old: Sequence[Span], new: Sequence[Span]) -> int:
    """Count the characters that lie in spans of both, each in order and without overlap.

    >>> shared_characters([(0, 10), (20, 10)], [(5, 20)])
    10
    """
    shared = left = right = 0
    while left < len(old) and right < len(new):
        end, other_end = sum(old[left]), sum(new[right])
        shared += max(0, min(end, other_end) - max(old[left][0], new[right][0]))
        if end <= other_end:
            left += 1
        else:
            right += 1
    return shared
