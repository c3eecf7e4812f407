"""Files under their SHA-256: the same bytes are stored once, and a name given by a stranger never reaches the disk.

A name proves what is under it: nothing is handed out that is not, byte for byte, what was stored. Documents alone are
named by the file they were read from; their own form, a zip, tells whether all of it is there.
"""

import hashlib
import os
import re
import tempfile
import zipfile
import zlib
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import FileSystemStorage, default_storage

from campaign.machinery.whole_files import put_in_place, room_needed, sweep_unfinished

CHUNK = 1 << 16
OWN_HASH = re.compile(r"(?:.*/)?(?P<sha256>[0-9a-f]{64})")
SHORT_HASH = re.compile(r"(?:.*/)?\d+-(?P<sha256>[0-9a-f]{16})\.json")
"""How reports were named before all files bore their whole hash."""

UNREADABLE_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError, NotImplementedError)
PROVED, REMEMBERED = {}, 4096
"""The files that this process has found to be whole, each with the state it was in."""

MISSING, SHORT, CHANGED = "is missing", "is not whole", "is not what was stored"


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


class Damaged(Exception):
    """A stored file is missing, short or changed: nothing is read from it."""

    def __init__(self, name, what):
        self.name, self.what = name, what
        super().__init__(f"The stored file {name} {what}.")


def content_hash(stream):
    """Return the SHA-256 and the size of what a binary stream holds."""
    digest, size = hashlib.sha256(), 0
    stream.seek(0)
    while chunk := stream.read(CHUNK):
        digest.update(chunk)
        size += len(chunk)
    return Fingerprint(digest.hexdigest(), size)


def store(stream, folder):
    """Copy a binary stream into storage and tell where it is; already stored bytes aren't written again."""
    sha256, size = wanted = content_hash(stream)
    name = f"{folder}/{sha256[:2]}/{sha256}"
    _keep(name, stream, wanted)
    return StoredFile(name, sha256, size)


def store_bytes(name, content):
    """Write a derived file under a name of our own; written before, it is taken where it holds the same."""
    stream = BytesIO(content)
    _keep(name, stream, content_hash(stream))
    return name


def store_columns(columns, folder="columns"):
    """Store columns in their compact form; tells where."""
    buffer = BytesIO()
    columns.save(buffer)
    return store(buffer, folder).name


def _keep(name, stream, wanted):
    """Have exactly these bytes under a name: what is there is compared, and replaced where it differs."""
    if _stored_fingerprint(name, wanted.size) == wanted:
        return
    stream.seek(0)
    if path := _path(name):
        put_in_place(stream, path, _path(name.split("/")[0]))
    else:
        _save_elsewhere(name, stream, wanted)


def _save_elsewhere(name, stream, wanted):
    """Save to a storage that has no folders of ours: what arrived is measured, and taken back where it is short."""
    with room_needed():
        if default_storage.exists(name):
            default_storage.delete(name)
        saved = default_storage.save(name, File(stream))
    if saved != name or default_storage.size(saved) != wanted.size:
        default_storage.delete(saved)
        raise Damaged(name, SHORT)


def _stored_fingerprint(name, size):
    """Return hash and size of what is under a name; None where nothing is, or something of another size."""
    try:
        if default_storage.size(name) != size:
            return None
        with default_storage.open(name, "rb") as stream:
            return content_hash(stream)
    except FileNotFoundError:
        return None


def _path(name):
    """Return where a file lies in the file system; None in storages of another kind."""
    return Path(default_storage.path(name)) if isinstance(default_storage, FileSystemStorage) else None


def open_stored(name):
    """Open a stored file for reading, once it is proved to be what its name promises; raises Damaged."""
    try:
        stream = default_storage.open(name, "rb")
    except FileNotFoundError:
        raise Damaged(name, MISSING) from None
    try:
        if not _keeps_promise(name, stream):
            raise Damaged(name, CHANGED)
    except BaseException:
        stream.close()
        raise
    stream.seek(0)
    return stream


def proves_itself(name):
    """Return whether a name holds the hash of the bytes under it."""
    return _promised(name) is not None


def fault_of(name):
    """Return what is wrong with a stored file, as the end of a sentence; empty where it is whole."""
    try:
        with open_stored(name) as stream:
            return "" if proves_itself(name) else _fault_of_zip(stream)
    except Damaged as damage:
        return damage.what


def _promised(name):
    """Return the hash, or the beginning of one, that a name promises; None where it is named by something else."""
    found = OWN_HASH.fullmatch(name) or SHORT_HASH.fullmatch(name)
    return found["sha256"] if found else None


def _keeps_promise(name, stream):
    """Hold the bytes against the hash in the name: once a process, for as long as the file lies there untouched."""
    promised, state = _promised(name), _state(stream)
    if promised is None or (state and PROVED.get(name) == state):
        return True
    if not content_hash(stream).sha256.startswith(promised):
        return False
    if state:
        if len(PROVED) >= REMEMBERED:
            PROVED.clear()
        PROVED[name] = state
    return True


def _state(stream):
    """Return what changes with every change of a file; None where the system knows no such thing."""
    try:
        found = os.fstat(stream.fileno())
    except (AttributeError, OSError):
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _fault_of_zip(stream):
    try:
        with zipfile.ZipFile(stream) as archive:
            return CHANGED if archive.testzip() else ""
    except UNREADABLE_ZIP:
        return SHORT


def temporary_file():
    """Return an open file without a name: it is gone when it is closed, or when this process ends in whatever way."""
    with room_needed():
        settings.TEMPORARY_DIR.mkdir(parents=True, exist_ok=True, mode=0o700)
        return tempfile.TemporaryFile(dir=settings.TEMPORARY_DIR)


def sweep_storage():
    """Remove what killed writers left unfinished; returns how many files."""
    root = _path("")
    return sweep_unfinished(root) if root else 0
