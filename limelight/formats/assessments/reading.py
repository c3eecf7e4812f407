"""Assessments of any format: recognised by their content, never by their name."""

import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import BinaryIO

from limelight.formats.archives import archive_files, is_archive
from limelight.formats.assessments.columns import JudgementColumns
from limelight.formats.assessments.document_grades import GradeColumns, read_grade_lines
from limelight.formats.assessments.element_columns import ElementColumns, unknown_paths
from limelight.formats.assessments.element_grades import read_graded_files
from limelight.formats.assessments.highlights import read_highlight_lines
from limelight.formats.assessments.sizes import sized_highlights
from limelight.formats.assessments.xml_files import XmlFile, assessed_topics, is_graded
from limelight.formats.assessments.xml_highlights import XmlHighlights, placed_highlights, read_xml_highlight_files
from limelight.formats.lines import Progress, content_lines
from limelight.formats.opening import BYTE_ORDER_MARK, CHUNK, Limits, opened_stream, read_payload, refuse
from limelight.formats.problems import FormatError, Problem, ProblemList
from limelight.formats.recognising import ASSESSMENTS, begins_as_xml, keep_to_slot
from limelight.text.documents import Lookup, Span, Spans

LINES_TO_KNOW_THE_FORMAT = 1_000
QRELS_FIELDS = 4
OTHER_FILES = ("file-kind", "root-element")


@dataclass(frozen=True, slots=True)
class Assessments:
    """What a file of assessments holds: highlighted text, grades of documents, or grades of elements.

    `highlights` are what XML said before it was placed on characters or sizes; `element_spans` gives the places of
    elements (document -> path -> offset, length) when the judgements lie on sizes.
    """

    judgements: JudgementColumns | None = None
    grades: GradeColumns | None = None
    elements: ElementColumns | None = None
    highlights: XmlHighlights | None = None
    element_spans: dict[str, dict[str, Span]] | None = None


def read_assessments(
    stream: BinaryIO, *, lookup: Lookup | None = None, limits: Limits = Limits(), progress: Progress | None = None
) -> tuple[Assessments, list[Problem]]:
    """Return the assessments of a file and the warnings about them; raise FormatError with every problem.

    `lookup` gives a document's places, as for `placed`. Without it the XML form of 2005 to 2008 is read on sizes.
    `progress`, where it is given, is called now and then with the part that is done, from 0 to 1.
    """
    problems = ProblemList()
    if is_archive(stream):
        share = 0.5 if lookup else 1  # the other half is placing what was read
        members = _members(stream, limits, problems, progress and (lambda part: progress(share * part)))
        return _read_xml(members, lookup, limits, problems, progress)
    payload = read_payload(stream, limits)
    keep_to_slot(payload, ASSESSMENTS)
    if begins_as_xml(payload):
        return _read_xml(iter([(None, assessed_topics(payload))]), lookup, limits, problems, progress)
    widths = Counter(len(line.split()) for _, line in islice(content_lines(payload, limits), LINES_TO_KNOW_THE_FORMAT))
    if widths and widths.most_common(1)[0][0] == QRELS_FIELDS:
        grades, warnings = read_grade_lines(payload, limits, progress)
        return Assessments(grades=grades), warnings
    judgements, warnings = read_highlight_lines(payload, limits, progress)
    return Assessments(judgements=judgements), warnings


def is_xml(stream: BinaryIO, *, limits: Limits = Limits()) -> bool:
    """Return whether assessments that were read before are XML or an archive of it, by their first bytes."""
    if is_archive(stream):
        return True
    opened, head = opened_stream(stream, limits), b""
    while len(head) < CHUNK and (chunk := opened.read(CHUNK)):
        head += chunk
    return begins_as_xml(head.removeprefix(BYTE_ORDER_MARK))


def _members(
    stream: BinaryIO, limits: Limits, problems: ProblemList, progress: Progress | None = None
) -> Iterator[XmlFile]:
    """Yield the topics of each XML file in an archive; note the files that cannot be read."""
    start = stream.tell()
    size = stream.seek(0, io.SEEK_END)
    stream.seek(start)
    strangers, read = [], 0
    for name, payload in archive_files(stream, limits):
        if progress:
            progress(stream.tell() / size)
        if not begins_as_xml(payload):
            continue  # a README beside the assessments
        try:
            keep_to_slot(payload, ASSESSMENTS)
            topics = assessed_topics(payload)
        except FormatError as error:
            found = [replace(problem, member=name) for problem in error.problems]
            strangers += [problem for problem in found if problem.rule in OTHER_FILES]
            problems.extend(found)
        else:
            read += 1
            yield name, topics
    if not read and len(strangers) == len(problems) > 1:
        message = f"None of the archive's {len(strangers):,} XML files holds assessments. {strangers[0]}"
        raise FormatError([Problem(message, strangers[0].rule)])


def _read_xml(
    files: Iterator[XmlFile],
    lookup: Lookup | None,
    limits: Limits,
    problems: ProblemList,
    progress: Progress | None = None,
) -> tuple[Assessments, list[Problem]]:
    opened, graded = [], None
    for file in files:
        opened.append(file)
        if (graded := is_graded(file[1])) is not None:
            break
    if not opened and not problems.has_errors():
        refuse("The archive holds no XML files.", "empty-file")
    files = chain(opened, files)
    if graded:
        elements, found = read_graded_files(files, limits, problems)
        if lookup is not None:
            lookup = _followed(lookup, len(elements.judged_document), progress)
        return Assessments(elements=elements), found + unknown_paths(elements, lookup)
    highlights, found = read_xml_highlight_files(files, limits, problems)
    if lookup is not None:
        lookup = _followed(lookup, 2 * len(highlights.files), progress)  # once for the passages, once for the elements
        (judgements, more), spans = placed_highlights(highlights, lookup), None
        more += unknown_paths(highlights.elements, lookup)
    else:
        judgements, spans, more = sized_highlights(highlights)
    read = Assessments(judgements, elements=highlights.elements, highlights=highlights, element_spans=spans)
    return read, found + more


def _followed(lookup: Lookup, count: int, progress: Progress | None) -> Lookup:
    """Return a lookup that tells how many of the judged documents have been placed; the same where nobody listens."""
    if progress is None:
        return lookup
    placed = 0

    def places(document: str) -> Spans | None:
        nonlocal placed
        placed += 1
        progress(0.5 + 0.5 * placed / count)
        return lookup(document)

    return places
