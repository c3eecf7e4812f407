"""What is written reads the same, whatever kind of run it is."""

import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limelight.formats.columns import RunColumns, RunHeader
from limelight.formats.runs.reading import read_run
from limelight.formats.runs.writing import filled_rsv, write_fol, write_inex_xml
from tests.examples import examples
from tests.limelight.formats import seeds
from tests.limelight.formats.runs.samples import same

RUNS = {
    "passages": seeds.FOL,
    "elements": seeds.ELEMENTS,
    "ranges": seeds.RANGES,
    "entry points": seeds.ENTRY_POINTS,
    "documents": seeds.DOCUMENTS,
    "submission": seeds.SUBMISSION,
    "spans": seeds.SPANS,
    "points": seeds.POINTS,
}


def read(payload):
    return read_run(io.BytesIO(payload))[0]


def written(write, columns, **options):
    target = io.BytesIO()
    write(columns, target, **options)
    return target.getvalue()


def without_lines(columns, header=None):
    return replace(columns, line=np.zeros(len(columns)), header=header or columns.header)


@pytest.mark.parametrize("payload", RUNS.values(), ids=RUNS)
def test_text_that_is_written_reads_the_same(payload):
    columns = read(payload)

    again = read(written(write_fol, columns))

    expected = replace(columns, rsv=filled_rsv(columns))
    assert same(without_lines(again), without_lines(expected, RunHeader()))


@pytest.mark.parametrize("name", ["passages", "elements", "ranges", "submission", "spans", "points"])
def test_xml_that_is_written_reads_the_same(name):
    columns = read(RUNS[name])
    header = replace(columns.header, result_type=columns.header.result_type or columns.result_type)

    again = read(written(write_inex_xml, columns))

    assert same(without_lines(again), without_lines(columns, header))


@pytest.mark.parametrize("name", ["entry points", "documents"])
def test_what_xml_cannot_say_is_not_written(name):
    kind = {"entry points": "entry-point", "documents": "document"}[name]

    with pytest.raises(ValueError, match=f"^A run of {kind}s cannot be written as XML, only as text.$"):
        written(write_inex_xml, read(RUNS[name]))


def test_mapped_elements_can_be_written_as_spans():
    columns = read(seeds.ELEMENTS)
    mapped = columns.mapped(np.array([5, -1]), np.array([7, 0]))

    assert written(write_fol, mapped, spans=True).splitlines()[0] == b"7 Q0 d1 1 0.5 RUN 5 7"
    assert b'<file>d1</file><fol offset="5" length="7"/>' in written(write_inex_xml, mapped, spans=True)


def test_a_name_with_blanks_becomes_one_field():
    columns = replace(read(seeds.SPANS), run_id="my run")

    assert written(write_fol, columns) == b"7 Q0 d1 1 -1.0 my_run 0 3120\n"
    assert b'run-id="my run"' in written(write_inex_xml, columns)
    assert written(write_fol, replace(columns, run_id="")) == b"7 Q0 d1 1 -1.0 run 0 3120\n"


PRINTABLE = st.characters(codec="utf-8", categories=("L", "M", "N", "P", "S")).filter(str.isprintable)


@examples(200)
@given(
    results=st.lists(
        st.tuples(
            st.text(PRINTABLE, min_size=1, max_size=20),
            st.integers(0, 2**31 - 1),
            st.floats(allow_nan=False, allow_infinity=False),
            st.integers(0, 2**31 - 1),
            st.integers(0, 2**31 - 1),
        ),
        min_size=1,
        max_size=8,
    )
)
@pytest.mark.parametrize("write", [write_fol, write_inex_xml])
def test_any_passages_survive(write, results):
    documents, ranks, rsvs, offsets, lengths = zip(*results, strict=True)
    names = tuple(dict.fromkeys(documents))
    count = len(results)
    columns = RunColumns(
        "RUN",
        "passage",
        ("7",),
        names,
        (),
        topic=np.zeros(count, dtype=np.int64),
        document=np.array([names.index(document) for document in documents]),
        rank=np.array(ranks),
        rsv=np.array(rsvs),
        offset=np.array(offsets),
        length=np.array(lengths),
        line=np.zeros(count),
        path=np.full(count, -1),
        header=RunHeader(result_type="passage"),
    )

    again = read(written(write, columns))

    assert same(without_lines(again, columns.header), columns)
