"""FOL text runs and their shorter relatives: one result a line, fields parted by white space."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any, TypeVar, TypeVarTuple

from limelight.formats import fields
from limelight.formats.building import NO_PATH, ColumnsBuilder
from limelight.formats.columns import UNMAPPED, UNMAPPED_MARKS, RunColumns, RunHeader
from limelight.formats.fields import FieldError
from limelight.formats.lines import content_lines
from limelight.formats.opening import Limits, refuse
from limelight.formats.problems import WARNING, FormatError, Problem, ProblemList
from limelight.formats.runs.fol_scan import scan_fol
from limelight.formats.runs.ir_metadata import read_metadata
from limelight.wording import counted

Given = TypeVarTuple("Given")
Read = TypeVar("Read")
Place = tuple[int, int, int]
"""Offset, length and number of the path."""

LAYOUTS = {
    "passage": "topic Q0 file rank rsv run_id offset length",
    "range": "topic Q0 file rank rsv run_id first_path last_path",
    "element": "topic Q0 file rank rsv run_id path",
    "entry-point": "topic Q0 file rank rsv run_id entry_point",
    "document": "topic Q0 file rank rsv run_id",
}
RESULTS = {
    "passage": "a passage",
    "range": "a range of elements",
    "element": "an element",
    "entry-point": "an entry point",
    "document": "a whole document",
}
LINES_TO_KNOW_THE_LAYOUT = 1_000


def read_fol(payload: bytes, limits: Limits) -> tuple[RunColumns, list[Problem]]:
    """Return the columns of a text run and the warnings about it: the fast way if it's tidy, else line by line."""
    problems = ProblemList()
    header = text_header(payload, problems)
    columns = scan_fol(payload, limits, problems, header)
    if columns is None:
        columns = read_lines(payload, limits, problems, header)
    return columns, problems.in_order()


def read_lines(payload: bytes, limits: Limits, problems: ProblemList, header: RunHeader) -> RunColumns:
    """Return the columns of a text run, or refuse it with every problem that its lines have."""
    layout = common_layout(islice(content_lines(payload, limits), LINES_TO_KNOW_THE_LAYOUT))
    reader = LineReader(layout, limits, problems)
    for number, line in content_lines(payload, limits, problems):
        reader.read(number, line.split())
    if problems.has_errors():
        readable = reader.columns(header) if len(reader.builder) else None
        raise FormatError(problems.in_order(), readable)
    if not len(reader.builder):
        refuse("The file holds no results.", "empty-file")
    return reader.columns(header)


def text_header(payload: bytes, problems: ProblemList) -> RunHeader:
    """Return what the metadata block at the head of a text run says."""
    if not payload.startswith(b"#"):
        return RunHeader()
    metadata, strange_lines = read_metadata(payload)
    for number in strange_lines:
        message = (
            "this line of the metadata isn't understood and left out. Write it like '# name: value', "
            "and put quotes around a value with colons or brackets."
        )
        problems.add(message, "metadata", line=number, severity=WARNING)
    said = dict(metadata)
    return RunHeader(participant=said.get("actor.team", ""), metadata=metadata)


def common_layout(lines: Iterable[tuple[int, bytes]]) -> str:
    """Return the layout that most of the lines have, to measure the others by."""
    counts = Counter(layout for _, line in lines if (layout := layout_of(line.split())) is not None)
    return counts.most_common(1)[0][0] if counts else "passage"


def layout_of(parts: Sequence[bytes]) -> str | None:
    """Return the name of a line's layout, or None when no layout has so many fields.

    >>> layout_of(b"7 Q0 d1 1 0.5 RUN /article[1]".split()), layout_of(b"7 Q0 d1 1 0.5 RUN 126".split())
    ('element', 'entry-point')
    """
    match len(parts):
        case 8:
            return "range" if parts[6].startswith(b"/") else "passage"
        case 7:
            return "element" if parts[6].startswith(b"/") else "entry-point"
        case 6:
            return "document"
    return None


class LineReader:
    """Reads the lines of one run, all in the same layout."""

    def __init__(self, layout: str, limits: Limits, problems: ProblemList) -> None:
        self.layout = layout
        self.problems = problems
        self.builder = ColumnsBuilder(limits, problems)
        self._run_ids_met = 0
        self._place_of = {
            "passage": passage_place,
            "range": self._range_place,
            "element": self._element_place,
            "entry-point": entry_point_place,
            "document": document_place,
        }[layout]

    def read(self, number: int, parts: Sequence[bytes]) -> None:
        """Take one line, or note all that's wrong with it."""
        if layout_of(parts) != self.layout:
            self._note_layout(number, parts)
            return
        builder = self.builder
        faults: list[FieldError] = []
        topic = attempt(faults, builder.topics.__getitem__, parts[0])
        document = attempt(faults, builder.documents.__getitem__, parts[2])
        rank = attempt(faults, fields.natural, parts[3], "rank")
        rsv = attempt(faults, fields.real, parts[4], "rsv")
        run_id = attempt(faults, builder.run_ids.__getitem__, parts[5])
        offset, length, path = self._place_of(parts, faults)
        if faults:
            self._note_fields(number, parts, faults)
            return
        if run_id == self._run_ids_met:
            self._note_run_id(number, run_id)
        builder.add(topic, document, rank, rsv, offset, length, path, number)

    def columns(self, header: RunHeader) -> RunColumns:
        """Return what was read."""
        result_type = "passage" if self.layout == "range" else self.layout
        return self.builder.columns(self.builder.run_ids.texts[0], result_type, header)

    def _range_place(self, parts: Sequence[bytes], faults: list[FieldError]) -> Place:
        for part in parts[6:8]:
            attempt(faults, fields.path, part)
        return UNMAPPED, 0, attempt(faults, self.builder.paths.__getitem__, parts[6] + b" " + parts[7])

    def _element_place(self, parts: Sequence[bytes], faults: list[FieldError]) -> Place:
        return UNMAPPED, 0, attempt(faults, self.builder.paths.__getitem__, parts[6])

    def _note_layout(self, number: int, parts: Sequence[bytes]) -> None:
        own = layout_of(parts)
        expected = LAYOUTS[self.layout]
        wanted = len(expected.split())
        if own is None or (len(parts) != wanted and own not in ("element", "range")):
            found = counted(len(parts), "field")
            message = f"{found} found, {wanted} expected ({expected})."
            rule = "field-count"
        else:
            message = (
                f"the line returns {RESULTS[own]}, where the rest of the file returns {RESULTS[self.layout]}. "
                "A run holds one kind of result."
            )
            rule = "mixed-results"
        self.problems.add(message, rule, line=number, topic=fields.printable(parts[0]))

    def _note_fields(self, number: int, parts: Sequence[bytes], faults: Sequence[FieldError]) -> None:
        topic = fields.printable(parts[0])
        for fault in faults:
            if self.problems.full(fault.rule):
                self.problems.count(fault.rule)
            else:
                self.problems.add(str(fault), fault.rule, line=number, topic=topic)

    def _note_run_id(self, number: int, run_id: int) -> None:
        self._run_ids_met += 1
        if run_id > 0:
            texts = self.builder.run_ids.texts
            self.problems.add(
                f"the run id changes from {texts[0]} to {texts[run_id]}. The run is called {texts[0]}.",
                "run-id",
                line=number,
                severity=WARNING,
            )


def attempt(faults: list[FieldError], read: Callable[[*Given], Read], *arguments: *Given) -> Read | Any:
    """Return what a function reads from a field, or note the fault and return None."""
    try:
        return read(*arguments)
    except FieldError as error:
        faults.append(error)
        return None


def passage_place(parts: Sequence[bytes], faults: list[FieldError]) -> Place:
    """Read offset and length; both may be marked as not mapped, the length only where the offset is."""
    if parts[6] in UNMAPPED_MARKS:
        if parts[7] not in UNMAPPED_MARKS:
            attempt(faults, fields.natural, parts[7], "length")
        return UNMAPPED, 0, NO_PATH
    offset = attempt(faults, fields.natural, parts[6], "offset")
    return offset, attempt(faults, fields.natural, parts[7], "length"), NO_PATH


def entry_point_place(parts: Sequence[bytes], faults: list[FieldError]) -> Place:
    """Read an entry point, a place without a length."""
    if parts[6] in UNMAPPED_MARKS:
        return UNMAPPED, 0, NO_PATH
    return attempt(faults, fields.natural, parts[6], "entry point"), 0, NO_PATH


def document_place(_parts: Sequence[bytes], _faults: list[FieldError]) -> Place:
    """Return the place of a whole document: it begins at its first character."""
    return 0, 0, NO_PATH
