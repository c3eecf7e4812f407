"""Writing XML assessments again: one document of all topics, or an archive with a file a topic."""

import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import BinaryIO
from xml.sax.saxutils import quoteattr

from limelight.formats.assessments.columns import UNKNOWN
from limelight.formats.assessments.element_columns import TOO_SMALL, UNASSESSED, ElementColumns
from limelight.formats.assessments.xml_highlights import JudgedFile, XmlHighlights
from limelight.formats.safe_xml import MARKUP_COUNT, markup_in

WrittenTopic = tuple[str, list[bytes]]
"""A topic, and each of its judged files as XML."""

JudgedElement = tuple[str, int, int, int, int, int]
"""Path, exhaustivity, specificity, size, highlighted size, and whether the grades were inferred."""

DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>\n'
WRAPPER = "all-assessments"
UNSAFE_IN_A_FILE_NAME = re.compile(r"[^A-Za-z0-9_.-]|\A\.")
ALWAYS_THE_SAME_DATE = (1980, 1, 1, 0, 0, 0)


def highlighted_topics(highlights: XmlHighlights) -> Iterator[WrittenTopic]:
    """Yield each topic of highlights of 2005 to 2008, and its judged files as XML."""
    elements = _elements_by_file(highlights.elements)
    for topic, judged_files in groupby(highlights.files, key=attrgetter("topic")):
        yield topic, [_highlighted_file(judged, elements) for judged in judged_files]


def _highlighted_file(judged: JudgedFile, elements: Mapping[tuple[str, str], Sequence[JudgedElement]]) -> bytes:
    lines = [f"<file name={quoteattr(judged.document)}>"]
    if judged.entry_point:
        lines.append(f"<best-entry-point path={quoteattr(judged.entry_point)}/>")
    for passage in judged.passages:
        size = "" if passage.size == UNKNOWN else f' size="{passage.size}"'
        lines.append(f"<passage start={quoteattr(passage.start)} end={quoteattr(passage.end)}{size}/>")
    for path, exhaustivity, _, whole, highlighted, _ in elements.get((judged.topic, judged.document), ()):
        grade = {UNASSESSED: "", TOO_SMALL: ' exhaustivity="?"'}.get(exhaustivity, f' exhaustivity="{exhaustivity}"')
        lines.append(f'<element path={quoteattr(path)}{grade} size="{whole}" rsize="{highlighted}"/>')
    return "\n".join([*lines, "</file>\n"]).encode()


def graded_topics(columns: ElementColumns) -> Iterator[WrittenTopic]:
    """Yield each topic of graded elements of 2002 to 2004, and its judged files as XML."""
    elements = _elements_by_file(columns)
    judged = zip(columns.judged_topic.tolist(), columns.judged_document.tolist(), strict=True)
    for number, pairs in groupby(judged, key=itemgetter(0)):
        topic = columns.topics[number]
        names = [columns.documents[document] for _, document in pairs]
        yield topic, [_graded_file(name, elements.get((topic, name), ())) for name in names]


def _graded_file(document: str, elements: Sequence[JudgedElement]) -> bytes:
    lines = [f"<file file={quoteattr(document)}>"]
    for path, exhaustivity, specificity, _, _, inferred in elements:
        grades = f'exhaustiveness="{_grade(exhaustivity)}" specificity="{_grade(specificity)}"'
        lines.append(f'<path path={quoteattr(path)} {grades} inferred="{str(bool(inferred)).lower()}"/>')
    return "\n".join([*lines, "</file>\n"]).encode()


def _grade(number: int) -> str:
    return "U" if number == UNASSESSED else str(number)


def _elements_by_file(columns: ElementColumns) -> dict[tuple[str, str], list[JudgedElement]]:
    files: dict[tuple[str, str], list[JudgedElement]] = {}
    names = ("topic", "document", "path", "exhaustivity", "specificity", "size", "highlighted_size", "inferred")
    for topic, document, path, *rest in zip(*(getattr(columns, name).tolist() for name in names), strict=True):
        files.setdefault((columns.topics[topic], columns.documents[document]), []).append((columns.paths[path], *rest))
    return files


def write_document(topics: Iterable[WrittenTopic], target: BinaryIO) -> None:
    """Write topics to a binary file as one XML document; several stand in one root element."""
    written = [_assessments(topic, files) for topic, files in topics]
    target.write(DECLARATION)
    if len(written) == 1:
        target.write(written[0])
    else:
        target.writelines([f"<{WRAPPER}>\n".encode(), *written, f"</{WRAPPER}>\n".encode()])


def write_archive(topics: Iterable[WrittenTopic], target: BinaryIO, *, markup: int = MARKUP_COUNT) -> None:
    """Write topics to a binary file as a zip archive, a file a topic, the same bytes every time.

    A topic with more markup than is read from one file goes on in a second.
    """
    taken: set[str] = set()
    with zipfile.ZipFile(target, "w") as archive:
        for topic, files in topics:
            for part in _parts(files, markup - markup_in(DECLARATION + _assessments(topic, []))):
                entry = zipfile.ZipInfo(_file_name(topic, taken), ALWAYS_THE_SAME_DATE)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.create_system, entry.external_attr = 3, 0o644 << 16
                archive.writestr(entry, DECLARATION + _assessments(topic, part))


def _assessments(topic: str, files: Iterable[bytes]) -> bytes:
    return b"".join([f"<assessments topic={quoteattr(topic)}>\n".encode(), *files, b"</assessments>\n"])


def _parts(files: Iterable[bytes], room: int) -> list[list[bytes]]:
    """Return files in as many lists as it takes for each to keep to its room for markup."""
    parts: list[list[bytes]] = [[]]
    filled = 0
    for file in files:
        filled += markup_in(file)
        if filled > room and parts[-1]:
            parts.append([])
            filled = markup_in(file)
        parts[-1].append(file)
    return parts


def _file_name(topic: str, taken: set[str]) -> str:
    """Return a name for a topic's file that no other has, not even where case doesn't count."""
    stem = UNSAFE_IN_A_FILE_NAME.sub("_", topic)
    name, number = f"{stem}.xml", 1
    while name.lower() in taken:
        number += 1
        name = f"{stem}-{number}.xml"
    taken.add(name.lower())
    return name
