"""Document collections: archives of XML documents, or just a list of ids and lengths."""

import io
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import BinaryIO, NoReturn

from limelight.formats import fields
from limelight.formats.archives import archive_members, is_archive
from limelight.formats.building import Names
from limelight.formats.fields import FieldError
from limelight.formats.lines import content_lines
from limelight.formats.opening import MEGABYTE, Limits, checked_text, read_payload, refuse
from limelight.formats.problems import FormatError, Problem, ProblemList
from limelight.formats.recognising import ASSESSMENTS, DOCUMENTS, RUN, TOPICS, begins_as_xml, keep_to_slot, xml_slot
from limelight.wording import counted

COLLECTION_LIMITS = Limits(size=2_000 * MEGABYTE, unpacked_size=10_000 * MEGABYTE, lines=10_000_000)
LAYOUT = "document length"
ENDING = ".xml"


class DamagedFile:
    """Stands for a document whose file in an archive is damaged: reading it says how."""

    def __init__(self, message: str, rule: str) -> None:
        self.error = FormatError([Problem(message, rule)])

    def read(self) -> NoReturn:
        """Refuse to be read."""
        raise self.error


def collection_files(
    stream: BinaryIO, *, limits: Limits = COLLECTION_LIMITS
) -> Iterator[tuple[str, io.BytesIO | DamagedFile]]:
    """Yield the id and a binary stream of every XML document in a zip or tar archive.

    A file that is damaged is named, too: its stream raises FormatError when it is read.
    """
    if not is_archive(stream):
        refuse("The file isn't an archive. Pack the documents into a zip or tar.gz file.", "file-kind")
    members: dict[str, str] = {}
    for name, payload in archive_members(stream, limits):
        document = _document(name, payload)
        if document is None:
            continue  # a README beside the documents
        if not members and payload:
            keep_to_documents(payload, name)
        identifier = document_identifier(name, limits)
        if identifier in members:
            both = f"{members[identifier]} and {name}"
            message = f"The archive holds document {identifier} twice: {both}. Remove one of the two."
            refuse(message, "duplicate-document")
        members[identifier] = name
        yield identifier, document
    if not members:
        refuse("The archive holds no XML files.", "empty-file")


def _document(name: str, payload: bytes | None) -> io.BytesIO | DamagedFile | None:
    """Return the file of a document as a stream, None for one that is no document."""
    if not name.lower().endswith(ENDING):
        return _unnamed(payload)
    if payload is None:
        return DamagedFile("Its file in the archive is damaged. Pack it again.", "archive")
    if not payload.strip(b"\0"):
        return DamagedFile("Its file in the archive is empty, or holds nothing but zeros.", "empty-file")
    try:
        text = checked_text(payload)
    except FormatError as error:
        return DamagedFile(error.problems[0].message, error.problems[0].rule)
    if begins_as_xml(text):
        return io.BytesIO(text)
    return DamagedFile("Its file in the archive isn't XML: it doesn't begin with <.", "xml")


def _unnamed(payload: bytes | None) -> io.BytesIO | None:
    """Return a file that is not named as XML, if it is XML all the same."""
    try:
        text = checked_text(payload or b"")
    except FormatError:
        return None
    return io.BytesIO(text) if begins_as_xml(text) else None


def keep_to_documents(payload: bytes, name: str) -> None:
    """Refuse a collection whose first file is something else than a document."""
    if (found := xml_slot(payload)) in (RUN, ASSESSMENTS, TOPICS):
        refuse(f"{name} {found.is_it}, not a document. Pack the documents themselves.", "file-kind")


def document_identifier(name: str, limits: Limits = COLLECTION_LIMITS) -> str:
    """Return the id of a document: its file's name without folders and `.xml`.

    >>> document_identifier("pages/12/996300.xml")
    '996300'
    """
    identifier = PurePosixPath(name).name.removesuffix(ENDING)
    if not identifier or any(character.isspace() for character in identifier):
        refuse(f"The file name {fields.shown(name)} gives no document id. Use names without blanks.", "archive-path")
    try:
        return fields.name(identifier, "document id", limits.name_size)
    except FieldError as error:
        refuse(f"In the archive {error}", error.rule)


def read_document_lengths(stream: BinaryIO, *, limits: Limits = COLLECTION_LIMITS) -> dict[str, int]:
    """Return the lengths of a collection's documents by id; raise FormatError with every problem."""
    payload = read_payload(stream, limits)
    keep_to_slot(payload, DOCUMENTS)
    if begins_as_xml(payload):
        refuse("The file is a single XML file. Pack the documents into a zip or tar.gz archive.", "file-kind")
    problems = ProblemList()
    documents = Names("document id", limits.name_size)
    lengths: dict[str, int] = {}
    lines: dict[str, int] = {}
    for number, line in content_lines(payload, limits, problems):
        parts = line.split()
        try:
            if len(parts) != 2:
                found = counted(len(parts), "field")
                raise FieldError(f"{found} found, 2 expected ({LAYOUT}).", "field-count")
            document = documents.texts[documents[parts[0]]]
            length = fields.natural(parts[1], "length")
            if document in lengths:
                message = (
                    f"document {document} was already listed in line {lines[document]}. Remove one of the two lines."
                )
                raise FieldError(message, "duplicate-document")
        except FieldError as error:
            problems.add(str(error), error.rule, line=number)
            continue
        lengths[document], lines[document] = length, number
    if problems.has_errors():
        raise FormatError(problems.in_order())
    if not lengths:
        refuse("The file lists no documents.", "empty-file")
    return lengths
