"""Collections: archives of documents, and lists of ids and lengths."""

import io
import zipfile

import pytest

from limelight.formats.collections import collection_files, read_document_lengths
from limelight.formats.problems import FormatError
from limelight.text.documents import read_document


def zipped(files):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, payload in files.items():
            archive.writestr(name, payload)
    target.seek(0)
    return target


def refusal(read_file, stream):
    with pytest.raises(FormatError) as caught:
        list(read_file(stream))
    return [str(problem) for problem in caught.value.problems]


def test_documents_come_out_of_an_archive_with_their_ids():
    archive = zipped(
        {
            "wiki/README.txt": "about",
            "wiki/1/996300.xml": "<article>one</article>",
            "wiki/2/12345.xml": b"\xef\xbb\xbf<article>two</article>",
            "__MACOSX/wiki/1/._996300.xml": "<x/>",
            "wiki/.DS_Store": "x",
        }
    )

    documents = [read_document(stream, identifier) for identifier, stream in collection_files(archive)]

    assert [(document.identifier, document.text) for document in documents] == [("996300", "one"), ("12345", "two")]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"README": "x"}, "The archive holds no XML files."),
        (
            {"a/7.xml": "<a/>", "b/7.xml": "<a/>"},
            "The archive holds document 7 twice: a/7.xml and b/7.xml. Remove one of the two.",
        ),
        ({"a b.xml": "<a/>"}, "The file name 'a b.xml' gives no document id. Use names without blanks."),
        (
            {"x" * 201 + ".xml": "<a/>"},
            f"In the archive the document id '{'x' * 40}…' has 201 characters. At most 200 are allowed.",
        ),
    ],
    ids=["no-documents", "twice", "blank", "long"],
)
def test_a_faulty_collection_is_refused(files, message):
    assert refusal(collection_files, zipped(files)) == [message]


def test_what_is_no_archive_is_refused():
    assert refusal(collection_files, io.BytesIO(b"<a/>")) == [
        "The file isn't an archive. Pack the documents into a zip or tar.gz file."
    ]


def test_a_list_of_ids_and_lengths_is_read():
    lengths = read_document_lengths(io.BytesIO(b"# id length\n996300 58542\n12345\t0\n"))

    assert lengths == {"996300": 58542, "12345": 0}


def test_every_fault_of_a_list_is_reported():
    assert refusal(read_document_lengths, io.BytesIO(b"a 1\nb\nc x\na 2\nd 1 2\n")) == [
        "Line 2: 1 field found, 2 expected (document length).",
        "Line 3: the length 'x' isn't a whole number. Write digits only.",
        "Line 4: document a was already listed in line 1. Remove one of the two lines.",
        "Line 5: 3 fields found, 2 expected (document length).",
    ]
    assert refusal(read_document_lengths, io.BytesIO(b"# nothing\n")) == ["The file lists no documents."]


def with_a_damaged_file(payload, content):
    """Return a zip in which one byte of a file's content has fallen over."""
    place = payload.index(content)
    return io.BytesIO(payload[:place] + b"X" + payload[place + 1 :])


def test_damaged_files_of_an_archive_are_named_and_the_others_come_out():
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("whole.xml", "<a>whole</a>")
        archive.writestr("fallen.xml", "<a>fallen</a>")
        archive.writestr("empty.xml", "")
        archive.writestr("zeros.xml", b"\0" * 40)
        archive.writestr("other.xml", "PNG")
        archive.writestr("wide.xml", "<a/>".encode("utf-16"))
        archive.writestr("README", "about")
        archive.writestr("damaged-but-no-document.txt", "unread")
    found, faults = [], {}

    for identifier, stream in collection_files(with_a_damaged_file(target.getvalue(), b"fallen</a>")):
        try:
            found.append((identifier, stream.read()))
        except FormatError as error:
            faults[identifier] = str(error.problems[0])

    assert found == [("whole", b"<a>whole</a>")]
    assert faults == {
        "fallen": "Its file in the archive is damaged. Pack it again.",
        "empty": "Its file in the archive is empty, or holds nothing but zeros.",
        "zeros": "Its file in the archive is empty, or holds nothing but zeros.",
        "other": "Its file in the archive isn't XML: it doesn't begin with <.",
        "wide": "The file is in UTF-16 or UTF-32. Save it as UTF-8 and upload it again.",
    }


def test_an_archive_of_which_nothing_is_whole_is_refused():
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("fallen.xml", "<a>fallen</a>")

    assert refusal(collection_files, with_a_damaged_file(target.getvalue(), b"fallen</a>")) == [
        "The zip archive is damaged or packed in a way that isn't read here. Pack it again."
    ]
