"""Files on disk, named by their fault: what the readers and the checker say about each."""

import pytest

from limelight.formats.assessments.reading import read_assessments
from limelight.formats.problems import FormatError
from limelight.formats.runs.reading import read_run
from limelight.rules.checking import check
from limelight.rules.task_rules import Rules
from tests.folders import SAMPLES

FOLDER = SAMPLES
MESSAGES = {
    "runs/overlapping-passages.fol": [
        "Line 2: topic 2009001 returns 1528075 at 9760-11608, which overlaps line 1 (9000-10000). "
        "A relevant in context run may not return the same text twice.",
    ],
    "runs/interleaved-documents.fol": [
        "Line 3: topic 2009001 comes back to 1528075 after line 1. "
        "In a relevant in context run the results of a document follow one another."
    ],
    "runs/falling-ranks.fol": [
        "Line 2: topic 2009001 falls from rank 2 in line 1 to rank 1. "
        "Write the results of a topic in the order of their ranks."
    ],
    "runs/decimal-comma.fol": ["Line 2: the rsv '0,8' isn't a number. Write a point, not a comma."],
    "runs/negative-length.fol": ["Line 2: the length -10 is negative. It is at least 0."],
    "runs/missing-field.fol": ["Line 2: 7 fields found, 8 expected (topic Q0 file rank rsv run_id offset length)."],
    "runs/latin-1-bytes.fol": [
        r"Line 2: the document id 'caf\xe9' isn't valid UTF-8 (byte 0xE9). Save the file as UTF-8."
    ],
    "runs/not-a-number.fol": ["Line 1: the rsv is 'NaN'. Write a finite number."],
    "runs/unclosed-result.xml": [
        "Line 4: the XML is broken here (Opening and ending tag mismatch: result line 3 and topic). "
        "Mend the file and upload it again."
    ],
    "runs/elements-and-spans.xml": [
        "Line 4: the result returns a span, where the file's first returns an element. A run holds one kind of result."
    ],
    "assessments/wrong-sum.qrels": [
        "Line 1: the passages of document 1528075 of topic 2009001 add up to 20 characters, but the line says 30."
    ],
    "assessments/overlapping-highlights.qrels": [
        "Line 1: document 1528075 of topic 2009001 has the passages 0:10 and 5:10, which overlap. Join them into one."
    ],
    "assessments/judged-twice.qrels": [
        "Line 2: document 1528075 of topic 2009001 was already judged in line 1. Remove one of the two lines."
    ],
    "fuzz/byte-order-mark-inside-a-tag.xml": [
        "Line 1: the XML is broken here (error parsing attribute name). Mend the file and upload it again.",
        r"Line 1: the XML is broken here (Couldn't find end of Start Tag \ufeff). Mend the file and upload it again.",
    ],
    "fuzz/tidy-and-untidy-topics.xml": [],
}


def problems_of(path):
    with path.open("rb") as stream:
        try:
            if path.parent.name == "assessments":
                return read_assessments(stream)[1]
            columns, problems = read_run(stream)
        except FormatError as error:
            return error.problems
    return problems + check(columns, Rules("relevant-in-context"))


def test_every_file_has_its_message():
    found = {
        str(path.relative_to(FOLDER))
        for folder in ("runs", "assessments", "fuzz")
        for path in (FOLDER / folder).iterdir()
    }

    assert found == MESSAGES.keys()


@pytest.mark.parametrize("name", MESSAGES)
def test_a_file_gets_the_message_of_its_fault(name):
    problems = problems_of(FOLDER / name)

    assert [str(problem) for problem in problems] == MESSAGES[name]
