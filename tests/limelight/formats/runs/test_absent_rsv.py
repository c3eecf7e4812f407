"""A result without an rsv: kept apart from one with an rsv of 0 by every reader and writer, and by the check."""

import io

import numpy as np
import pytest

from limelight.formats.columns import RunColumns
from limelight.formats.opening import Limits
from limelight.formats.runs.inex_xml import read_parts
from limelight.formats.runs.reading import read_run
from limelight.formats.runs.writing import write_fol, write_inex_xml
from limelight.rules.checking import check
from limelight.rules.task_rules import Rules

PLACE = '<fol offset="{offset}" length="5"/>'


def submission(*rsvs, tail="", offset=10):
    """Return a submission of one topic; None leaves the rsv out, "" leaves it empty."""
    results = []
    for number, rsv in enumerate(rsvs):
        said = "" if rsv is None else f"<rsv>{rsv}</rsv>"
        place = PLACE.format(offset=number * offset)
        results.append(f"<result><file>d{number}</file>{place}{said}</result>{tail}")
    return f'<inex-submission run-id="R"><topic topic-id="7">{"".join(results)}</topic></inex-submission>'.encode()


def read(payload):
    return read_run(io.BytesIO(payload))[0]


def written(write, columns):
    target = io.BytesIO()
    write(columns, target)
    return target.getvalue()


@pytest.mark.parametrize("tail", ["", "<!-- read by the exact reader -->"], ids=["fast", "exact"])
def test_an_absent_rsv_is_not_a_number(tail):
    assert np.isnan(read(submission(None, None, tail=tail)).rsv).all()
    assert read(submission("0", "0", tail=tail)).rsv.tolist() == [0.0, 0.0]


def test_the_exact_reader_keeps_absent_ones_apart_from_zeros():
    columns, _ = read_parts(submission("3", None, "", "0"), Limits())

    assert np.isnan(columns.rsv).tolist() == [False, True, True, False]
    assert columns.rsv[[0, 3]].tolist() == [3.0, 0.0]


def test_both_readers_agree_on_a_topic_with_and_one_without():
    first = submission("3", "2").replace(b"</inex-submission>", b"")
    second = submission(None).partition(b">")[2].replace(b'"7"', b'"8"')

    fast, (exact, _) = read(first + second), read_parts(first + second, Limits())

    assert np.array_equal(fast.rsv, [3, 2, np.nan], equal_nan=True)
    assert np.array_equal(exact.rsv, fast.rsv, equal_nan=True)


def test_stored_columns_keep_it():
    target = io.BytesIO()
    read(submission("3", None)).save(target)

    again = RunColumns.load(io.BytesIO(target.getvalue()))

    assert np.array_equal(again.rsv, [3, np.nan], equal_nan=True)


def test_xml_is_written_without_it():
    columns = read(submission("3", None, "0"))

    payload = written(write_inex_xml, columns)

    assert payload.count(b"<rsv>") == 2
    assert b"nan" not in payload
    assert np.array_equal(read(payload).rsv, columns.rsv, equal_nan=True)


@pytest.mark.parametrize(
    ("rsvs", "told"),
    [
        ((None, None, None), [-1.0, -2.0, -3.0]),
        (("0.5", None, "0.25", None), [0.5, -0.75, 0.25, -1.75]),
        (("3", "2"), [3.0, 2.0]),
    ],
)
def test_text_has_a_number_there_that_keeps_the_order(rsvs, told):
    payload = written(write_fol, read(submission(*rsvs)))

    assert b"nan" not in payload
    assert read(payload).rsv.tolist() == told


def test_numbers_that_stand_in_begin_anew_with_each_topic():
    one = submission(None, None).replace(b"</inex-submission>", b"")
    other = submission("5", None).partition(b">")[2].replace(b'"7"', b'"8"')

    assert read(written(write_fol, read(one + other))).rsv.tolist() == [-1.0, -2.0, 5.0, 4.0]


def test_a_run_without_rsv_does_not_rise():
    assert check(read(submission(None, None, None)), Rules("focused")) == []


def test_absent_ones_are_left_out_of_the_warning():
    falling, rising = read(submission("-1", None, "-2")), read(submission("1", None, "2"))

    assert check(falling, Rules("focused")) == []
    assert [problem.message for problem in check(rising, Rules("focused"))] == [
        "topic 7 rises from rsv 1 to 2. The order of the lines counts."
    ]


def test_an_absent_one_does_not_join_two_topics():
    one = submission("1", None).replace(b"</inex-submission>", b"")
    other = submission(None, "2").partition(b">")[2].replace(b'"7"', b'"8"')

    assert check(read(one + other), Rules("focused")) == []
