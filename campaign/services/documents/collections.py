"""Collections: writing new documents into them, and looking up lengths, texts and element spans."""

from dataclasses import dataclass, field

from django.db import transaction
from django.utils import timezone

from campaign.models import Collection, Document
from campaign.services.documents.changes import (
    CHANGED,
    DAMAGED,
    NEW,
    UNCHANGED,
    document_changes,
    known_documents,
)
from campaign.services.documents.files import load_document, store_document

BATCH = 200
AT_ONCE = 5_000


@dataclass
class CollectionOutcome:
    """What became of the documents: imported, there already, left as they were, or not to be read."""

    imported: int = 0
    unchanged: int = 0
    changed: list = field(default_factory=list)
    problems: list = field(default_factory=list)


def import_collection(collection, documents, *, progress=None):
    """Import new XML documents, given as (identifier, binary stream), with their text and element spans.

    Documents are written in batches: an import that was broken off is gone on with by starting it again, and passes
    over what it has already. A document that cannot be read is named in the outcome and left out; one whose text is
    another than the collection has is named, too, and stays as it was: changes make a new version.
    """
    return import_changes(collection, document_changes(known_documents(collection), documents), progress)


def import_changes(collection, changes, progress=None):
    """Write the new ones among the documents of a source."""
    outcome, batch = CollectionOutcome(), []
    for change in changes:
        if change.kind == NEW:
            batch.append(document_of(collection, change))
            outcome.imported += 1
        elif change.kind == CHANGED:
            outcome.changed.append(change.identifier)
        elif change.kind == DAMAGED:
            outcome.problems.append((change.identifier, change.problem))
        outcome.unchanged += change.kind == UNCHANGED
        if len(batch) >= BATCH:
            write_documents(collection, batch)
            batch = []
        if progress:
            progress(change)
    write_documents(collection, batch)
    return outcome


def document_of(collection, change):
    """Store the text of a document that comes in, and return its row."""
    document = Document(collection=collection, identifier=change.identifier, length=change.after)
    if change.text is not None:
        document.text_file = store_document(change.text, change.text_file)
        document.title = change.text.title[:500]
    return document


def write_documents(collection, documents):
    """Write rows of documents that a collection does not have; what somebody else wrote meanwhile stays."""
    if not documents:
        return
    with transaction.atomic():
        Document.objects.bulk_create(documents, ignore_conflicts=True)
        changed = {"changed_at": timezone.now()}
        if any(document.text_file for document in documents):
            changed["has_text"] = True
        Collection.objects.filter(pk=collection.pk).update(**changed)


def document_lengths(collection, identifiers):
    """Return the lengths of those of the documents that a collection has; None where nothing is known about documents.

    A collection into which nothing has been read yet knows as little as none at all.
    """
    if collection is None or not collection.documents.exists():
        return None
    return _column(collection, identifiers, "length")


def _column(collection, identifiers, name):
    """Return a column of those of the documents that a collection has, by their ids, in a few statements."""
    wanted = list(identifiers)
    values = {}
    for start in range(0, len(wanted), AT_ONCE):
        rows = collection.documents.filter(identifier__in=wanted[start : start + AT_ONCE])
        values.update(rows.values_list("identifier", name))
    return values


def document_texts(collection, identifiers=()):
    """Return a lookup from a document's id to the document with its text; None where there is no text.

    Where the documents that will be asked for are told, they are found at once and not one by one.
    """
    if collection is None or not collection.has_text:
        return None
    identifiers = list(identifiers)
    files = dict.fromkeys(identifiers) | _column(collection, identifiers, "text_file")

    def document(identifier):
        if identifier not in files:
            files.update({identifier: None} | _column(collection, [identifier], "text_file"))
        return load_document(files[identifier]) if files[identifier] else None

    return document


def element_spans(collection, identifiers=()):
    """Return a lookup from a document's id to the places of its elements, told which as `document_texts` is."""
    documents = document_texts(collection, identifiers)
    if documents is None:
        return None

    def places(identifier):
        document = documents(identifier)
        return None if document is None else document.places

    return places


def spans_for(collection, columns):
    """Return the lookup of `element_spans` for what one run returns: its documents are found at once."""
    return element_spans(collection, columns.documents if columns.paths else ())
