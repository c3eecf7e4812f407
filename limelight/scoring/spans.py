"""The arrays all span measures share: highlighted text on one long axis, and a run laid onto it.

A span is half-open, [offset, offset + length). The text of every judged document of every topic is laid end to end on
one axis, so that one binary search finds the highlighted text before any position, for all results at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from limelight.arrays import Flags, Integers
from limelight.formats.assessments.columns import UNKNOWN, JudgementColumns
from limelight.formats.assessments.document_grades import GradeColumns
from limelight.formats.columns import RunColumns
from limelight.formats.matching import Keys, matched, packed
from limelight.scoring.topicwise import bounds_of

NOT_JUDGED = -1
"""Judgement of a result whose document nobody judged for its topic: not relevant, but its text still counts."""


@dataclass(frozen=True, slots=True, eq=False)
class Highlights:
    """An assessment set made ready for scoring: only topics with highlighted text, in the order of the assessments.

    `key`, `relevant`, `grade`, `document_length`, `entry_point`, `base` and `extent` have one entry a judgement, sorted
    by topic and document; `start`, `length` and `before` one entry a highlighted passage, behind an empty one at
    position 0. `grade` is 1 for a document with highlighted text, or what TREC assessors gave it; `highest_grade` is
    that of the whole assessment set.
    """

    topics: tuple[str, ...]
    documents: tuple[str, ...]
    axis: str
    key: Integers
    relevant: Integers
    grade: Integers
    document_length: Integers
    entry_point: Integers
    base: Integers
    extent: Integers
    start: Integers
    length: Integers
    before: Integers
    topic_relevant: Integers
    relevant_documents: Integers
    document_number: dict[str, int]
    document_keys: Keys | None
    highest_grade: int = 1
    grades_documents: bool = False

    def find(self, topic: Integers, document: Integers) -> Integers:
        """Return the judgement of each topic and document, NOT_JUDGED where there is none."""
        wanted = topic * len(self.documents) + document
        place = np.minimum(np.searchsorted(self.key, wanted), max(len(self.key) - 1, 0))
        found = self.key[place] == wanted if len(self.key) else np.zeros(len(wanted), dtype=bool)
        return np.where(found & (document >= 0), place, NOT_JUDGED)

    def covered(self, position: Integers) -> Integers:
        """Count the highlighted characters before each position of the axis."""
        passage = np.searchsorted(self.start, position, side="right") - 1
        return self.before[passage] + np.minimum(position - self.start[passage], self.length[passage])

    def overlap(self, judgement: Integers, start: Integers, end: Integers) -> Integers:
        """Count the highlighted characters between two offsets of a judged document.

        Text behind the last highlighted character cannot be relevant, so offsets are cut off there.
        """
        base, extent = self.base[judgement], self.extent[judgement]
        return self.covered(base + np.minimum(end, extent)) - self.covered(base + np.minimum(start, extent))

    def passages(self, topic: int, document: str) -> list[tuple[int, int]]:
        """Return the highlighted passages of a document for a topic as (offset, length), in its order."""
        judgement = self.judgement_of(topic, document)
        if judgement == NOT_JUDGED:
            return []
        base, extent = self.base[judgement], self.extent[judgement]
        first = max(int(np.searchsorted(self.start, base)), 1)
        last = int(np.searchsorted(self.start, base + extent))
        return list(zip((self.start[first:last] - base).tolist(), self.length[first:last].tolist(), strict=True))

    def entry_point_of(self, topic: int, document: str) -> int | None:
        """Return where the assessor of a topic would begin to read a document; None where nobody told."""
        judgement = self.judgement_of(topic, document)
        entry_point = UNKNOWN if judgement == NOT_JUDGED else int(self.entry_point[judgement])
        return None if entry_point == UNKNOWN else entry_point

    def judgement_of(self, topic: int, document: str) -> int:
        """Return the judgement of a document for a topic, NOT_JUDGED where there is none."""
        number = self.document_number.get(document, NOT_JUDGED)
        return int(self.find(np.array([topic]), np.array([number]))[0])


def compile_highlights(judgements: JudgementColumns) -> Highlights:
    """Lay the highlighted passages of an assessment set onto one axis."""
    relevant = _relevant_characters(judgements)
    topic_relevant = np.zeros(len(judgements.topics), dtype=np.int64)
    np.add.at(topic_relevant, judgements.topic, relevant)
    counted = np.flatnonzero(topic_relevant > 0)
    number = np.full(len(judgements.topics), -1, dtype=np.int64)
    number[counted] = np.arange(len(counted))

    kept = np.flatnonzero(number[judgements.topic] >= 0)
    key = number[judgements.topic[kept]] * len(judgements.documents) + judgements.document[kept]
    by_key = np.argsort(key, kind="stable")
    kept, key = kept[by_key], key[by_key]

    place = np.full(len(judgements), -1, dtype=np.int64)
    place[kept] = np.arange(len(kept))
    owner, offset, length = _disjoint_passages(judgements)
    owner, offset, length = owner[place[owner] >= 0], offset[place[owner] >= 0], length[place[owner] >= 0]
    owner = place[owner]
    by_owner = np.argsort(owner, kind="stable")
    owner, offset, length = owner[by_owner], offset[by_owner], length[by_owner]

    extent = np.zeros(len(kept), dtype=np.int64)
    np.maximum.at(extent, owner, offset + length)
    base = 1 + np.concatenate(([0], np.cumsum(extent)))[:-1]
    length = np.concatenate(([0], length))
    return Highlights(
        topics=tuple(judgements.topics[topic] for topic in counted.tolist()),
        documents=tuple(judgements.documents),
        axis=judgements.axis,
        key=key,
        relevant=relevant[kept],
        grade=(relevant[kept] > 0).astype(np.int64),
        document_length=judgements.document_length[kept].astype(np.int64),
        entry_point=judgements.entry_point[kept].astype(np.int64),
        base=base,
        extent=extent,
        start=np.concatenate(([0], base[owner] + offset)),
        length=length,
        before=np.cumsum(length) - length,
        topic_relevant=topic_relevant[counted],
        relevant_documents=np.bincount(
            key[relevant[kept] > 0] // max(len(judgements.documents), 1), minlength=len(counted)
        ),
        document_number={name: number for number, name in enumerate(judgements.documents)},
        document_keys=packed(judgements.documents),
    )


def compile_grades(qrels: GradeColumns) -> Highlights:
    """Make TREC qrels ready for scoring whole documents: a document is relevant when its grade is above 0."""
    relevant = (qrels.grade > 0).astype(np.int64)
    relevant_documents = np.bincount(qrels.topic, weights=relevant, minlength=len(qrels.topics)).astype(np.int64)
    counted = np.flatnonzero(relevant_documents > 0)
    number = np.full(len(qrels.topics), -1, dtype=np.int64)
    number[counted] = np.arange(len(counted))
    kept = np.flatnonzero(number[qrels.topic] >= 0)
    key = number[qrels.topic[kept]] * len(qrels.documents) + qrels.document[kept]
    by_key = np.argsort(key, kind="stable")
    kept, key = kept[by_key], key[by_key]
    unknown, nothing = np.full(len(kept), -1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    return Highlights(
        topics=tuple(qrels.topics[topic] for topic in counted.tolist()),
        documents=tuple(qrels.documents),
        axis="",
        key=key,
        relevant=relevant[kept],
        grade=qrels.grade[kept].astype(np.int64),
        document_length=unknown,
        entry_point=unknown,
        base=np.ones(len(kept), dtype=np.int64),
        extent=np.zeros(len(kept), dtype=np.int64),
        start=nothing,
        length=nothing,
        before=nothing,
        topic_relevant=relevant_documents[counted],
        relevant_documents=relevant_documents[counted],
        document_number={name: number for number, name in enumerate(qrels.documents)},
        document_keys=packed(qrels.documents),
        highest_grade=highest_grade(qrels),
        grades_documents=True,
    )


def nothing_judged(topic: str) -> Highlights:
    """Return what scoring a topic would need if nobody had judged anything: for laying a run without assessments."""
    none, nothing = np.zeros(0, dtype=np.int64), np.zeros(1, dtype=np.int64)
    return Highlights(
        topics=(topic,),
        documents=(),
        axis="",
        key=none,
        relevant=none,
        grade=none,
        document_length=none,
        entry_point=none,
        base=none,
        extent=none,
        start=nothing,
        length=nothing,
        before=nothing,
        topic_relevant=nothing,
        relevant_documents=nothing,
        document_number={},
        document_keys=packed(()),
    )


def highest_grade(judgements: JudgementColumns | GradeColumns) -> int:
    """Return the highest grade of an assessment set, at least 1; highlighted text has grade 1."""
    return max(1, int(judgements.grade.max(initial=1))) if isinstance(judgements, GradeColumns) else 1


def _disjoint_passages(judgements: JudgementColumns) -> tuple[Integers, Integers, Integers]:
    # Readers refuse passages that overlap; should some come from elsewhere, no character counts twice.
    owner = judgements.judgement.astype(np.int64)
    offset, length = judgements.offset.astype(np.int64), judgements.length.astype(np.int64)
    order = np.lexsort((offset, owner))
    owner, offset, end = owner[order], offset[order], (offset + length)[order]
    touching = (owner[1:] == owner[:-1]) & (offset[1:] < end[:-1])
    if touching.any():
        span = int(end.max()) + 1
        reach = np.maximum.accumulate(end + owner * span) - owner * span
        offset[1:] = np.where(owner[1:] == owner[:-1], np.maximum(offset[1:], reach[:-1]), offset[1:])
    kept = end > offset
    return owner[kept], offset[kept], (end - offset)[kept]


def _relevant_characters(judgements: JudgementColumns) -> Integers:
    owner, _, length = _disjoint_passages(judgements)
    relevant = np.zeros(len(judgements), dtype=np.int64)
    np.add.at(relevant, owner, length)
    return relevant


@dataclass(frozen=True, slots=True, eq=False)
class LaidRun:
    """A run laid onto the highlights: its results on counted topics, topics in the order of the highlights.

    `relevant` is rsize, the highlighted characters inside each result; `judgement` is NOT_JUDGED for a document that
    nobody judged for the topic. `document` numbers the run's own documents.
    """

    highlights: Highlights
    bounds: Integers
    topic: Integers
    document: Integers
    judgement: Integers
    offset: Integers
    length: Integers
    relevant: Integers
    unmapped: Flags
    document_count: int

    def __len__(self) -> int:
        """Count the results on counted topics."""
        return len(self.topic)

    @property
    def document_key(self) -> Integers:
        """Number topic and document together, the same for all results of a document in a topic."""
        return self.topic * self.document_count + self.document


def lay(highlights: Highlights, run: RunColumns) -> LaidRun:
    """Lay a run onto the highlights: find each result's judgement and count the highlighted characters in it."""
    topic = matched(run.topics, {name: number for number, name in enumerate(highlights.topics)})[run.topic]
    kept = np.flatnonzero(topic >= 0)
    topic = topic[kept]
    if (topic[1:] < topic[:-1]).any():
        by_topic = np.argsort(topic, kind="stable")
        kept, topic = kept[by_topic], topic[by_topic]
    whole = len(kept) == len(run) and (kept[1:] > kept[:-1]).all()
    document, offset, length = (
        (column if whole else column[kept]).astype(np.int64, copy=False)
        for column in (run.document, run.offset, run.length)
    )
    unmapped = run.unmapped if whole else run.unmapped[kept]

    judged_document = matched(run.documents, highlights.document_number, highlights.document_keys)[document]
    judgement = np.full(len(kept), NOT_JUDGED, dtype=np.int64)
    known = np.flatnonzero(judged_document >= 0)
    judgement[known] = highlights.find(topic[known], judged_document[known])

    relevant = np.zeros(len(kept), dtype=np.int64)
    hopeful = known[(judgement[known] >= 0) & ~unmapped[known]]
    hopeful = hopeful[highlights.relevant[judgement[hopeful]] > 0]
    start = offset[hopeful]
    relevant[hopeful] = highlights.overlap(judgement[hopeful], start, start + length[hopeful])
    return LaidRun(
        highlights=highlights,
        bounds=bounds_of(topic, len(highlights.topics)),
        topic=topic,
        document=document,
        judgement=judgement,
        offset=offset,
        length=length,
        relevant=relevant,
        unmapped=unmapped,
        document_count=len(run.documents),
    )


def spread_documents(
    run: RunColumns, highlights: Highlights, document_lengths: Mapping[str, int] | None = None
) -> RunColumns:
    """Return a run of whole documents as spans from 0 to their ends; a length nobody knows stays 0."""
    lengths = np.zeros(len(highlights.documents) + 1, dtype=np.int64)
    if len(highlights.key):
        np.maximum.at(lengths, highlights.key % len(highlights.documents), highlights.document_length)
    spread = lengths[matched(run.documents, highlights.document_number, highlights.document_keys)]
    if document_lengths is not None:
        told = (document_lengths.get(name) or 0 for name in run.documents)
        spread = np.maximum(spread, np.fromiter(told, dtype=np.int64, count=len(run.documents)))
    return run.mapped(np.where(run.unmapped, run.offset, 0), np.where(run.unmapped, 0, spread[run.document]))
