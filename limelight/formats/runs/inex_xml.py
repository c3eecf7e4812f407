"""INEX XML submissions: a header, then topics with their results in the order of the elements."""

from collections.abc import Callable
from typing import Any, TypeVar

from lxml import etree

from limelight.formats import fields
from limelight.formats.building import NO_PATH, ColumnsBuilder
from limelight.formats.columns import ABSENT, UNMAPPED, UNMAPPED_MARKS, RunColumns, RunHeader
from limelight.formats.fields import FieldError
from limelight.formats.opening import Limits, refuse
from limelight.formats.problems import FormatError, Problem, ProblemList
from limelight.formats.runs.inex_xml_scan import TidySubmission, extend, take_apart
from limelight.formats.safe_xml import (
    PARSER_OPTIONS,
    Element,
    WatchedStream,
    checked_entities,
    line_of,
    syntax_error,
    text_of,
)
from limelight.formats.topics.inex import TOPIC_FIELDS

Read = TypeVar("Read")

ROOT = "inex-submission"
PARTS = ("topic", "topic-fields", "description")
KINDS = ("path", "fol", "passage")
RESULTS = {"path": "an element", "fol": "a span", "passage": "a passage"}
TOPIC_FIELD_NAMES = (
    *TOPIC_FIELDS,
    *("keywords", "mmtitle", "descr", "desc", "narr", "cas", "concepts"),
)
"""What INEX called the fields over the years."""

RESULT_TYPES = {"path": "element", "fol": "passage", "passage": "passage"}


def read_inex_xml(payload: bytes, limits: Limits) -> tuple[RunColumns, list[Problem]]:
    """Return the columns of an XML submission and the warnings about it."""
    if (submission := take_apart(payload)) is not None:
        try:
            return read_parts(submission.frame, limits, submission)
        except (FormatError, FieldError):
            pass  # the exact reader knows how to complain
    return read_parts(payload, limits)


def read_parts(
    payload: bytes, limits: Limits, submission: TidySubmission | None = None
) -> tuple[RunColumns, list[Problem]]:
    """Read a submission with the parser; the results may have been cut out before."""
    checked_entities(payload)
    problems = ProblemList()
    reader = SubmissionReader(limits, problems)
    stream = WatchedStream(payload)
    events = etree.iterparse(stream, tag=PARTS, **PARSER_OPTIONS)
    try:
        for _, element in events:
            if reader.read(element):
                stream.cleared()
    except etree.XMLSyntaxError:
        raise FormatError([*problems.in_order(), *syntax_error(events.error_log).problems]) from None
    if (root := events.root).tag != ROOT:
        refuse(f"the root element is <{root.tag}>, not <{ROOT}>. This isn't a run.", "root-element", line_of(root))
    if submission is not None:
        reader.take(submission)
    reader.read_header(root)
    if problems.has_errors():
        readable = reader.columns() if len(reader.builder) and reader.builder.run_ids.texts else None
        raise FormatError(problems.in_order(), readable)
    if len(reader.builder) > limits.lines:
        refuse(f"The file has {len(reader.builder):,} results. At most {limits.lines:,} are read.", "lines")
    if not len(reader.builder):
        refuse("The file holds no results.", "empty-file")
    columns = reader.columns()
    return columns, problems.in_order()


class SubmissionReader:
    """Reads the topics of one submission and then throws them away."""

    def __init__(self, limits: Limits, problems: ProblemList) -> None:
        self.builder = ColumnsBuilder(limits, problems)
        self.problems = problems
        self._header = RunHeader()
        self._kind = ""
        self._topic_fields: tuple[str, ...] = ()
        self._description = ""

    def read(self, element: Element) -> bool:
        """Take one finished part of the file, and tell whether nothing is left of all that came so far."""
        at_the_top = is_at_the_top(element)
        if element.tag == "topic":
            self._read_topic(element)
            element.clear()
            while (parent := element.getparent()) is not None and element.getprevious() is not None:
                del parent[0]
            return at_the_top
        if at_the_top and element.tag == "topic-fields":
            self._topic_fields = used_topic_fields(element)
        elif at_the_top and element.tag == "description":
            self._description = text_of(element, {}).strip()
        return False

    def take(self, submission: TidySubmission) -> None:
        """Take results that were cut out of the file before."""
        self._kind = submission.kind
        extend(self.builder, submission)

    def read_header(self, root: Element) -> None:
        """Take what the root element says about the run."""
        self._header = RunHeader(
            participant=said(root, "participant-id"),
            task=said(root, "task"),
            query=said(root, "query"),
            result_type=said(root, "result-type"),
            topic_fields=self._topic_fields,
            description=self._description,
        )
        self._attempt(lambda: self.builder.run_ids[said(root, "run-id")], line_of(root), None)

    def columns(self) -> RunColumns:
        """Return what was read."""
        return self.builder.columns(self.builder.run_ids.texts[0], RESULT_TYPES[self._kind], self._header)

    def _read_topic(self, element: Element) -> None:
        identifier = (element.get("topic-id") or element.get("id") or "").strip()
        if not identifier:
            message = 'the <topic> has no id. Write <topic topic-id="…">.'
            self.problems.add(message, "missing-field", line=line_of(element))
            return
        try:
            topic = self.builder.topics[identifier]
        except FieldError as error:
            self.problems.add(str(error), error.rule, line=line_of(element))
            return
        for position, result in enumerate(element.iterchildren("result"), 1):
            self._read_result(result, topic, identifier, position)

    def _read_result(self, result: Element, topic: int, identifier: str, position: int) -> None:
        line = line_of(result)
        faults = len(self.problems)
        document = self._attempt(lambda: self.builder.documents[required(result, "file")], line, identifier)
        rank = self._attempt(lambda: fields.natural(field(result, "rank", str(position)), "rank"), line, identifier)
        rsv = self._attempt(lambda: own_number(result), line, identifier)
        place = self._attempt(lambda: self._place(result), line, identifier)
        if len(self.problems) == faults:
            offset, length, path = place
            self.builder.add(topic, document, rank, rsv, offset, length, path, line)

    def _attempt(self, attempt: Callable[[], Read], line: int | None, topic: str | None) -> Read | Any:
        try:
            return attempt()
        except FieldError as error:
            self.problems.add(str(error), error.rule, line=line, topic=topic)
            return None

    def _place(self, result: Element) -> tuple[int, int, int]:
        found = [child for child in result if child.tag in KINDS]
        if len(found) != 1:
            message = f"the <result> has {len(found)} of <path>, <fol> and <passage>. It needs exactly one."
            raise FieldError(message, "missing-field")
        child = found[0]
        kind = str(child.tag)
        if not self._kind:
            self._kind = kind
        if kind != self._kind:
            raise FieldError(
                f"the result returns {RESULTS[kind]}, where the file's first returns {RESULTS[self._kind]}. "
                "A run holds one kind of result.",
                "mixed-results",
            )
        if kind == "path":
            return UNMAPPED, 0, self.builder.paths[element_path(child.text)]
        if kind == "fol":
            return span_place(attribute(child, "offset"), attribute(child, "length"))
        points = " ".join(element_path(child.get(name)) for name in ("start", "end"))
        return UNMAPPED, 0, self.builder.paths[points]


def is_at_the_top(element: Element) -> bool:
    """Return whether an element stands right below the root."""
    parent = element.getparent()
    return parent is not None and parent.getparent() is None


def said(element: Element, name: str) -> str:
    """Return an attribute by its name, empty where it is absent: to go through all of them takes their square."""
    return element.get(name, "").strip()


def used_topic_fields(element: Element) -> tuple[str, ...]:
    """Return the topic fields that a <topic-fields> says were used."""
    return tuple(name for name in TOPIC_FIELD_NAMES if said(element, name).lower() == "yes")


def span_place(offset: bytes, length: bytes) -> tuple[int, int, int]:
    """Return a span's place; both numbers may be marked as not mapped, the length only where the offset is."""
    if offset in UNMAPPED_MARKS:
        if length not in UNMAPPED_MARKS:
            fields.natural(length, "length")
        return UNMAPPED, 0, NO_PATH
    return fields.natural(offset, "offset"), fields.natural(length, "length"), NO_PATH


def field(result: Element, tag: str, absent: str) -> bytes:
    """Return the text of a result's field as bytes, with what stands for an absent one."""
    return (result.findtext(tag) or absent).strip().encode()


def own_number(result: Element) -> float:
    """Return the rsv of a result, ABSENT where it has none."""
    text = field(result, "rsv", "")
    return fields.real(text, "rsv") if text else ABSENT


def required(result: Element, tag: str) -> str:
    """Return the text of a field that a result must have."""
    text = (result.findtext(tag) or "").strip()
    if not text:
        raise FieldError(f"the <result> has no <{tag}>. Every result names its document.", "missing-field")
    return text


def attribute(element: Element, name: str) -> bytes:
    """Return an attribute that must be there."""
    if (value := element.get(name)) is None:
        raise FieldError(f'the <{element.tag}> has no {name}. Write {name}="…".', "missing-field")
    return value.strip().encode()


def element_path(text: str | None) -> str:
    """Return a path without the white space around it."""
    return fields.path((text or "").strip())
