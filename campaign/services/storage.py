"""Files under their SHA-256: the same bytes are stored once, and a name given by a stranger never reaches the disk."""

import hashlib
from dataclasses import dataclass
from io import BytesIO
from typing import NamedTuple

from django.core.files.base import ContentFile, File
from django.core.files.storage import default_storage

CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class StoredFile:
    """Where the bytes went and what they are."""

    name: str
    sha256: str
    size: int


class Fingerprint(NamedTuple):
    """What tells files apart."""

    sha256: str
    size: int


def fingerprint(stream):
    """Return the SHA-256 and the size of what a binary stream holds."""
    digest, size = hashlib.sha256(), 0
    stream.seek(0)
    while chunk := stream.read(CHUNK):
        digest.update(chunk)
        size += len(chunk)
    return Fingerprint(digest.hexdigest(), size)


def store(stream, folder):
    """Copy a binary stream into storage and tell where it is; already stored bytes aren't written again."""
    sha256, size = fingerprint(stream)
    name = f"{folder}/{sha256[:2]}/{sha256}"
    if not default_storage.exists(name):
        stream.seek(0)
        name = default_storage.save(name, File(stream))
    return StoredFile(name, sha256, size)


def store_bytes(name, content):
    """Write a derived file under a name of our own; written before, it is taken as it is."""
    if not default_storage.exists(name):
        name = default_storage.save(name, ContentFile(content))
    return name


def store_columns(name, columns):
    """Write columns in their compact form beside the file they were read from."""
    buffer = BytesIO()
    columns.save(buffer)
    return store_bytes(name, buffer.getvalue())


def open_stored(name):
    """Open a stored file for reading."""
    return default_storage.open(name, "rb")
