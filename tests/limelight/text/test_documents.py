"""Documents as text: offsets, elements, points, and runs that are mapped onto them."""

import io

import pytest
from hypothesis import given

from limelight.formats.columns import UNMAPPED
from limelight.formats.problems import FormatError
from limelight.formats.runs.reading import read_run
from limelight.text.documents import DocumentText, offset_point, read_document
from limelight.text.placing import placed
from tests.documents import xml_documents
from tests.examples import examples

ARTICLE = """<?xml version="1.0"?>
<!-- the prolog counts nothing --><article><title>Salt &amp; sea</title>
<body>Über <b>white</b> gold<!-- unseen --> and<p>one</p><p>two<i/></p></body></article>"""


@pytest.fixture
def article():
    return read_document(io.BytesIO(ARTICLE.encode()), "salt")


def element_run(*paths, document="salt"):
    lines = [f"7 Q0 {document} {rank} 1 RUN {path}\n" for rank, path in enumerate(paths, 1)]
    return read_run(io.BytesIO("".join(lines).encode()))[0]


def test_the_text_is_all_character_data_in_document_order(article):
    assert article.text == "Salt & sea\nÜber white gold andonetwo"
    assert (article.identifier, article.title, len(article)) == ("salt", "Salt & sea", 36)


def test_every_element_covers_the_text_between_its_tags(article):
    covered = {path: article.text[offset : offset + length] for path, offset, length in article.elements}

    assert list(covered.items()) == [
        ("/article[1]", article.text),
        ("/article[1]/title[1]", "Salt & sea"),
        ("/article[1]/body[1]", "Über white gold andonetwo"),
        ("/article[1]/body[1]/b[1]", "white"),
        ("/article[1]/body[1]/p[1]", "one"),
        ("/article[1]/body[1]/p[2]", "two"),
        ("/article[1]/body[1]/p[2]/i[1]", ""),
    ]


@pytest.mark.parametrize(
    ("point", "rest"),
    [
        ("/article[1]/body[1]/text()[1].0", "Über white"),
        ("/article[1]/body[1]/text()[1].5", "white gold"),
        ("/article[1]/body[1]/text()[2].1", "gold and"),
        ("/article[1]/body[1]/text()[3].0", " andone"),
        ("/article/body/p[2]/text().3", ""),
    ],
)
def test_points_count_the_characters_of_one_text_node(article, point, rest):
    offset, _ = article.places.get(point)

    assert article.text[offset:].startswith(rest)
    assert offset <= len(article)


@pytest.mark.parametrize(
    "point", ["/article[1]/body[1]/text()[9].0", "/article[1]/body[1]/text()[1].6", "/article[1]/x[1]/text()[1].0"]
)
def test_points_outside_the_text_are_nowhere(article, point):
    assert article.places.get(point) is None


def test_an_entity_counts_one_character():
    text = '<!DOCTYPE a SYSTEM "a.dtd"><a>x&eacute;y&unknown;z</a>'

    document = read_document(io.BytesIO(text.encode()), "a")

    assert document.text == "xéy\ufffdz"
    assert document.places.get("/a[1]/text()[1].4")[0] == 4


def test_a_document_survives_being_saved(article):
    store = io.BytesIO()

    article.save(store)
    store.seek(0)

    assert DocumentText.load(store) == article


def test_nesting_without_end_is_refused():
    with pytest.raises(
        FormatError, match=r"^Line 1: the elements are nested more than 256 deep, the most that is read\.$"
    ):
        read_document(io.BytesIO(b"<a>" * 100_000), "deep")


def test_element_paths_become_spans(article):
    columns = element_run("/article[1]/title[1]", "/article[1]/body/p[2]")

    mapped, problems = placed(columns, {"salt": article.places}.get)

    assert problems == []
    assert mapped.offset.tolist() == [0, 33]
    assert mapped.length.tolist() == [10, 3]


def test_a_plain_dictionary_of_spans_will_do():
    mapped, problems = placed(element_run("/a[1]/b"), {"salt": {"/a[1]/b[1]": (5, 3)}}.get)

    assert problems == []
    assert (mapped.offset.tolist(), mapped.length.tolist()) == ([5], [3])


def test_ranges_of_elements_reach_from_the_first_to_the_end_of_the_last(article):
    columns = element_run("/article[1]/body[1]/p[1] /article[1]/body[1]/p[2]")

    mapped, problems = placed(columns, {"salt": article.places}.get)

    assert problems == []
    assert (mapped.offset.tolist(), mapped.length.tolist()) == ([30], [6])


def test_passages_reach_from_point_to_point(article):
    columns = element_run("/article[1]/body[1]/text()[1].2 /article[1]/body[1]/p[1]/text()[1].1")

    mapped, problems = placed(columns, {"salt": article.places}.get)

    assert problems == []
    assert article.text[mapped.offset[0] :][: mapped.length[0]] == "er white gold ando"


def test_a_path_that_the_document_lacks_is_an_error(article):
    columns = element_run("/article[1]/body[1]", "/article[1]/sec[9]")

    mapped, problems = placed(columns, {"salt": article.places}.get)

    assert mapped.offset.tolist() == [11, UNMAPPED]
    assert [str(problem) for problem in problems] == [
        "Line 2: topic 7 returns /article[1]/sec[9] of salt, which that document doesn't have."
    ]


def test_results_in_unknown_documents_stay_unmapped_with_one_warning():
    columns = element_run("/article[1]", "/article[1]/p[1]", document="nobody")

    mapped, problems = placed(columns, {}.get)

    assert mapped.offset.tolist() == [UNMAPPED, UNMAPPED]
    assert [(str(problem), problem.severity) for problem in problems] == [
        ("2 of 2 results have no place in the text: their documents or elements aren't known here.", "warning")
    ]


def test_a_range_that_ends_before_it_begins_is_an_error(article):
    columns = element_run("/article[1]/body[1]/p[2] /article[1]/title[1]")

    _, problems = placed(columns, {"salt": article.places}.get)

    assert [str(problem) for problem in problems] == [
        "Line 1: topic 7 returns /article[1]/body[1]/p[2] to /article[1]/title[1] of salt, "
        "which that document doesn't have."
    ]


@pytest.mark.parametrize(
    ("offset", "ends", "point"),
    [
        (0, False, "/article[1]/title[1]/text()[1].0"),
        (0, True, "/article[1]/title[1]/text()[1].0"),
        (10, False, "/article[1]/text()[1].0"),
        (10, True, "/article[1]/title[1]/text()[1].10"),
        (18, False, "/article[1]/body[1]/b[1]/text()[1].2"),
        (36, False, "/article[1]/body[1]/p[2]/text()[1].3"),
        (36, True, "/article[1]/body[1]/p[2]/text()[1].3"),
        (37, False, None),
        (-1, True, None),
    ],
)
def test_offsets_become_points(article, offset, ends, point):
    assert offset_point(article, offset, ends=ends) == point


def test_a_document_without_text_has_its_root_for_a_point():
    empty = read_document(io.BytesIO(b"<article><p/></article>"), "empty")

    assert offset_point(empty, 0) == "/article[1]"
    assert empty.places.get("/article[1]")[0] == 0


def test_siblings_of_two_namespaces_have_paths_of_their_own():
    document = read_document(io.BytesIO(b'<a><b xmlns="one">x</b><b xmlns="two">y</b></a>'), "a")

    assert [element.path for element in document.elements] == ["/a[1]", "/a[1]/b[1]", "/a[1]/b[2]"]


@examples(400)
@given(xml_documents())
def test_offset_to_point_to_offset_is_where_one_began(source):
    document = read_document(io.BytesIO(source.encode()), "any")

    for offset in range(len(document) + 1):
        for ends in (False, True):
            assert document.places.get(offset_point(document, offset, ends=ends))[0] == offset
