"""Blocks and outline of documents, whatever their elements are called."""

from io import BytesIO

from limelight.text.documents import read_document
from limelight.text.outline import blocks_of, outline_of

ARTICLE = """<article><header><title>Wick</title></header>
<body><p>A <emph>plaited</emph>
   cord.</p>
<section><title>Kinds</title><list><item>flat</item><item><p>round</p><p>hollow</p></item></list>
<section><title>Asbestos</title><p>Banned.</p></section></section>
<section><title>Trimming</title><p/></section></body></article>"""


def document():
    return read_document(BytesIO(ARTICLE.encode()), "wick")


def test_blocks_are_the_outermost_elements_with_text_of_their_own():
    assert [(block.tag, block.text) for block in blocks_of(document())] == [
        ("title", "Wick"),
        ("p", "A plaited cord."),
        ("title", "Kinds"),
        ("item", "flat"),
        ("p", "round"),
        ("p", "hollow"),
        ("title", "Asbestos"),
        ("p", "Banned."),
        ("title", "Trimming"),
    ]


def test_a_block_s_place_is_that_of_its_element():
    read = document()
    for block in blocks_of(read):
        assert " ".join(read.text[block.offset : block.offset + block.length].split()) == block.text


def test_the_outline_nests_as_the_elements_do():
    def titles(entries):
        return [(entry.title, titles(entry.entries)) for entry in entries]

    assert titles(outline_of(document())) == [("Wick", []), ("Kinds", [("Asbestos", [])]), ("Trimming", [])]


def test_a_row_of_a_table_is_one_block():
    table = read_document(
        BytesIO(b"<a><table><row><cell>one</cell><cell>two <b>three</b></cell></row></table></a>"), "t"
    )

    assert [(block.tag, block.text) for block in blocks_of(table)] == [("row", "one · two three")]


def test_a_document_without_titles_or_text_has_neither():
    empty = read_document(BytesIO(b"<a><b/><c> </c></a>"), "empty")

    assert blocks_of(empty) == []
    assert outline_of(empty) == []
