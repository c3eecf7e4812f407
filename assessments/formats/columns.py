"""Judgements as parallel arrays: what every reader of assessments makes and the measures score against."""

import json
from dataclasses import dataclass

import numpy as np

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

    topics: tuple[str, ...]
    documents: tuple[str, ...]
    topic: np.ndarray
    document: np.ndarray
    document_length: np.ndarray
    entry_point: np.ndarray
    line: np.ndarray
    judgement: np.ndarray
    offset: np.ndarray
    length: np.ndarray
    axis: str = CHARACTERS

    def __len__(self):
        return len(self.topic)

    @property
    def relevant_characters(self):
        """Count the highlighted characters of each judgement."""
        return np.bincount(self.judgement, weights=self.length, minlength=len(self)).astype(np.int64)

    def save(self, target):
        """Write the columns to a file in numpy's own format, uncompressed so that they load fast."""
        words = {"topics": self.topics, "documents": self.documents, "axis": self.axis}
        arrays = {name: getattr(self, name) for name in COLUMNS}
        np.savez(target, words=np.frombuffer(json.dumps(words).encode(), dtype=np.uint8), **arrays)

    @classmethod
    def load(cls, source):
        """Read what `save` wrote."""
        with np.load(source, allow_pickle=False) as stored:
            words = json.loads(stored["words"].tobytes())
            arrays = {name: stored[name] for name in COLUMNS}
        return cls(tuple(words["topics"]), tuple(words["documents"]), **arrays, axis=words["axis"])
