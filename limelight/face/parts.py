"""What the difference between two scored runs is made of."""

from limelight.analysis.parts.difference import DifferenceParts, difference_parts, why_no_parts
from limelight.face.reading import known_kind
from limelight.face.refusals import Refusal
from limelight.face.scores import Scores
from limelight.face.together import scored_alike


def parts_between(one: Scores, other: Scores, *, measure: str | None = None) -> DifferenceParts:
    """Tell what the score of one run minus that of another is made of, by the official measure if absent."""
    with_parts(one.task)
    measure = known_kind(one.task).official if measure is None else measure
    scored_alike({one.file: one, other.file: other}, [measure])
    result = one.result
    return difference_parts(
        result.kind,
        one.reference.highlights,
        one.run,
        other.run,
        profile=result.profile,
        parameters=result.parameters,
        measure=measure,
        document_lengths=one.reference.collection,
    )


def with_parts(kind: str) -> None:
    """Refuse kinds of tasks whose differences are not told in parts."""
    known_kind(kind)
    if why_not := why_no_parts(kind):
        raise Refusal([why_not])
