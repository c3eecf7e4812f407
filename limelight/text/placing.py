"""A run laid on text: the one place that turns element paths and points into spans, and keeps the two axes apart."""

import numpy as np

from limelight.formats.assessments.columns import CHARACTERS, SIZES
from limelight.formats.columns import UNMAPPED, RunColumns
from limelight.formats.problems import WARNING, Problem, ProblemList
from limelight.kinds import kind_of
from limelight.text.documents import Lookup, Span, Spans, normal_path

MAY_GIVE_OFFSETS = ("passage", "entry-point")
"""The types of results that a run can place by offsets; passages can be given by paths as well."""

OTHER_AXIS = "other-axis"
APART = "returns offsets, which count every character, but the assessments only tell sizes with white space merged."


class OnAnotherAxis(ValueError):
    """A run and the assessments count characters differently: the two are never mixed."""

    def __init__(self) -> None:
        super().__init__(f"The run {APART}")


def placed(
    columns: RunColumns, lookup: Lookup | None, *, axis: str = CHARACTERS, kind: str | None = None
) -> tuple[RunColumns, list[Problem]]:
    """Lay a run on the text of its documents; returns it with spans for paths and points, and the problems of these.

    `axis` is that of the assessments: `lookup` leads to raw characters, where it knows every element, or to the sizes
    that assessments tell, where it knows only some. A run of offsets for a kind of task that is about places raises
    OnAnotherAxis on sizes. Without a lookup paths stay what they are; a result whose place isn't known stays unmapped.
    """
    if is_apart(columns, axis=axis, kind=kind):
        raise OnAnotherAxis
    if lookup is None or not columns.paths:
        return columns, []
    return _with_spans(columns, lookup, complete=axis == CHARACTERS)


def is_apart(columns: RunColumns, *, axis: str, kind: str | None = None) -> bool:
    """Return whether a run says in characters where its results lie, and the assessments don't count characters."""
    return axis == SIZES and (kind is None or kind_of(kind).has_places) and gives_offsets(columns)


def gives_offsets(columns: RunColumns) -> bool:
    """Return whether a run itself says where in the text some result lies, and not by the path of an element."""
    is_typed = columns.result_type in MAY_GIVE_OFFSETS
    return is_typed and bool(((columns.path < 0) & ~columns.unmapped).any())


def _with_spans(columns: RunColumns, lookup: Lookup, *, complete: bool) -> tuple[RunColumns, list[Problem]]:
    """Turn paths into spans; one that its document doesn't have is an error where the lookup is complete."""
    problems = ProblemList()
    offset, length = columns.offset.copy(), columns.length.copy()
    waiting = np.flatnonzero((columns.path >= 0) & columns.unmapped)
    pairs, inverse = np.unique(
        columns.document[waiting] * len(columns.paths) + columns.path[waiting], return_inverse=True
    )
    spans = np.full((len(pairs), 2), (UNMAPPED, 0), dtype=np.int64)
    known = np.ones(len(pairs), dtype=bool)
    document = places = None
    for index, pair in enumerate(pairs.tolist()):
        number, path = divmod(pair, len(columns.paths))
        if number != document:
            document, places = number, lookup(columns.documents[number])
        if places is None:
            known[index] = False
        elif span := span_of(columns.paths[path], places):
            spans[index] = span
        else:
            known[index] = complete
    offset[waiting], length[waiting] = spans[inverse].T
    for result in waiting[known[inverse] & (offset[waiting] == UNMAPPED)].tolist():
        name, path = (
            columns.documents[columns.document[result]],
            columns.paths[columns.path[result]].replace(" ", " to "),
        )
        topic = columns.topics[columns.topic[result]]
        message = f"topic {topic} returns {path} of {name}, which that document doesn't have."
        problems.add(message, "element-path", line=int(columns.line[result]), topic=topic)
    if unplaced := int((~known[inverse]).sum()):
        have, its = (
            ("has", "its document or element isn't")
            if unplaced == 1
            else ("have", "their documents or elements aren't")
        )
        message = f"{unplaced:,} of {len(columns):,} results {have} no place in the text: {its} known here."
        problems.add(message, "unknown-place", severity=WARNING)
    return columns.mapped(offset, length), problems.in_order()


def span_of(path: str, places: Spans) -> Span | None:
    """Return the span of an element, a point, or of all from one place to another ("first last")."""
    first, _, last = path.partition(" ")
    start = places.get(first) or places.get(normal_path(first))
    if not last or start is None:
        return start
    end = places.get(last) or places.get(normal_path(last))
    if end is None or sum(end) < start[0]:
        return None
    return start[0], sum(end) - start[0]
