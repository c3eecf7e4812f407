"""The fast way to read a tidy text run: all lines at once with numpy, eight characters to a machine word.

It reads only files in which every line has the eight fields of a passage, or every line the six of a whole document,
parted by white space, with plain numbers.
Anything else is left to the exact reader, which knows how to complain. Both make the same columns of the same file.
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from limelight.arrays import Integers, Reals, Words
from limelight.formats import fields
from limelight.formats.building import NO_PATH, joined_by_topic
from limelight.formats.columns import RunColumns, RunHeader
from limelight.formats.fields import FieldError
from limelight.formats.matching import keyed
from limelight.formats.opening import Limits
from limelight.formats.problems import ProblemList
from limelight.formats.runs.machine_words import WORD, Text, numbered, stacked, texts_of

CHUNK = 1 << 19
LONGEST_NAME = 4 * WORD
EXACT_DIGITS = 15
POWERS_OF_TEN = 10.0 ** np.arange(EXACT_DIGITS + 1)
INTEGER_POWERS_OF_TEN = 10 ** np.arange(EXACT_DIGITS + 1)
BLANKS = re.compile(rb"[ \t]+")
LONGEST_HEAD = 10_000
MINUS = ord("-")
LAST_PLAIN = ord("~")
"""The last printable character of ASCII; those before the first end a field."""
TOPIC, DOCUMENT, RANK, RSV, RUN_ID, OFFSET, LENGTH = 0, 2, 3, 4, 5, 6, 7
NUMBERS = (("rank", RANK), ("offset", OFFSET), ("length", LENGTH))
RESULT_TYPES = {LENGTH + 1: "passage", RUN_ID + 1: "document"}
"""What a line with so many fields returns."""


class UntidyError(Exception):
    """The file isn't tidy enough for the fast way."""


def scan_fol(payload: bytes, limits: Limits, problems: ProblemList, header: RunHeader) -> RunColumns | None:
    """Return the columns of a tidy run, or None when the exact reader has to look at it."""
    try:
        first_line, start = first_result(payload)
        scan = Scan(limits, field_count(payload, start))
        scan.read(payload, start)
        return scan.columns(first_line, problems, header)
    except (UntidyError, FieldError):
        return None


def first_result(payload: bytes) -> tuple[int, int]:
    r"""Return the number and the place of the first line that is neither blank nor a `#` line.

    >>> first_result(b"# about\n\n7 Q0 d1 1 0.5 RUN 0 5\n")
    (3, 9)
    """
    start = 0
    for number in range(1, LONGEST_HEAD):
        if payload[start : start + 1] not in (b"#", b"\n", b"\r"):
            return number, start
        start = payload.find(b"\n", start) + 1 or len(payload)
    raise UntidyError


def field_count(payload: bytes, start: int) -> int:
    """Return how many fields the line at a place has, if the fast way knows such lines."""
    end = payload.find(b"\n", start)
    count = len(payload[start : end if end >= 0 else None][:LONGEST_HEAD].split())
    if count not in RESULT_TYPES:
        raise UntidyError
    return count


def tidied(lines: bytes) -> bytes:
    """Make all white space within lines single blanks."""
    lines = BLANKS.sub(b" ", lines.replace(b"\r\n", b"\n"))
    return lines.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")


class Scan:
    """One pass over a tidy file, some thousand lines at a time."""

    def __init__(self, limits: Limits, fields: int) -> None:
        self._limits = limits
        self._fields = fields
        self._numbers = NUMBERS[:1] if fields == RUN_ID + 1 else NUMBERS
        self._chunks: dict[str, list[Any]] = {
            name: [] for name in ("rank", "offset", "length", "rsv", "topic", "document", "run_id")
        }

    def read(self, payload: bytes, start: int) -> None:
        """Take all lines from some place on."""
        count = 0
        while start < len(payload):
            end = payload.find(b"\n", start + CHUNK) + 1 or len(payload)
            if end - start > CHUNK + self._limits.line_size:
                raise UntidyError
            lines = payload[start:end]
            count += self._read_chunk(lines if lines.endswith(b"\n") else lines + b"\n")
            if count > self._limits.lines:
                raise UntidyError
            start = end
        if not count:
            raise UntidyError

    def _read_chunk(self, lines: bytes) -> int:
        text = Text(lines)
        table = text.separators(self._fields)
        if table is None:
            text = Text(tidied(lines))
            table = text.separators(self._fields)
        if table is None:
            raise UntidyError
        ends = np.ascontiguousarray(table.T)
        line_begins = np.concatenate(([0], ends[-1, :-1] + 1))
        if (ends[-1] - line_begins).max() >= self._limits.line_size:
            raise UntidyError
        for name, field in self._numbers:
            self._chunks[name].append(integers(text, ends[field], ends[field] - ends[field - 1] - 1))
        self._chunks["rsv"].append(reals(text, ends[RSV - 1] + 1, ends[RSV]))
        self._chunks["topic"].append(names_in(text, line_begins, ends[TOPIC]))
        self._chunks["document"].append(names_in(text, ends[DOCUMENT - 1] + 1, ends[DOCUMENT]))
        run_ids = names_in(text, ends[RUN_ID - 1] + 1, ends[RUN_ID])
        if (run_ids != run_ids[0]).any():
            raise UntidyError
        self._chunks["run_id"].append(run_ids[:1])
        return len(table)

    def columns(self, first_line: int, problems: ProblemList, header: RunHeader) -> RunColumns:
        """Return what was read."""
        arrays = {name: np.concatenate(self._chunks[name]) for name, _ in (*self._numbers, ("rsv", RSV))}
        count = len(arrays["rank"])
        for name in {"offset", "length"} - arrays.keys():
            arrays[name] = np.zeros(count, dtype=np.int64)  # a whole document begins at its first character
        run_ids = stacked(self._chunks["run_id"])
        if (run_ids != run_ids[0]).any():
            raise UntidyError
        (run_id,) = printable_texts(run_ids[:1])
        topics, arrays["topic"] = numbered_topics(stacked(self._chunks["topic"]))
        arrays["document"], documents = numbered_documents(stacked(self._chunks["document"]))
        arrays["line"] = np.arange(first_line, first_line + count)
        arrays["path"] = np.full(count, NO_PATH, dtype=np.int64)
        arrays = joined_by_topic(arrays, topics, problems)
        return RunColumns(run_id, RESULT_TYPES[self._fields], tuple(topics), documents, (), header=header, **arrays)


def names_in(text: Text, begins: Integers, ends: Integers) -> Words:
    """Cut out names of at most four words."""
    lengths = ends - begins
    if lengths.max() > LONGEST_NAME:
        raise UntidyError
    return text.names_at(begins, lengths)


def integers(text: Text, ends: Integers, lengths: Integers) -> Integers:
    """Read whole numbers of at most eight digits."""
    if lengths.max() > WORD:
        raise UntidyError
    numbers, plain = text.numbers_before(ends, lengths)
    if not plain.all():
        raise UntidyError
    return numbers


def reals(text: Text, starts: Integers, ends: Integers) -> Reals:
    """Read numbers like -0.00075 exactly; the few others go the slow way."""
    dots = text.dots()
    if len(dots) != len(ends) or ((dots < starts) | (dots >= ends)).any():
        return reals_one_by_one(text, starts, ends)
    negative = text.bytes_at(starts) == MINUS
    whole = dots - starts - negative
    fraction = ends - dots - 1
    plain = (whole + fraction <= EXACT_DIGITS) & (whole + fraction > 0) & (whole <= WORD)
    low, low_plain = text.numbers_before(ends, np.minimum(fraction, WORD))
    if fraction.max() > WORD:
        high, high_plain = text.numbers_before(ends - WORD, np.clip(fraction - WORD, 0, WORD))
        low += high * 10**WORD
        low_plain &= high_plain
    high, high_plain = text.numbers_before(dots, np.minimum(whole, WORD))
    plain &= low_plain & high_plain
    fraction[~plain] = 0
    # Both numbers are exact in a float, so their quotient is the nearest one, as Python's own float() gives.
    found = (high * INTEGER_POWERS_OF_TEN[fraction] + low) / POWERS_OF_TEN[fraction]
    np.negative(found, out=found, where=negative)
    if not plain.all():
        odd = np.flatnonzero(~plain)
        found[odd] = reals_one_by_one(text, starts[odd], ends[odd])
    return found


def reals_one_by_one(text: Text, starts: Integers, ends: Integers) -> Reals:
    """Read any numbers, as the exact reader does."""
    pieces = zip(starts.tolist(), ends.tolist(), strict=True)
    return np.array([fields.real(text.payload[start:end], "rsv") for start, end in pieces])


def numbered_topics(names: Words) -> tuple[list[str], Integers]:
    """Return the topics and each line's number among them; only the first line of a block is looked at."""
    begins = np.ones(len(names), dtype=bool)
    np.not_equal(names[1:, 0], names[:-1, 0], out=begins[1:])
    for column in range(1, names.shape[1]):
        begins[1:] |= names[1:, column] != names[:-1, column]
    blocks = names[begins]
    numbers, first = numbered(blocks)
    topics = printable_texts(blocks[first])
    if any(topic.startswith("#") for topic in topics):
        raise UntidyError
    return topics, numbers[np.cumsum(begins) - 1]


def numbered_documents(names: Words) -> tuple[Integers, Sequence[str]]:
    """Return each line's number among the documents, and these; short plain names stay words until they are read."""
    if names.shape[1] == 1 and names.view(np.uint8).max() <= LAST_PLAIN:
        return keyed(names[:, 0])
    numbers, first = numbered(names)
    return numbers, tuple(printable_texts(names[first]))


def printable_texts(rows: Words) -> list[str]:
    """Return names as strings, unless the exact reader has to complain about one."""
    try:
        texts = texts_of(rows)
    except UnicodeDecodeError:
        raise UntidyError from None
    if not "".join(texts).isprintable():
        raise UntidyError
    return texts
