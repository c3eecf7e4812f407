"""Documents as they are stored: text and element spans in a file that is named by the document's bytes."""

import hashlib
from functools import lru_cache
from io import BytesIO

from campaign.machinery.storage import SHORT, UNREADABLE_ZIP, Damaged, open_stored, store_bytes
from limelight.text.documents import DocumentText

DOCUMENT_VERSION = 1


def file_of(content):
    """Return where the text of an XML document is stored, by the document's bytes."""
    sha256 = hashlib.sha256(content).hexdigest()
    return f"documents/{sha256[:2]}/{sha256}-v{DOCUMENT_VERSION}.npz"


def store_document(text, name):
    """Store a document's text and places; returns where."""
    buffer = BytesIO()
    text.save(buffer)
    return store_bytes(name, buffer.getvalue())


@lru_cache(maxsize=256)
def load_document(name):
    """Return a stored document; files are named by their content, so a worker may keep the last few."""
    with open_stored(name) as stream:
        try:
            return DocumentText.load(BytesIO(stream.read()))
        except UNREADABLE_ZIP as error:
            raise Damaged(name, SHORT) from error
