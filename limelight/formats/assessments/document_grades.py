"""TREC qrels: a grade for each judged document of a topic."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np

from limelight.arrays import Integers
from limelight.formats import fields
from limelight.formats.assessments.columns import JudgementColumns
from limelight.formats.building import Names
from limelight.formats.fields import FieldError
from limelight.formats.lines import Progress, content_lines
from limelight.formats.opening import Limits, refuse
from limelight.formats.problems import FormatError, Problem, ProblemList
from limelight.formats.stored import File, load_arrays, save_arrays
from limelight.wording import counted

LAYOUT = "topic 0 document grade"
COLUMNS = ("topic", "document", "grade", "line")
SMALLEST_GRADE = -10
LARGEST_GRADE = 100


@dataclass(frozen=True, slots=True, eq=False)
class GradeColumns:
    """Grades of whole documents, one entry a judgement, grouped by topic; below 1 is not relevant."""

    topics: Sequence[str]
    documents: Sequence[str]
    topic: Integers
    document: Integers
    grade: Integers
    line: Integers

    def __len__(self) -> int:
        return len(self.topic)

    def save(self, target: File) -> None:
        """Write the columns to a path or binary file, so that they can be mapped into memory."""
        texts = {"topics": self.topics, "documents": self.documents}
        save_arrays(target, {}, texts, {name: getattr(self, name) for name in COLUMNS})

    @classmethod
    def load(cls, source: File) -> "GradeColumns":
        """Read what `save` wrote, from a path or binary file."""
        _, texts, arrays = load_arrays(source)
        columns: dict[str, Any] = {**texts, **arrays}
        return cls(**columns)


def read_grade_lines(
    payload: bytes, limits: Limits, progress: Progress | None = None
) -> tuple[GradeColumns, list[Problem]]:
    """Return the grades in the bytes of a qrels file, and the warnings about them."""
    problems = ProblemList()
    topics, documents = Names("topic", limits.name_size), Names("document id", limits.name_size)
    rows = array("q")
    first_lines: dict[tuple[int, int], int] = {}
    for number, line in content_lines(payload, limits, problems, progress):
        parts = line.split()
        try:
            row = _judgement(parts, topics, documents, first_lines)
        except FieldError as error:
            problems.add(str(error), error.rule, line=number, topic=fields.printable(parts[0]))
            continue
        first_lines[row[:2]] = number
        rows.extend((*row, number))
    if problems.has_errors():
        raise FormatError(problems.in_order())
    if not rows:
        refuse("The file holds no judgements.", "empty-file")
    table = np.array(rows, dtype=np.int64).reshape(-1, 4)
    table = table[np.argsort(table[:, 0], kind="stable")]
    columns = (np.ascontiguousarray(column) for column in table.T)
    return GradeColumns(tuple(topics.texts), tuple(documents.texts), *columns), problems.in_order()


def _judgement(
    parts: Sequence[bytes], topics: Names, documents: Names, first_lines: Mapping[tuple[int, int], int]
) -> tuple[int, int, int]:
    if len(parts) != 4:
        found = counted(len(parts), "field")
        raise FieldError(f"{found} found, 4 expected ({LAYOUT}).", "field-count")
    topic, document = topics[parts[0]], documents[parts[2]]
    grade = fields.integer(parts[3], "grade")
    if not SMALLEST_GRADE <= grade <= LARGEST_GRADE:
        message = f"the grade {grade} is out of range. It is between {SMALLEST_GRADE} and {LARGEST_GRADE}."
        raise FieldError(message, "number-range")
    if earlier := first_lines.get((topic, document)):
        message = (
            f"document {documents.texts[document]} of topic {topics.texts[topic]} was already judged in line {earlier}."
        )
        raise FieldError(f"{message} Remove one of the two lines.", "duplicate-judgement")
    return topic, document, grade


def write_grades(columns: GradeColumns, target: BinaryIO) -> None:
    """Write grades as qrels to a binary file."""
    rows = zip(columns.topic.tolist(), columns.document.tolist(), columns.grade.tolist(), strict=True)
    for topic, document, grade in rows:
        target.write(f"{columns.topics[topic]} 0 {columns.documents[document]} {grade}\n".encode())


def grades_of_highlights(judgements: JudgementColumns) -> GradeColumns:
    """Return judgements of highlighted text as grades: 1 for a document with some, 0 for one without."""
    return GradeColumns(
        judgements.topics,
        judgements.documents,
        judgements.topic,
        judgements.document,
        (judgements.relevant_characters > 0).astype(np.int64),
        judgements.line,
    )
