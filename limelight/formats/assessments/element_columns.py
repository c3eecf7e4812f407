"""Judged elements: the grades and sizes that XML assessments of 2002 to 2008 give to single elements."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from limelight.arrays import Integers
from limelight.formats.building import Names
from limelight.formats.opening import Limits
from limelight.formats.problems import WARNING, Problem, ProblemList
from limelight.text.documents import Lookup, normal_path

UNASSESSED = -1
TOO_SMALL = -2
"""Exhaustivity `?` of 2005: the element is too small to be judged by itself."""

UNKNOWN_SIZE = -1


@dataclass(frozen=True, slots=True, eq=False)
class ElementColumns:
    """Judged elements, one entry an element, grouped by topic in the order of the files.

    The assessments of 2002 to 2004 give `exhaustivity` and `specificity` from 0 to 3; those of 2005 to 2008 give
    exhaustivity, `size` and `highlighted_size` (merged white space), whose quotient is the specificity. `judged_topic`
    and `judged_document` list every judged document, those without a relevant element too.
    """

    topics: Sequence[str]
    documents: Sequence[str]
    paths: Sequence[str]
    topic: Integers
    document: Integers
    path: Integers
    exhaustivity: Integers
    specificity: Integers
    size: Integers
    highlighted_size: Integers
    inferred: Integers
    line: Integers
    judged_topic: Integers
    judged_document: Integers

    def __len__(self) -> int:
        return len(self.topic)


COLUMNS = ("topic", "document", "path", "exhaustivity", "specificity", "size", "highlighted_size", "inferred", "line")


class ElementsBuilder:
    """Takes judged documents and elements in the order of the files and makes columns of them."""

    def __init__(self, limits: Limits) -> None:
        self.topics = Names("topic", limits.name_size)
        self.documents = Names("document id", limits.name_size)
        self.paths = Names("path", limits.path_size)
        self._rows = array("q")
        self._judged = array("q")

    def judge(self, topic: int, document: int) -> None:
        """Note that a document was judged."""
        self._judged.extend((topic, document))

    def add(self, *row: int) -> None:
        """Take one element, its numbers in the order of COLUMNS."""
        self._rows.extend(row)

    def columns(self) -> ElementColumns:
        """Return what was taken, grouped by topic."""
        table = np.array(self._rows, dtype=np.int64).reshape(-1, len(COLUMNS))
        table = table[np.argsort(table[:, 0], kind="stable")]
        judged = np.array(self._judged, dtype=np.int64).reshape(-1, 2)
        judged = judged[np.argsort(judged[:, 0], kind="stable")]
        arrays = {name: np.ascontiguousarray(column) for name, column in zip(COLUMNS, table.T, strict=True)}
        return ElementColumns(
            tuple(self.topics.texts),
            tuple(self.documents.texts),
            tuple(self.paths.texts),
            **arrays,
            judged_topic=np.ascontiguousarray(judged[:, 0]),
            judged_document=np.ascontiguousarray(judged[:, 1]),
        )


def unknown_paths(elements: ElementColumns, lookup: Lookup | None) -> list[Problem]:
    """Return a warning for each judged element that its document doesn't have; `lookup` as for `placed`.

    Nothing is said about documents that aren't known at all, nor without a lookup.
    """
    problems = ProblemList()
    if lookup is None:
        return []
    rows = zip(*(getattr(elements, name).tolist() for name in ("topic", "document", "path", "line")), strict=True)
    current = places = None
    for topic, document, path, line in rows:
        if document != current:
            current, places = document, lookup(elements.documents[document])
        if places is None or places.get(normal_path(elements.paths[path])) is not None:
            continue
        name = elements.topics[topic]
        message = (
            f"topic {name} judges {elements.paths[path]} of {elements.documents[document]}, which that document "
            "doesn't have. No run can return it."
        )
        problems.add(message, "element-path", line=line, topic=name, severity=WARNING)
    return problems.in_order()
