"""What the assessments say of one document for one topic."""

from io import BytesIO

import pytest

from limelight.formats.assessments.reading import read_assessments
from limelight.overlay import Judgement, judgement_of
from limelight.scoring.evaluators import compiled

HIGHLIGHTS = b"1 Q0 a 30 200 5 0:10 50:20\n1 Q0 b 0 200\n2 Q0 a 5 200 0 0:5\n"


def highlights(content):
    read = read_assessments(BytesIO(content))[0]
    return compiled(read.judgements or read.grades)


@pytest.mark.parametrize(
    ("topic", "document", "judgement"),
    [
        ("1", "a", Judgement(highlighted=((0, 10), (50, 20)), entry_point=5, length=200)),
        ("1", "b", Judgement(length=200)),
        ("1", "c", Judgement(is_judged=False)),
        ("2", "a", Judgement(highlighted=((0, 5),), entry_point=0, length=200)),
        ("2", "b", Judgement(is_judged=None)),
    ],
    ids=["highlighted", "nothing relevant", "unjudged", "another topic", "a topic that lists only relevant ones"],
)
def test_a_document_is_judged_for_a_topic(topic, document, judgement):
    assert judgement_of(highlights(HIGHLIGHTS), topic, document) == judgement


@pytest.mark.parametrize(("document", "grade"), [("a", 2), ("b", 0)])
def test_whole_documents_have_grades(document, grade):
    assert judgement_of(highlights(b"1 0 a 2\n1 0 b 0\n"), "1", document) == Judgement(grade=grade)
