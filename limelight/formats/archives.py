"""Zip and tar archives: their files one after the other, never on disk, never more than the limits allow."""

import io
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import IO, BinaryIO, NoReturn, cast

from limelight.formats.foreign import SAMPLE, TAR_MARK, foreign_kind, office_kind
from limelight.formats.opening import (
    CHUNK,
    GZIP_MAGIC,
    UTF_16_OR_32,
    Limits,
    checked_text,
    keep_to_size,
    keep_to_unpacked_size,
    megabytes,
    opened_stream,
    refuse,
)
from limelight.formats.problems import FormatError

ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06")
END_OF_DIRECTORY = b"PK\x05\x06"
END_OF_DIRECTORY_64 = b"PK\x06\x06"
DIRECTORY_ENTRY_SIZE = 400
ZIP_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    struct.error,
    ValueError,
    NotImplementedError,
    LookupError,
)
TAR_FAULTS = (tarfile.TarError, EOFError, OSError, ValueError, OverflowError, LookupError)
TAR_HEADERS = (
    *(tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK),
    *(tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE),
)
"""Entries that only tell about the next one; tarfile reads them whole, whatever size they claim."""

HEADER_SIZE = 100_000
LITTER = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")


def is_archive(stream: BinaryIO) -> bool:
    """Return whether a seekable file is a zip, a tar or a packed tar, by its first bytes."""
    start = stream.tell()
    head = stream.read(512)
    stream.seek(start)
    if head.startswith(GZIP_MAGIC):
        try:
            head = zlib.decompressobj(wbits=31).decompress(head, 512)
        except zlib.error:
            return False
    return head.startswith(ZIP_MAGICS) or head[TAR_MARK[0] :].startswith(TAR_MARK[1])


def archive_files(stream: BinaryIO, limits: Limits) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of every file in a zip or tar archive, in its order; one damaged refuses all."""
    for name, payload in archive_members(stream, limits):
        if payload is None:
            _refuse_damaged("zip")
        if payload.strip(b"\0") and (payload.startswith(UTF_16_OR_32) or not foreign_kind(payload)):
            yield name, checked_text(payload)


def archive_members(stream: BinaryIO, limits: Limits) -> Iterator[tuple[str, bytes | None]]:
    """Yield the name and the bytes of every file in an archive, also of empty ones; None where a file is damaged.

    The files of a zip can be read one without the other. What is damaged in a tar ends all of it.
    """
    start = stream.tell()
    head = stream.read(SAMPLE)
    stream.seek(start)
    if not head.startswith(ZIP_MAGICS):
        return _tar_files(stream, limits)
    _refuse_office(head, stream)
    return _zip_files(stream, limits)


def _refuse_office(head: bytes, stream: BinaryIO) -> None:
    size = stream.seek(0, io.SEEK_END)
    stream.seek(max(0, size - SAMPLE))
    if kind := office_kind(head + stream.read()):
        refuse(f"The file is {kind}, not an archive of your files. Pack the files themselves.", "file-kind")


def _zip_files(stream: BinaryIO, limits: Limits) -> Iterator[tuple[str, bytes | None]]:
    size = stream.seek(0, io.SEEK_END)
    keep_to_size(size, limits)
    _keep_to_members(_directory_size(stream, size), limits)
    stream.seek(0)
    unpacked_size = whole = damaged = 0
    try:
        with zipfile.ZipFile(stream) as archive:
            entries = archive.infolist()
            _keep_to_members(len(entries) * DIRECTORY_ENTRY_SIZE, limits)
            for entry in entries:
                if entry.is_dir() or _is_litter(entry.filename):
                    continue
                name = _safe_name(entry.filename)
                if entry.flag_bits & 1:
                    refuse(f"The archive's file {name} needs a password. Pack it without one.", "archive")
                payload = _unpacked(archive, entry, name, limits)
                unpacked_size += len(payload or b"")
                keep_to_unpacked_size(unpacked_size, size, limits)
                whole, damaged = whole + (payload is not None), damaged + (payload is None)
                yield name, payload
            if damaged and not whole:
                _refuse_damaged("zip")
    except FormatError:
        raise
    except ZIP_FAULTS:
        _refuse_damaged("zip")


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str, limits: Limits) -> bytes | None:
    """Return the bytes of a file in a zip, None where they are damaged."""
    try:
        with archive.open(entry) as member:
            return _read_member(member, name, limits)
    except FormatError:
        raise
    except ZIP_FAULTS:
        return None


def _directory_size(stream: BinaryIO, size: int) -> int:
    """Return how large the zip's table of files says it is, before anything is made of it."""
    stream.seek(max(0, size - 65_600))
    tail = stream.read()
    position = tail.rfind(END_OF_DIRECTORY)
    if position < 0 or len(tail) < position + 22:
        return 0
    directory_size = struct.unpack_from("<L", tail, position + 12)[0]
    position_64 = tail.rfind(END_OF_DIRECTORY_64)
    if position_64 >= 0 and len(tail) >= position_64 + 48:
        directory_size = max(directory_size, struct.unpack_from("<Q", tail, position_64 + 40)[0])
    return min(directory_size, size)


def _keep_to_members(directory_size: int, limits: Limits) -> None:
    if directory_size > limits.members * DIRECTORY_ENTRY_SIZE:
        refuse(f"The archive holds more than {limits.members:,} files, the most that is read.", "members")


class ShortHeader(tarfile.TarInfo):
    """An entry of a tar archive; what tells about it is short."""

    def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        if self.type in TAR_HEADERS and self.size > HEADER_SIZE:
            raise tarfile.ReadError("The header is too large.")
        return cast(tarfile.TarInfo, super()._proc_member(archive))  # type: ignore[misc]  # not public


def _tar_files(stream: BinaryIO, limits: Limits) -> Iterator[tuple[str, bytes | None]]:
    reader = cast(IO[bytes], opened_stream(stream, limits))  # a tar that is read through asks for no more than `read`
    count = 0
    try:
        with tarfile.open(fileobj=reader, mode="r|", bufsize=CHUNK, tarinfo=ShortHeader) as archive:
            for entry in archive:
                archive.members = []  # type: ignore[attr-defined]  # or the archive keeps every entry it has met
                count += 1
                if count > limits.members:
                    refuse(f"The archive holds more than {limits.members:,} files, the most that is read.", "members")
                if entry.isdir() or _is_litter(entry.name):
                    continue
                name = _safe_name(entry.name)
                if not entry.isreg() or entry.issparse():  # holes unpack to any size from nothing
                    kind = "a file with holes" if entry.isreg() else "a link or a device, not a file"
                    refuse(f"The archive's entry {name} is {kind}. Remove it.", "archive")
                yield name, _read_member(cast(IO[bytes], archive.extractfile(entry)), name, limits)
    except FormatError:
        raise
    except TAR_FAULTS:
        _refuse_damaged("tar")


def _read_member(member: IO[bytes], name: str, limits: Limits) -> bytes:
    payload = member.read(limits.member_size + 1)
    if len(payload) > limits.member_size:
        size = megabytes(limits.member_size)
        refuse(f"The archive's file {name} is larger than {size} when unpacked, the most that is read.", "member-size")
    return payload


def _safe_name(name: str) -> str:
    path = PurePosixPath(name.replace("\\", "/"))
    shown = "".join(c if c.isprintable() else "?" for c in name[:80])
    if path.is_absolute() or ".." in path.parts or (path.parts and path.parts[0].endswith(":")):
        refuse(f"The archive holds {shown!r}, which points outside the archive. Pack it again.", "archive-path")
    if not name.isprintable() or len(name) > 1_000:
        refuse(f"The archive holds a file named {shown!r}, which isn't a usable name. Rename it.", "archive-path")
    return str(path)


def _is_litter(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return any(part in LITTER or part.startswith("._") for part in parts)


def _refuse_damaged(kind: str) -> NoReturn:
    refuse(f"The {kind} archive is damaged or packed in a way that isn't read here. Pack it again.", "archive")
