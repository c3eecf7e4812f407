"""Judgements as parallel arrays: what every reader of assessments makes and the measures score against."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from limelight.arrays import Integers
from limelight.formats.stored import File, load_arrays, save_arrays

UNKNOWN = -1
"""Entry point or document length that the assessments don't tell."""

CHARACTERS = "characters"
SIZES = "sizes"
"""The two axes text is measured on: raw characters, or sizes with white space merged. Never mix them."""

COLUMNS = ("topic", "document", "document_length", "entry_point", "line", "judgement", "offset", "length")


@dataclass(frozen=True, slots=True, eq=False)
class JudgementColumns:
    """Judgements of highlighted text: one entry a judged document of a topic, and below it one entry a passage.

    `topic`, `document`, `document_length`, `entry_point` and `line` have one entry a judgement, grouped by topic;
    `judgement`, `offset` and `length` one entry a highlighted passage, sorted by judgement, then offset.
    `topic` and `document` number the strings in `topics` and `documents`.
    """

    topics: Sequence[str]
    documents: Sequence[str]
    topic: Integers
    document: Integers
    document_length: Integers
    entry_point: Integers
    line: Integers
    judgement: Integers
    offset: Integers
    length: Integers
    axis: str = CHARACTERS

    def __len__(self) -> int:
        return len(self.topic)

    @property
    def relevant_characters(self) -> Integers:
        """Count the highlighted characters of each judgement."""
        return np.bincount(self.judgement, weights=self.length, minlength=len(self)).astype(np.int64)

    @property
    def document_lengths(self) -> dict[str, int]:
        """Return the lengths in characters of the documents that were judged, the longest where topics differ."""
        longest = np.full(len(self.documents), UNKNOWN, dtype=np.int64)
        if self.axis == CHARACTERS:
            np.maximum.at(longest, self.document, self.document_length)
        return {name: length for name, length in zip(self.documents, longest.tolist(), strict=True) if length >= 0}

    def save(self, target: File) -> None:
        """Write the columns to a path or binary file, so that they can be mapped into memory."""
        texts = {"topics": self.topics, "documents": self.documents}
        save_arrays(target, {"axis": self.axis}, texts, {name: getattr(self, name) for name in COLUMNS})

    @classmethod
    def load(cls, source: File) -> "JudgementColumns":
        """Read what `save` wrote, from a path or binary file; the columns are mapped where that is possible."""
        words, texts, arrays = load_arrays(source)
        columns: dict[str, Any] = {**texts, **arrays}
        return cls(**columns, axis=words["axis"])
