"""convert: runs and assessments in every form, and a sentence where there is none."""

import io
import zipfile

import pytest

from evaluation.__main__ import main
from limelight.formats.runs.reading import read_run

ARTICLE = "<article><p>abcde</p>\n<p>fghij</p></article>"
HIGHLIGHTS = b"1 Q0 a 6 11 1 1:3 7:3\n2 Q0 a 0 11\n"
XML = b"""<?xml version="1.0" encoding="UTF-8"?>
<all-assessments>
<assessments topic="1">
<file name="a">
<best-entry-point path="/article[1]/p[1]/text()[1].1"/>
<passage start="/article[1]/p[1]/text()[1].1" end="/article[1]/p[1]/text()[1].4" size="3"/>
<passage start="/article[1]/p[2]/text()[1].1" end="/article[1]/p[2]/text()[1].4" size="3"/>
<element path="/article[1]" size="11" rsize="6"/>
<element path="/article[1]/p[1]" size="5" rsize="3"/>
<element path="/article[1]/p[2]" size="5" rsize="3"/>
</file>
</assessments>
<assessments topic="2">
<file name="a">
</file>
</assessments>
</all-assessments>
"""
GRADED = b"""<?xml version="1.0" encoding="UTF-8"?>
<assessments topic="91">
<file file="co/2000/r7108">
<path path="/article[1]" exhaustiveness="2" specificity="U" inferred="true"/>
</file>
</assessments>
"""


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.xml").write_text(ARTICLE)
    (tmp_path / "lengths").write_text("a 11\n")
    (tmp_path / "good.fol").write_text("1 Q0 a 1 1 good 0 60\n1 Q0 b 2 0.5 good 0 50\n")
    (tmp_path / "paths.fol").write_text("1 Q0 a 1 0.5 elements /article[1]/p[2]\n")
    (tmp_path / "highlights.txt").write_bytes(HIGHLIGHTS)
    (tmp_path / "far.txt").write_bytes(b"1 Q0 a 5 11 0 7:5\n1 Q0 b 1 5 0 0:1\n")
    (tmp_path / "grades.qrels").write_bytes(b"1 0 a 2\n")
    (tmp_path / "highlights.xml").write_bytes(XML)
    (tmp_path / "graded.xml").write_bytes(GRADED)
    return tmp_path


def converted(capfdbinary, *arguments):
    """Return what the command writes, and what it says beside it."""
    assert main(["convert", "--from", *arguments]) == 0
    told = capfdbinary.readouterr()
    return told.out, told.err.decode()


def test_a_run_reads_the_same(files):
    assert main(["convert", "--from", "run", "--to", "xml", "good.fol", "good.xml"]) == 0
    assert main(["convert", "--from", "run", "--to", "fol", "good.xml", "again.fol"]) == 0

    with (files / "good.fol").open("rb") as first, (files / "again.fol").open("rb") as second:
        one, other = read_run(first)[0], read_run(second)[0]
    assert one.documents == other.documents
    assert one.offset.tolist() == other.offset.tolist()
    assert one.length.tolist() == other.length.tolist()
    assert one.run_id == other.run_id


def test_paths_become_offsets(capfdbinary):
    arguments = ("run", "--to", "fol", "--collection", "docs", "paths.fol")

    assert converted(capfdbinary, *arguments) == (b"1 Q0 a 1 0.5 elements 6 5\n", "")


def test_offsets_become_points_and_points_offsets(capfdbinary):
    there = ("assessments", "--to", "xml", "--collection", "docs", "highlights.txt")
    back = ("assessments", "--to", "highlights", "--collection", "docs", "highlights.xml")

    assert converted(capfdbinary, *there) == (XML, "")
    assert converted(capfdbinary, *back) == (HIGHLIGHTS, "")


@pytest.mark.parametrize("file", ["highlights.xml", "graded.xml"])
@pytest.mark.parametrize("collection", [(), ("--collection", "lengths")])
def test_xml_needs_no_documents_to_stay_as_it_is(capfdbinary, files, file, collection):
    written, notes = converted(capfdbinary, "assessments", "--to", "xml", *collection, file)

    assert (written, notes) == ((files / file).read_bytes(), "")


def test_an_archive_has_a_file_a_topic_and_becomes_one_document_again(capfdbinary, files):
    assert main(["convert", "--from", "assessments", "--to", "zip", "highlights.xml", "highlights.zip"]) == 0

    with zipfile.ZipFile(files / "highlights.zip") as archive:
        assert archive.namelist() == ["1.xml", "2.xml"]
        first_line, _, rest = archive.read("2.xml").partition(b"\n")
    assert first_line == b'<?xml version="1.0" encoding="UTF-8"?>'
    assert rest == b'<assessments topic="2">\n<file name="a">\n</file>\n</assessments>\n'
    assert converted(capfdbinary, "assessments", "--to", "xml", "highlights.zip") == (XML, "")


def test_an_archive_can_go_to_standard_output(capfdbinary):
    archive, _ = converted(capfdbinary, "assessments", "--to", "zip", "graded.xml")

    assert zipfile.ZipFile(io.BytesIO(archive)).read("91.xml") == GRADED


def test_highlighted_documents_become_grades(capfdbinary):
    for file in ("highlights.txt", "highlights.xml"):
        assert converted(capfdbinary, "assessments", "--to", "qrels", file) == (b"1 0 a 1\n2 0 a 0\n", "")


def test_a_collection_of_another_length_is_told(capfdbinary, files):
    (files / "longer.txt").write_bytes(HIGHLIGHTS.replace(b" 11 1 ", b" 12 1 "))

    written, notes = converted(capfdbinary, "assessments", "--to", "xml", "--collection", "docs", "longer.txt")

    assert written == XML
    assert notes == (
        "longer.txt:1: warning: document a has 12 characters here, but 11 in the collection. "
        "The collection's number is taken.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["topics", "--to", "fol", "good.fol"], "--from takes run or assessments, not “topics”.\n"),
        (["run", "--to", "qrels", "good.fol"], "Files from run are written as fol or xml, not “qrels”.\n"),
        (
            ["assessments", "--to", "fol", "grades.qrels"],
            "Files from assessments are written as highlights, qrels, xml or zip, not “fol”.\n",
        ),
        (
            ["run", "--to", "fol", "missing.fol"],
            "missing.fol: can't be read (No such file or directory).\n",
        ),
        (["run", "--to", "fol", "good.fol", "no/such"], "no/such: can't be written (No such file or directory).\n"),
        (
            ["assessments", "--to", "highlights", "grades.qrels"],
            "grades.qrels: holds grades of documents, which can't be written as highlights.\n",
        ),
        (
            ["assessments", "--to", "xml", "--collection", "docs", "grades.qrels"],
            "grades.qrels: holds grades of documents, which can't be written as xml.\n",
        ),
        (
            ["assessments", "--to", "qrels", "graded.xml"],
            "graded.xml: holds grades of elements, which can't be written as qrels.\n",
        ),
        (
            ["assessments", "--to", "highlights", "highlights.xml"],
            "highlights.xml: holds sizes of elements, which can't be written as highlights. "
            "Give the documents with --collection.\n",
        ),
        (
            ["assessments", "--to", "zip", "highlights.txt"],
            "highlights.txt: holds offsets, which can't be written as zip. Give the documents with --collection.\n",
        ),
        (
            ["assessments", "--to", "xml", "--collection", "lengths", "highlights.txt"],
            "highlights.txt: holds offsets, which can't be written as xml. Give the documents with --collection. "
            "lengths has only their lengths.\n",
        ),
        (
            ["assessments", "--to", "xml", "--collection", "docs", "far.txt"],
            "far.txt:1: document a of topic 1 is judged up to character 12, but has only 11 in the collection.\n"
            "far.txt:2: document b isn't in the collection, so its passages have no place.\n",
        ),
    ],
)
def test_what_can_not_be_written_is_a_sentence_and_exit_2(arguments, told, capsys, files):
    before = sorted(files.iterdir())

    code = main(["convert", "--from", *arguments])

    said = capsys.readouterr()
    assert (code, said.out, said.err) == (2, "", told)
    assert sorted(files.iterdir()) == before


def test_an_absent_rsv_is_never_written_as_a_number_that_is_none(files, capfdbinary):
    results = "".join(f"<result><file>a</file><fol offset='{place}' length='3'/></result>" for place in (0, 6))
    topic = f"<topic topic-id='1'>{results}</topic>"
    (files / "bare.xml").write_text(f"<inex-submission run-id='bare'>{topic}</inex-submission>")

    text, said = converted(capfdbinary, "run", "--to", "fol", "bare.xml")
    xml, unsaid = converted(capfdbinary, "run", "--to", "xml", "bare.xml")

    assert text == b"1 Q0 a 1 -1.0 bare 0 3\n1 Q0 a 2 -2.0 bare 6 3\n"
    assert said == (
        "bare.xml: warning: 2 results have no rsv. Text needs one: numbers that keep the order of the file stand in.\n"
    )
    assert b"rsv" not in xml
    assert unsaid == ""
