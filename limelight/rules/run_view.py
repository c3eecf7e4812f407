"""What the checker sees of a run: its columns with the lengths of its documents, and words for its results."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from limelight.arrays import Flags, Integers
from limelight.formats.columns import UNMAPPED, RunColumns
from limelight.rules.overlaps import path_spans

Lengths = Mapping[str, int]
"""How long documents are, by id."""

UNKNOWN = -1
MOSTLY = 0.9


class CheckedRun:
    """One run under the checker's eyes; results are named by their index in the columns."""

    def __init__(
        self, columns: RunColumns, document_lengths: Lengths | None = None, assessed_lengths: Lengths | None = None
    ) -> None:
        self.columns = columns
        self._known_documents = np.zeros(len(columns.documents), dtype=bool)
        self.document_length = np.full(len(columns), UNKNOWN, dtype=np.int64)
        if document_lengths is not None:
            self._known_documents[:] = [document in document_lengths for document in columns.documents]
        if document_lengths is not None or assessed_lengths is not None:
            told = lengths_of(columns.documents, document_lengths or {}, assessed_lengths or {})
            self.document_length = np.array(told, dtype=np.int64)[columns.document]
        self.pair = columns.topic * max(len(columns.documents), 1) + columns.document
        length = columns.length
        if columns.result_type == "document":
            length = np.maximum(self.document_length, 0)
        self.length = length
        self._starts = np.concatenate(([0], np.flatnonzero(columns.topic[1:] != columns.topic[:-1]) + 1))[
            : len(columns)
        ]

    def line(self, index: int) -> int:
        """Return the line of a result."""
        return int(self.columns.line[index])

    def topic(self, index: int) -> str:
        """Return the topic of a result."""
        return self.columns.topics[self.columns.topic[index]]

    def document(self, index: int) -> str:
        """Return the document of a result."""
        return self.columns.documents[self.columns.document[index]]

    def place(self, index: int) -> str:
        """Say where in its document a result lies."""
        columns = self.columns
        if columns.path[index] >= 0:
            return columns.paths[columns.path[index]].replace(" ", " to ")
        if columns.result_type == "document":
            return "the whole document"
        offset = int(columns.offset[index])
        return (
            str(offset) if columns.result_type == "entry-point" else f"{offset}-{offset + int(columns.length[index])}"
        )

    def returns(self, index: int) -> str:
        """Begin a sentence about a result."""
        return f"topic {self.topic(index)} returns {self.document(index)} at {self.place(index)}"

    def topic_blocks(self) -> Iterator[tuple[str, int, int]]:
        """Yield each topic with the first index of its results and the one after the last."""
        ends = np.append(self._starts[1:], len(self.columns))
        for start, end in zip(self._starts.tolist(), ends.tolist(), strict=True):
            yield self.topic(start), start, end

    def within_topic(self, differs: Flags) -> Integers:
        """Return the results that differ from their predecessor in the same topic."""
        topic = self.columns.topic
        return np.flatnonzero(differs & (topic[1:] == topic[:-1])) + 1

    def rising_rsvs(self) -> tuple[Integers, Integers]:
        """Return the results with a higher rsv than the last one of their topic that has any, and those last ones."""
        topic, rsv = self.columns.topic, self.columns.rsv
        told = np.arange(len(rsv))
        if (absent := np.isnan(rsv)).any():
            told = np.flatnonzero(~absent)
            topic, rsv = topic[told], rsv[told]
        rises = np.flatnonzero((rsv[1:] > rsv[:-1]) & (topic[1:] == topic[:-1]))
        return told[rises + 1], told[rises]

    def first_of_each_topic(self, indices: Integers) -> Iterator[tuple[int, int]]:
        """Yield the first of the given results in each topic, and how many there are in it."""
        _, first, counts = np.unique(self.columns.topic[indices], return_index=True, return_counts=True)
        for position, count in zip(first.tolist(), counts.tolist(), strict=True):
            yield int(indices[position]), count

    def unknown_documents(self) -> Iterator[tuple[int, int, int]]:
        """Yield the number of each unknown document, its first result and how many it has."""
        unknown = np.flatnonzero(~self._known_documents[self.columns.document])
        numbers, first, counts = np.unique(self.columns.document[unknown], return_index=True, return_counts=True)
        for number, position, count in zip(numbers.tolist(), first.tolist(), counts.tolist(), strict=True):
            yield number, int(unknown[position]), count

    def past_the_end(self) -> Integers:
        """Return the results that end after their document does."""
        end = self.columns.offset + self.length
        return np.flatnonzero((self.document_length >= 0) & (end > self.document_length) & ~self.columns.unmapped)

    def lengths_look_like_ends(self, past: Integers) -> bool:
        """Return whether the results past the end would lie inside if their length were an end."""
        offset, length = self.columns.offset[past], self.columns.length[past]
        inside = (length >= offset) & (length <= self.document_length[past])
        return len(past) > 0 and bool(inside.mean() >= MOSTLY)

    def overlap_spans(self) -> tuple[Integers, Integers]:
        """Return start and end of each result, in characters or, where only paths are known, in order of paths."""
        columns = self.columns
        start = np.where(columns.unmapped, 0, columns.offset)
        end = np.where(columns.unmapped, 0, columns.offset + self.length)
        by_path = columns.unmapped & (columns.path >= 0)
        if by_path.any():
            placed = np.zeros(len(columns.documents), dtype=bool)
            placed[columns.document[columns.offset != UNMAPPED]] = True
            comparable = np.array([" " not in path and "text()" not in path for path in columns.paths])
            by_path &= ~placed[columns.document] & comparable[columns.path]
            path_start, path_end = path_spans(columns.paths)
            start[by_path], end[by_path] = path_start[columns.path[by_path]], path_end[columns.path[by_path]]
        return start, end

    def returning_documents(self) -> Iterator[tuple[int, int]]:
        """Yield the results at which a topic comes back to a document, with the last one before."""
        begins = np.flatnonzero(np.diff(self.pair, prepend=-1))
        ends = np.append(begins[1:], len(self.pair)) - 1
        for block, earlier in _repeats(self.pair[begins]):
            yield int(begins[block]), int(ends[earlier])

    def repeated_documents(self) -> Iterator[tuple[int, int]]:
        """Yield the results whose document the topic has returned before, with the result that did."""
        yield from _repeats(self.pair)

    def over_budget(self, group: Integers, budget: int) -> Iterator[tuple[int, int]]:
        """Yield, for each group that returns too many characters, the result that passes the budget, and the total."""
        if not len(group):
            return
        order = np.argsort(group, kind="stable")
        starts = np.flatnonzero(np.diff(group[order], prepend=-1))
        totals = np.add.reduceat(self.length[order], starts)
        ends = np.append(starts[1:], len(order))
        for number in np.flatnonzero(totals > budget).tolist():
            members = order[starts[number] : ends[number]]
            passing = int(np.argmax(np.cumsum(self.length[members]) > budget))
            yield int(members[passing]), int(totals[number])


def lengths_of(documents: Sequence[str], document_lengths: Lengths, assessed_lengths: Lengths) -> list[int]:
    """Return how long documents are: by the collection, else by the assessments, else UNKNOWN.

    >>> lengths_of(("a", "b", "c"), {"a": 5, "b": None}, {"a": 7, "b": 8})
    [5, 8, -1]
    """
    found = []
    for document in documents:
        length = document_lengths.get(document)
        found.append(assessed_lengths.get(document, UNKNOWN) if length is None else length)
    return found


def _repeats(keys: Integers) -> Iterator[tuple[int, int]]:
    """Yield each position whose key came before, with the position that came just before it."""
    order = np.argsort(keys, kind="stable")
    same = np.flatnonzero(keys[order][1:] == keys[order][:-1])
    pairs = sorted(zip(order[same + 1].tolist(), order[same].tolist(), strict=True))
    yield from pairs
