"""Runs that bring their text along, for informativeness tasks: one passage of text a line."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import BinaryIO

from limelight.formats import fields
from limelight.formats.building import NO_PATH, ColumnsBuilder
from limelight.formats.columns import RunColumns
from limelight.formats.fields import FieldError
from limelight.formats.lines import content_lines
from limelight.formats.opening import Limits, read_payload, refuse
from limelight.formats.problems import FormatError, Problem, ProblemList

LAYOUT = "topic Q0 file rank rsv run_id text"
FIELDS_BEFORE_TEXT = 6


@dataclass(frozen=True, slots=True, eq=False)
class TextRun:
    """A run with the text of its passages, in the order of the columns; the columns say from which documents."""

    columns: RunColumns
    texts: tuple[str, ...]


def read_text_run(stream: BinaryIO, *, limits: Limits = Limits()) -> tuple[TextRun, list[Problem]]:
    """Return a run whose lines end with text, and the warnings about it; raise FormatError with every problem."""
    problems = ProblemList()
    builder = ColumnsBuilder(limits, problems)
    texts = {}
    for number, line in content_lines(read_payload(stream, limits), limits, problems):
        parts = line.strip().split(maxsplit=FIELDS_BEFORE_TEXT)
        try:
            texts[number] = _take(builder, parts, number)
        except FieldError as error:
            problems.add(str(error), error.rule, line=number, topic=fields.printable(parts[0]))
    if problems.has_errors():
        raise FormatError(problems.in_order())
    if not texts:
        refuse("The file holds no results.", "empty-file")
    columns = builder.columns(builder.run_ids.texts[0], "document")
    return TextRun(columns, tuple(texts[line] for line in columns.line.tolist())), problems.in_order()


def _take(builder: ColumnsBuilder, parts: Sequence[bytes], number: int) -> str:
    if len(parts) <= FIELDS_BEFORE_TEXT:
        raise FieldError(f"{len(parts)} fields and no text found ({LAYOUT}).", "field-count")
    topic, document, run_id = builder.topics[parts[0]], builder.documents[parts[2]], builder.run_ids[parts[5]]
    if run_id:
        raise FieldError(f"the run id changes to {fields.printable(parts[5])}. A file holds one run.", "run-id")
    rank, rsv = fields.natural(parts[3], "rank"), fields.real(parts[4], "rsv")
    try:
        text = parts[FIELDS_BEFORE_TEXT].decode()
    except UnicodeDecodeError:
        raise FieldError("the text isn't valid UTF-8. Save the file as UTF-8.", "encoding") from None
    builder.add(topic, document, rank, rsv, 0, 0, NO_PATH, number)
    return text
