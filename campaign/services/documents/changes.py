"""What a file would change in a collection: each of its documents is new, changed, unchanged or damaged."""

from dataclasses import dataclass, replace
from io import BytesIO

from campaign.addresses import COLLIDES, names_a_document
from campaign.machinery.storage import Damaged, fault_of
from campaign.services.documents.files import file_of, load_document, store_document
from limelight.formats.problems import FormatError
from limelight.text.documents import DocumentText, read_document

NEW, CHANGED, UNCHANGED, DAMAGED, READ_BEFORE = "new", "changed", "unchanged", "damaged", "read before"


@dataclass(frozen=True, slots=True)
class Change:
    """What one document of a file would be; lengths in characters, None where there is none."""

    identifier: str
    kind: str
    before: int | None = None
    after: int | None = None
    problem: str = ""
    text: DocumentText | None = None
    text_file: str = ""

    @property
    def comes_in(self):
        """Return whether an import would write the document."""
        return self.kind in (NEW, CHANGED)

    @property
    def brief(self):
        """Return the same without the text, so that many can be kept."""
        return replace(self, text=None)


def known_documents(collection):
    """Return the stored text and the length of each document that a collection has, by id."""
    rows = collection.documents.values_list("identifier", "text_file", "length").iterator(chunk_size=5000)
    return {identifier: (text_file, length) for identifier, text_file, length in rows}


def document_changes(known, documents, *, read_before=frozenset(), reads_new=True):
    """Yield what each XML document, given as (identifier, binary stream), would change.

    Documents that were `read_before` are passed over. Without `reads_new` new ones are told, but not read.
    """
    for identifier, stream in documents:
        if identifier in read_before:
            yield Change(identifier, READ_BEFORE)
        else:
            yield _document_change(identifier, stream, known.get(identifier), reads_new)


def _document_change(identifier, stream, there, reads_new):
    known_file, before = there or (None, None)
    if there is None and not names_a_document(identifier):
        return Change(identifier, DAMAGED, problem=COLLIDES)
    try:
        content = stream.read()
        text_file = file_of(content)
        if text_file == known_file:
            if fault_of(text_file):  # the bytes are those of before, so that what broke on disk can be mended
                store_document(read_document(BytesIO(content), identifier), text_file)
            return Change(identifier, UNCHANGED, before, before)
        if there is None and not reads_new:
            return Change(identifier, NEW)
        text = read_document(BytesIO(content), identifier)
    except FormatError as error:
        return Change(identifier, DAMAGED, before, problem=str(error.problems[0]))
    if before and not len(text):
        message = f"It has no text here. The {before:,} characters that the collection has stay."
        return Change(identifier, DAMAGED, before, problem=message)
    if known_file and _has_text(known_file, text):
        return Change(identifier, UNCHANGED, before, before)  # only what is not text was written differently
    kind = NEW if there is None else CHANGED
    return Change(identifier, kind, before, len(text), text=text, text_file=text_file)


def _has_text(known_file, text):
    try:
        return load_document(known_file) == text
    except Damaged:
        return False


def length_changes(known, lengths):
    """Yield what each document of a list of lengths would change; a list never contradicts a text."""
    for identifier, length in lengths.items():
        text_file, before = known.get(identifier, (None, None))
        if before is None and not names_a_document(identifier):
            yield Change(identifier, DAMAGED, problem=COLLIDES)
        elif before is None:
            yield Change(identifier, NEW, after=length)
        elif before == length:
            yield Change(identifier, UNCHANGED, before, before)
        elif text_file:
            message = f"The list says {length:,} characters, but its text in the collection has {before:,}."
            yield Change(identifier, DAMAGED, before, problem=message)
        else:
            yield Change(identifier, CHANGED, before, length)
