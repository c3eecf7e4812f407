"""What the assessments say of one document for one topic."""

from limelight.analysis.judged import lists_only_relevant
from limelight.overlay.laying import Judgement
from limelight.scoring.spans import NOT_JUDGED, Highlights


def judgement_of(highlights: Highlights, topic: str, document: str) -> Judgement:
    """Return what is highlighted in a document for a topic that counts, the assessor's entry point, or the grade."""
    number = highlights.topics.index(topic)
    judgement = highlights.judgement_of(number, document)
    if judgement == NOT_JUDGED:
        return Judgement(is_judged=None if lists_only_relevant(highlights)[number] else False)
    if highlights.grades_documents:
        return Judgement(grade=int(highlights.grade[judgement]))
    return Judgement(
        highlighted=tuple(highlights.passages(number, document)),
        entry_point=highlights.entry_point_of(number, document) if highlights.relevant[judgement] else None,
        length=max(int(highlights.document_length[judgement]), 0),
    )
