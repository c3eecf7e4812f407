"""Highlighted characters as points and sizes."""

import io
import re

import pytest
from hypothesis import given

from limelight.formats.assessments.highlights import read_highlight_lines
from limelight.formats.assessments.pointed import highlighted_elements, pointed_highlights, units_of
from limelight.formats.opening import Limits
from limelight.formats.problems import FormatError
from limelight.text.documents import read_document
from tests.examples import examples
from tests.limelight.formats.assessments.strategies import judged_collections

ARTICLE = b"<article><title>Salt </title>\n  <body><p>one  two</p> <p>three</p>\n</body></article>"
"""Its text is `Salt \\n  one  two three\\n`."""


@pytest.fixture
def article():
    return read_document(io.BytesIO(ARTICLE), "a")


def pointed(lines, documents, **options):
    judgements, _ = read_highlight_lines(lines, Limits())
    return pointed_highlights(judgements, documents, **options)


def refusal(lines, documents, **options):
    with pytest.raises(FormatError) as caught:
        pointed(lines, documents, **options)
    return [str(problem) for problem in caught.value.problems]


def test_passages_have_points_and_sizes_with_white_space_merged(article):
    highlights, problems = pointed(b"7 Q0 a 9 23 8 2:4 8:5\n", {"a": article}.get)
    [file] = highlights.files

    assert problems == []
    assert file.entry_point == "/article[1]/body[1]/p[1]/text()[1].0"
    assert [(passage.start, passage.end, passage.size) for passage in file.passages] == [
        ("/article[1]/title[1]/text()[1].2", "/article[1]/text()[1].1", 3),
        ("/article[1]/body[1]/p[1]/text()[1].0", "/article[1]/body[1]/p[1]/text()[1].5", 4),
    ]


def test_only_elements_with_highlighted_text_are_listed_in_document_order(article):
    elements = pointed(b"7 Q0 a 9 23 8 2:4 8:5\n", {"a": article}.get)[0].elements

    listed = zip(elements.path, elements.size, elements.highlighted_size, elements.exhaustivity, strict=True)
    assert [(elements.paths[path], *map(int, numbers)) for path, *numbers in listed] == [
        ("/article[1]", 19, 7, -1),
        ("/article[1]/title[1]", 5, 3, -1),
        ("/article[1]/body[1]", 14, 4, -1),
        ("/article[1]/body[1]/p[1]", 7, 4, -1),
    ]


def merged(text):
    return len(re.sub("[ \t\n\r]+", " ", text))


@examples(100)
@given(judged_collections())
def test_sizes_are_those_of_the_text_with_white_space_merged(judged):
    documents, lines = judged
    judgements, _ = read_highlight_lines(lines, Limits())
    for index in range(len(judgements)):
        document = documents[judgements.documents[judgements.document[index]]]
        own = judgements.judgement == index
        spans = list(zip(judgements.offset[own].tolist(), judgements.length[own].tolist(), strict=True))
        characters = {character for offset, length in spans for character in range(offset, offset + length)}
        runs = [range(*run.span()) for run in re.finditer("[ \t\n\r]+|[^ \t\n\r]", document.text)]
        expected = []
        for path, offset, length in document.elements:
            inside = characters & set(range(offset, offset + length))
            if inside:
                touched = sum(not inside.isdisjoint(run) for run in runs)
                expected.append((path, merged(document.text[offset : offset + length]), touched))

        assert highlighted_elements(document, units_of(document.text), spans) == expected


def test_documents_that_are_not_those_that_were_judged_are_refused_all_at_once(article):
    lines = b"7 Q0 a 5 23 0 20:5\n7 Q0 b 5 9 0 0:5\n7 Q0 c 0 9\n8 Q0 a 0 23 24\n"

    assert refusal(lines, {"a": article}.get) == [
        "Line 1: document a of topic 7 is judged up to character 25, but has only 23 in the collection.",
        "Line 2: document b isn't in the collection, so its passages have no place.",
        "Line 4: document a of topic 8 is judged up to character 24, but has only 23 in the collection.",
    ]


def test_another_length_is_a_warning(article):
    _, problems = pointed(b"7 Q0 a 5 30 0 0:5\n", {"a": article}.get)

    assert [(str(problem), problem.severity) for problem in problems] == [
        (
            "Line 1: document a has 30 characters here, but 23 in the collection. The collection's number is taken.",
            "warning",
        )
    ]


def test_paths_that_could_not_be_read_again_are_refused(article):
    assert refusal(b"7 Q0 a 1 23 0 8:1\n", {"a": article}.get, limits=Limits(path_size=20)) == [
        "Line 1: the path '/article[1]/body[1]/p[1]' has 24 characters. At most 20 are allowed."
    ]
