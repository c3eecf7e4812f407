"""The fast way to read a tidy XML submission: its results cut out with one expression, the rest left to the parser.

A topic is tidy when it holds nothing but results of one shape, without attributes, comments, entities or anything else
that has to be understood. What remains of the file, with its topics emptied, goes through the parser like any other.
If a single topic isn't tidy, the exact reader takes the whole file.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from limelight.arrays import Integers
from limelight.formats.building import ColumnsBuilder
from limelight.formats.columns import ABSENT, UNMAPPED
from limelight.formats.safe_xml import MARKUP_COUNT

TOPIC = re.compile(rb"""<topic\s+topic-id\s*=\s*(?:"([^<>&"]{1,200})"|'([^<>&']{1,200})')\s*>""")
TOPIC_END = b"</topic>"
RESULT, RESULT_END = rb"<result>", rb"</result>"
SHAPE = re.compile(rb"<(file|path|rank|rsv|fol|passage)[ >]")
PATH = rb"/[^<>&\"'\s]{0,4000}"
PIECES = {
    b"file": rb"<file>\s*([^<>&\s]{1,200})\s*</file>",
    b"path": rb"<path>\s*(" + PATH + rb")\s*</path>",
    b"rank": rb"<rank>\s*([0-9]{1,9})\s*</rank>",
    b"rsv": rb"<rsv>\s*(-?[0-9]{1,20}(?:\.[0-9]{1,30})?(?:[eE][+-]?[0-9]{1,3})?)\s*</rsv>",
    b"fol": rb'<fol\s+offset="([0-9]{1,9})"\s+length="([0-9]{1,9})"\s*/>',
    b"passage": rb'<passage\s+start="(' + PATH + rb')"\s+end="(' + PATH + rb')"\s*/>',
}
KINDS = (b"path", b"fol", b"passage")
EMPTY_TAGS = (b"fol", b"passage")
MARKUP_THAT_HIDES = re.compile(rb"<!--|<!\[|<!DOCTYPE[^<>\[]*+[<\[]|.<\?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TidyTopic:
    """The results of one topic, as columns of bytes in the order of `tags`."""

    identifier: str
    columns: dict[str, tuple[bytes, ...]]
    lines: Integers


@dataclass(frozen=True, slots=True)
class TidySubmission:
    """A submission taken apart: its frame, with the topics emptied, and the results."""

    frame: bytes
    kind: str
    topics: list[TidyTopic]


def take_apart(payload: bytes) -> TidySubmission | None:
    """Return a tidy submission taken apart, or None when the exact reader has to look at it."""
    if b"\r" in payload:
        payload = payload.replace(b"\r\n", b"\n")
    characters = np.frombuffer(payload, dtype=np.uint8)
    newlines = np.flatnonzero(characters == ord("\n"))
    tabs = np.count_nonzero(characters == ord("\t"))
    if np.count_nonzero(characters < ord(" ")) != len(newlines) + tabs or not payload.isascii() or b"\x7f" in payload:
        return None
    frame, topics, kinds = [], [], set()
    done = 0
    while found := TOPIC.search(payload, done):
        end = payload.find(TOPIC_END, found.end())
        if end < 0:
            return None
        frame.append(payload[done : found.end()])
        identifier = (found[1] or found[2]).decode().strip()
        results = _results(payload[found.end() : end])
        if results is None:
            return None
        columns, kind, begins = results
        kinds.add(kind)
        topics.append(TidyTopic(identifier, columns, np.searchsorted(newlines, begins + found.end()) + 1))
        done = end
    emptied = b"".join([*frame, payload[done:]])
    if len(kinds) != 1 or b"<result" in emptied or MARKUP_THAT_HIDES.search(emptied):
        return None
    return TidySubmission(emptied, kinds.pop().decode(), topics)


def _results(block: bytes) -> tuple[dict[str, tuple[bytes, ...]], bytes, Integers] | None:
    """Return the columns of a topic's results, what they return, and where each begins; None unless they are tidy."""
    tags = tuple(SHAPE.findall(block, 0, block.find(RESULT_END)))
    kinds = [tag for tag in tags if tag in KINDS]
    if len(kinds) != 1 or b"file" not in tags or len(set(tags)) < len(tags):
        return None
    characters = np.frombuffer(block, dtype=np.uint8)
    openings = np.flatnonzero(characters == ord("<"))
    if len(openings) > MARKUP_COUNT or np.count_nonzero(characters == ord(">")) != len(openings) or b"&" in block:
        return None
    expression, names = _expression(tags)
    found = expression.findall(block)
    markup = 2 + sum(1 if tag in EMPTY_TAGS else 2 for tag in tags)
    if len(openings) != len(found) * markup:
        return None
    columns = dict(zip(names, zip(*found, strict=True), strict=True))
    return columns, kinds[0], openings[::markup]


@lru_cache(maxsize=32)
def _expression(tags: tuple[bytes, ...]) -> tuple[re.Pattern[bytes], tuple[str, ...]]:
    pieces = [RESULT, *(PIECES[tag] for tag in tags), RESULT_END]
    names: list[str] = []
    for tag in tags:
        names += {b"fol": ("offset", "length"), b"passage": ("start", "end")}.get(tag, (tag.decode(),))
    return re.compile(rb"\s*".join(pieces)), tuple(names)


def extend(builder: ColumnsBuilder, submission: TidySubmission) -> None:
    """Put the results of a submission that was taken apart into the builder; raise FieldError for a faulty name."""
    for topic in submission.topics:
        columns = topic.columns
        count = len(topic.lines)
        places = {"offset": [UNMAPPED] * count, "length": [0] * count, "path": [-1] * count}
        if submission.kind == "path":
            places["path"] = [builder.paths[path] for path in columns["path"]]
        elif submission.kind == "fol":
            places |= {name: list(map(int, columns[name])) for name in ("offset", "length")}
        else:
            points = zip(columns["start"], columns["end"], strict=True)
            places["path"] = [builder.paths[start + b" " + end] for start, end in points]
        builder.extend(
            map(float, columns["rsv"]) if "rsv" in columns else [ABSENT] * count,
            topic=[builder.topics[topic.identifier]] * count,
            document=[builder.documents[file] for file in columns["file"]],
            rank=list(map(int, columns["rank"])) if "rank" in columns else range(1, count + 1),
            line=topic.lines.tolist(),
            **places,
        )
