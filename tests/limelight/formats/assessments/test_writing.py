"""Assessments that are written read the same, in every form that can hold them."""

import io
import zipfile

import pytest
from hypothesis import given

from limelight.formats.assessments.reading import Assessments, is_xml, read_assessments
from limelight.formats.assessments.writing import FORMS, Unwritable, write_assessments
from limelight.formats.assessments.xml_writing import graded_topics, write_archive
from limelight.text.documents import read_document
from tests.examples import examples
from tests.limelight.formats.assessments.samples import ARTICLE, GRADED, JUDGED, elements_of, judgements_of, points_of
from tests.limelight.formats.assessments.strategies import (
    graded_content,
    highlighted_content,
    judged_collections,
    judged_files,
)

XML_FORMS = ("xml", "zip")
TEXT = b"7 Q0 996300 5 16 4 4:5\n7 Q0 12345 0 40\n8 Q0 996300 16 16 0 0:3 3:0 3:13\n"
QRELS = b"401 0 FT911-3 2\n401 0 FT911-4 -1\n402 0 FT911-3 0\n"
TWO_TOPICS = f"<all>{JUDGED.format(topic='414')}{JUDGED.format(topic='a&amp;b')}</all>".encode()
DOCUMENTS = {"996300": read_document(io.BytesIO(ARTICLE), "996300")}


def read(payload, **options):
    return read_assessments(io.BytesIO(payload), **options)[0]


def written(assessments, form, documents=None):
    target = io.BytesIO()
    write_assessments(assessments, form, target, documents)
    return target.getvalue()


def places(documents):
    return lambda name: documents[name].places if name in documents else None


@pytest.mark.parametrize(("payload", "form"), [(TEXT, "highlights"), (QRELS, "qrels")], ids=["highlights", "qrels"])
def test_text_comes_back_as_it_was(payload, form):
    assert written(read(payload), form) == payload


@pytest.mark.parametrize("form", XML_FORMS)
def test_xml_highlights_read_the_same(form):
    assessments = read(TWO_TOPICS)

    again = read(written(assessments, form))

    assert points_of(again.highlights) == points_of(assessments.highlights)
    assert judgements_of(again.judgements) == judgements_of(assessments.judgements)
    assert again.element_spans == assessments.element_spans


@examples(100)
@given(source=judged_files("name", highlighted_content()))
def test_any_xml_highlights_read_the_same(source):
    assessments = read(source)

    for form in XML_FORMS:
        assert points_of(read(written(assessments, form)).highlights) == points_of(assessments.highlights)


@pytest.mark.parametrize("form", XML_FORMS)
def test_graded_elements_read_the_same(form):
    assessments = read(GRADED)

    assert elements_of(read(written(assessments, form)).elements) == elements_of(assessments.elements)


@examples(100)
@given(source=judged_files("file", graded_content()).filter(lambda source: b"<path" in source))
def test_any_graded_elements_read_the_same(source):
    assessments = read(source)

    for form in XML_FORMS:
        assert elements_of(read(written(assessments, form)).elements) == elements_of(assessments.elements)


@pytest.mark.parametrize("form", XML_FORMS)
def test_offsets_written_as_points_are_the_same_offsets(form):
    assessments = read(TEXT.replace(b" 40\n", b" -1\n"))

    again = read(written(assessments, form, DOCUMENTS.get), lookup=places(DOCUMENTS))

    assert judgements_of(again.judgements) == judgements_of(assessments.judgements)


@examples(100)
@given(judged_collections())
def test_any_offsets_written_as_points_are_the_same_offsets(judged):
    documents, lines = judged
    assessments = read(lines)

    for form in XML_FORMS:
        again = read(written(assessments, form, documents.get), lookup=places(documents))
        assert judgements_of(again.judgements) == judgements_of(assessments.judgements)


def test_one_topic_is_a_document_by_itself_and_several_stand_in_one_root():
    one, two = written(read(JUDGED.format(topic="414").encode()), "xml"), written(read(TWO_TOPICS), "xml")

    assert one.startswith(b'<?xml version="1.0" encoding="UTF-8"?>\n<assessments topic="414">\n<file name="996300">\n')
    assert two.startswith(b'<?xml version="1.0" encoding="UTF-8"?>\n<all-assessments>\n<assessments topic="414">\n')


def test_the_archive_has_a_file_a_topic_and_is_the_same_every_time():
    topics = ("414", "a/b", "A_b", "..", "é")
    source = "".join(JUDGED.format(topic=topic) for topic in topics)
    assessments = read(f"<all>{source}</all>".encode())

    archive = written(assessments, "zip")

    assert archive == written(assessments, "zip")
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        assert opened.namelist() == ["414.xml", "a_b.xml", "A_b-2.xml", "_..xml", "_.xml"]
        assert {entry.date_time for entry in opened.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert read(archive).judgements.topics == topics


def test_a_topic_that_is_too_much_for_one_file_goes_on_in_the_next():
    files = "".join(
        f"<file file='d{n}'><path path='/a[1]' exhaustiveness='1' specificity='1'/></file>" for n in range(9)
    )
    columns = read(f"<assessments topic='7'>{files}</assessments>".encode()).elements
    target = io.BytesIO()

    write_archive(graded_topics(columns), target, markup=30)

    with zipfile.ZipFile(target) as archive:
        assert archive.namelist() == ["7.xml", "7-2.xml", "7-3.xml"]
        payloads = [archive.read(name) for name in archive.namelist()]
    assert all(payload.count(b"<") + payload.count(b"=") <= 30 for payload in payloads)
    assert elements_of(read(target.getvalue()).elements) == elements_of(columns)


@pytest.mark.parametrize(
    ("payload", "refused"),
    [
        (TEXT, dict.fromkeys(XML_FORMS, "offsets")),
        (QRELS, dict.fromkeys(("highlights", *XML_FORMS), "grades of documents")),
        (TWO_TOPICS, {"highlights": "sizes of elements"}),
        (GRADED, dict.fromkeys(("highlights", "qrels"), "grades of elements")),
    ],
    ids=["highlights", "qrels", "xml highlights", "graded elements"],
)
def test_what_a_form_has_no_words_for_is_a_sentence(payload, refused):
    assessments, told = read(payload), {}
    for form in FORMS:
        try:
            written(assessments, form)
        except Unwritable as error:
            told[form] = str(error)

    assert told == {form: f"holds {held}, which can't be written as {form}." for form, held in refused.items()}


def test_sizes_alone_do_not_become_xml():
    sized = Assessments(judgements=read(TWO_TOPICS).judgements)

    with pytest.raises(Unwritable, match=r"^holds sizes of elements, which can't be written as xml\.$"):
        written(sized, "xml", DOCUMENTS.get)


def test_nothing_relevant_needs_no_documents():
    assessments = read(b"7 Q0 a 0 -1\n7 Q0 b 0 -1\n")

    assert judgements_of(read(written(assessments, "xml"), lookup={}.get).judgements) == judgements_of(
        assessments.judgements
    )


@pytest.mark.parametrize(
    ("payload", "known"),
    [(TWO_TOPICS, True), (b"\xef\xbb\xbf \n" + GRADED, True), (TEXT, False), (QRELS, False)],
)
def test_xml_is_told_by_its_first_bytes(payload, known):
    assert is_xml(io.BytesIO(payload)) is known


def test_an_archive_is_xml():
    assert is_xml(io.BytesIO(written(read(TWO_TOPICS), "zip")))
