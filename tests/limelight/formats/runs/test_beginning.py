"""What a run file says about itself, read from its first bytes."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limelight.formats.runs.beginning import BEGINNING_SIZE, Beginning, read_beginning
from tests.examples import examples

XML = b"""<?xml version="1.0"?>
<!DOCTYPE inex-submission [<!ENTITY lt "&#38;#60;">]>
<inex-submission participant-id="12" run-id="VSM_Aggr_06" task="CO.Focussed" query="automatic" result-type="element">
  <topic-fields title="yes" mmtitle="no" castitle="no" description="no" narrative="yes"/>
  <description>Using VSM &amp; parents</description>
  <collections><collection>ieee</collection></collections>
  <topic topic-id="01"><result><file>tc/2001/t0111</file><path>/article[1]</path><rank>1</rank></result></topic>
</inex-submission>
"""
METADATA = b"""# ir_metadata.start
# actor:
#   team: Sea
# method:
#   automatic: false
#   retrieval:
#     - name: bm25
#       b: 0.4
#     - name: rm3
# ir_metadata.end
2009001 Q0 12 1 0.5 BM25+RM3 0 100
2009001 Q0 13 2 0.4 BM25+RM3 0 100
"""


def test_the_head_of_an_xml_run_fills_every_field():
    assert read_beginning(XML) == Beginning(
        "VSM_Aggr_06", "automatic", ("title", "narrative"), "element", "Using VSM & parents"
    )


def test_a_text_run_tells_by_its_metadata_and_its_first_lines():
    assert read_beginning(METADATA) == Beginning("BM25+RM3", "manual", (), "passage", "Retrieval: bm25, rm3.")


@pytest.mark.parametrize("content", [XML, METADATA])
def test_a_part_of_a_packed_file_is_enough(content):
    packed = gzip.compress(content + b"\n" * 600_000, compresslevel=0)[:100_000]

    assert read_beginning(packed) == read_beginning(content)


def test_a_line_cut_in_the_middle_is_not_believed():
    line = b"2009001 Q0 12 1 0.5 NAME 0 100\n"
    cut = (line * (BEGINNING_SIZE // len(line) + 1))[:BEGINNING_SIZE]

    assert read_beginning(cut).result_type == "passage"
    assert read_beginning(line + b"2009001 Q0 12 1").run_id == "NAME"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x1f\x8b broken",
        b"%PDF-1.4",
        b"<html></html>",
        b"<inex-submission",
        b'<!DOCTYPE a SYSTEM "http://example.org/x"><inex-submission/>',
        b"\xff\xfea\x00",
        b"one line",
        b"<" * 1000,
        b'<!DOCTYPE a [<!ENTITY a "&a;&a;">]><inex-submission run-id="x"/>',
    ],
)
def test_what_cannot_be_read_says_nothing(content):
    assert read_beginning(content).run_id in ("", "x")


@examples(200)
@given(
    st.binary(max_size=300)
    | st.sampled_from([XML, METADATA]).flatmap(
        lambda whole: st.sampled_from([whole[:end] for end in range(0, len(whole), 7)])
    )
)
def test_no_beginning_breaks_it(content):
    assert isinstance(read_beginning(content), Beginning)
