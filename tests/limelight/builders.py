"""Small assessment sets and runs written as Python literals, turned into columns."""

from dataclasses import dataclass, field

import numpy as np

from limelight.formats.assessments.columns import UNKNOWN, JudgementColumns
from limelight.formats.assessments.document_grades import GradeColumns
from limelight.formats.columns import UNMAPPED, RunColumns


@dataclass(frozen=True)
class Judged:
    """One judged document: its length, the assessor's entry point and the highlighted (offset, length) spans."""

    length: int = UNKNOWN
    entry: int = UNKNOWN
    spans: tuple = field(default=())


def integers(values):
    return np.array(list(values), dtype=np.int64)


def judgement_columns(judgements):
    """Turn {topic: {document: Judged}} into columns."""
    documents = {}
    rows = [
        (number, documents.setdefault(document, len(documents)), judged)
        for number, topic in enumerate(judgements)
        for document, judged in judgements[topic].items()
    ]
    passages = [(row, *span) for row, (_, _, judged) in enumerate(rows) for span in sorted(judged.spans)]
    return JudgementColumns(
        topics=tuple(judgements),
        documents=tuple(documents),
        topic=integers(row[0] for row in rows),
        document=integers(row[1] for row in rows),
        document_length=integers(row[2].length for row in rows),
        entry_point=integers(row[2].entry for row in rows),
        line=integers(range(1, len(rows) + 1)),
        judgement=integers(passage[0] for passage in passages),
        offset=integers(passage[1] for passage in passages),
        length=integers(passage[2] for passage in passages),
    )


def run_columns(run, run_id="run"):
    """Turn {topic: [(document, offset, length)]} into columns; an offset of None is a result without a known place."""
    documents = {}
    rows = [
        (number, documents.setdefault(document, len(documents)), rank, offset, length)
        for number, topic in enumerate(run)
        for rank, (document, offset, length) in enumerate(run[topic], start=1)
    ]
    count = len(rows)
    return RunColumns(
        run_id=run_id,
        result_type="passage",
        topics=tuple(run),
        documents=tuple(documents),
        paths=(),
        topic=integers(row[0] for row in rows),
        document=integers(row[1] for row in rows),
        rank=integers(row[2] for row in rows),
        rsv=-np.arange(count, dtype=np.float64),
        offset=integers(UNMAPPED if row[3] is None else row[3] for row in rows),
        length=integers(0 if row[3] is None else row[4] for row in rows),
        line=integers(range(1, count + 1)),
        path=np.full(count, -1, dtype=np.int64),
    )


def qrels_columns(grades):
    """Turn {topic: {document: grade}} into columns."""
    documents = {}
    rows = [
        (number, documents.setdefault(document, len(documents)), grade)
        for number, topic in enumerate(grades)
        for document, grade in grades[topic].items()
    ]
    return GradeColumns(
        topics=tuple(grades),
        documents=tuple(documents),
        topic=integers(row[0] for row in rows),
        document=integers(row[1] for row in rows),
        grade=integers(row[2] for row in rows),
        line=integers(range(1, len(rows) + 1)),
    )
