"""XML submissions: the forms that real writers produced, and every fault with its line."""

import io

import numpy as np
import pytest

from limelight.formats.columns import UNMAPPED
from limelight.formats.opening import Limits
from limelight.formats.problems import FormatError
from limelight.formats.runs.reading import read_run

HEAD = """<?xml version="1.0"?>
<inex-submission participant-id="19" run-id="ISI_Foc1" task="Focused " query="automatic" result-type="element" new="x">
<topic-fields title="yes" castitle="no" description="yes" narrative="no"/>
<description>Words &amp; weights</description><collections><collection>wikipedia</collection></collections>
"""
ELEMENT = "<result><file>996300</file><path>/article[1]/body[1]/p[1]</path><rank>1</rank><rsv>0.99</rsv></result>\n"


def submission(*topics):
    return (HEAD + "".join(topics) + "</inex-submission>").encode()


def topic(*results, number="414"):
    return f'<topic topic-id="{number}">\n' + "".join(results) + "</topic>\n"


def read(payload, **limits):
    return read_run(io.BytesIO(payload), limits=Limits(**limits))


def refusal(payload):
    with pytest.raises(FormatError) as caught:
        read(payload)
    return [str(problem) for problem in caught.value.problems]


def test_an_element_run_becomes_columns_that_wait_for_the_collection():
    columns, problems = read(submission(topic(ELEMENT, ELEMENT.replace("p[1]", "p[2]")), topic(ELEMENT, number="415")))

    assert problems == []
    assert (columns.run_id, columns.result_type) == ("ISI_Foc1", "element")
    assert (columns.topics, columns.documents) == (("414", "415"), ("996300",))
    assert columns.paths == ("/article[1]/body[1]/p[1]", "/article[1]/body[1]/p[2]")
    assert columns.topic.tolist() == [0, 0, 1]
    assert columns.path.tolist() == [0, 1, 0]
    assert columns.offset.tolist() == [UNMAPPED] * 3
    assert columns.line.tolist() == [6, 7, 10]
    assert columns.rsv.tolist() == [0.99] * 3


def test_the_header_is_read():
    header = read(submission(topic(ELEMENT)))[0].header

    assert (header.participant, header.task, header.query) == ("19", "Focused", "automatic")
    assert header.result_type == "element"
    assert header.topic_fields == ("title", "description")
    assert header.description == "Words & weights"


def test_the_order_of_elements_stands_in_for_absent_ranks():
    bare = "<result><file>d</file><path> /article[1] </path></result>"

    columns, problems = read(submission(topic(bare, bare)))

    assert problems == []
    assert columns.rank.tolist() == [1, 2]
    assert np.isnan(columns.rsv).all()
    assert columns.paths == ("/article[1]",)


def test_ranks_may_start_at_zero():
    columns, _ = read(submission(topic(ELEMENT.replace("<rank>1", "<rank>0"), ELEMENT)))

    assert columns.rank.tolist() == [0, 1]


def test_fol_results_have_their_place():
    columns, problems = read(submission(topic('<result><file>d</file><fol offset="5" length="3120"/></result>')))

    assert problems == []
    assert columns.result_type == "passage"
    assert (columns.offset.tolist(), columns.length.tolist()) == ([5], [3120])


def test_passages_between_points_wait_for_the_collection():
    start, end = "/article[1]/body[1]/p[1]/text()[1].0", "/article[1]/body[1]/p[2]/text()[2].120"

    columns, problems = read(
        submission(topic(f'<result><file>d</file><passage start="{start}" end="{end}"/></result>'))
    )

    assert problems == []
    assert (columns.result_type, columns.paths) == ("passage", (f"{start} {end}",))
    assert columns.offset.tolist() == [UNMAPPED]


def test_a_latin_1_declaration_is_honoured():
    text = submission(topic(ELEMENT)).decode().replace("Words", "Wörter")

    columns, _ = read(text.replace('version="1.0"', 'version="1.0" encoding="ISO-8859-1"').encode("latin-1"))

    assert columns.header.description == "Wörter & weights"


def test_a_doctype_is_not_followed():
    payload = submission(topic(ELEMENT)).replace(
        b"<inex-submission", b'<!DOCTYPE inex-submission SYSTEM "inex-submission.dtd">\n<inex-submission', 1
    )

    columns, problems = read(payload)

    assert problems == []
    assert columns.line.tolist() == [7]


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ("<result><path>/article[1]</path></result>", "the <result> has no <file>. Every result names its document."),
        (
            "<result><file>d</file></result>",
            "the <result> has 0 of <path>, <fol> and <passage>. It needs exactly one.",
        ),
        (
            '<result><file>d</file><path>/a[1]</path><fol offset="1" length="2"/></result>',
            "the <result> has 2 of <path>, <fol> and <passage>. It needs exactly one.",
        ),
        (
            '<result><file>d</file><fol offset="1" length="2"/></result>',
            "the result returns a span, where the file's first returns an element. A run holds one kind of result.",
        ),
        (
            "<result><file>d</file><path>article</path></result>",
            "the path 'article' isn't an element path. Write it like /article[1]/body[1]/p[2].",
        ),
        (
            "<result><file>d</file><path>/a[1]</path><rank>first</rank></result>",
            "the rank 'first' isn't a whole number. Write digits only.",
        ),
        (
            "<result><file>d</file><path>/a[1]</path><rsv>NaN</rsv></result>",
            "the rsv is 'NaN'. Write a finite number.",
        ),
    ],
)
def test_a_faulty_result_is_refused_with_its_line(result, message):
    assert refusal(submission(topic(ELEMENT, result))) == [f"Line 7: {message}"]


def test_a_span_without_a_length_is_refused():
    assert refusal(submission(topic('<result><file>d</file><fol offset="1"/></result>'))) == [
        'Line 6: the <fol> has no length. Write length="…".'
    ]


def test_a_topic_without_a_number_is_refused():
    assert refusal(submission("<topic>" + ELEMENT + "</topic>")) == [
        'Line 5: the <topic> has no id. Write <topic topic-id="…">.'
    ]


def test_every_fault_is_reported_at_once():
    bad = "<result><file>d</file><path>/a[1]</path><rank>x</rank><rsv>y</rsv></result>\n"

    assert refusal(submission(topic(bad, ELEMENT, bad))) == [
        "Line 6: the rank 'x' isn't a whole number. Write digits only.",
        "Line 6: the rsv 'y' isn't a number. Write it like 0.25.",
        "Line 8: the rank 'x' isn't a whole number. Write digits only.",
        "Line 8: the rsv 'y' isn't a number. Write it like 0.25.",
    ]


def test_broken_xml_is_refused_with_its_line():
    assert refusal(submission(topic(ELEMENT)).replace(b"</path>", b"")) == [
        "Line 6: the XML is broken here (Opening and ending tag mismatch: path line 6 and result). "
        "Mend the file and upload it again."
    ]


def test_xml_that_is_no_submission_is_refused():
    assert refusal(b"<book><chapter/></book>") == [
        "Line 1: the root element is <book>, not <inex-submission>. This isn't a run."
    ]


def test_a_submission_without_results_is_refused():
    assert refusal(submission(topic())) == ["The file holds no results."]


def test_a_run_without_a_name_has_an_empty_one():
    columns, _ = read(submission(topic(ELEMENT)).replace(b'run-id="ISI_Foc1"', b""))

    assert columns.run_id == ""


def test_a_topic_given_twice_is_joined():
    columns, problems = read(submission(topic(ELEMENT), topic(ELEMENT, number="415"), topic(ELEMENT)))

    assert columns.topic.tolist() == [0, 0, 1]
    assert [str(problem) for problem in problems] == [
        "Line 12: topic 414 comes back here after line 6. Its results are joined in the order of the file."
    ]
