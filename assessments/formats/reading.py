"""Assessments of any format: recognised by their content, never by their name."""

import io
from collections import Counter
from dataclasses import dataclass, replace
from itertools import chain, islice

from assessments.formats.columns import JudgementColumns
from assessments.formats.elements import ElementColumns
from assessments.formats.graded import read_graded_files
from assessments.formats.grades import GradeColumns, read_grade_lines
from assessments.formats.highlights import read_highlight_lines
from assessments.formats.sizes import sized_highlights
from assessments.formats.xml_files import assessed_topics, is_graded
from assessments.formats.xml_highlights import XmlHighlights, placed_highlights, read_xml_highlight_files
from campaign.formats.archives import archive_files, is_archive
from campaign.formats.lines import content_lines
from campaign.formats.opening import BYTE_ORDER_MARK, CHUNK, Limits, opened_stream, read_payload, refuse
from campaign.formats.problems import FormatError, ProblemList

LINES_TO_KNOW_THE_FORMAT = 1_000
QRELS_FIELDS = 4


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
    element_spans: dict | None = None


def read_assessments(stream, *, lookup=None, limits=Limits(), progress=None):  # noqa: B008 - a frozen dataclass
    """Return the assessments of a file and the warnings about them; raise FormatError with every problem.

    `lookup` gives a document's places, as for `map_elements`. Without it the XML form of 2005 to 2008 is read on sizes.
    `progress`, where it is given, is called now and then with the part that is done, from 0 to 1.
    """
    problems = ProblemList()
    if is_archive(stream):
        share = 0.5 if lookup else 1  # the other half is placing what was read
        members = _members(stream, limits, problems, progress and (lambda part: progress(share * part)))
        return _read_xml(members, lookup, limits, problems, progress)
    payload = read_payload(stream, limits)
    if _begins_as_xml(payload):
        return _read_xml(iter([(None, assessed_topics(payload))]), lookup, limits, problems, progress)
    widths = Counter(len(line.split()) for _, line in islice(content_lines(payload, limits), LINES_TO_KNOW_THE_FORMAT))
    if widths and widths.most_common(1)[0][0] == QRELS_FIELDS:
        grades, problems = read_grade_lines(payload, limits, progress)
        return Assessments(grades=grades), problems
    judgements, problems = read_highlight_lines(payload, limits, progress)
    return Assessments(judgements=judgements), problems


def is_xml(stream, *, limits=Limits()):  # noqa: B008 - a frozen dataclass
    """Tell whether assessments that were read before are XML or an archive of it, by their first bytes."""
    if is_archive(stream):
        return True
    opened, head = opened_stream(stream, limits), b""
    while len(head) < CHUNK and (chunk := opened.read(CHUNK)):
        head += chunk
    return _begins_as_xml(head.removeprefix(BYTE_ORDER_MARK))


def _begins_as_xml(payload):
    return payload.lstrip()[:1] == b"<"


def _members(stream, limits, problems, progress=None):
    """Yield the topics of each XML file in an archive; note the files that cannot be read."""
    start = stream.tell()
    size = stream.seek(0, io.SEEK_END)
    stream.seek(start)
    for name, payload in archive_files(stream, limits):
        if progress:
            progress(stream.tell() / size)
        if not _begins_as_xml(payload):
            continue  # a README beside the assessments
        try:
            yield name, assessed_topics(payload)
        except FormatError as error:
            problems.extend(replace(problem, member=name) for problem in error.problems)


def _read_xml(files, lookup, limits, problems, progress=None):
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
        return Assessments(elements=elements), found
    highlights, found = read_xml_highlight_files(files, limits, problems)
    if lookup is not None:
        if progress:
            lookup = _followed(lookup, len(highlights.files), progress)
        (judgements, more), spans = placed_highlights(highlights, lookup), None
    else:
        judgements, spans, more = sized_highlights(highlights)
    read = Assessments(judgements, elements=highlights.elements, highlights=highlights, element_spans=spans)
    return read, found + more


def _followed(lookup, count, progress):
    """Return a lookup that tells how many of the judged documents have been placed."""
    placed = 0

    def places(document):
        nonlocal placed
        placed += 1
        progress(0.5 + 0.5 * placed / count)
        return lookup(document)

    return places
