"""A document laid out for reading: its blocks of text and its outline, whatever its elements are called."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from limelight.text.documents import DocumentText, Element, Span

ROW_TAGS = {"row", "tr"}
TITLE_TAGS = {"title", "st", "head", "heading", "name", "atl", "ss1", "h1", "h2", "h3", "h4"}


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of running text: an element with text of its own, its inline children included.

    `text` is in words with one blank between them; `cells` are the places of the cells of a row.
    """

    path: str
    tag: str
    offset: int
    length: int
    depth: int
    text: str
    cells: tuple[Span, ...] = ()

    @property
    def is_row(self) -> bool:
        """Return whether this block is a row of a table."""
        return self.tag in ROW_TAGS

    @property
    def is_title(self) -> bool:
        """Return whether this block names the element it stands in."""
        return self.tag in TITLE_TAGS


@dataclass(slots=True)
class Entry:
    """A line of the outline: an element that has a title, with those inside it."""

    title: str
    path: str
    offset: int
    length: int
    entries: list["Entry"] = field(default_factory=list)


def tag_of(path: str) -> str:
    """Return the name of the element that a path leads to.

    >>> tag_of("/article[1]/body[1]/p[2]")
    'p'
    """
    return path.rpartition("/")[2].partition("[")[0]


def blocks_of(document: DocumentText) -> list[Block]:
    """Return the blocks of a document in order: the outermost elements that have text of their own."""
    speaking = {
        node.path
        for node in document.text_nodes
        if not document.text[node.offset : node.offset + node.length].isspace()
    }
    found: list[tuple[Element, list[Element]]] = []
    covered_by, depth_of_cells = None, 0
    for element in document.elements:
        if covered_by and element.path.startswith(covered_by):
            if element.path.count("/") == depth_of_cells:
                found[-1][1].append(element)
        elif element.path in speaking or tag_of(element.path) in ROW_TAGS:
            found.append((element, []))
            covered_by, depth_of_cells = element.path + "/", element.path.count("/") + 1
    return [_block(document, element, inside) for element, inside in found]


def _block(document: DocumentText, element: Element, inside: list[Element]) -> Block:
    """Return a block; of a row, its children are the cells."""
    path, tag = element.path, tag_of(element.path)
    cells = inside if tag in ROW_TAGS else []
    text = " · ".join(_words(document, cell) for cell in cells) or _words(document, element)
    spans = tuple((cell.offset, cell.length) for cell in cells)
    return Block(path, tag, element.offset, element.length, path.count("/"), text, spans)


def _words(document: DocumentText, element: Element) -> str:
    return " ".join(document.text[element.offset : element.offset + element.length].split())


def outline_of(document: DocumentText, blocks: Sequence[Block] | None = None) -> list[Entry]:
    """Return the nested entries of elements with a title of their own; whoever has the blocks hands them over."""
    spans = {element.path: element for element in document.elements}
    outline: list[Entry] = []
    open_entries: list[Entry] = []
    for block in blocks_of(document) if blocks is None else blocks:
        if not block.is_title:
            continue
        owner = spans[block.path.rpartition("/")[0] or block.path]
        while open_entries and not owner.path.startswith(open_entries[-1].path + "/"):
            open_entries.pop()
        entry = Entry(block.text, owner.path, block.offset, owner.length)
        (open_entries[-1].entries if open_entries else outline).append(entry)
        open_entries.append(entry)
    return outline
