"""Runs laid on text: paths become spans, and the two axes stay apart."""

from io import BytesIO

import pytest

from limelight.formats.assessments.columns import CHARACTERS, SIZES
from limelight.formats.runs.reading import read_run
from limelight.kinds import KINDS
from limelight.text.placing import OnAnotherAxis, gives_offsets, placed

PLACES = {"a": {"/p[1]": (0, 40), "/p[2]": (40, 60)}}
ELEMENTS = b"1 Q0 a 1 9 r /p[1]\n1 Q0 a 2 8 r /p[2]\n"
RANGES = b"1 Q0 a 1 9 r /p[1] /p[2]\n"
PASSAGES = b"1 Q0 a 1 9 r 0 40\n"
POINTS = b"1 Q0 a 1 9 r 40\n"
NOWHERE = b"1 Q0 a 1 9 r X 0\n"
DOCUMENTS = b"1 Q0 a 1 9 r\n"


def run(content):
    return read_run(BytesIO(content))[0]


@pytest.mark.parametrize("axis", [CHARACTERS, SIZES])
@pytest.mark.parametrize(
    ("content", "spans"), [(ELEMENTS, [(0, 40), (40, 60)]), (RANGES, [(0, 100)])], ids=["elements", "ranges"]
)
def test_paths_become_spans_on_either_axis(axis, content, spans):
    columns, problems = placed(run(content), PLACES.get, axis=axis)

    assert list(zip(columns.offset.tolist(), columns.length.tolist(), strict=True)) == spans
    assert problems == []


def test_a_path_that_a_document_lacks_is_an_error_in_text_and_a_warning_on_sizes():
    content = b"1 Q0 a 1 9 r /p[3]\n"

    (in_text,) = placed(run(content), PLACES.get)[1]
    (on_sizes,) = placed(run(content), PLACES.get, axis=SIZES)[1]

    assert (in_text.rule, in_text.severity) == ("element-path", "error")
    assert (on_sizes.rule, on_sizes.severity) == ("unknown-place", "warning")


def test_without_places_a_run_stays_what_it_is():
    columns = run(ELEMENTS)

    assert placed(columns, None) == (columns, [])


@pytest.mark.parametrize("content", [PASSAGES, POINTS], ids=["passages", "points"])
def test_offsets_are_never_laid_on_sizes(content):
    columns = run(content)

    assert placed(columns, PLACES.get) == (columns, [])
    with pytest.raises(OnAnotherAxis, match="The run returns offsets, which count every character, but the"):
        placed(columns, PLACES.get, axis=SIZES)


@pytest.mark.parametrize("content", [ELEMENTS, RANGES, NOWHERE, DOCUMENTS], ids=["elements", "ranges", "X", "whole"])
def test_a_run_without_offsets_is_on_no_axis_of_its_own(content):
    columns = run(content)

    assert not gives_offsets(columns)
    placed(columns, PLACES.get, axis=SIZES)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_only_kinds_that_are_about_places_mind_the_axis(kind):
    if kind.has_places:
        with pytest.raises(OnAnotherAxis):
            placed(run(PASSAGES), PLACES.get, axis=SIZES, kind=kind.name)
    else:
        placed(run(PASSAGES), PLACES.get, axis=SIZES, kind=kind.name)
