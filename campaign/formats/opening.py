"""Opening an uploaded file: unpack gzip, keep to the limits, and find out what kind of bytes these are."""

import zlib
from dataclasses import dataclass

from campaign.formats.problems import FormatError, Problem

MEGABYTE = 1_000_000
CHUNK = 1 << 18
RATIO_COUNTS_FROM = 4 * MEGABYTE
GZIP_MAGIC = b"\x1f\x8b"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
FOREIGN_MAGICS = (
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"%PDF", "a PDF document"),
    (b"BZh", "packed with bzip2"),
    (b"\xfd7zXZ", "packed with xz"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"\x28\xb5\x2f\xfd", "packed with zstd"),
    (b"\x1f\x8b", "packed with gzip twice"),
)
UTF_16_OR_32 = (b"\xff\xfe", b"\xfe\xff", b"<\x00", b"\x00<", b"\x00\x00\xfe\xff")


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a file may be; over a limit is a sentence, never a crash."""

    size: int = 100 * MEGABYTE
    unpacked_size: int = 200 * MEGABYTE
    ratio: int = 200
    lines: int = 1_000_000
    line_size: int = 100_000
    name_size: int = 200
    path_size: int = 4_000


def refuse(message, rule, line=None):
    """Raise the one error for a fault that leaves nothing else to look for."""
    raise FormatError([Problem(message, rule, line)])


def read_payload(stream, limits):
    """Return the bytes of a file, unpacked when it's gzip, without a byte order mark."""
    head = stream.read(2)
    payload = _gunzip(stream, head, limits) if head == GZIP_MAGIC else _read_plain(stream, head, limits)
    if not payload:
        refuse("The file is empty.", "empty-file")
    if payload.startswith(UTF_16_OR_32):
        refuse("The file is in UTF-16 or UTF-32. Save it as UTF-8 and upload it again.", "encoding")
    for magic, kind in FOREIGN_MAGICS:
        if payload.startswith(magic):
            refuse(f"The file is {kind}. Upload the text or XML itself, or pack it with gzip once.", "file-kind")
    return payload.removeprefix(BYTE_ORDER_MARK)


def _read_plain(stream, head, limits):
    chunks = [head]
    size = len(head)
    while chunk := stream.read(CHUNK):
        size += len(chunk)
        _keep_to_size(size, limits)
        chunks.append(chunk)
    return b"".join(chunks)


def _gunzip(stream, head, limits):
    chunks = []
    packed_size, unpacked_size = len(head), 0
    waiting = head
    unpacker = zlib.decompressobj(wbits=31)
    while True:
        if not waiting:
            waiting = stream.read(CHUNK)
            packed_size += len(waiting)
            _keep_to_size(packed_size, limits)
            if not waiting:
                break
        if unpacker.eof:
            if not waiting.strip(b"\0"):
                waiting = b""
                continue
            unpacker = zlib.decompressobj(wbits=31)
        try:
            chunk = unpacker.decompress(waiting, CHUNK)
        except zlib.error:
            refuse("The gzip file is damaged and cannot be unpacked. Pack it again and upload it again.", "gzip")
        waiting = unpacker.unconsumed_tail or unpacker.unused_data
        unpacked_size += len(chunk)
        chunks.append(chunk)
        if unpacked_size > limits.unpacked_size:
            size = megabytes(limits.unpacked_size)
            refuse(f"The file is larger than {size} when unpacked, the most that is read.", "unpacked-size")
        if unpacked_size > RATIO_COUNTS_FROM and unpacked_size > limits.ratio * packed_size:
            refuse(
                f"The file unpacks to more than {limits.ratio} times its size, which no run or assessment does. "
                "Upload it unpacked.",
                "unpacked-ratio",
            )
    if not unpacker.eof:
        chunks.append(unpacker.flush())
    if not unpacker.eof:
        refuse("The gzip file ends too early: a part of it is missing. Upload it again.", "gzip")
    return b"".join(chunks)


def _keep_to_size(size, limits):
    if size > limits.size:
        refuse(f"The file is larger than {megabytes(limits.size)}, the most that is read.", "size")


def megabytes(size):
    """Say a number of bytes for a reader.

    >>> megabytes(100_000_000), megabytes(1_500)
    ('100 MB', '1,500 bytes')
    """
    return f"{size // MEGABYTE:,} MB" if size >= MEGABYTE else f"{size:,} bytes"
