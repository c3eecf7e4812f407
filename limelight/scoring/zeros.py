"""Why a run scores 0 on every measure: found when it is scored, said in words that tell no more than may be seen."""

import numpy as np

from limelight.formats.assessments.columns import UNKNOWN
from limelight.kinds import BEST_IN_CONTEXT, DOCUMENT, kind_of
from limelight.scoring.spans import LaidRun

NO_TOPIC = "no-topic"
NO_PLACE = "no-place"
NOT_JUDGED = "not-judged"
NOT_RELEVANT = "not-relevant"
NO_ENTRY_POINT = "no-entry-point"
FAR = "far"
BESIDE = "beside"

OF_THE_RUN = {
    NO_TOPIC: "It answers none of the topics that were judged.",
    NO_PLACE: "None of its results returns text: each is without a place, or of length 0.",
}
"""Reasons that tell nothing of the assessments: the judged topics stand beside every score."""

OF_THE_ASSESSMENTS = {
    NOT_JUDGED: "None of the documents that it returns was judged for its topic.",
    NOT_RELEVANT: "None of the documents that it returns is judged relevant for its topic.",
    NO_ENTRY_POINT: "It returns relevant documents, but the assessments mark no entry point in them.",
    FAR: "It returns relevant documents, but none of its entry points is near enough to the assessors’ own.",
    BESIDE: "It returns documents with relevant text, but none of that text.",
}
"""Reasons that tell which documents were judged, or how."""

IN_GENERAL = {
    BEST_IN_CONTEXT: "None of its entry points is near one that the assessors marked.",
    DOCUMENT: "None of the documents that it returns is judged relevant.",
}
OF_TEXT = "None of the text that it returns is judged relevant."
"""What a score of 0 says by itself, for readers from whom the assessments are hidden."""


def zero_reason(kind: str, laid: LaidRun) -> str:
    """Return why nothing that a run returns counts, given the run laid onto the highlights."""
    if not len(laid):
        return NO_TOPIC
    traits = kind_of(kind)
    has_place = ~laid.unmapped if traits.returns_points else ~laid.unmapped & (laid.length > 0)
    if traits.has_places and not has_place.any():
        return NO_PLACE
    judgement = laid.judgement[laid.judgement >= 0]
    if not len(judgement):
        return NOT_JUDGED
    judgement = judgement[laid.highlights.relevant[judgement] > 0]
    if not len(judgement):
        return NOT_RELEVANT
    if traits.returns_points:
        return FAR if np.any(laid.highlights.entry_point[judgement] != UNKNOWN) else NO_ENTRY_POINT
    return BESIDE


def zero_sentence(reason: str, kind: str, *, may_see_assessments: bool) -> str:
    """Say why a run scores 0, to somebody who may see the assessments or not; nothing where no reason is known.

    >>> zero_sentence(NOT_JUDGED, "focused", may_see_assessments=True)
    'None of the documents that it returns was judged for its topic.'
    >>> zero_sentence(NOT_JUDGED, "focused", may_see_assessments=False)
    'None of the text that it returns is judged relevant.'
    """
    if reason in OF_THE_RUN or not reason:
        return OF_THE_RUN.get(reason, "")
    return OF_THE_ASSESSMENTS[reason] if may_see_assessments else IN_GENERAL.get(kind, OF_TEXT)
