"""Files that are neither text nor XML, known by their first bytes or by what they are made of."""

import re

TAR_MARK = (257, b"ustar")
MAGICS = (
    (b"%PDF", "a PDF document"),
    (b"%!PS", "a PostScript document"),
    (b"{\\rtf", "a rich text document"),
    (b"\xd0\xcf\x11\xe0", "an Office document"),
    (b"\x89PNG\r\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"RIFF", "an image, a sound or a film"),
    (b"OggS", "a sound or a film"),
    (b"ID3", "a sound"),
    (b"fLaC", "a sound"),
    (b"\x7fELF", "a program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"\x00asm", "a program"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow file"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"BZh", "packed with bzip2"),
    (b"\xfd7zXZ", "packed with xz"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x28\xb5\x2f\xfd", "packed with zstd"),
    (b"\x04\x22\x4d\x18", "packed with lz4"),
    (b"\x1f\x9d", "packed with compress"),
    (b"\x1f\x8b", "packed with gzip twice"),
)
ZIP_MAGIC = b"PK\x03\x04"
PICKLE = re.compile(rb"\x80[\x02-\x05][\x28-\x95]")
OFFICE = (
    (b"word/", "a Word document"),
    (b"xl/", "an Excel table"),
    (b"ppt/", "a PowerPoint presentation"),
    (b"mimetypeapplication/vnd.oasis.opendocument", "an OpenDocument file"),
    (b"mimetypeapplication/epub", "an e-book"),
    (b"META-INF/", "a Java archive"),
)
BINARY = "binary, not text"
UNREADABLE = "in another encoding than UTF-8, or binary"
SAMPLE = 1 << 16
CONTROLS = bytes({*range(32), 127} - set(b"\t\n\v\f\r\x1a\x1b"))
MOST_CONTROLS = 0.05
MOST_UNREADABLE = 0.3
"""A name here and there in another encoding is text; a third of all bytes is not."""


def foreign_kind(payload: bytes) -> str | None:
    r"""Say what a file is that is neither text nor XML; None for all others.

    >>> foreign_kind(b"\x89PNG\r\n\x1a\n"), foreign_kind(bytes(20)), foreign_kind(b"7 Q0 caf\xe9 1")
    ('a PNG image', 'binary, not text', None)
    """
    if payload.startswith(ZIP_MAGIC):
        return office_kind(payload) or "a zip archive"
    for magic, kind in MAGICS:
        if payload.startswith(magic):
            return kind
    if payload[TAR_MARK[0] :].startswith(TAR_MARK[1]):
        return "a tar archive"
    if PICKLE.match(payload):
        return "a Python pickle"
    return strangeness(payload[:SAMPLE])


def office_kind(payload: bytes) -> str | None:
    """Say what a zip archive is that a program made for itself; None for one of people's own files."""
    head, tail = payload[:SAMPLE], payload[-SAMPLE:]  # names stand at the files, and once more at the end
    if b"[Content_Types].xml" in head or b"[Content_Types].xml" in tail:
        return next((kind for folder, kind in OFFICE[:3] if folder in head or folder in tail), "an Office document")
    return next((kind for mark, kind in OFFICE[3:] if payload[30:].startswith(mark)), None)


def strangeness(sample: bytes) -> str | None:
    """Say why bytes are too strange for text; None where they aren't."""
    controls = len(sample) - len(sample.translate(None, CONTROLS))
    if controls > MOST_CONTROLS * len(sample):
        return BINARY
    if sample.lstrip()[:1] == b"<":
        return None  # XML says itself how it's encoded
    unreadable = sample.decode("utf-8", "replace").count("\ufffd")
    return UNREADABLE if unreadable > MOST_UNREADABLE * len(sample) else None


def is_wide(payload: bytes) -> bool:
    r"""Return whether text is in UTF-16 or UTF-32 without saying so: every second byte of its beginning is NUL.

    >>> is_wide("7 Q0 d1".encode("utf-16-le")), is_wide(b"7 Q0 d1"), is_wide(bytes(20))
    (True, False, False)
    """
    even, odd = payload[:200:2], payload[1:200:2]
    return _alternate(even, odd) or _alternate(odd, even)


def _alternate(letters: bytes, zeros: bytes) -> bool:
    return bool(zeros) and not zeros.strip(b"\0") and letters.isascii() and bool(letters.strip(b"\0"))
