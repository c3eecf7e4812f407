"""A document collection on disk, read one document at a time as runs ask for them."""

import io
import os
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from pathlib import Path

from limelight.face.refusals import Refusal, located, unreadable
from limelight.formats.archives import is_archive
from limelight.formats.collections import (
    collection_files,
    document_identifier,
    keep_to_documents,
    read_document_lengths,
)
from limelight.formats.problems import FormatError
from limelight.text.documents import DocumentText, Places, read_document

KEPT_DOCUMENTS = 256


class Collection(Mapping[str, int]):
    """The lengths of a collection's documents by id, and their places; documents are read when first asked for."""

    def __init__(
        self, name: str, files: Mapping[str, Callable[[], bytes]], lengths: dict[str, int] | None = None
    ) -> None:
        """Take a function for each document's bytes, or just the lengths."""
        self._name = name
        self._files = files
        self._lengths = {} if lengths is None else lengths
        self._only_lengths = lengths is not None
        self._document = lru_cache(maxsize=KEPT_DOCUMENTS)(self._read)

    def __iter__(self) -> Iterator[str]:
        """Go through the ids."""
        return iter(self._lengths if self._only_lengths else self._files)

    def __len__(self) -> int:
        """Count the documents."""
        return len(self._lengths if self._only_lengths else self._files)

    def __contains__(self, identifier: object) -> bool:
        """Return whether a document is there, without reading it."""
        return identifier in (self._lengths if self._only_lengths else self._files)

    def __getitem__(self, identifier: str) -> int:
        """Return a document's length in characters."""
        if identifier not in self._lengths:
            if self._only_lengths or identifier not in self._files:
                raise KeyError(identifier)
            self._lengths[identifier] = len(self._document(identifier).text)
        return self._lengths[identifier]

    @property
    def has_text(self) -> bool:
        """Return whether the documents themselves are there, not just their lengths."""
        return not self._only_lengths

    def document(self, identifier: str) -> DocumentText | None:
        """Return a document with its text, None where it isn't known."""
        return None if identifier not in self._files else self._document(identifier)

    def places(self, identifier: str) -> Places | None:
        """Return the element places of a document, None where they aren't known."""
        return None if identifier not in self._files else self._document(identifier).places

    def _read(self, identifier: str) -> DocumentText:
        try:
            return read_document(io.BytesIO(self._files[identifier]()), identifier)
        except FormatError as error:
            file = f"{self._name}({identifier})"
            raise _broken(file, error) from None


def _broken(file: str, error: FormatError) -> Refusal:
    return Refusal([located(file, problem) for problem in error.problems], problems={file: error.problems})


def _folder(name: str, path: Path) -> Collection:
    found = sorted(path.rglob("*.xml"))
    if not found:
        raise Refusal([f"{name}: the folder holds no XML files."])
    keep_to_documents(found[0].read_bytes(), found[0].name)
    return Collection(name, {document_identifier(file.name): file.read_bytes for file in found})


def read_collection(file: str | os.PathLike[str]) -> Collection:
    """Open a folder or archive of XML documents, or a list of ids and lengths."""
    name, path = str(file), Path(file)
    try:
        if path.is_dir():
            return _folder(name, path)
        with path.open("rb") as stream:
            if is_archive(stream):
                stored = {identifier: content.read() for identifier, content in collection_files(stream)}
                return Collection(name, {identifier: partial(bytes, content) for identifier, content in stored.items()})
            return Collection(name, {}, read_document_lengths(stream))
    except FormatError as error:
        raise _broken(name, error) from None
    except OSError as error:
        raise unreadable(name, error) from None
