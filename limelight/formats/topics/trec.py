"""TREC topics: <top> blocks whose tags are seldom closed, so not XML."""

import re
from collections.abc import Iterator

from limelight.formats.opening import refuse

BEGIN = re.compile(rb"<top>", re.IGNORECASE)
BLANKS_OR_COMMENT = re.compile(rb"\s+|<!--.*?-->", re.DOTALL)
TAG = re.compile(r"<(/?[A-Za-z]+)>")
PARTS = {"num": "identifier", "title": "title", "desc": "description", "narr": "narrative", "con": "keywords"}
LABELS = re.compile(r"\A\s*(?:Number|Topic|Description|Narrative|Concept\(s\))\s*:", re.IGNORECASE)


def is_trec(payload: bytes) -> bool:
    """Return whether a file begins with a <top> block."""
    position = 0
    while piece := BLANKS_OR_COMMENT.match(payload, position):
        position = piece.end()
    return BEGIN.match(payload, position) is not None


def trec_topics(payload: bytes) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the line and the parts of every topic."""
    starts = [found.start() for found in BEGIN.finditer(payload)]
    line, counted = 1, 0
    for start, end in zip(starts, [*starts[1:], len(payload)], strict=True):
        line += payload.count(b"\n", counted, start)
        counted = start
        try:
            block = payload[start:end].decode()
        except UnicodeDecodeError as error:
            at = line + payload.count(b"\n", start, start + error.start)
            refuse("the text isn't valid UTF-8. Save the file as UTF-8.", "encoding", at)
        yield line, _parts(block)


def _parts(block: str) -> dict[str, str]:
    parts = {}
    pieces = TAG.split(block.partition("</top>")[0])
    for tag, text in zip(pieces[1::2], pieces[2::2], strict=True):
        name = PARTS.get(tag.lower())
        if name and name not in parts:
            parts[name] = LABELS.sub("", text).strip()
    return parts
