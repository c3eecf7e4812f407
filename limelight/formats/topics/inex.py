"""Topics: the one-file form of 2009 and later, the one-topic files of 2003 to 2008, and TREC topics."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import BinaryIO

from limelight.formats import fields
from limelight.formats.fields import FieldError
from limelight.formats.opening import Limits, read_payload, refuse
from limelight.formats.problems import FormatError, ProblemList
from limelight.formats.recognising import TOPICS, keep_to_slot
from limelight.formats.safe_xml import Element, line_of, parse, text_of
from limelight.formats.topics.trec import is_trec, trec_topics

TOPIC_FIELDS = ("title", "castitle", "phrasetitle", "description", "narrative")
"""What a topic says, and a run may say that it used."""

PARTS = (*TOPIC_FIELDS, "keywords")
ROOTS = {"inex-topic-file": "topic", "inex_topics": "inex_topic", "inex-topics": "inex_topic", "topics": "topic"}
"""Root elements of files with many topics, and what a topic is called in them."""

SINGLE_ROOTS = ("inex_topic", "inex-topic", "topic")


@dataclass(frozen=True, slots=True)
class TopicRecord:
    """What was asked, in the words of its author."""

    identifier: str = ""
    title: str = ""
    castitle: str = ""
    phrasetitle: str = ""
    description: str = ""
    narrative: str = ""
    keywords: str = ""
    query_type: str = ""
    candidate: str = ""
    line: int | None = None


def read_topics(stream: BinaryIO, *, limits: Limits = Limits()) -> list[TopicRecord]:
    """Return the topics of a file in its order; raise FormatError with every problem."""
    payload = read_payload(stream, limits)
    keep_to_slot(payload, TOPICS)
    if is_trec(payload):
        return _checked([TopicRecord(line=line, **parts) for line, parts in trec_topics(payload)], limits)
    if payload.lstrip()[:1] != b"<":
        refuse("The file isn't XML. Topics are read from INEX or TREC topic files.", "file-kind")
    root, entities = parse(payload)
    if root.tag in SINGLE_ROOTS:
        found = [root]
    elif root.tag in ROOTS:
        found = list(root.iterchildren(ROOTS[root.tag]))
    else:
        message = f"the root element is <{root.tag}>. A topic file has <inex-topic-file> or <inex_topic>."
        refuse(message, "root-element", line_of(root))
    if not found:
        refuse("The file holds no topics.", "empty-file")
    return _checked([_record(element, entities) for element in found], limits)


def _checked(records: list[TopicRecord], limits: Limits) -> list[TopicRecord]:
    problems = ProblemList()
    lines: dict[str, int | None] = {}
    for record in records:
        try:
            _check_identifier(record.identifier, lines, limits)
        except FieldError as error:
            problems.add(str(error), error.rule, line=record.line, topic=record.identifier or None)
        lines.setdefault(record.identifier, record.line)
    if problems.has_errors():
        raise FormatError(problems.in_order())
    return records


def _record(element: Element, entities: Mapping[str, str]) -> TopicRecord:
    parts = {}
    for child in element:
        if child.tag in PARTS and child.tag not in parts:
            parts[child.tag] = text_of(child, entities).strip()
    identifier = element.get("id") or element.get("topic_id") or element.get("topic-id") or ""
    return TopicRecord(
        identifier.strip(),
        query_type=element.get("query_type", ""),
        candidate=element.get("ct_no", ""),
        line=line_of(element),
        **parts,
    )


def _check_identifier(identifier: str, lines: Mapping[str, int | None], limits: Limits) -> None:
    if not identifier:
        raise FieldError('the topic has no number. Write <topic id="…">.', "missing-field")
    fields.name(identifier, "topic", limits.name_size)
    if identifier in lines:
        message = f"topic {identifier} was already given in line {lines[identifier]}. Every topic has its own number."
        raise FieldError(message, "duplicate-topic")
