"""Opening an uploaded file: unpack gzip, keep to the limits, and find out what kind of bytes these are."""

import io
import zlib
from dataclasses import dataclass
from typing import BinaryIO, NoReturn

from limelight.formats.foreign import foreign_kind, is_wide
from limelight.formats.problems import FormatError, Problem

MEGABYTE = 1_000_000
CHUNK = 1 << 18
RATIO_COUNTS_FROM = 4 * MEGABYTE
GZIP_MAGIC = b"\x1f\x8b"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
UTF_16_OR_32 = (b"\xff\xfe", b"\xfe\xff", b"<\x00", b"\x00<", b"\x00\x00\xfe\xff")


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a file may be; over a limit is a sentence, never a crash."""

    size: int = 100 * MEGABYTE
    unpacked_size: int = 100 * MEGABYTE
    ratio: int = 200
    members: int = 100_000
    member_size: int = 50 * MEGABYTE
    lines: int = 500_000
    line_size: int = 100_000
    name_size: int = 200
    path_size: int = 4_000


def refuse(message: str, rule: str, line: int | None = None) -> NoReturn:
    """Raise the one error for a fault that leaves nothing else to look for."""
    raise FormatError([Problem(message, rule, line)])


def read_payload(stream: BinaryIO, limits: Limits) -> bytes:
    """Return the bytes of a file, unpacked when it's gzip, without a byte order mark."""
    payload = _whole(stream, limits)
    if not payload:
        refuse("The file is empty.", "empty-file")
    return checked_text(payload)


def _whole(stream: BinaryIO, limits: Limits) -> bytes:
    start = stream.tell() if hasattr(stream, "seekable") and stream.seekable() else None
    opened = opened_stream(stream, limits)
    if start is not None and isinstance(opened, PlainReader):
        size = stream.seek(0, io.SEEK_END) - start
        keep_to_size(size, limits)
        stream.seek(start)
        return stream.read(size)  # in one piece, without a copy
    gathered = io.BytesIO()
    while chunk := opened.read(CHUNK):
        gathered.write(chunk)
    return gathered.getvalue()


def checked_text(payload: bytes) -> bytes:
    """Return text or XML without its byte order mark; refuse what is neither, or in an encoding that isn't read."""
    if payload.startswith(UTF_16_OR_32) or is_wide(payload):
        refuse("The file is in UTF-16 or UTF-32. Save it as UTF-8 and upload it again.", "encoding")
    if kind := foreign_kind(payload):
        refuse(f"The file is {kind}. Upload the text or XML itself, or pack it with gzip once.", "file-kind")
    return payload.removeprefix(BYTE_ORDER_MARK)


def opened_stream(stream: BinaryIO, limits: Limits) -> "PlainReader | GzipReader":
    """Return a reader of the file's bytes, unpacked when it's gzip, that keeps to the limits."""
    head = stream.read(2)
    return GzipReader(stream, head, limits) if head == GZIP_MAGIC else PlainReader(stream, head, limits)


class PlainReader:
    """Reads a file as it is, up to the limit."""

    def __init__(self, stream: BinaryIO, head: bytes, limits: Limits) -> None:
        self._stream = stream
        self._waiting = head
        self._limits = limits
        self._size = len(head)

    def read(self, size: int) -> bytes:
        """Return the next bytes, at most `size` of them, none at the end."""
        if self._waiting:
            chunk, self._waiting = self._waiting[:size], self._waiting[size:]
            return chunk
        chunk = self._stream.read(size)
        self._size += len(chunk)
        keep_to_size(self._size, self._limits)
        return chunk


class GzipReader:
    """Unpacks gzip while it reads, trusting no size that the file tells."""

    def __init__(self, stream: BinaryIO, head: bytes, limits: Limits) -> None:
        self._stream = stream
        self._waiting = head
        self._limits = limits
        self._packed_size = len(head)
        self._unpacked_size = 0
        self._unpacker = zlib.decompressobj(wbits=31)
        self._ended = False

    def read(self, size: int) -> bytes:
        """Return the next unpacked bytes, at most `size` of them, none at the end."""
        while not self._ended:
            if not self._waiting:
                self._waiting = self._stream.read(CHUNK)
                self._packed_size += len(self._waiting)
                keep_to_size(self._packed_size, self._limits)
            if self._unpacker.eof and self._waiting:
                self._begin_next_member()
            if not self._waiting and self._unpacker.eof:
                self._ended = True
                break
            at_end = not self._waiting
            chunk = self._unpack(size)
            if chunk:
                return chunk
            if at_end:
                refuse("The gzip file ends too early: a part of it is missing. Upload it again.", "gzip")
        return b""

    def _begin_next_member(self) -> None:
        self._waiting = self._waiting.lstrip(b"\0")  # tapes and some tools pad with zeros
        if self._waiting:
            self._unpacker = zlib.decompressobj(wbits=31)

    def _unpack(self, size: int) -> bytes:
        try:
            chunk = self._unpacker.decompress(self._waiting, size)
        except zlib.error:
            refuse("The gzip file is damaged and cannot be unpacked. Pack it again and upload it again.", "gzip")
        self._waiting = self._unpacker.unconsumed_tail or self._unpacker.unused_data
        self._unpacked_size += len(chunk)
        keep_to_unpacked_size(self._unpacked_size, self._packed_size, self._limits)
        return chunk


def keep_to_size(size: int, limits: Limits) -> None:
    """Refuse a file that is too large."""
    if size > limits.size:
        refuse(f"The file is larger than {megabytes(limits.size)}, the most that is read.", "size")


def keep_to_unpacked_size(unpacked_size: int, packed_size: int, limits: Limits) -> None:
    """Refuse a file that unpacks to too much, at all or for its size."""
    if unpacked_size > limits.unpacked_size:
        size = megabytes(limits.unpacked_size)
        refuse(f"The file is larger than {size} when unpacked, the most that is read.", "unpacked-size")
    if unpacked_size > RATIO_COUNTS_FROM and unpacked_size > limits.ratio * packed_size:
        refuse(
            f"The file unpacks to more than {limits.ratio} times its size, which honest files don't. "
            "Upload it unpacked.",
            "unpacked-ratio",
        )


def megabytes(size: int) -> str:
    """Say a number of bytes for a reader.

    >>> megabytes(100_000_000), megabytes(1_500)
    ('100 MB', '1,500 bytes')
    """
    return f"{size // MEGABYTE:,} MB" if size >= MEGABYTE else f"{size:,} bytes"
