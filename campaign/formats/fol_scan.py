"""The fast way to read a tidy FOL run: all lines at once with numpy, eight characters to a machine word.

It reads only files in which every line has the eight fields of a passage, parted by white space, with plain numbers.
Anything else is left to the exact reader, which knows how to complain. Both make the same columns of the same file.
"""

import re

import numpy as np

from campaign.formats import fields
from campaign.formats.building import NO_PATH, joined_by_topic
from campaign.formats.columns import RunColumns
from campaign.formats.fields import FieldError
from campaign.formats.words import WORD, Text, numbered, stacked, texts_of

CHUNK = 1 << 19
LONGEST_NAME = 4 * WORD
EXACT_DIGITS = 15
POWERS_OF_TEN = 10.0 ** np.arange(EXACT_DIGITS + 1)
INTEGER_POWERS_OF_TEN = 10 ** np.arange(EXACT_DIGITS + 1)
BLANKS = re.compile(rb"[ \t]+")
COMMENT_LINES = re.compile(rb"(?:[ \t]*(?:#[^\n]*)?\n)*")
MINUS = ord("-")
TOPIC, DOCUMENT, RANK, RSV, RUN_ID, OFFSET, LENGTH = 0, 2, 3, 4, 5, 6, 7


class UntidyError(Exception):
    """The file isn't tidy enough for the fast way."""


def scan_fol(payload, limits, problems, header):
    """Return the columns of a tidy run, or None when the exact reader has to look at it."""
    head = COMMENT_LINES.match(payload).end()
    first_line = 1 + payload.count(b"\n", 0, head)
    payload = payload[head:]
    if not payload.endswith(b"\n"):
        payload += b"\n"
    for attempt in (payload, None):
        try:
            return _Scan(attempt or tidied(payload), limits).columns(first_line, problems, header)
        except UntidyError:
            continue
        except FieldError:
            break
    return None


def tidied(payload):
    """Make all white space within the lines single blanks."""
    payload = BLANKS.sub(b" ", payload.replace(b"\r\n", b"\n"))
    return payload.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")


class _Scan:
    """One pass over a tidy file."""

    def __init__(self, payload, limits):
        self._payload = payload
        self._text = Text(payload)
        self._chunks = {name: [] for name in ("rank", "offset", "length", "rsv", "topic", "document", "run_id")}
        count = start = 0
        while start < len(payload):
            end = payload.find(b"\n", start + CHUNK) + 1 or len(payload)
            count += self._read_chunk(start, end)
            if count > limits.lines:
                raise UntidyError
            start = end

    def _read_chunk(self, start, end):
        table = self._text.separators(start, end)
        if table is None:
            raise UntidyError
        ends = np.ascontiguousarray(table.T)
        begins = np.empty_like(ends)
        begins[1:] = ends[:-1] + 1
        begins[0, 0] = start
        begins[0, 1:] = ends[-1, :-1] + 1
        lengths = ends - begins
        for name, field in (("rank", RANK), ("offset", OFFSET), ("length", LENGTH)):
            self._chunks[name].append(self._integers(ends[field], lengths[field]))
        self._chunks["rsv"].append(self._reals(begins[RSV], ends[RSV], start, end))
        for name, field in (("topic", TOPIC), ("document", DOCUMENT), ("run_id", RUN_ID)):
            self._chunks[name].append(self._names(begins[field], lengths[field]))
        return len(table)

    def _integers(self, ends, lengths):
        if lengths.max() > WORD:
            raise UntidyError
        numbers, plain = self._text.numbers_before(ends, lengths)
        if not plain.all():
            raise UntidyError
        return numbers

    def _reals(self, starts, ends, start, end):
        """Read numbers like -0.00075 exactly; the few others go the slow way."""
        dots = self._text.dots(start, end)
        if len(dots) != len(ends) or ((dots < starts) | (dots >= ends)).any():
            return self._reals_one_by_one(starts, ends)
        negative = self._text.bytes_at(starts) == MINUS
        whole = dots - starts - negative
        fraction = ends - dots - 1
        plain = (whole + fraction <= EXACT_DIGITS) & (whole + fraction > 0) & (whole <= WORD)
        low, low_plain = self._text.numbers_before(ends, np.minimum(fraction, WORD))
        if fraction.max() > WORD:
            high, high_plain = self._text.numbers_before(ends - WORD, np.clip(fraction - WORD, 0, WORD))
            low += high * 10**WORD
            low_plain &= high_plain
        high, high_plain = self._text.numbers_before(dots, np.minimum(whole, WORD))
        plain &= low_plain & high_plain
        fraction[~plain] = 0
        # Both numbers are exact in a float, so their quotient is the nearest one, as Python's own float() gives.
        reals = (high * INTEGER_POWERS_OF_TEN[fraction] + low) / POWERS_OF_TEN[fraction]
        np.negative(reals, out=reals, where=negative)
        if not plain.all():
            odd = np.flatnonzero(~plain)
            reals[odd] = self._reals_one_by_one(starts[odd], ends[odd])
        return reals

    def _reals_one_by_one(self, starts, ends):
        pieces = zip(starts.tolist(), ends.tolist(), strict=True)
        return [fields.real(self._payload[start:end], "rsv") for start, end in pieces]

    def _names(self, starts, lengths):
        if lengths.max() > LONGEST_NAME:
            raise UntidyError
        return self._text.names_at(starts, lengths)

    def columns(self, first_line, problems, header):
        """Return what was read."""
        arrays = {name: np.concatenate(self._chunks[name]) for name in ("rank", "offset", "length", "rsv")}
        count = len(arrays["rank"])
        run_ids = stacked(self._chunks["run_id"])
        if (run_ids != run_ids[0]).any():
            raise UntidyError
        (run_id,) = printable_texts(run_ids[:1])
        topics, arrays["topic"] = numbered_topics(stacked(self._chunks["topic"]))
        arrays["document"], first = numbered(names := stacked(self._chunks["document"]))
        documents = printable_texts(names[first])
        arrays["line"] = np.arange(first_line, first_line + count)
        arrays["path"] = np.full(count, NO_PATH, dtype=np.int64)
        arrays = joined_by_topic(arrays, topics, problems)
        return RunColumns(run_id, "passage", tuple(topics), tuple(documents), (), header=header, **arrays)


def numbered_topics(names):
    """Return the topics and each line's number among them; only the first line of a block is looked at."""
    begins = np.ones(len(names), dtype=bool)
    begins[1:] = (names[1:] != names[:-1]).any(axis=1)
    blocks = names[begins]
    numbers, first = numbered(blocks)
    topics = printable_texts(blocks[first])
    if any(topic.startswith("#") for topic in topics):
        raise UntidyError
    return topics, numbers[np.cumsum(begins) - 1]


def printable_texts(rows):
    """Return names as strings, unless the exact reader has to complain about one."""
    try:
        texts = texts_of(rows)
    except UnicodeDecodeError:
        raise UntidyError from None
    if not "".join(texts).isprintable():
        raise UntidyError
    return texts
