"""XML assessments that are written read the same."""

import io
from dataclasses import replace

import numpy as np

from assessments.formats.graded import read_graded
from assessments.formats.xml_highlights import read_xml_highlights
from assessments.formats.xml_writing import write_graded, write_xml_highlights
from tests.assessments.test_formats_graded import GRADED
from tests.assessments.test_formats_xml import JUDGED


def read_again(write, read, columns):
    target = io.BytesIO()
    write(columns, target)
    return read(io.BytesIO(target.getvalue()))[0]


def same_elements(first, second):
    names = set(type(first).__dataclass_fields__) - {"line"}
    return all(np.array_equal(getattr(first, name), getattr(second, name)) for name in names)


def test_highlights_read_the_same():
    topics = "".join(JUDGED.format(topic=topic) for topic in ("414", "a&amp;b"))
    highlights, _ = read_xml_highlights(io.BytesIO(f"<all>{topics}</all>".encode()))

    again = read_again(write_xml_highlights, read_xml_highlights, highlights)

    assert same_elements(again.elements, highlights.elements)
    assert len(again.files) == 4
    for one, other in zip(again.files, highlights.files, strict=True):
        passages = [replace(passage, line=0) for passage in one.passages]
        assert passages == [replace(passage, line=0) for passage in other.passages]
        assert (one.topic, one.document, one.entry_point) == (other.topic, other.document, other.entry_point)


def test_graded_elements_read_the_same():
    graded, _ = read_graded(io.BytesIO(GRADED))

    again = read_again(write_graded, read_graded, graded)

    assert same_elements(again, graded)
