"""What scoring finds and keeps, so that later pages need not score again: counts of characters, never measures.

For each topic the length of the list, and for each relevant document in it where it stands and how much of its
highlighted text was returned; which share of the first results was judged; and where the results of runs that name
elements lie in the text.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from limelight.analysis.judged import judged_shares, knows_what_was_read
from limelight.arrays import Array, Integers, Reals
from limelight.formats.columns import RunColumns
from limelight.formats.stored import File, load_arrays, save_arrays
from limelight.kinds import kind_of
from limelight.scoring.articles import articles_of, entry_distances, retrieved_text
from limelight.scoring.spans import LaidRun
from limelight.scoring.topicwise import places, totals

BY_TOPIC = ("results", "documents", "found")
BY_DOCUMENT = ("document", "rank", "hit", "returned", "highlighted", "distance", "document_length")
FIELDS = (*BY_TOPIC, *BY_DOCUMENT, "judged", "offset", "length")


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """What scoring found of one run, topics in the order of the scores.

    `results` and `documents` say how long each topic's list is, `found` how many of its documents are relevant. Each of
    these, in the order of the list, has an entry in: `document`, its number in the assessments; `rank` among the
    documents of the list; `returned` characters, `hit`, the highlighted ones among them, and `highlighted`, all that it
    holds (the 1 of a relevant document where whole documents were graded); `distance` between the entry points, in
    tasks about these; and `document_length`. What is not known is -1. `judged` is the judged share of each topic,
    None where the assessments don't tell what was read; `offset` and `length` have an entry a result of the whole
    run, None where the run itself says where its results lie.
    """

    results: Integers
    documents: Integers
    found: Integers
    document: Integers
    rank: Integers
    hit: Integers
    returned: Integers
    highlighted: Integers
    distance: Integers | None
    document_length: Integers
    judged: Reals | None
    offset: Integers | None = None
    length: Integers | None = None

    @property
    def judged_share(self) -> float | None:
        """The mean judged share over topics, None where nobody knows."""
        return None if self.judged is None else float(self.judged.mean())

    def of_topic(self, number: int) -> "Findings":
        """Return what was found of one topic, by its place in the order of the scores."""
        end = int(self.found[: number + 1].sum(dtype=np.int64))
        rows = slice(end - int(self.found[number]), end)
        one = slice(number, number + 1)
        parts: dict[str, Any] = {name: _part(getattr(self, name), one) for name in (*BY_TOPIC, "judged")}
        parts |= {name: _part(getattr(self, name), rows) for name in BY_DOCUMENT}
        return Findings(**parts)

    def laid(self, run: RunColumns) -> RunColumns:
        """Return the run laid on text as it was when it was scored."""
        if self.offset is None or self.length is None:
            return run
        return run.mapped(self.offset.astype(np.int64), self.length.astype(np.int64))

    def save(self, target: File) -> None:
        """Write the arrays to a path or binary file, each in the smallest form that holds it."""
        arrays = {name: getattr(self, name) for name in FIELDS}
        save_arrays(target, {}, {}, {name: compact(array) for name, array in arrays.items() if array is not None})

    @classmethod
    def load(cls, source: File) -> "Findings":
        """Read what `save` wrote; the arrays are mapped where that is possible."""
        _, _, arrays = load_arrays(source)
        found: dict[str, Any] = {name: arrays.get(name) for name in FIELDS}
        return cls(**found)


def _part(array: Array | None, rows: slice) -> Array | None:
    if array is None:
        return None
    part = array[rows]
    return part if part.dtype.kind == "f" else part.astype(np.int64)


def compact(array: Array) -> Array:
    """Return whole numbers in the smallest form that holds them all; shares stay as they are.

    >>> compact(np.array([3, 70000])).dtype, compact(np.array([-1, 3])).dtype, compact(np.array([0.5])).dtype
    (dtype('uint32'), dtype('int8'), dtype('float64'))
    """
    if array.dtype.kind == "f" or not len(array):
        return array
    smallest, largest = int(array.min()), int(array.max())
    return array.astype(np.min_scalar_type(min(smallest, -largest - 1) if smallest < 0 else largest))


def findings_of(kind: str, laid: LaidRun, placed: RunColumns) -> Findings:
    """Keep what is found of a run when it is scored: laid on the assessments, and as it lies on the text."""
    articles = articles_of(laid)
    returned, hit = retrieved_text(laid, articles)
    wanted = np.flatnonzero(articles.relevant)
    highlights, judgement = laid.highlights, articles.judgement[wanted]
    return Findings(
        results=np.diff(laid.bounds),
        documents=np.diff(articles.bounds),
        found=totals(articles.relevant, articles.bounds),
        document=highlights.key[judgement] % max(len(highlights.documents), 1),
        rank=places(articles.bounds)[wanted],
        hit=hit[wanted],
        returned=returned[wanted],
        highlighted=articles.contained[wanted],
        distance=entry_distances(laid, articles)[wanted] if kind_of(kind).returns_points else None,
        document_length=highlights.document_length[judgement],
        judged=judged_shares(laid, kind) if knows_what_was_read(highlights) else None,
        offset=placed.offset if len(placed.paths) else None,
        length=placed.length if len(placed.paths) else None,
    )
