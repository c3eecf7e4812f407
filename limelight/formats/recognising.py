"""What a file is for, told from its content: whoever sends assessments where a run belongs hears so in one sentence."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from limelight.formats.opening import refuse

HEAD = 100_000
LINES = 500
FEW_LINES = 5
"""A file with fewer lines is left to its reader, who has something to say about each."""

PLAUSIBLE = 0.2
"""The share of lines that look like the slot's in a file that is meant for it, however faulty."""


@dataclass(frozen=True, slots=True)
class Slot:
    """What a file can be for: in a sentence about it, and about one that is something else."""

    name: str
    is_it: str
    wanted: str
    layout: str

    @property
    def fields(self) -> int:
        """Count the fields of the slot's shortest lines."""
        return len(self.layout.split())


RUN = Slot("run", "is a run", "a run", "topic Q0 file rank rsv run_id")
ASSESSMENTS = Slot("assessments", "holds assessments", "assessments", "topic 0 document grade")
TOPICS = Slot("topics", "holds topics", "topics", "")
POOL = Slot("pool", "is a pool", "a pool", "")
DOCUMENTS = Slot("documents", "lists documents with their lengths", "documents", "document length")
ROOTS = {
    "inex-submission": RUN,
    "assessments": ASSESSMENTS,
    "all-assessments": ASSESSMENTS,
    **dict.fromkeys(("inex-topic-file", "inex_topic", "inex-topic", "inex_topics", "inex-topics", "top"), TOPICS),
    **dict.fromkeys(("pool", "pools"), POOL),
}
"""Root elements that say what a file is for; others may be anything."""

PROLOG = re.compile(
    rb"""\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^<>\[]*+\[?|<![A-Z](?:[^"'>]|"[^"]*"|'[^']*')*+>|%[^;\s]*+;|\]\s*+>|>""",
    re.DOTALL,
)
TAG = re.compile(rb"<([A-Za-z_][^\s<>/]{0,100})")
JSON = re.compile(rb"\s*(?:\{\s*[\"}]|\[\s*[\"\[{])")
WEB_PAGE = re.compile(rb"\s*<(?:!doctype html|html\b)", re.IGNORECASE)
COUNT = re.compile(rb"[0-9]{1,20}")
INTEGER = re.compile(rb"-?[0-9]{1,20}")
NUMBER = re.compile(rb"[+-]?[0-9]{0,40}\.?[0-9]{0,40}(?:[eE][+-]?[0-9]{1,6})?")
IDLE_FIELDS = (b"Q0", b"q0", b"0")
PASSAGE = re.compile(rb"[0-9]{1,20}:[0-9]{1,20}")
SEPARATORS = {b",": "commas", b";": "semicolons", b"|": "bars"}


def keep_to_slot(payload: bytes, slot: Slot) -> None:
    """Refuse a file that is plainly for something else than the slot it was put into, in one sentence."""
    if WEB_PAGE.match(payload):
        refuse(f"The file is a web page, not {slot.wanted}. Save the file behind its link instead.", "file-kind")
    if begins_as_xml(payload):
        found = xml_slot(payload)
    elif JSON.match(payload):
        refuse(f"The file is JSON, which isn't read here as {slot.wanted}.", "file-kind")
    else:
        found = text_slot(payload, slot)
    if found is not None and found is not slot:
        refuse(f"The file {found.is_it}, not {slot.wanted}. Choose another file.", "file-kind")


def begins_as_xml(payload: bytes) -> bool:
    """Return whether a file is meant to be XML, by its first character."""
    return payload.lstrip()[:1] == b"<"


def xml_slot(payload: bytes) -> Slot | None:
    """Return what XML is for, by its root element; None where that doesn't tell."""
    return ROOTS.get(root_name(payload))


def root_name(payload: bytes) -> str:
    r"""Return the name of the first element, without parsing what comes before it.

    >>> root_name(b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "<b>">]><!-- <c> --><pool topic="7"/>')
    'pool'
    """
    position = 0
    while piece := PROLOG.match(payload, position):
        position = piece.end()
    tag = TAG.match(payload, position)
    return tag[1].decode("utf-8", "replace") if tag else ""


def text_slot(payload: bytes, slot: Slot) -> Slot | None:
    """Return what most lines of a text are for; None where they don't tell. Refuse lines that are for nothing here."""
    lines = head_lines(payload)
    if not lines:
        return None
    if slot.layout:
        _refuse_separators(lines, slot)
    counts = Counter(slot_of_line(line.split()) for line in lines)
    own = counts[slot.name] + counts["either"]
    others = [(counts[other.name], other) for other in (RUN, ASSESSMENTS, DOCUMENTS) if other is not slot]
    count, likeliest = max(others, key=lambda pair: pair[0])
    if count > own and 2 * count > len(lines):
        return likeliest
    if slot.layout and len(lines) >= FEW_LINES and own < PLAUSIBLE * len(lines):
        _refuse_prose(lines, slot)
    return None


def head_lines(payload: bytes) -> list[bytes]:
    """Return the first lines of a file that say something, without one that the end of the sample cuts."""
    head = payload[:HEAD]
    if len(payload) > HEAD:
        head = head[: head.rfind(b"\n") + 1] or head
    lines = (line for line in head.splitlines() if line.strip() and not line.lstrip().startswith(b"#"))
    return [line for line, _ in zip(lines, range(LINES), strict=False)]


def slot_of_line(parts: Sequence[bytes]) -> str | None:
    """Return the name of the slot that a line is for, "either" where it could be a run or a judgement.

    >>> slot_of_line(b"7 Q0 d1 1 0.5 RUN 0 5".split()), slot_of_line(b"7 Q0 d1 15 60 1 1:5 8:10".split())
    ('run', 'assessments')
    >>> slot_of_line(b"7 Q0 d1 1 5 12".split()), slot_of_line(b"d1 58542".split())
    ('either', 'documents')
    """
    match len(parts):
        case 2:
            return DOCUMENTS.name if COUNT.fullmatch(parts[1]) else None
        case 4:
            return ASSESSMENTS.name if INTEGER.fullmatch(parts[3]) else None
        case length if length < 4:
            return None
    if not (COUNT.fullmatch(parts[3]) and NUMBER.fullmatch(parts[4])):
        return None
    judged = INTEGER.fullmatch(parts[4]) and all(map(PASSAGE.fullmatch, parts[6:]))
    if judged and (len(parts) != 6 or parts[5] == b"-1"):
        return ASSESSMENTS.name
    if judged and COUNT.fullmatch(parts[5]):
        return "either"
    return RUN.name if 6 <= len(parts) <= 8 else None


def _refuse_separators(lines: Sequence[bytes], slot: Slot) -> None:
    for mark, name in SEPARATORS.items():
        parted = sum(slot.fields - 1 <= line.count(mark) >= len(line.split()) - 1 > -1 for line in lines)
        if 2 * parted > len(lines):
            refuse(
                f"The fields are parted by {name}, as in a CSV file. Part them by blanks or tabs: {slot.layout} ….",
                "file-kind",
            )


def _refuse_prose(lines: Sequence[bytes], slot: Slot) -> None:
    plausible = sum(_is_plausible(line.split(), slot) for line in lines)
    if plausible < PLAUSIBLE * len(lines):
        refuse(
            f"The file isn't {slot.wanted}: its lines don't read like {slot.layout} …. Choose another file.",
            "file-kind",
        )


def _is_plausible(parts: Sequence[bytes], slot: Slot) -> bool:
    """Return whether a line could be meant for a slot, though something in it is wrong."""
    if slot is DOCUMENTS:
        return len(parts) <= 3 and parts[-1][:1].isdigit()
    numbers = [part.lstrip(b"+-.")[:1].isdigit() for part in parts[3:5]]
    if slot is RUN:
        return 5 <= len(parts) <= 9 and any(numbers)
    return bool(numbers) and (all(numbers) or (any(numbers) and parts[1] in IDLE_FIELDS))
