"""Document collections: archives of XML documents, or just a list of ids and lengths."""

import io
from pathlib import PurePosixPath

from campaign.formats import fields
from campaign.formats.archives import archive_files, is_archive
from campaign.formats.building import Names
from campaign.formats.fields import FieldError
from campaign.formats.lines import content_lines
from campaign.formats.opening import MEGABYTE, Limits, read_payload, refuse
from campaign.formats.problems import FormatError, ProblemList

COLLECTION_LIMITS = Limits(size=2_000 * MEGABYTE, unpacked_size=10_000 * MEGABYTE, lines=10_000_000)
LAYOUT = "document length"


def collection_files(stream, *, limits=COLLECTION_LIMITS):
    """Yield the id and a binary stream of every XML document in a zip or tar archive."""
    if not is_archive(stream):
        refuse("The file isn't an archive. Pack the documents into a zip or tar.gz file.", "file-kind")
    members = {}
    for name, payload in archive_files(stream, limits):
        if payload.lstrip()[:1] != b"<":
            continue  # a README beside the documents
        identifier = document_identifier(name, limits)
        if identifier in members:
            both = f"{members[identifier]} and {name}"
            message = f"The archive holds document {identifier} twice: {both}. Remove one of the two."
            refuse(message, "duplicate-document")
        members[identifier] = name
        yield identifier, io.BytesIO(payload)
    if not members:
        refuse("The archive holds no XML files.", "empty-file")


def document_identifier(name, limits=COLLECTION_LIMITS):
    """Return the id of a document: its file's name without folders and `.xml`.

    >>> document_identifier("pages/12/996300.xml")
    '996300'
    """
    identifier = PurePosixPath(name).name.removesuffix(".xml")
    if not identifier or any(character.isspace() for character in identifier):
        refuse(f"The file name {fields.shown(name)} gives no document id. Use names without blanks.", "archive-path")
    try:
        return fields.name(identifier, "document id", limits.name_size)
    except FieldError as error:
        refuse(f"In the archive {error}", error.rule)


def read_document_lengths(stream, *, limits=COLLECTION_LIMITS):
    """Return the lengths of a collection's documents by id; raise FormatError with every problem."""
    problems = ProblemList()
    documents = Names("document id", limits.name_size)
    lengths = {}
    lines = {}
    for number, line in content_lines(read_payload(stream, limits), limits, problems):
        parts = line.split()
        try:
            if len(parts) != 2:
                found = f"{len(parts)} field" if len(parts) == 1 else f"{len(parts)} fields"
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


def write_document_lengths(lengths, target):
    """Write ids and lengths to a binary file."""
    for document, length in lengths.items():
        target.write(f"{document} {length}\n".encode())
