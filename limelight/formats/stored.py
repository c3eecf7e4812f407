"""Columns on disk: a head that tells what follows, then the arrays as they lie in memory, ready to be mapped.

Nothing is copied or parsed when a file is mapped: the system reads the parts of it that are used, and processes that
map the same file share them.
"""

import json
import mmap
import os
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO

import numpy as np

from limelight.arrays import Array
from limelight.formats.matching import LazyNames, packed

MAGIC = b"LIMECOL1"
"""Raised also where the readers make other columns of a file than before: those of before are then made again."""
ALIGNED = 64
HEAD_SIZE = 16
SEPARATOR = "\0"
"""Stands between texts; no reader lets it into one."""


File = str | os.PathLike[str] | BinaryIO
"""A path, or an open binary file."""


class OtherFormat(ValueError):
    """Columns were written by another version of this module."""


def save_arrays(
    target: File, words: Mapping[str, Any], texts: Mapping[str, Sequence[str]], arrays: Mapping[str, Array]
) -> None:
    """Write words (anything JSON knows), lists of texts and arrays to a binary file or a path."""
    blobs = {}
    for name, listed in texts.items():
        blobs[name] = _joined(listed)
        if (keys := packed(listed)) is not None:
            blobs[f"{name} keys"], blobs[f"{name} order"] = keys
    blobs |= {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    entries, place = [], 0
    for name, blob in blobs.items():
        entries.append((name, blob.dtype.str, len(blob), place))
        place += -(-blob.nbytes // ALIGNED) * ALIGNED
    head = json.dumps(
        {"words": words, "entries": entries, "texts": {name: len(texts[name]) for name in texts}}
    ).encode()
    head += b" " * (-(HEAD_SIZE + len(head)) % ALIGNED)
    if isinstance(target, str | os.PathLike):
        with open(target, "wb") as opened:  # noqa: PTH123 - a path or its name
            _write(opened, head, blobs)
    else:
        _write(target, head, blobs)


def load_arrays(source: File) -> tuple[dict[str, Any], dict[str, LazyNames], dict[str, Array]]:
    """Return words, texts and arrays of a file that `save_arrays` wrote.

    `source` is a path or an open binary file. Arrays are read-only, and mapped where possible.
    """
    if isinstance(source, str | os.PathLike):
        with open(source, "rb") as opened:  # noqa: PTH123 - a path or its name
            return load_arrays(opened)
    content = _content(source)
    if bytes(content[: len(MAGIC)]) != MAGIC:
        raise OtherFormat("The stored columns are in another format than this version writes: they must be made again.")
    head_size = int.from_bytes(content[8:HEAD_SIZE], "little")
    head = json.loads(bytes(content[HEAD_SIZE : HEAD_SIZE + head_size]))
    start = HEAD_SIZE + head_size
    blobs = {
        name: np.frombuffer(content, dtype=np.dtype(kind), count=count, offset=start + place)
        for name, kind, count, place in head["entries"]
    }
    texts = {
        name: _names(blobs.pop(name), count, blobs.pop(f"{name} keys", None), blobs.pop(f"{name} order", None))
        for name, count in head["texts"].items()
    }
    return head["words"], texts, blobs


def is_cut_short(source: BinaryIO) -> bool:
    """Return whether a file that begins as columns ends before the head says it does."""
    head = source.read(HEAD_SIZE)
    if head[: len(MAGIC)] != MAGIC:
        return False
    head_size = int.from_bytes(head[8:], "little")
    try:
        entries = json.loads(source.read(head_size))["entries"]
    except (ValueError, KeyError):
        return True
    ends = (place + np.dtype(kind).itemsize * count for _, kind, count, place in entries)
    return source.seek(0, 2) < HEAD_SIZE + head_size + max(ends, default=0)


def _write(target: BinaryIO, head: bytes, blobs: Mapping[str, Array]) -> None:
    target.write(MAGIC + len(head).to_bytes(8, "little") + head)
    for blob in blobs.values():
        target.write(blob.tobytes())
        target.write(b"\0" * (-blob.nbytes % ALIGNED))


def _content(source: BinaryIO) -> mmap.mmap | bytes:
    try:
        return mmap.mmap(source.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, AttributeError, ValueError):
        # Not a file of the file system: an object store's stream, or bytes in memory.
        return source.read()


def _joined(listed: Sequence[str]) -> Array:
    text = SEPARATOR.join(listed)
    if text.count(SEPARATOR) != max(len(listed) - 1, 0):
        raise ValueError("A name holds the character NUL, which separates names on disk.")
    return np.frombuffer(text.encode(), dtype=np.uint8)


def _names(blob: Array, count: int, keys: Array | None, order: Array | None) -> LazyNames:
    def read() -> Sequence[str]:
        return blob.tobytes().decode().split(SEPARATOR) if count else ()

    return LazyNames(count, read, None if keys is None or order is None else (keys, order))
