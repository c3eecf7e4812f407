"""INEX XML submissions: a header, then topics with their results in the order of the elements."""

from lxml import etree

from limelight.formats import fields
from limelight.formats.building import NO_PATH, ColumnsBuilder
from limelight.formats.columns import ABSENT, UNMAPPED, UNMAPPED_MARKS, RunHeader
from limelight.formats.fields import FieldError
from limelight.formats.opening import refuse
from limelight.formats.problems import FormatError, ProblemList
from limelight.formats.runs.inex_xml_scan import extend, take_apart
from limelight.formats.safe_xml import PARSER_OPTIONS, WatchedStream, checked_entities, syntax_error, text_of

ROOT = "inex-submission"
PARTS = ("topic", "topic-fields", "description")
KINDS = ("path", "fol", "passage")
RESULTS = {"path": "an element", "fol": "a span", "passage": "a passage"}
TOPIC_FIELD_NAMES = (
    *("title", "castitle", "phrasetitle", "description", "narrative", "keywords"),
    *("mmtitle", "descr", "desc", "narr", "cas", "concepts"),
)
"""What INEX called the fields over the years."""

RESULT_TYPES = {"path": "element", "fol": "passage", "passage": "passage"}


def read_inex_xml(payload, limits):
    """Return the columns of an XML submission and the warnings about it."""
    if (submission := take_apart(payload)) is not None:
        try:
            return read_parts(submission.frame, limits, submission)
        except (FormatError, FieldError):
            pass  # the exact reader knows how to complain
    return read_parts(payload, limits)


def read_parts(payload, limits, submission=None):
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
        refuse(f"the root element is <{root.tag}>, not <{ROOT}>. This isn't a run.", "root-element", root.sourceline)
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

    def __init__(self, limits, problems):
        self.builder = ColumnsBuilder(limits, problems)
        self.problems = problems
        self._header = None
        self._kind = None
        self._topic_fields = ()
        self._description = ""

    def read(self, element):
        """Take one finished part of the file, and tell whether nothing is left of all that came so far."""
        at_the_top = is_at_the_top(element)
        if element.tag == "topic":
            self._read_topic(element)
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]
            return at_the_top
        if at_the_top and element.tag == "topic-fields":
            self._topic_fields = used_topic_fields(element)
        elif at_the_top and element.tag == "description":
            self._description = text_of(element, {}).strip()
        return False

    def take(self, submission):
        """Take results that were cut out of the file before."""
        self._kind = submission.kind
        extend(self.builder, submission)

    def read_header(self, root):
        """Take what the root element says about the run."""
        self._header = RunHeader(
            participant=said(root, "participant-id"),
            task=said(root, "task"),
            query=said(root, "query"),
            result_type=said(root, "result-type"),
            topic_fields=self._topic_fields,
            description=self._description,
        )
        self._attempt(lambda: self.builder.run_ids[said(root, "run-id")], root.sourceline, None)

    def columns(self):
        """Return what was read."""
        return self.builder.columns(self.builder.run_ids.texts[0], RESULT_TYPES[self._kind], self._header)

    def _read_topic(self, element):
        identifier = (element.get("topic-id") or element.get("id") or "").strip()
        if not identifier:
            message = 'the <topic> has no id. Write <topic topic-id="…">.'
            self.problems.add(message, "missing-field", line=element.sourceline)
            return
        try:
            topic = self.builder.topics[identifier]
        except FieldError as error:
            self.problems.add(str(error), error.rule, line=element.sourceline)
            return
        for position, result in enumerate(element.iterchildren("result"), 1):
            self._read_result(result, topic, identifier, position)

    def _read_result(self, result, topic, identifier, position):
        line = result.sourceline
        faults = len(self.problems)
        values = [
            self._attempt(attempt, line, identifier)
            for attempt in (
                lambda: self.builder.documents[required(result, "file")],
                lambda: fields.natural(field(result, "rank", str(position)), "rank"),
                lambda: own_number(result),
                lambda: self._place(result),
            )
        ]
        if len(self.problems) == faults:
            document, rank, rsv, place = values
            self.builder.add(topic, document, rank, rsv, *place, line)

    def _attempt(self, attempt, line, topic):
        try:
            return attempt()
        except FieldError as error:
            self.problems.add(str(error), error.rule, line=line, topic=topic)

    def _place(self, result):
        found = [child for child in result if child.tag in KINDS]
        if len(found) != 1:
            message = f"the <result> has {len(found)} of <path>, <fol> and <passage>. It needs exactly one."
            raise FieldError(message, "missing-field")
        child = found[0]
        if self._kind is None:
            self._kind = child.tag
        if child.tag != self._kind:
            raise FieldError(
                f"the result returns {RESULTS[child.tag]}, where the file's first returns {RESULTS[self._kind]}. "
                "A run holds one kind of result.",
                "mixed-results",
            )
        if child.tag == "path":
            return UNMAPPED, 0, self.builder.paths[element_path(child.text)]
        if child.tag == "fol":
            return span_place(attribute(child, "offset"), attribute(child, "length"))
        points = " ".join(element_path(child.get(name)) for name in ("start", "end"))
        return UNMAPPED, 0, self.builder.paths[points]


def is_at_the_top(element):
    """Tell whether an element stands right below the root."""
    parent = element.getparent()
    return parent is not None and parent.getparent() is None


def said(element, name):
    """Return an attribute by its name, empty where it is absent: to go through all of them takes their square."""
    return element.get(name, "").strip()


def used_topic_fields(element):
    """Return the topic fields that a <topic-fields> says were used."""
    return tuple(name for name in TOPIC_FIELD_NAMES if said(element, name).lower() == "yes")


def span_place(offset, length):
    """Return a span's place; both numbers may be marked as not mapped, the length only where the offset is."""
    if offset in UNMAPPED_MARKS:
        if length not in UNMAPPED_MARKS:
            fields.natural(length, "length")
        return UNMAPPED, 0, NO_PATH
    return fields.natural(offset, "offset"), fields.natural(length, "length"), NO_PATH


def field(result, tag, absent):
    """Return the text of a result's field as bytes, with what stands for an absent one."""
    return (result.findtext(tag) or absent).strip().encode()


def own_number(result):
    """Return the rsv of a result, ABSENT where it has none."""
    text = field(result, "rsv", "")
    return fields.real(text, "rsv") if text else ABSENT


def required(result, tag):
    """Return the text of a field that a result must have."""
    text = (result.findtext(tag) or "").strip()
    if not text:
        raise FieldError(f"the <result> has no <{tag}>. Every result names its document.", "missing-field")
    return text


def attribute(element, name):
    """Return an attribute that must be there."""
    if element.get(name) is None:
        raise FieldError(f'the <{element.tag}> has no {name}. Write {name}="…".', "missing-field")
    return element.get(name).strip().encode()


def element_path(text):
    """Return a path without the white space around it."""
    return fields.path((text or "").strip())
