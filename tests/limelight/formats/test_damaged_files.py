"""Readers fed with damaged files: nothing but the one error type may come out."""

import io
import os

from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from limelight.formats.assessments.reading import read_assessments
from limelight.formats.collections import collection_files, read_document_lengths
from limelight.formats.pools import read_pools
from limelight.formats.problems import FormatError
from limelight.formats.runs.reading import read_run
from limelight.formats.topics.inex import read_topics
from limelight.kinds import BY_NAME as KINDS
from limelight.rules.checking import check
from limelight.rules.task_rules import Rules
from limelight.text.documents import DocumentText, read_document
from limelight.text.placing import placed
from tests.examples import examples
from tests.limelight.formats.seeds import SEEDS

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "150"))
PIECES = (
    *(
        b" ",
        b"\t",
        b"\n",
        b"\r",
        b"\0",
        b"-1",
        b"X",
        b"nan",
        b"1e999",
        b"9" * 25,
        b"\xff",
        b"\xef\xbb\xbf",
        b"\xc2\xa0",
    ),
    *(b"#", b"/", b"/article[1]", b"[", b"]", b"text()[1].5", b"text()[99999999999].1", b'"', b"'", b"&amp;", b"&x;"),
    *(b"<", b">", b"</", b"/>", b"<topic>", b"<result>", b"<path>", b"<file>", b"<!--", b"-->", b"<![CDATA[", b"]]>"),
    *(b"<?x?>", b"<!DOCTYPE a [", b"<!ENTITY x 'y'>", b"]>", b"<fol/>", b"<passage/>", b"PK\x03\x04", b"\x1f\x8b"),
)


def read_one_document(stream):
    document = read_document(stream, "d")
    store = io.BytesIO()
    document.save(store)
    store.seek(0)
    assert DocumentText.load(store) == document
    assert all(document.places.get(element.path) is not None for element in document.elements)


def read_and_check_run(stream):
    columns, _ = read_run(stream)
    assert all(len(getattr(columns, name)) == len(columns) for name in ("topic", "rsv", "offset", "length", "path"))
    placed(columns, {"d1": {"/article[1]": (0, 5)}}.get)
    for kind in KINDS:
        check(
            columns,
            Rules(kind, result_limit=2, topic_budget=5, article_budget=5),
            topics=["7"],
            document_lengths={"d1": 9},
        )


def read_collection(stream):
    for _ in collection_files(stream):
        pass


READERS = (
    read_and_check_run,
    read_assessments,
    read_pools,
    read_topics,
    read_one_document,
    read_document_lengths,
    read_collection,
)


@st.composite
def damaged_files(draw):
    payload = bytearray(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(payload)))
        end = min(len(payload), start + draw(st.integers(0, 30)))
        match draw(st.integers(0, 4)):
            case 0:
                del payload[start:end]
            case 1:
                payload[start:start] = draw(st.sampled_from(PIECES))
            case 2:
                payload[start:end] = draw(st.binary(max_size=8))
            case 3:
                payload[start:start] = payload[start:end] * draw(st.integers(1, 3))
            case 4:
                del payload[start:]
    return bytes(payload)


@examples(EXAMPLES, suppress_health_check=list(HealthCheck))
@given(payload=damaged_files())
def test_nothing_but_our_own_error_comes_out(payload):
    for read in READERS:
        try:
            read(io.BytesIO(payload))
        except FormatError as error:
            assert error.problems
            for problem in error.problems:
                assert str(problem).isprintable()
                assert problem.message.endswith((".", ":", "…"))
