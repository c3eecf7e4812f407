"""XML assessments of 2005 to 2008: on the characters of a collection, on sizes alone, and in archives."""

import io
import tarfile
import zipfile

import pytest

from limelight.formats.assessments.columns import CHARACTERS, SIZES, UNKNOWN
from limelight.formats.assessments.reading import read_assessments
from limelight.formats.problems import FormatError
from limelight.formats.runs.reading import read_run
from limelight.text.documents import read_document
from limelight.text.placing import placed
from tests.limelight.formats.assessments.samples import ARTICLE, JUDGED

ONE = JUDGED.format(topic="414").encode()


def read(payload, **options):
    return read_assessments(io.BytesIO(payload), **options)


def refusal(payload, **options):
    with pytest.raises(FormatError) as caught:
        read(payload, **options)
    return [str(problem) for problem in caught.value.problems]


def zipped(**files):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, payload in files.items():
            archive.writestr(f"inex/{name}.xml", payload)
    return target.getvalue()


@pytest.fixture
def lookup():
    places = {"996300": read_document(io.BytesIO(ARTICLE), "996300").places, "12345": {"/article[1]": (0, 40)}}
    return places.get


def test_points_are_placed_on_the_characters_of_the_collection(lookup):
    assessments, problems = read(ONE, lookup=lookup)
    judgements = assessments.judgements

    assert problems == []
    assert judgements.axis == CHARACTERS
    assert (judgements.topics, judgements.documents) == (("414",), ("996300", "12345"))
    assert judgements.document_length.tolist() == [16, 40]
    assert judgements.entry_point.tolist() == [4, UNKNOWN]
    assert (judgements.judgement.tolist(), judgements.offset.tolist(), judgements.length.tolist()) == ([0], [4], [5])


def test_without_a_collection_elements_share_with_the_highlights_what_the_assessments_say():
    assessments, problems = read(ONE)
    judgements, spans = assessments.judgements, assessments.element_spans["996300"]
    highlighted = {
        character
        for offset, length in zip(judgements.offset, judgements.length, strict=True)
        for character in range(offset, offset + length)
    }

    assert problems == []
    assert judgements.axis == SIZES
    assert judgements.document_length.tolist() == [16, UNKNOWN]
    assert {path: length for path, (_, length) in spans.items()} == {
        "/article[1]": 16,
        "/article[1]/body[1]": 16,
        "/article[1]/body[1]/p[1]": 7,
        "/article[1]/body[1]/p[2]": 5,
    }
    shared = {path: len(highlighted & set(range(start, start + size))) for path, (start, size) in spans.items()}
    assert list(shared.values()) == [5, 5, 3, 2]


def test_an_element_run_is_mapped_onto_sizes_as_far_as_they_go():
    assessments, _ = read(ONE)
    paths = ("/article[1]/body[1]/p[2]", "/article[1]/body[1]/sec[1]")
    run, _ = read_run(io.BytesIO("".join(f"414 Q0 996300 1 1 R {path}\n" for path in paths).encode()))

    mapped, problems = placed(run, assessments.element_spans.get, axis=SIZES)

    assert mapped.length.tolist() == [5, 0]
    assert mapped.unmapped.tolist() == [False, True]
    assert [(str(problem), problem.severity) for problem in problems] == [
        ("1 of 2 results has no place in the text: its document or element isn't known here.", "warning")
    ]


def test_grades_and_sizes_of_elements_are_kept():
    elements = read(ONE)[0].elements

    assert [elements.paths[number] for number in elements.path][2:] == [
        "/article[1]/body[1]/p[1]",
        "/article[1]/body[1]/p[2]",
    ]
    assert elements.exhaustivity.tolist() == [2, 2, 1, -2]
    assert (elements.size.tolist(), elements.highlighted_size.tolist()) == ([16, 16, 7, 5], [5, 5, 3, 2])
    assert elements.judged_document.tolist() == [0, 1]


def test_one_layout_serves_all_topics_of_a_document():
    other = (
        b'<assessments topic="415"><file name="996300"><element path="/article[1]" size="16" rsize="4"/>'
        b'<element path="/article[1]/body[1]" size="16" rsize="4"/></file></assessments>'
    )

    assessments, problems = read(zipped(a=ONE, b=other))
    judgements, spans = assessments.judgements, assessments.element_spans["996300"]

    assert problems == []
    assert judgements.topics == ("414", "415")
    first, second = spans["/article[1]/body[1]/p[1]"], spans["/article[1]/body[1]/p[2]"]
    rest = judgements.offset[judgements.judgement == 2]
    assert rest.tolist() == [sum(first) + second[1]]


def test_sizes_that_contradict_each_other_are_a_warning():
    text = ONE.replace(b'size="7" rsize="3"', b'size="70" rsize="3"')

    assessments, problems = read(text)

    assert assessments.element_spans["996300"]["/article[1]"] == (0, 75)
    assert [str(problem) for problem in problems] == [
        "The parts of /article[1] in document 996300 have more characters than the whole. "
        "The sum of the parts is taken."
    ]


def test_passages_alone_are_laid_in_a_row():
    text = b"""<assessments topic="7"><file name="d">
<passage start="/a[1]/text()[1].0" end="/a[1]/text()[1].9" size="9"/>
<passage start="/a[1]/text()[1].20" end="/a[1]/text()[1].25" size="5"/></file></assessments>"""

    judgements = read(text)[0].judgements

    assert (judgements.offset.tolist(), judgements.length.tolist()) == ([0, 9], [9, 5])


def test_a_topic_statement_and_a_doctype_may_come_first():
    text = ONE.replace(b' <file collection="wikipedia" name="996300">', b'<inex_topic/> <file name="996300">')

    assessments, _ = read(b'<!DOCTYPE assessments SYSTEM "assessments.dtd">\n' + text)

    assert len(assessments.judgements) == 2


@pytest.mark.parametrize("pack", ["zip", "tar", "tar.gz"])
def test_archives_of_one_file_a_topic_are_read(pack):
    files = {f"inex/{topic}.xml": JUDGED.format(topic=topic).encode() for topic in (414, 415, 416)}
    files["inex/README"] = b"about these files"
    target = io.BytesIO()
    if pack == "zip":
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, payload in files.items():
                archive.writestr(name, payload)
    else:
        with tarfile.open(fileobj=target, mode="w:gz" if pack == "tar.gz" else "w") as archive:
            for name, payload in files.items():
                entry = tarfile.TarInfo(name)
                entry.size = len(payload)
                archive.addfile(entry, io.BytesIO(payload))

    assessments, problems = read(target.getvalue())

    assert problems == []
    assert assessments.judgements.topics == ("414", "415", "416")
    assert len(assessments.judgements) == 6


def test_every_fault_in_an_archive_names_its_file():
    bad = ONE.replace(b'rsize="3"', b'rsize="300"').replace(b'exhaustivity="?"', b'exhaustivity="9"')

    assert refusal(zipped(a=b"<assessments", b=bad)) == [
        "inex/a.xml, line 1: the XML is broken here (Couldn't find end of Start Tag assessments line 1). "
        "Mend the file and upload it again.",
        "inex/b.xml, line 7: the element /article[1]/body[1]/p[1] has 300 highlighted characters, but only 7 in all.",
        "inex/b.xml, line 8: the exhaustivity '9' isn't one. It is 0, 1, 2 or ?.",
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('topic="414"', "", 'Line 1: the <assessments> has no topic. Write topic="…".'),
        ('name="12345"', "", 'Line 10: the <file> has no name. Write name="…".'),
        (
            'name="12345"',
            'name="996300"',
            "Line 10: document 996300 of topic 414 was already judged in line 2. Remove one of the two.",
        ),
        ('size="7"', 'size="x"', "Line 7: the size of the element 'x' isn't a whole number. Write digits only."),
        (
            'path="/article[1]/body[1]"',
            'path="body"',
            "Line 6: the path 'body' isn't an element path. Write it like /article[1]/body[1]/p[2].",
        ),
        (
            '/article[1]/body[1]/p[2]" ex',
            '/article/body/p" ex',
            "Line 8: the element /article[1]/body[1]/p[1] is listed twice in its file. Remove one of the two.",
        ),
        (
            "></file>",
            "><path path='/a[1]'/></file>",
            "Line 10: <path> doesn't belong to this form of assessments. Don't mix two forms.",
        ),
    ],
)
def test_a_fault_is_refused_with_its_line(old, new, message):
    assert refusal(ONE.replace(old.encode(), new.encode())) == [message]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "text()[1].2",
            "text()[1].9",
            "Line 4: the passage from /article[1]/body[1]/p[1]/text()[1].4 to "
            "/article[1]/body[1]/p[2]/text()[1].9 isn't in document 996300.",
        ),
        ('name="996300"', 'name="7"', "Line 2: document 7 isn't in the collection, so its passages have no place."),
        (
            'point path="/article[1]/body[1]/p[1]/text()[1].4"',
            'point path="/article[1]/sec[1]"',
            "Line 2: the entry point /article[1]/sec[1] isn't in document 996300.",
        ),
    ],
)
def test_what_the_collection_lacks_is_an_error(lookup, old, new, message):
    assert refusal(ONE.replace(old.encode(), new.encode()), lookup=lookup) == [message]


def test_passages_that_overlap_are_an_error(lookup):
    passage = b'<passage start="/article[1]/body[1]/p[1]/text()[1].0" end="/article[1]/body[1]/p[1]/text()[1].5"/>'

    assert refusal(ONE.replace(b"<best", passage + b"<best"), lookup=lookup) == [
        "Line 2: two passages of document 996300 overlap at character 4. Join them into one."
    ]


def test_xml_that_is_something_else_is_refused():
    assert refusal(b"<topics/>") == [
        "Line 1: the root element is <topics>, not <assessments>. These aren't assessments."
    ]
    assert refusal(b"<assessments topic='7'/>") == ["The file holds no judgements."]
    assert refusal(zipped()) == ["The archive holds no XML files."]
