"""Collections: importing them, and looking up lengths and element spans."""

import hashlib
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO

from django.db import transaction
from django.utils import timezone

from campaign.documents import DocumentText, read_document
from campaign.formats.collections import read_document_lengths
from campaign.formats.problems import FormatError
from campaign.models import Collection, Document
from campaign.services.storage import open_stored, store_bytes

DOCUMENT_VERSION = 1
BATCH = 200


@dataclass
class CollectionOutcome:
    """What became of the documents: new or changed, unchanged, or not to be read."""

    imported: int = 0
    unchanged: int = 0
    problems: list = field(default_factory=list)


def import_collection(collection, documents, *, progress=None):
    """Import XML documents, given as (identifier, binary stream), with their text and element spans.

    Documents are written in batches: an import that was broken off is gone on with by starting it again, and passes
    over what it has already. A document that cannot be read is named in the outcome and left out.
    """
    outcome = CollectionOutcome()
    known = dict(collection.documents.exclude(text_file="").values_list("identifier", "text_file"))
    batch = []
    for identifier, stream in documents:
        content = stream.read()
        sha256 = hashlib.sha256(content).hexdigest()
        name = f"documents/{sha256[:2]}/{sha256}-v{DOCUMENT_VERSION}.npz"
        if known.get(identifier) == name:
            outcome.unchanged += 1
        else:
            try:
                batch.append(_document(collection, identifier, content, name))
                outcome.imported += 1
            except FormatError as error:
                outcome.problems += [(identifier, problem) for problem in error.problems]
        if len(batch) >= BATCH:
            _write(collection, batch)
            batch = []
        if progress:
            progress(identifier)
    _write(collection, batch)
    return outcome


def _document(collection, identifier, content, name):
    text = read_document(BytesIO(content), identifier)
    buffer = BytesIO()
    text.save(buffer)
    store_bytes(name, buffer.getvalue())
    return Document(
        collection=collection, identifier=identifier, title=text.title[:500], length=len(text), text_file=name
    )


def _write(collection, documents):
    with transaction.atomic():
        Document.objects.bulk_create(
            documents,
            update_conflicts=True,
            unique_fields=["collection", "identifier"],
            update_fields=["title", "length", "text_file"],
        )
        if documents:
            Collection.objects.filter(pk=collection.pk).update(has_text=True, changed_at=timezone.now())


def import_document_lengths(collection, stream):
    """Import just ids and lengths, for a collection that nobody uploads; returns how many."""
    lengths = read_document_lengths(stream)
    write_document_lengths(collection, lengths)
    return len(lengths)


def write_document_lengths(collection, lengths):
    """Write documents of which only ids and lengths are known, in one step."""
    if document_lengths(collection, lengths) == lengths:
        return
    rows = [Document(collection=collection, identifier=name, length=length) for name, length in lengths.items()]
    with transaction.atomic():
        Collection.objects.filter(pk=collection.pk).update(changed_at=timezone.now())
        Document.objects.bulk_create(
            rows,
            batch_size=1000,
            update_conflicts=True,
            unique_fields=["collection", "identifier"],
            update_fields=["length"],
        )


def document_lengths(collection, identifiers):
    """Return the lengths of those of the documents that a collection has; None where nothing is known about documents.

    A collection into which nothing has been read yet knows as little as none at all.
    """
    if collection is None or not collection.documents.exists():
        return None
    wanted = list(identifiers)
    lengths = {}
    for start in range(0, len(wanted), 5000):
        rows = collection.documents.filter(identifier__in=wanted[start : start + 5000])
        lengths.update(rows.values_list("identifier", "length"))
    return lengths


def document_texts(collection):
    """Return a lookup from a document's id to the document with its text; None where there is no text."""
    if collection is None or not collection.has_text:
        return None

    def document(identifier):
        name = collection.documents.filter(identifier=identifier).values_list("text_file", flat=True).first()
        return load_document(name) if name else None

    return document


def element_spans(collection):
    """Return a lookup from a document's id to the places of its elements; None where there is no text."""
    documents = document_texts(collection)
    if documents is None:
        return None

    def places(identifier):
        document = documents(identifier)
        return None if document is None else document.places

    return places


@lru_cache(maxsize=256)
def load_document(name):
    """Return a stored document; files are named by their content, so a worker may keep the last few."""
    with open_stored(name) as stream:
        return DocumentText.load(BytesIO(stream.read()))
