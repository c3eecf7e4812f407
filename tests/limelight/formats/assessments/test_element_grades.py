"""Graded elements of 2002 to 2004, TREC qrels and pools."""

import gzip
import io

import pytest

from limelight.formats.assessments.document_grades import grades_of_highlights, read_grade_lines, write_grades
from limelight.formats.assessments.highlights import read_highlight_lines
from limelight.formats.assessments.reading import read_assessments
from limelight.formats.opening import Limits
from limelight.formats.pools import PooledDocument, read_pools, topic_chunks
from limelight.formats.problems import FormatError
from tests.limelight.formats.assessments.samples import GRADED

POOL = b"""<pool topic="414"><file file="996300"><path path="/article[1]/p[1]"/>
<passage start="/article[1]/p[2]/text()[1].0" end="/article[1]/p[3]/text()[1].7"/></file><file file="12"/></pool>"""


def read(payload):
    return read_assessments(io.BytesIO(payload))


def read_qrels(stream):
    return read_grade_lines(stream.read(), Limits())


def refusal(read_file, payload):
    with pytest.raises(FormatError) as caught:
        read_file(io.BytesIO(payload))
    return [str(problem) for problem in caught.value.problems]


def test_graded_elements_become_columns():
    assessments, problems = read(GRADED)
    elements = assessments.elements

    assert problems == []
    assert assessments.judgements is None
    assert (elements.topics, elements.documents) == (("91",), ("co/2000/r7108", "co/2000/r7109"))
    assert elements.paths == ("/article[1]", "/article[1]/bdy[1]", "/article[1]/fm[1]", "/article[1]/bm[1]")
    assert elements.exhaustivity.tolist() == [2, 2, -1, 0]
    assert elements.specificity.tolist() == [1, 3, -1, 0]
    assert elements.inferred.tolist() == [1, 0, 0, 0]
    assert elements.line.tolist() == [3, 4, 5, 6]
    assert elements.judged_document.tolist() == [0, 1]


def test_the_words_of_2002_are_understood():
    elements = read(GRADED.replace(b"exhaustiveness", b"relevance").replace(b"specificity", b"coverage"))[0].elements

    assert elements.exhaustivity.tolist() == [2, 2, -1, 0]
    assert elements.specificity.tolist() == [1, 3, -1, 0]


def test_a_part_that_says_more_than_the_whole_is_a_warning():
    _, problems = read(GRADED.replace(b"bdy[1]' exhaustiveness='2'", b"bdy[1]' exhaustiveness='3'"))

    assert [(str(problem), problem.severity) for problem in problems] == [
        (
            "Line 4: /article[1]/bdy[1] of document co/2000/r7108 has exhaustivity 3, its parent only 2. "
            "An element says all that its parts say.",
            "warning",
        )
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("specificity='3'", "specificity='4'", "Line 4: the specificity '4' isn't a grade. It is 0, 1, 2, 3 or U."),
        (
            "specificity='3'",
            "specificity='0'",
            "Line 4: /article[1]/bdy[1] has exhaustivity 2 and specificity 0. Both are 0, or neither is.",
        ),
        ("specificity='3'", "", 'Line 4: the <path> has no specificity. Write specificity="…".'),
        (
            "/article[1]/fm[1]",
            "/article[1]/bdy",
            "Line 5: the path /article[1]/bdy[1] is graded twice in its file. Remove one of the two.",
        ),
        (
            "/article[1]/fm[1]",
            "fm",
            "Line 5: the path 'fm' isn't an element path. Write it like /article[1]/body[1]/p[2].",
        ),
        (
            "<file file='co/2000/r7109'/>",
            "<file file='d'><passage/></file>",
            "Line 8: <passage> doesn't belong to this form of assessments. Don't mix two forms.",
        ),
    ],
)
def test_a_faulty_grade_is_refused_with_its_line(old, new, message):
    assert refusal(read_assessments, GRADED.replace(old.encode(), new.encode())) == [message]


def test_qrels_are_recognised_by_their_four_fields():
    assessments, problems = read(gzip.compress(b"8 0 b 0\n7 0 a 2\n7 0 b -1\n8 0 a 1\n"))
    grades = assessments.grades

    assert problems == []
    assert (grades.topics, grades.documents) == (("8", "7"), ("b", "a"))
    assert grades.topic.tolist() == [0, 0, 1, 1]
    assert grades.document.tolist() == [0, 1, 1, 0]
    assert grades.grade.tolist() == [0, 1, 2, -1]
    assert grades.line.tolist() == [1, 4, 2, 3]


def test_highlights_are_recognised_by_their_five_fields():
    assessments, _ = read(b"7 Q0 a 5 90 0 0:5\n7 Q0 b 0 90\n")

    assert assessments.grades is None
    assert len(assessments.judgements) == 2


def test_every_fault_of_qrels_is_reported():
    assert refusal(read_qrels, b"7 0 a 1\n7 0 b\n7 0 c x\n7 0 a 0\n7 0 d 101\n") == [
        "Line 2: 3 fields found, 4 expected (topic 0 document grade).",
        "Line 3: the grade 'x' isn't a whole number. Write digits only.",
        "Line 4: document a of topic 7 was already judged in line 1. Remove one of the two lines.",
        "Line 5: the grade 101 is out of range. It is between -10 and 100.",
    ]
    assert refusal(read_qrels, b"# nothing\n") == ["The file holds no judgements."]


def test_qrels_written_read_the_same():
    grades, _ = read_qrels(io.BytesIO(b"7 0 a 2\n8 0 b 0\n"))
    written = io.BytesIO()

    write_grades(grades, written)

    assert written.getvalue() == b"7 0 a 2\n8 0 b 0\n"


def test_highlights_can_be_exported_as_qrels():
    judgements, _ = read_highlight_lines(b"7 Q0 a 5 90 0 0:5\n7 Q0 b 0 90\n", Limits())
    written = io.BytesIO()

    write_grades(grades_of_highlights(judgements), written)

    assert written.getvalue() == b"7 0 a 1\n7 0 b 0\n"


def test_a_pool_is_read_and_written():
    pooled = read_pools(io.BytesIO(POOL))

    written = b"".join(topic_chunks(pooled))

    assert pooled == [
        PooledDocument(
            "414", "996300", ("/article[1]/p[1]", "/article[1]/p[2]/text()[1].0 /article[1]/p[3]/text()[1].7")
        ),
        PooledDocument("414", "12"),
    ]
    assert read_pools(io.BytesIO(written)) == pooled


def test_every_fault_of_a_pool_is_reported():
    text = b'<pool topic="7">\n<file/>\n<file file="a"><path path="p"/></file>\n<file file="a"/></pool>'

    assert refusal(read_pools, text) == [
        'Line 2: the <file> has no file. Write file="…".',
        "Line 3: the path 'p' isn't an element path. Write it like /article[1]/body[1]/p[2].",
        "Line 4: document a stands twice in the pool of topic 7. Remove one of the two.",
    ]
    assert refusal(read_pools, b"<x/>") == ["Line 1: the root element is <x>, not <pool>. This isn't a pool."]
    assert refusal(read_pools, b"<pool topic='7'/>") == ["The pool holds no documents."]


def test_graded_paths_that_no_document_has_are_warned_of():
    places = {"co/2000/r7108": {"/article[1]": (0, 90), "/article[1]/bdy[1]": (10, 80), "/article[1]/bm[1]": (90, 0)}}

    told = []
    _, problems = read_assessments(io.BytesIO(GRADED), lookup=places.get, progress=told.append)

    assert [(str(problem), problem.severity) for problem in problems] == [
        (
            "Line 5: topic 91 judges /article[1]/fm[1] of co/2000/r7108, which that document doesn't have. "
            "No run can return it.",
            "warning",
        )
    ]
    assert all(0 <= part <= 1 for part in told)


def test_highlighted_elements_that_no_document_has_are_warned_of():
    highlights = (
        b"<assessments topic='7'><file name='d'><element path='/article[1]' size='9' rsize='3'/>\n"
        b"<element path='/article/sec[4]' size='9' rsize='3'/></file><file name='nowhere'>"
        b"<element path='/article[1]/x[1]' size='9' rsize='3'/></file></assessments>"
    )

    _, problems = read_assessments(io.BytesIO(highlights), lookup={"d": {"/article[1]": (0, 9)}}.get)

    assert [str(problem) for problem in problems] == [
        "Line 2: topic 7 judges /article[1]/sec[4] of d, which that document doesn't have. No run can return it."
    ]


def test_without_the_documents_nothing_is_said_about_paths():
    assert read_assessments(io.BytesIO(GRADED))[1] == []
