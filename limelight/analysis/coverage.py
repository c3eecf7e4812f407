"""How much of a run's top results nobody has judged."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from limelight.analysis.pooling import top_results
from limelight.arrays import Flags, Integers
from limelight.formats.columns import RunColumns
from limelight.formats.matching import matched, packed


class JudgedDocuments:
    """Which documents were judged for which topics, ready to be asked about many runs."""

    def __init__(
        self,
        topics: Sequence[str],
        documents: Sequence[str],
        topic: Integers | Sequence[int],
        document: Integers | Sequence[int],
    ) -> None:
        """Take names, and arrays that number them with one entry a judgement."""
        self.topic_number = {name: number for number, name in enumerate(topics)}
        self.document_number = {name: number for number, name in enumerate(documents)}
        self.document_keys = packed(documents)
        self.width = max(len(documents), 1)
        self.keys = np.unique(np.asarray(topic, dtype=np.int64) * self.width + document)

    def has(self, topic: Integers, document: Integers) -> Flags:
        """Tell for each topic and document number whether it was judged; -1 is a document that never was."""
        return (document >= 0) & np.isin(topic * self.width + document, self.keys)


@dataclass(frozen=True, slots=True)
class Coverage:
    """What of a run's top results lies in documents that were not judged for their topic."""

    results: int
    unjudged_results: int
    documents: int
    unjudged_documents: int
    characters: int
    unjudged_characters: int

    @property
    def document_share(self) -> float | None:
        """Return the share of documents that were not judged, None of nothing."""
        return self.unjudged_documents / self.documents if self.documents else None

    @property
    def character_share(self) -> float | None:
        """Return the share of characters in documents that were not judged, None where the run returns no text."""
        return self.unjudged_characters / self.characters if self.characters else None


def cover(columns: RunColumns, judged: JudgedDocuments, depth: int) -> Coverage:
    """Count what of a run's first results of each assessed topic lies in documents that nobody judged.

    Topics without any judgement are left out: nobody was asked about them. Text returned twice counts twice, and a
    result without a known place has no characters.
    """
    places, _ = top_results(columns, depth)
    topic = matched(columns.topics, judged.topic_number)[columns.topic[places]] if len(places) else places
    places, topic = places[topic >= 0], topic[topic >= 0]
    own = np.asarray(columns.document[places], dtype=np.int64)
    numbers = matched(columns.documents, judged.document_number, judged.document_keys)
    unjudged = ~judged.has(topic, numbers[own]) if len(places) else np.zeros(0, dtype=bool)
    characters = np.where(columns.unmapped[places], 0, columns.length[places])
    documents = topic * max(len(columns.documents), 1) + own
    return Coverage(
        results=len(places),
        unjudged_results=int(unjudged.sum()),
        documents=len(np.unique(documents)),
        unjudged_documents=len(np.unique(documents[unjudged])),
        characters=int(characters.sum()),
        unjudged_characters=int(characters[unjudged].sum()),
    )
