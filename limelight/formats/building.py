"""Building a run's columns result by result, for readers that meet the results one after the other."""

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from limelight.arrays import Array
from limelight.formats import fields
from limelight.formats.columns import RunColumns, RunHeader
from limelight.formats.opening import Limits
from limelight.formats.problems import WARNING, ProblemList

NO_PATH = -1
INTEGERS = ("topic", "document", "rank", "offset", "length", "line", "path")


class Names(dict[bytes | str, int]):
    """Numbers names in the order of their first appearance, and looks at each only once.

    >>> names = Names("topic", 200)
    >>> names[b"2009001"], names[b"2009002"], names[b"2009001"], names.texts
    (0, 1, 0, ['2009001', '2009002'])
    """

    def __init__(self, kind: str, limit: int, *, blanks: bool = False) -> None:
        super().__init__()
        self.kind = kind
        self.limit = limit
        self.blanks = blanks
        self.texts: list[str] = []

    def __missing__(self, field: bytes | str) -> int:
        text = fields.name(field, self.kind, self.limit, blanks=self.blanks)
        number = self[field] = len(self.texts)
        self.texts.append(text)
        return number


class ColumnsBuilder:
    """Takes results in the order of the file and makes columns of them."""

    def __init__(self, limits: Limits, problems: ProblemList) -> None:
        self.topics = Names("topic", limits.name_size)
        self.documents = Names("document id", limits.name_size)
        self.paths = Names("path", limits.path_size, blanks=True)  # "first last" in a range
        self.run_ids = Names("run id", limits.name_size, blanks=True)
        self._problems = problems
        self._rows = array("q")
        self._rsv = array("d")

    def __len__(self) -> int:
        return len(self._rsv)

    def add(
        self, topic: int, document: int, rank: int, rsv: float, offset: int, length: int, path: int, line: int
    ) -> None:
        """Take one result."""
        self._rows.extend((topic, document, rank, offset, length, line, path))
        self._rsv.append(rsv)

    def extend(self, rsvs: Iterable[float], **columns: Sequence[int]) -> None:
        """Take many results at once."""
        rows = np.column_stack([np.asarray(columns[name], dtype=np.int64) for name in INTEGERS])
        self._rows.frombytes(rows.tobytes())
        self._rsv.extend(rsvs)

    def columns(self, run_id: str, result_type: str, header: RunHeader | None = None) -> RunColumns:
        """Return the run, the results of each topic brought together."""
        table = np.frombuffer(self._rows, dtype=np.int64).reshape(-1, len(INTEGERS))
        arrays: dict[str, Any] = {name: table[:, column].copy() for column, name in enumerate(INTEGERS)}
        arrays["rsv"] = np.array(self._rsv)
        arrays = joined_by_topic(arrays, self.topics.texts, self._problems)
        return RunColumns(
            run_id,
            result_type,
            tuple(self.topics.texts),
            tuple(self.documents.texts),
            tuple(self.paths.texts),
            header=header or RunHeader(),
            **arrays,
        )


def joined_by_topic(arrays: dict[str, Array], topics: Sequence[str], problems: ProblemList) -> dict[str, Array]:
    """Bring the results of each topic together in the order of the file, with a warning where they were apart."""
    topic = arrays["topic"]
    block_starts = np.flatnonzero(np.diff(topic, prepend=-1))
    if len(block_starts) == len(topics):
        return arrays
    last_lines: dict[int, int] = {}
    ends = np.append(block_starts[1:], len(topic)) - 1
    for start, end in zip(block_starts.tolist(), ends.tolist(), strict=True):
        number = int(topic[start])
        if number in last_lines:
            problems.add(
                f"topic {topics[number]} comes back here after line {last_lines[number]}. "
                "Its results are joined in the order of the file.",
                "topic-blocks",
                line=int(arrays["line"][start]),
                topic=topics[number],
                severity=WARNING,
            )
        last_lines[number] = int(arrays["line"][end])
    order = np.argsort(topic, kind="stable")
    return {name: column[order] for name, column in arrays.items()}
