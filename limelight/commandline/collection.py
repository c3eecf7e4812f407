"""A document collection on disk, read one document at a time as runs ask for them."""

import io
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from limelight.commandline.refusals import BAD_INPUT, Refusal, located
from limelight.formats.archives import is_archive
from limelight.formats.collections import (
    collection_files,
    document_identifier,
    keep_to_documents,
    read_document_lengths,
)
from limelight.formats.problems import FormatError
from limelight.text.documents import read_document

KEPT_DOCUMENTS = 256


class Collection(Mapping):
    """The lengths of a collection's documents by id, and their places; documents are read when first asked for."""

    def __init__(self, name, files, lengths=None):
        """Take a function for each document's bytes, or just the lengths."""
        self._name = name
        self._files = files
        self._lengths = {} if lengths is None else lengths
        self._only_lengths = lengths is not None
        self._document = lru_cache(maxsize=KEPT_DOCUMENTS)(self._read)

    def __iter__(self):
        """Go through the ids."""
        return iter(self._lengths if self._only_lengths else self._files)

    def __len__(self):
        """Count the documents."""
        return len(self._lengths if self._only_lengths else self._files)

    def __contains__(self, identifier):
        """Tell whether a document is there, without reading it."""
        return identifier in (self._lengths if self._only_lengths else self._files)

    def __getitem__(self, identifier):
        """Return a document's length in characters."""
        if identifier not in self._lengths:
            if self._only_lengths or identifier not in self._files:
                raise KeyError(identifier)
            self._lengths[identifier] = len(self._document(identifier).text)
        return self._lengths[identifier]

    @property
    def has_text(self):
        """Tell whether the documents themselves are there, not just their lengths."""
        return not self._only_lengths

    def document(self, identifier):
        """Return a document with its text, None where it isn't known."""
        return None if identifier not in self._files else self._document(identifier)

    def places(self, identifier):
        """Return the element places of a document, None where they aren't known."""
        return None if identifier not in self._files else self._document(identifier).places

    def _read(self, identifier):
        try:
            return read_document(io.BytesIO(self._files[identifier]()), identifier)
        except FormatError as error:
            file = f"{self._name}({identifier})"
            raise Refusal([located(file, problem) for problem in error.problems], BAD_INPUT) from None


def _folder(name, path):
    found = sorted(path.rglob("*.xml"))
    if not found:
        raise Refusal([f"{name}: the folder holds no XML files."], BAD_INPUT)
    keep_to_documents(found[0].read_bytes(), found[0].name)
    return Collection(name, {document_identifier(file.name): file.read_bytes for file in found})


def open_collection(name):
    """Open a folder or archive of XML documents, or a list of ids and lengths."""
    path = Path(name)
    try:
        if path.is_dir():
            return _folder(name, path)
        with path.open("rb") as stream:
            if is_archive(stream):
                stored = {identifier: content.read() for identifier, content in collection_files(stream)}
                return Collection(name, {identifier: lambda c=content: c for identifier, content in stored.items()})
            return Collection(name, {}, read_document_lengths(stream))
    except FormatError as error:
        raise Refusal([located(name, problem) for problem in error.problems], BAD_INPUT) from None
    except OSError as error:
        raise Refusal([f"{name}: can't be read ({error.strerror or error})."], BAD_INPUT) from None
