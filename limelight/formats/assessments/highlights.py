"""Highlighted text in the text form of 2008 to 2010: one judged document a line, its passages as offset:length."""

from array import array
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, BinaryIO, TypeVar

import numpy as np

from limelight.formats import fields
from limelight.formats.assessments.columns import UNKNOWN, JudgementColumns
from limelight.formats.building import Names
from limelight.formats.fields import FieldError
from limelight.formats.lines import Progress, content_lines
from limelight.formats.opening import Limits, refuse
from limelight.formats.problems import WARNING, FormatError, Problem, ProblemList
from limelight.wording import counted

Read = TypeVar("Read")

LAYOUT = "topic Q0 file relevant_chars document_length [entry_point offset:length …]"


def read_highlight_lines(
    payload: bytes, limits: Limits, progress: Progress | None = None
) -> tuple[JudgementColumns, list[Problem]]:
    """Return the judgements in the bytes of a text file, and the warnings about them."""
    problems = ProblemList()
    reader = HighlightsReader(limits, problems)
    for number, line in content_lines(payload, limits, problems, progress):
        reader.read(number, line.split())
    if problems.has_errors():
        raise FormatError(problems.in_order())
    if not len(reader):
        refuse("The file holds no judgements.", "empty-file")
    columns = reader.columns()
    return columns, problems.in_order()


class HighlightsReader:
    """Reads judgement lines one after the other and holds them against the rules."""

    def __init__(self, limits: Limits, problems: ProblemList) -> None:
        self.topics = Names("topic", limits.name_size)
        self.documents = Names("document id", limits.name_size)
        self.problems = problems
        self._lines: dict[tuple[int, int], int] = {}
        self._judgements = array("q")
        self._passages = array("q")

    def __len__(self) -> int:
        return len(self._judgements) // 5

    def read(self, number: int, parts: Sequence[bytes]) -> None:
        """Take one line, or note all that's wrong with it."""
        if len(parts) < 5:
            found = counted(len(parts), "field")
            self._note(f"{found} found, at least 5 expected ({LAYOUT}).", "field-count", number, parts)
            return
        faults = len(self.problems)
        topic = self._attempt(lambda: self.topics[parts[0]], number, parts)
        document = self._attempt(lambda: self.documents[parts[2]], number, parts)
        relevant = self._attempt(lambda: fields.natural(parts[3], "number of relevant characters"), number, parts)
        length = self._attempt(lambda: unknown_or_natural(parts[4], "document length"), number, parts)
        entry_point = UNKNOWN
        if len(parts) > 5:
            entry_point = self._attempt(lambda: unknown_or_natural(parts[5], "entry point"), number, parts)
        passages = [self._attempt(partial(passage, part), number, parts) for part in parts[6:]]
        if len(self.problems) > faults:
            return
        passages.sort()
        self._check(number, parts, topic, document, relevant, length, passages)
        self._lines.setdefault((topic, document), number)
        judgement = len(self)
        self._judgements.extend((topic, document, length, entry_point, number))
        for offset, size in passages:
            self._passages.extend((judgement, offset, size))

    def columns(self) -> JudgementColumns:
        """Return what was read, grouped by topic."""
        judgements = np.array(self._judgements, dtype=np.int64).reshape(-1, 5)
        passages = np.array(self._passages, dtype=np.int64).reshape(-1, 3)
        order = np.argsort(judgements[:, 0], kind="stable")
        places = np.empty_like(order)
        places[order] = np.arange(len(order))
        passages[:, 0] = places[passages[:, 0]]
        passages = passages[np.argsort(passages[:, 0], kind="stable")]
        columns: list[Any] = [np.ascontiguousarray(column) for column in (*judgements[order].T, *passages.T)]
        return JudgementColumns(tuple(self.topics.texts), tuple(self.documents.texts), *columns)

    def _check(
        self,
        number: int,
        parts: Sequence[bytes],
        topic: int,
        document: int,
        relevant: int,
        length: int,
        passages: Sequence[tuple[int, int]],
    ) -> None:
        judged = f"document {self.documents.texts[document]} of topic {self.topics.texts[topic]}"
        if earlier := self._lines.get((topic, document)):
            message = f"{judged} was already judged in line {earlier}. Remove one of the two lines."
            self._note(message, "duplicate-judgement", number, parts)
        widest = (0, 0)
        for offset, size in passages:
            if size and offset < sum(widest):
                other = "{}:{}".format(*widest)
                message = f"{judged} has the passages {other} and {offset}:{size}, which overlap. Join them into one."
                self._note(message, "passage-overlap", number, parts)
            if size and offset + size > sum(widest):
                widest = (offset, size)
        if (total := sum(size for _, size in passages)) != relevant:
            message = f"the passages of {judged} add up to {total} characters, but the line says {relevant}."
            self._note(message, "passage-sum", number, parts)
        if length == UNKNOWN:
            return
        end = max((offset + size for offset, size in passages), default=0)
        if relevant > length or end > length:
            found = f"{relevant} relevant characters" if relevant > length else f"a passage up to {end}"
            message = f"{judged} has {found} in a document of {length}. The passages are taken as they are."
            self._note(message, "past-the-end", number, parts, WARNING)

    def _attempt(self, attempt: Callable[[], Read], number: int, parts: Sequence[bytes]) -> Read | Any:
        try:
            return attempt()
        except FieldError as error:
            self._note(str(error), error.rule, number, parts)
            return None

    def _note(self, message: str, rule: str, number: int, parts: Sequence[bytes], severity: str = "error") -> None:
        topic = fields.printable(parts[0])
        self.problems.add(message, rule, line=number, topic=topic, severity=severity)


def unknown_or_natural(field: bytes, name: str) -> int:
    """Return a number; -1 says that it isn't known."""
    return UNKNOWN if field == b"-1" else fields.natural(field, name)


def passage(field: bytes) -> tuple[int, int]:
    """Return offset and length of a passage written as offset:length."""
    offset, colon, length = field.partition(b":")
    if not colon:
        raise FieldError(f"the passage {fields.shown(field)} isn't written as offset:length.", "passage")
    return fields.natural(offset, "passage offset"), fields.natural(length, "passage length")


def write_highlights(columns: JudgementColumns, target: BinaryIO) -> None:
    """Write judgements in the text form to a binary file."""
    bounds = np.searchsorted(columns.judgement, np.arange(len(columns) + 1)).tolist()
    spans = list(zip(columns.offset.tolist(), columns.length.tolist(), strict=True))
    rows = zip(columns.topic.tolist(), columns.document.tolist(), columns.document_length.tolist(), strict=True)
    for index, (topic, document, length) in enumerate(rows):
        passages = spans[bounds[index] : bounds[index + 1]]
        relevant = sum(size for _, size in passages)
        words = [columns.topics[topic], "Q0", columns.documents[document], str(relevant), str(length)]
        entry_point = int(columns.entry_point[index])
        if passages or entry_point != UNKNOWN:
            words += [str(entry_point), *(f"{offset}:{size}" for offset, size in passages)]
        target.write(" ".join(words).encode() + b"\n")
