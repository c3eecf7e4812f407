"""A file that is something else is told so in one sentence, by every reader."""

import gzip
import io
import pickle
import random
import tarfile

import pytest

from limelight.formats.archives import is_archive
from limelight.formats.assessments.reading import read_assessments
from limelight.formats.collections import collection_files, read_document_lengths
from limelight.formats.pools import read_pools
from limelight.formats.problems import FormatError
from limelight.formats.recognising import ASSESSMENTS, DOCUMENTS, RUN, root_name, text_slot
from limelight.formats.runs.beginning import read_beginning
from limelight.formats.runs.reading import read_run
from limelight.formats.topics.inex import read_topics
from tests.limelight.formats import seeds
from tests.limelight.formats.wrong_files import FOL, PNG, PROSE, TEXTS, packed

ARTICLES = {f"{n}.xml": b"<article><p>Salt is white.</p></article>" for n in range(20)}


def tarred(files):
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return target.getvalue()


def read_collection(stream):
    return list(collection_files(stream)) if is_archive(stream) else read_document_lengths(stream)


SLOTS = {
    "run": read_run,
    "assessments": read_assessments,
    "topics": read_topics,
    "pool": read_pools,
    "collection": read_collection,
}
FOREIGN = {
    "PNG": (PNG, "a PNG image"),
    "JPEG": (b"\xff\xd8\xff\xe0\x00\x10JFIF" + bytes(500), "a JPEG image"),
    "PDF": (b"%PDF-1.7\n" + random.Random(2).randbytes(500), "a PDF document"),
    "program": (b"\x7fELF\x02\x01\x01" + bytes(500), "a program"),
    "database": (b"SQLite format 3\x00" + bytes(500), "an SQLite database"),
    "pickle": (pickle.dumps({"run": [1, 2, 3]}), "a Python pickle"),
    "Parquet": (b"PAR1\x15\x04" + bytes(500), "a Parquet file"),
    "array": (b"\x93NUMPY\x01\x00v\x00{'descr': '<i8'}" + bytes(500), "a NumPy array"),
    "7z": (b"7z\xbc\xaf\x27\x1c" + bytes(500), "a 7z archive"),
    "xz": (b"\xfd7zXZ\x00" + bytes(500), "packed with xz"),
    "random bytes": (random.Random(3).randbytes(2_000), "binary, not text"),
    "only NULs": (bytes(3_000), "binary, not text"),
    "Russian in KOI8-R": ("Привет, как дела?\n".encode("koi8-r") * 30, "in another encoding than UTF-8, or binary"),
    "packed PNG": (gzip.compress(PNG), "a PNG image"),
}
OWN = {
    "run": {
        "FOL run": FOL,
        "TREC run": b"401 Q0 FT911-3 1 27.5 MyRun\n401 Q0 FT911-4 2 26.1 MyRun\n",
        "run of elements": seeds.ELEMENTS,
        "run of ranges": seeds.RANGES,
        "XML run": seeds.SUBMISSION,
        "packed run": gzip.compress(FOL),
    },
    "assessments": {
        "highlights": seeds.HIGHLIGHTS,
        "qrels": seeds.QRELS,
        "XML highlights": seeds.XML_HIGHLIGHTS,
        "graded": seeds.GRADED,
        "archive of highlights": packed({"7.xml": seeds.XML_HIGHLIGHTS}),
        "archive of graded": tarred({"7.xml": seeds.GRADED}),
    },
    "topics": {"topics": seeds.TOPICS, "one topic": seeds.ONE_TOPIC, "TREC topics": seeds.TREC_TOPICS},
    "pool": {"pool": seeds.POOL},
    "collection": {"lengths": seeds.LENGTHS, "documents": packed(ARTICLES), "tar of documents": tarred(ARTICLES)},
}
FILES = {name: (content, None) for name, (content, _) in FOREIGN.items()}
FILES |= {name: (content, None) for name, content in TEXTS.items()}
FILES |= {name: (content, slot) for slot, files in OWN.items() for name, content in files.items()}
FILES |= {"topics in an archive": (packed({"7.xml": seeds.ONE_TOPIC, "8.xml": seeds.ONE_TOPIC}), None)}


@pytest.mark.parametrize("slot", SLOTS)
@pytest.mark.parametrize("name", FILES)
def test_a_file_for_something_else_gets_one_sentence(name, slot):
    content, own = FILES[name]
    if own == slot:
        assert SLOTS[slot](io.BytesIO(content))
        return

    with pytest.raises(FormatError) as refused:
        SLOTS[slot](io.BytesIO(content))

    [problem] = refused.value.problems
    assert problem.rule in ("file-kind", "encoding", "root-element", "empty-file")
    assert problem.message.isprintable()
    assert len(problem.message) < 200


@pytest.mark.parametrize("name", FOREIGN)
def test_a_binary_file_is_called_by_its_name(name):
    content, kind = FOREIGN[name]

    with pytest.raises(FormatError) as refused:
        read_run(io.BytesIO(content))

    assert str(refused.value) == f"The file is {kind}. Upload the text or XML itself, or pack it with gzip once."
    assert read_beginning(content).problem == str(refused.value)


@pytest.mark.parametrize(
    ("read", "content", "sentence"),
    [
        (read_run, seeds.HIGHLIGHTS, "The file holds assessments, not a run. Choose another file."),
        (read_run, seeds.QRELS, "The file holds assessments, not a run. Choose another file."),
        (read_run, seeds.GRADED, "The file holds assessments, not a run. Choose another file."),
        (read_run, seeds.TREC_TOPICS, "The file holds topics, not a run. Choose another file."),
        (read_run, seeds.POOL, "The file is a pool, not a run. Choose another file."),
        (read_run, seeds.LENGTHS, "The file lists documents with their lengths, not a run. Choose another file."),
        (read_assessments, FOL, "The file is a run, not assessments. Choose another file."),
        (read_assessments, seeds.DOCUMENTS, "The file is a run, not assessments. Choose another file."),
        (read_assessments, seeds.TOPICS, "The file holds topics, not assessments. Choose another file."),
        (
            read_assessments,
            packed(ARTICLES),
            "None of the archive's 20 XML files holds assessments. "
            "0.xml, line 1: the root element is <article>, not <assessments>. These aren't assessments.",
        ),
        (read_topics, seeds.HIGHLIGHTS, "The file holds assessments, not topics. Choose another file."),
        (read_topics, seeds.SUBMISSION, "The file is a run, not topics. Choose another file."),
        (read_pools, seeds.XML_HIGHLIGHTS, "The file holds assessments, not a pool. Choose another file."),
        (read_collection, FOL, "The file is a run, not documents. Choose another file."),
        (
            read_collection,
            packed({"7.xml": seeds.GRADED}),
            "7.xml holds assessments, not a document. Pack the documents themselves.",
        ),
        (
            read_collection,
            seeds.ARTICLE,
            "The file is a single XML file. Pack the documents into a zip or tar.gz archive.",
        ),
        (
            read_collection,
            TEXTS["Word"],
            "The file is a Word document, not an archive of your files. Pack the files themselves.",
        ),
        (
            read_run,
            TEXTS["CSV"],
            "The fields are parted by commas, as in a CSV file. Part them by blanks or tabs: "
            "topic Q0 file rank rsv run_id ….",
        ),
        (
            read_collection,
            b"d1,58542\nd2,12\n",
            "The fields are parted by commas, as in a CSV file. Part them by blanks or tabs: document length ….",
        ),
        (
            read_run,
            PROSE,
            "The file isn't a run: its lines don't read like topic Q0 file rank rsv run_id …. Choose another file.",
        ),
        (read_run, TEXTS["web page"], "The file is a web page, not a run. Save the file behind its link instead."),
        (
            read_run,
            TEXTS["Word"],
            "The file is a Word document. Upload the text or XML itself, or pack it with gzip once.",
        ),
    ],
)
def test_the_sentence_says_what_it_is(read, content, sentence):
    with pytest.raises(FormatError) as refused:
        read(io.BytesIO(content))

    assert [str(problem) for problem in refused.value.problems] == [sentence]


def test_the_slot_decides_about_lines_that_could_be_both():
    both = b"7 Q0 d1 1 5 12\n7 Q0 d2 2 4 12\n"

    assert text_slot(both, RUN) is None
    assert text_slot(both, ASSESSMENTS) is None
    assert text_slot(both, DOCUMENTS) is RUN or text_slot(both, DOCUMENTS) is None


def test_a_run_with_faults_is_still_a_run():
    """Decimal commas, missing fields, odd letters and a NUL leave every line its own message."""
    faulty = b"7 Q0 d1 1 0,5 R 0 5\n7 Q0 d2 2 0,4 R 0 5\n7 Q0 caf\xe9 3 0.3 R 0\n7 Q0 d\x00 4 0.2 R 0 5\n" * 2

    with pytest.raises(FormatError) as refused:
        read_run(io.BytesIO(faulty))

    assert {problem.rule for problem in refused.value.problems} == {"number", "field-count", "control-character"}
    assert len(refused.value.problems) == 8


def test_an_example_in_a_readme_makes_it_no_run():
    readme = PROSE + b"Lines look like this:\n" + FOL.splitlines(keepends=True)[0]

    for read in (read_run, read_assessments, read_document_lengths):
        with pytest.raises(FormatError) as refused:
            read(io.BytesIO(readme))
        assert [problem.rule for problem in refused.value.problems] == ["file-kind"]


def test_pictures_beside_documents_are_left_out():
    files = packed({"a.xml": b"<a/>", "a.png": PNG, "README": b"x"})

    assert [name for name, _ in collection_files(io.BytesIO(files))] == ["a"]


def test_the_root_element_is_found_behind_any_prolog():
    prolog = b'<?xml version="1.0"?>\n<!-- <assessments> --><!DOCTYPE r SYSTEM "x.dtd" [\n'
    prolog += b'<!ENTITY a "<assessments>"> <!ELEMENT b (c)> <?pi?> %p; ]  >\n'

    assert root_name(prolog + b"<inex-submission run-id='R'>") == "inex-submission"
    assert root_name(b"no tag") == ""
