"""No construct can stop a reader: for every reader and every construct, time grows with the size of the file."""

import io
import re
import time
from itertools import product

import pytest

from limelight.formats.problems import FormatError
from limelight.formats.xml_attributes import keep_to_attributes
from tests.folders import ROOT
from tests.limelight.formats.floods import TEXT_CONSTRUCTS, TEXTS, XML, XML_CONSTRUCTS, text_file, xml_file

pytestmark = pytest.mark.slow


FEW = 1_500
MANY = 4 * FEW
NOTHING = 0.1
"""Seconds that nobody asks about: measured times below are noise."""

NEVER_REFUSE = ("beginning", "run and its report", "run to every other slot")
MOST_GROWTH = 8
MOST_SECONDS = 2


def seconds(read, payload):
    """Return the time that a reader takes for a file, whatever it says about it."""
    stream = io.BytesIO(payload)
    begun = time.process_time()
    try:
        read(stream)
    except FormatError as error:
        assert error.problems
    return time.process_time() - begun


def assert_grows_with_the_size(read, few, many):
    taken = seconds(read, many)
    if taken < NOTHING:
        return
    taken = min(taken, *(seconds(read, many) for _ in range(2)))
    before = min(seconds(read, few) for _ in range(3))

    assert taken < MOST_SECONDS
    assert taken < max(NOTHING, MOST_GROWTH * before)


@pytest.mark.parametrize(("reader", "construct"), list(product(XML, XML_CONSTRUCTS)))
def test_the_time_for_xml_grows_with_its_size(reader, construct):
    read, frame = XML[reader]

    assert_grows_with_the_size(read, xml_file(frame, construct, FEW), xml_file(frame, construct, MANY))


@pytest.mark.parametrize(("reader", "construct"), list(product(TEXTS, TEXT_CONSTRUCTS)))
def test_the_time_for_text_grows_with_its_size(reader, construct):
    read, line = TEXTS[reader]

    assert_grows_with_the_size(read, text_file(line, construct, FEW), text_file(line, construct, MANY))


@pytest.mark.parametrize("construct", ["attributes on one element", "namespaces on one element"])
@pytest.mark.parametrize("reader", [name for name in XML if name not in NEVER_REFUSE])
def test_160_000_attributes_are_refused_in_one_sentence(reader, construct):
    read, frame = XML[reader]
    payload = frame.replace(b"%(attributes)s", XML_CONSTRUCTS[construct](160_000)["attributes"], 1)
    payload = xml_file(payload, "elements", 0)
    begun = time.process_time()

    with pytest.raises(FormatError) as refused:
        read(io.BytesIO(payload))

    assert time.process_time() - begun < MOST_SECONDS
    [problem] = refused.value.problems
    assert re.fullmatch(r"the <[a-z-]+> has more than 100 attributes, the most that is read\.", problem.message)
    assert problem.line == 1


@pytest.mark.parametrize(
    "prolog",
    [
        b'<!DOCTYPE x SYSTEM "<!--">',
        b"<!DOCTYPE x SYSTEM '<?'>",
        b'<!DOCTYPE x [<!NOTATION n SYSTEM "<!--"><!ENTITY e "<![CDATA[">]>',
        b'<!DOCTYPE x PUBLIC "<!--" "<!--" [ <!-- " --> ]>',
    ],
)
def test_attributes_cannot_hide_behind_what_looks_like_a_comment(prolog):
    tag = b"<x " + b" ".join(b'a%d="1"' % number for number in range(200)) + b"/>"

    with pytest.raises(FormatError, match="more than 100 attributes"):
        keep_to_attributes(prolog + tag)


@pytest.mark.parametrize("piece", [b'<!A "', b"<!A '\"", b"<!A >", b"<!", b"<!A [", b'<!DOCTYPE "'])
def test_looking_for_attributes_takes_time_that_grows_with_the_file(piece):
    assert_grows_with_the_size(lambda stream: keep_to_attributes(stream.read()), piece * 50_000, piece * 200_000)


def test_no_reader_goes_through_all_attributes():
    """Lists of lxml's attributes take the square of their number; a name is looked up in one walk."""
    sources = [*(ROOT / "limelight").rglob("*.py")]

    assert [source.name for source in sources if ".attrib" in source.read_text()] == []
