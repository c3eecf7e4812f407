"""Text runs: every layout that real files have, and every fault with its line."""

import gzip
import io

import pytest

from limelight.formats.columns import UNMAPPED, RunColumns
from limelight.formats.opening import Limits
from limelight.formats.problems import FormatError
from limelight.formats.runs.reading import read_run
from tests.limelight.formats.runs.samples import GOOD, same

PACKED = gzip.compress(GOOD, mtime=0)


def read(payload, **limits):
    return read_run(io.BytesIO(payload), limits=Limits(**limits))


def refusal(payload, **limits):
    with pytest.raises(FormatError) as caught:
        read(payload, **limits)
    return [str(problem) for problem in caught.value.problems]


def test_a_fol_run_becomes_columns():
    columns, problems = read(GOOD)

    assert problems == []
    assert (columns.run_id, columns.result_type) == ("RUN", "passage")
    assert columns.topics == ("2009001", "2009002")
    assert columns.documents == ("1528075", "198076")
    assert columns.topic.tolist() == [0, 0, 1]
    assert columns.document.tolist() == [0, 1, 0]
    assert columns.rank.tolist() == [1, 2, 1]
    assert columns.rsv.tolist() == [-0.00075, -0.00083, 0.035]
    assert columns.offset.tolist() == [9760, 1946, 0]
    assert columns.length.tolist() == [1848, 1439, 12]
    assert columns.line.tolist() == [1, 2, 3]
    assert columns.path.tolist() == [-1, -1, -1]


@pytest.mark.parametrize(
    "untidy",
    [
        GOOD.replace(b" ", b"\t"),
        GOOD.replace(b" ", b"  \t"),
        GOOD.replace(b"\n", b"\r\n"),
        GOOD.replace(b"\n", b"\r"),
        GOOD.replace(b"\n", b" \n"),
        GOOD.removesuffix(b"\n"),
        b"\xef\xbb\xbf" + GOOD,
        PACKED,
        gzip.compress(GOOD[:50], mtime=0) + gzip.compress(GOOD[50:], mtime=0),
        PACKED + bytes(512),
        GOOD.replace(b"2009", b" 2009"),
    ],
    ids=["tabs", "wide", "crlf", "cr", "trailing", "no-end", "mark", "gzip", "two-gzips", "padded-gzip", "leading"],
)
def test_untidy_files_read_like_tidy_ones(untidy):
    columns, problems = read(untidy)

    assert problems == []
    assert same(columns, read(GOOD)[0])


def test_blank_lines_and_hash_lines_are_skipped_but_counted():
    columns, problems = read(b"# ir_metadata.start\n# platform:\n# ir_metadata.end\n\n" + GOOD)

    assert problems == []
    assert columns.line.tolist() == [5, 6, 7]


@pytest.mark.parametrize("marks", [b"X X", b"-1 -1", b"X 12", b"-1 12"])
def test_results_that_were_never_mapped_have_no_place(marks):
    columns, problems = read(b"7 Q0 d1 1 0.5 RUN " + marks)

    assert problems == []
    assert (columns.offset.tolist(), columns.length.tolist()) == ([UNMAPPED], [0])


def test_seven_columns_may_end_in_an_element_path():
    columns, _ = read(b"7 Q0 d1 1 0.5 RUN /article[1]/bdy[1]/sec[2]\n")

    assert columns.result_type == "element"
    assert columns.paths == ("/article[1]/bdy[1]/sec[2]",)
    assert (columns.path.tolist(), columns.offset.tolist()) == ([0], [UNMAPPED])


def test_seven_columns_may_end_in_an_entry_point():
    columns, _ = read(b"7 Q0 d1 1 0.5 RUN 126\n")

    assert columns.result_type == "entry-point"
    assert (columns.offset.tolist(), columns.length.tolist()) == ([126], [0])


def test_six_columns_return_whole_documents():
    columns, _ = read(b"7 Q0 d1 1 0.5 RUN\n")

    assert columns.result_type == "document"
    assert (columns.offset.tolist(), columns.length.tolist()) == ([0], [0])


def test_eight_columns_may_end_in_a_range_of_elements():
    columns, _ = read(b"7 Q0 d1 1 0.5 RUN /article[1]/p[1] /article[1]/p[3]\n")

    assert columns.result_type == "passage"
    assert columns.paths == ("/article[1]/p[1] /article[1]/p[3]",)
    assert columns.offset.tolist() == [UNMAPPED]


def test_topics_that_stand_apart_are_joined_in_file_order():
    columns, problems = read(b"7 Q0 a 1 3 R 0 5\n8 Q0 b 1 3 R 0 5\n7 Q0 c 2 2 R 0 5\n")

    assert columns.topic.tolist() == [0, 0, 1]
    assert [columns.documents[number] for number in columns.document] == ["a", "c", "b"]
    assert columns.line.tolist() == [1, 3, 2]
    assert [(str(problem), problem.severity) for problem in problems] == [
        ("Line 3: topic 7 comes back here after line 1. Its results are joined in the order of the file.", "warning")
    ]


def test_a_second_run_id_is_a_warning():
    columns, problems = read(b"7 Q0 a 1 3 R 0 5\n7 Q0 b 2 3 S 0 5\n7 Q0 c 3 3 R 0 5\n7 Q0 d 4 3 S 0 5\n")

    assert columns.run_id == "R"
    assert [str(problem) for problem in problems] == ["Line 2: the run id changes from R to S. The run is called R."]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"7 Q0 d1", "3 fields found, 8 expected (topic Q0 file rank rsv run_id offset length)."),
        (b"7", "1 field found, 8 expected (topic Q0 file rank rsv run_id offset length)."),
        (b"7 Q0 d1 1 0.5 RUN 12", "7 fields found, 8 expected (topic Q0 file rank rsv run_id offset length)."),
        (b"7 Q0 d1 1 0.5 RUN 1 2 3", "9 fields found, 8 expected (topic Q0 file rank rsv run_id offset length)."),
        (
            b"7 Q0 d1 1 0.5 RUN /article[1]",
            "the line returns an element, where the rest of the file returns a passage. "
            "A run holds one kind of result.",
        ),
        (
            b"7 Q0 d1 1 0.5 RUN /a[1] /b[1]",
            "the line returns a range of elements, where the rest of the file returns a passage. "
            "A run holds one kind of result.",
        ),
        (b"7 Q0 d1 1st 0.5 RUN 0 5", "the rank '1st' isn't a whole number. Write digits only."),
        (b"7 Q0 d1 1_0 0.5 RUN 0 5", "the rank '1_0' isn't a whole number. Write digits only."),
        (b"7 Q0 d1 -3 0.5 RUN 0 5", "the rank -3 is negative. It is at least 0."),
        (b"7 Q0 d1 1 0,5 RUN 0 5", "the rsv '0,5' isn't a number. Write a point, not a comma."),
        (b"7 Q0 d1 1 high RUN 0 5", "the rsv 'high' isn't a number. Write it like 0.25."),
        (b"7 Q0 d1 1 NaN RUN 0 5", "the rsv is 'NaN'. Write a finite number."),
        (b"7 Q0 d1 1 -inf RUN 0 5", "the rsv is '-inf'. Write a finite number."),
        (b"7 Q0 d1 1 1e999 RUN 0 5", "the rsv '1e999' is out of range. Write a finite number."),
        (b"7 Q0 d1 1 0.5 RUN -2 5", "the offset -2 is negative. It is at least 0."),
        (b"7 Q0 d1 1 0.5 RUN 0 -1", "the length -1 is negative. It is at least 0."),
        (b"7 Q0 d1 1 0.5 RUN 0 X", "the length 'X' isn't a whole number. Write digits only."),
        (b"7 Q0 d1 1 0.5 RUN 2147483648 5", "the offset '2147483648' is out of range. It is at most 2147483647."),
        (
            b"7 Q0 d1 1 0.5 RUN 0 " + b"9" * 5000,
            f"the length '{'9' * 40}…' is out of range. It is at most 2147483647.",
        ),
        (
            b"7 Q0 d\x00 1 0.5 RUN 0 5",
            r"the document id 'd\x00' holds the character U+0000, which cannot be printed. Remove it.",
        ),
        (
            b"7 Q0 caf\xe9 1 0.5 RUN 0 5",
            r"the document id 'caf\xe9' isn't valid UTF-8 (byte 0xE9). Save the file as UTF-8.",
        ),
        (
            b"7 Q0 " + b"d" * 201 + b" 1 0.5 RUN 0 5",
            f"the document id '{'d' * 40}…' has 201 characters. At most 200 are allowed.",
        ),
    ],
)
def test_a_faulty_line_is_refused_with_its_number(line, message):
    assert refusal(GOOD + line + b"\n") == [f"Line 4: {message}"]


def test_every_fault_is_reported_at_once():
    assert refusal(b"7 Q0 a 1 x R -5 y\n7 Q0 b\n7 Q0 c 1 1 R 0 5\n7 Q0 d 1 1 R 0 -5\n") == [
        "Line 1: the rsv 'x' isn't a number. Write it like 0.25.",
        "Line 1: the offset -5 is negative. It is at least 0.",
        "Line 1: the length 'y' isn't a whole number. Write digits only.",
        "Line 2: 3 fields found, 8 expected (topic Q0 file rank rsv run_id offset length).",
        "Line 4: the length -5 is negative. It is at least 0.",
    ]


def test_the_error_knows_the_first_line_and_each_topic():
    with pytest.raises(FormatError) as caught:
        read(GOOD + b"2009003 Q0 a one 1 R 0 5\n")

    assert caught.value.line == 4
    assert caught.value.problems[0].topic == "2009003"
    assert caught.value.problems[0].rule == "number"


@pytest.mark.parametrize(
    ("payload", "limits", "message"),
    [
        (b"", {}, "The file is empty."),
        (b"\n\n# nothing\n", {}, "The file holds no results."),
        (GOOD, {"size": 100}, "The file is larger than 100 bytes, the most that is read."),
        (PACKED, {"unpacked_size": 100}, "The file is larger than 100 bytes when unpacked, the most that is read."),
        (GOOD, {"lines": 2}, "The file has 3 lines. At most 2 are read."),
        (GOOD, {"line_size": 43}, "Line 1: the line has 44 bytes. At most 43 are allowed."),
        (PACKED[:-9], {}, "The gzip file ends too early: a part of it is missing. Upload it again."),
        (
            PACKED[:-8] + bytes(8),
            {},
            "The gzip file is damaged and cannot be unpacked. Pack it again and upload it again.",
        ),
        (GOOD.decode().encode("utf-16"), {}, "The file is in UTF-16 or UTF-32. Save it as UTF-8 and upload it again."),
        (
            gzip.compress(PACKED, mtime=0),
            {},
            "The file is packed with gzip twice. Upload the text or XML itself, or pack it with gzip once.",
        ),
        (
            b"PK\x03\x04" + bytes(50),
            {},
            "The file is a zip archive. Upload the text or XML itself, or pack it with gzip once.",
        ),
    ],
    ids=["empty", "blank", "size", "unpacked", "lines", "line", "cut-gzip", "bad-gzip", "utf-16", "gzip-twice", "zip"],
)
def test_a_file_that_is_no_run_at_all_gets_one_sentence(payload, limits, message):
    assert refusal(payload, **limits) == [message]


def test_a_file_full_of_faults_is_counted_exactly():
    problems = refusal(b"7 Q0 a 1 0.5\n" * 60_000)

    assert len(problems) == 50_001
    assert problems[-1] == "The same fault as in the 50,000 lines listed (field-count) is in 10,000 more."


METADATA = b"""\
# ir_metadata.start
# platform:
#   hardware:
#     cpu:
#       model: 'Two: cores'
#   software:
#     libraries:
#       python:
#         - numpy
#         - lxml
# research goal:
#   venue:
#     name: INEX
#   abstract: |
#     Salt and
#     pepper.
# actor:
#   name: Nobody
#   team: Sea
# data:
#   - name: wikipedia
#     language: en
#   -  name: "plays"
# what is this
# ir_metadata.end
"""


def test_the_metadata_block_is_read():
    columns, problems = read(METADATA + GOOD)

    assert columns.header.participant == "Sea"
    assert columns.header.metadata == (
        ("platform.hardware.cpu.model", "Two: cores"),
        ("platform.software.libraries.python.0", "numpy"),
        ("platform.software.libraries.python.1", "lxml"),
        ("research goal.venue.name", "INEX"),
        ("research goal.abstract", "Salt and pepper."),
        ("actor.name", "Nobody"),
        ("actor.team", "Sea"),
        ("data.0.name", "wikipedia"),
        ("data.0.language", "en"),
        ("data.1.name", "plays"),
    )
    assert [(str(problem), problem.severity) for problem in problems] == [
        (
            "Line 24: this line of the metadata isn't understood and left out. Write it like '# name: value', "
            "and put quotes around a value with colons or brackets.",
            "warning",
        )
    ]


def test_columns_survive_being_saved():
    columns, _ = read(METADATA + b"7 Q0 d\xc3\xa9 1 0.5 RUN /article[1]\n8 Q0 d1 1 0.5 RUN /article[1]\n")
    store = io.BytesIO()

    columns.save(store)
    store.seek(0)

    assert same(columns, RunColumns.load(store))
