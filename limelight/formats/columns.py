"""A run as parallel arrays: what every reader makes, what the checker reads and the measures score."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from limelight.arrays import Flags, Integers, Reals
from limelight.formats.stored import File, load_arrays, save_arrays

UNMAPPED = -1
"""Offset of a result whose place in the text isn't known (`X` or `-1` in the file)."""

UNMAPPED_MARKS = (b"X", b"x", b"-1")
"""How files write that offset."""

ABSENT = float("nan")
"""The rsv of a result that has none; 0 is a number that a system gave."""

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
    topics: Sequence[str]
    documents: Sequence[str]
    paths: Sequence[str]
    topic: Integers
    document: Integers
    rank: Integers
    rsv: Reals
    offset: Integers
    length: Integers
    line: Integers
    path: Integers
    header: RunHeader = field(default_factory=RunHeader)

    def __len__(self) -> int:
        return len(self.topic)

    @property
    def unmapped(self) -> Flags:
        """Tell for each result whether its place in the text is unknown."""
        return self.offset == UNMAPPED

    def mapped(self, offset: Integers, length: Integers) -> "RunColumns":
        """Return the same run with its element paths turned into spans."""
        return replace(self, offset=offset, length=length)

    def save(self, target: File) -> None:
        """Write the columns to a path or binary file, so that they can be mapped into memory."""
        words = {"run_id": self.run_id, "result_type": self.result_type, "header": asdict(self.header)}
        texts = {"topics": self.topics, "documents": self.documents, "paths": self.paths}
        save_arrays(target, words, texts, {name: getattr(self, name) for name in COLUMNS})

    @classmethod
    def load(cls, source: File) -> "RunColumns":
        """Read what `save` wrote, from a path or binary file; the columns are mapped where that is possible."""
        words, texts, arrays = load_arrays(source)
        header = words.pop("header")
        header["topic_fields"] = tuple(header["topic_fields"])
        header["metadata"] = tuple((name, value) for name, value in header.get("metadata", ()))
        columns: dict[str, Any] = {**words, **texts, **arrays}
        return cls(**columns, header=RunHeader(**header))
