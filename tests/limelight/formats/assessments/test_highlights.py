"""Highlighted text in its text form: what real files do, what is refused, and writing it again."""

import io

import numpy as np
import pytest

from limelight.formats.assessments.columns import UNKNOWN, JudgementColumns
from limelight.formats.assessments.highlights import read_highlight_lines, write_highlights
from limelight.formats.opening import Limits
from limelight.formats.problems import FormatError

GOOD = b"""\
2009001 Q0 1528075 49158 58542 126 126:28761 28893:20397
2009001 Q0 12345 0 4210
2009002 Q0 1528075 10 58542 0 20:4 0:6
"""


def read(payload):
    return read_highlight_lines(payload, Limits())


def refusal(payload):
    with pytest.raises(FormatError) as caught:
        read(payload)
    return [str(problem) for problem in caught.value.problems]


def same(first, second):
    return all(
        np.array_equal(getattr(first, name), getattr(second, name)) for name in JudgementColumns.__dataclass_fields__
    )


def test_judgements_become_columns():
    columns, problems = read(GOOD)

    assert problems == []
    assert columns.topics == ("2009001", "2009002")
    assert columns.documents == ("1528075", "12345")
    assert columns.topic.tolist() == [0, 0, 1]
    assert columns.document.tolist() == [0, 1, 0]
    assert columns.document_length.tolist() == [58542, 4210, 58542]
    assert columns.entry_point.tolist() == [126, UNKNOWN, 0]
    assert columns.line.tolist() == [1, 2, 3]
    assert columns.judgement.tolist() == [0, 0, 2, 2]
    assert columns.offset.tolist() == [126, 28893, 0, 20]
    assert columns.length.tolist() == [28761, 20397, 6, 4]
    assert columns.relevant_characters.tolist() == [49158, 0, 10]


def test_judgements_are_grouped_by_topic():
    columns, _ = read(b"7 Q0 a 1 9 0 0:1\n8 Q0 a 2 9 0 0:2\n7 Q0 b 3 9 0 0:3\n")

    assert columns.topic.tolist() == [0, 0, 1]
    assert columns.line.tolist() == [1, 3, 2]
    assert columns.judgement.tolist() == [0, 1, 2]
    assert columns.length.tolist() == [1, 3, 2]


@pytest.mark.parametrize(
    "line",
    [
        b"7 Q0 a 0 4210 -1",
        b"7\tQ0  a 0 4210",
        b"7 Q0 a 0 4210\r",
        b"7 Q0 a 0 4210 -1 5:0",
        b"7 Q0 a 3 4210 -1 5:0 5:3",
        b"7 Q0 a 3 -1 2 5:3 ",
    ],
    ids=["minus-one", "wide", "crlf", "empty-passage", "empty-beside", "unknown-length"],
)
def test_what_real_files_do_is_tolerated(line):
    columns, problems = read(line + b"\n")

    assert problems == []
    assert len(columns) == 1


def test_more_relevant_text_than_text_is_a_warning():
    columns, problems = read(b"7 Q0 a 30 20 0 0:30\n7 Q0 b 5 20 0 18:5\n")

    assert len(columns) == 2
    assert [(str(problem), problem.severity) for problem in problems] == [
        (
            "Line 1: document a of topic 7 has 30 relevant characters in a document of 20. "
            "The passages are taken as they are.",
            "warning",
        ),
        (
            "Line 2: document b of topic 7 has a passage up to 23 in a document of 20. "
            "The passages are taken as they are.",
            "warning",
        ),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            b"2009001 Q0 12345 0 4210",
            "document 12345 of topic 2009001 was already judged in line 2. Remove one of the two lines.",
        ),
        (b"7 Q0 a 9 90 0 0:5", "the passages of document a of topic 7 add up to 5 characters, but the line says 9."),
        (b"7 Q0 a 9 90", "the passages of document a of topic 7 add up to 0 characters, but the line says 9."),
        (
            b"7 Q0 a 15 90 0 0:10 5:5",
            "document a of topic 7 has the passages 0:10 and 5:5, which overlap. Join them into one.",
        ),
        (
            b"7 Q0 a 15 90 0 7:5 0:10 3:0",
            "document a of topic 7 has the passages 0:10 and 7:5, which overlap. Join them into one.",
        ),
        (
            b"7 Q0 a 9",
            "4 fields found, at least 5 expected (topic Q0 file relevant_chars document_length "
            "[entry_point offset:length …]).",
        ),
        (b"7 Q0 a x 90", "the number of relevant characters 'x' isn't a whole number. Write digits only."),
        (b"7 Q0 a 0 -7", "the document length -7 is negative. It is at least 0."),
        (b"7 Q0 a 5 90 p 0:5", "the entry point 'p' isn't a whole number. Write digits only."),
        (b"7 Q0 a 5 90 0 0-5", "the passage '0-5' isn't written as offset:length."),
        (b"7 Q0 a 5 90 0 0:-5", "the passage length -5 is negative. It is at least 0."),
        (b"7 Q0 a 5 90 0 :5", "the passage offset '' isn't a whole number. Write digits only."),
    ],
)
def test_a_faulty_line_is_refused_with_its_number(line, message):
    assert refusal(GOOD + line + b"\n") == [f"Line 4: {message}"]


def test_every_fault_is_reported_at_once():
    assert refusal(b"7 Q0 a x y\n7 Q0 b 1 9 0 0:3\n7 Q0 b 0 9\n") == [
        "Line 1: the number of relevant characters 'x' isn't a whole number. Write digits only.",
        "Line 1: the document length 'y' isn't a whole number. Write digits only.",
        "Line 2: the passages of document b of topic 7 add up to 3 characters, but the line says 1.",
        "Line 3: document b of topic 7 was already judged in line 2. Remove one of the two lines.",
    ]


def test_a_file_without_judgements_is_refused():
    assert refusal(b"# nothing\n") == ["The file holds no judgements."]


def test_what_is_written_reads_the_same():
    columns, _ = read(GOOD + b"7 Q0 caf\xc3\xa9 3 -1 2 5:3 9:0\n7 Q0 b 0 9 4\n")
    written = io.BytesIO()

    write_highlights(columns, written)

    assert same(read(written.getvalue())[0], columns)


def test_columns_survive_being_saved():
    columns, _ = read(GOOD)
    store = io.BytesIO()

    columns.save(store)
    store.seek(0)

    assert same(JudgementColumns.load(store), columns)
