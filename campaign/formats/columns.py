"""A run as parallel arrays: what every reader makes, what the checker reads and the measures score."""

import json
from dataclasses import asdict, dataclass, field, replace

import numpy as np

UNMAPPED = -1
"""Offset of a result whose place in the text isn't known (`X` or `-1` in the file)."""

COLUMNS = ("topic", "document", "rank", "rsv", "offset", "length", "line", "path")

RESULT_TYPES = ("passage", "element", "entry-point", "document")


@dataclass(frozen=True, slots=True)
class RunHeader:
    """What a run file says about itself; every field may be empty."""

    participant: str = ""
    task: str = ""
    query: str = ""
    result_type: str = ""
    topic_fields: tuple[str, ...] = ()
    description: str = ""
    metadata: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class RunColumns:
    """A run, one entry a result; the results of a topic stand together, in the order of the file.

    `topic`, `document` and `path` number the strings in `topics`, `documents` and `paths`; `path` is -1 for a result
    without an element path. A result that has a path but isn't yet mapped to text has offset UNMAPPED and length 0.
    """

    run_id: str
    result_type: str
    topics: tuple[str, ...]
    documents: tuple[str, ...]
    paths: tuple[str, ...]
    topic: np.ndarray
    document: np.ndarray
    rank: np.ndarray
    rsv: np.ndarray
    offset: np.ndarray
    length: np.ndarray
    line: np.ndarray
    path: np.ndarray
    header: RunHeader = field(default_factory=RunHeader)

    def __len__(self):
        return len(self.topic)

    @property
    def unmapped(self):
        """Tell for each result whether its place in the text is unknown."""
        return self.offset == UNMAPPED

    def mapped(self, offset, length):
        """Return the same run with its element paths turned into spans."""
        return replace(self, offset=offset, length=length)

    def save(self, target):
        """Write the columns to a file in numpy's own format, uncompressed so that they load fast."""
        words = {"run_id": self.run_id, "result_type": self.result_type, "header": asdict(self.header)}
        words |= {name: getattr(self, name) for name in ("topics", "documents", "paths")}
        arrays = {name: getattr(self, name) for name in COLUMNS}
        np.savez(target, words=np.frombuffer(json.dumps(words).encode(), dtype=np.uint8), **arrays)

    @classmethod
    def load(cls, source):
        """Read what `save` wrote."""
        with np.load(source, allow_pickle=False) as stored:
            words = json.loads(stored["words"].tobytes())
            arrays = {name: stored[name] for name in COLUMNS}
        header = words.pop("header")
        header["topic_fields"] = tuple(header["topic_fields"])
        header["metadata"] = tuple((name, value) for name, value in header.get("metadata", ()))
        for name in ("topics", "documents", "paths"):
            words[name] = tuple(words[name])
        return cls(**words, **arrays, header=RunHeader(**header))
