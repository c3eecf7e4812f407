"""Where two runs find different text: relevant documents and highlighted characters that only one of them returns."""

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from limelight.arrays import Flags
from limelight.formats.assessments.columns import UNKNOWN
from limelight.kinds import Kind, kind_of
from limelight.scoring.articles import articles_of, entry_distances
from limelight.scoring.spans import Highlights, LaidRun
from limelight.text.documents import Span
from limelight.text.spans import joined, shared, size, without


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDifference:
    """A relevant document that two runs answer differently; what is told of a run stands at its place, 0 or 1.

    `ranks` say where each run returns it, None where it does not: the rank of its first result, or of the document
    where documents are ranked. `alone` are the highlighted characters that only this run returns, `both` those that
    both return, of `highlighted` in all; they are 0 where no text is returned. `distances` are those of the entry
    points from the assessor's, in tasks about these.
    """

    topic: str
    document: str
    highlighted: int
    ranks: tuple[int | None, int | None]
    alone: tuple[int, int] = (0, 0)
    both: int = 0
    distances: tuple[int | None, int | None] = (None, None)

    def turned(self) -> "FoundDifference":
        """Return the same with the runs in the other order."""
        return replace(self, ranks=self.ranks[::-1], alone=self.alone[::-1], distances=self.distances[::-1])

    @property
    def _weight(self) -> tuple[int, int, int, int]:
        """How much it differs: in characters, else whether one run misses it, how far up, and how far apart."""
        far = [distance or 0 for distance in self.distances]
        best = min(rank for rank in self.ranks if rank is not None)
        return sum(self.alone), int(None in self.ranks), -best if None in self.ranks else abs(far[0] - far[1]), -best


def found_differences(kind: str, one: LaidRun, other: LaidRun) -> list[FoundDifference]:
    """Return the documents in which two runs, laid onto the same highlights, find different text; the most first.

    Where a result is no stretch of text it is the documents that only one returns, and those with other entry points.
    """
    traits, highlights = kind_of(kind), one.highlights
    sides = tuple(_returned(traits, laid) for laid in (one, other))
    judgements = sorted(sides[0].ranks.keys() | sides[1].ranks.keys())
    compare = _text if traits.needs_text else _documents
    found = [compare(highlights, judgement, *sides) for judgement in judgements]
    return sorted(filter(None, found), key=lambda difference: difference._weight, reverse=True)


@dataclass(frozen=True, slots=True, eq=False)
class _Returned:
    """What a run returns of relevant documents, by their judgements."""

    ranks: dict[int, int]
    spans: dict[int, list[Span]]
    distances: dict[int, int]


def _returned(traits: Kind, laid: LaidRun) -> _Returned:
    articles = articles_of(laid)
    wanted = np.flatnonzero(articles.relevant)
    by_document = traits.in_context or not traits.has_places
    places, bounds = (np.arange(len(articles.first)), articles.bounds) if by_document else (articles.first, laid.bounds)
    ranks = places - bounds[articles.topic] + 1
    keys = articles.judgement[wanted].tolist()
    distances = {}
    if traits.returns_points:
        far = zip(keys, entry_distances(laid, articles)[wanted].tolist(), strict=True)
        distances = {key: distance for key, distance in far if distance != UNKNOWN}
    return _Returned(
        ranks=dict(zip(keys, ranks[wanted].tolist(), strict=True)),
        spans=_spans(laid, articles.relevant[articles.article] & ~laid.unmapped) if traits.needs_text else {},
        distances=distances,
    )


def _spans(laid: LaidRun, rows: Flags) -> dict[int, list[Span]]:
    spans: dict[int, list[Span]] = defaultdict(list)
    columns = (column[rows].tolist() for column in (laid.judgement, laid.offset, laid.length))
    for judgement, offset, length in zip(*columns, strict=True):
        spans[judgement].append((offset, length))
    return spans


def _text(highlights: Highlights, judgement: int, one: _Returned, other: _Returned) -> FoundDifference | None:
    topic, document = divmod(int(highlights.key[judgement]), len(highlights.documents))
    lit = joined(highlights.passages(topic, highlights.documents[document]))
    hits = [shared(joined(side.spans.get(judgement, ())), lit) for side in (one, other)]
    if hits[0] == hits[1]:
        return None
    return FoundDifference(
        **_named(highlights, judgement),
        ranks=(one.ranks.get(judgement), other.ranks.get(judgement)),
        alone=(size(without(hits[0], hits[1])), size(without(hits[1], hits[0]))),
        both=size(shared(*hits)),
    )


def _documents(highlights: Highlights, judgement: int, one: _Returned, other: _Returned) -> FoundDifference | None:
    ranks = one.ranks.get(judgement), other.ranks.get(judgement)
    distances = one.distances.get(judgement), other.distances.get(judgement)
    if None not in ranks and distances[0] == distances[1]:
        return None
    return FoundDifference(**_named(highlights, judgement), ranks=ranks, distances=distances)


def _named(highlights: Highlights, judgement: int) -> dict[str, Any]:
    topic, document = divmod(int(highlights.key[judgement]), len(highlights.documents))
    return {
        "topic": highlights.topics[topic],
        "document": highlights.documents[document],
        "highlighted": int(highlights.relevant[judgement]),
    }
