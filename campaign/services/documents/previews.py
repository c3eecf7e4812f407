"""What an organiser is shown of a file of documents before it counts."""

import tempfile

from campaign.later import judged_documents
from campaign.machinery.storage import store
from campaign.services.documents.changes import CHANGED, DAMAGED, NEW
from campaign.services.documents.versions import changed_documents, new_documents
from limelight.spreadsheets import as_csv

LISTED = 100
"""Documents of a kind that a page lists; the CSV has all of them."""

NOT_IN_FILE = "not in the file"
HEAD = ("document", "what", "characters before", "characters after", "problem")


def preview_of(prepared, reading):
    """Return the numbers of a reading, the first documents of each kind, and where the list of all is stored."""
    new, changed = new_documents(prepared).order_by("identifier"), changed_documents(prepared)
    return {
        "documents": reading.documents,
        "new": new.count(),
        "changed": changed.count(),
        "unchanged": reading.unchanged,
        "damaged": len(reading.damaged),
        "absent": len(reading.absent),
        "judged": judged_documents(prepared.supersedes, changed.values_list("identifier", flat=True)),
        "lists": {name: rows[:LISTED] for name, rows in _lists(new[:LISTED], changed[:LISTED], reading).items()},
        "list_file": _stored_list(new, changed, reading),
    }


def _lists(new, changed, reading):
    return {
        "changed": [[row.identifier, row.before, row.length, row.length - row.before] for row in changed],
        "damaged": [[change.identifier, change.before, change.problem] for change in reading.damaged],
        "absent": [list(entry) for entry in reading.absent],
        "new": [[document.identifier, document.length] for document in new],
    }


def _stored_list(new, changed, reading):
    with tempfile.TemporaryFile() as target:
        target.write(as_csv([HEAD]).encode())
        for row in _rows(new, changed, reading):
            target.write(as_csv([row]).encode())
        return store(target, "reports").name


def _rows(new, changed, reading):
    for document in changed.iterator(chunk_size=2_000):
        yield document.identifier, CHANGED, document.before, document.length, ""
    for change in reading.damaged:
        yield change.identifier, DAMAGED, change.before, "", change.problem
    for identifier, length in reading.absent:
        yield identifier, NOT_IN_FILE, length, length, ""
    for document in new.iterator(chunk_size=2_000):
        yield document.identifier, NEW, "", document.length, ""
