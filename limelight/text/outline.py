"""A document laid out for reading: its blocks of text and its outline, whatever its elements are called."""

from dataclasses import dataclass, field

from limelight.text.documents import DocumentText, Element

ROW_TAGS = {"row", "tr"}
TITLE_TAGS = {"title", "st", "head", "heading", "name", "atl", "ss1", "h1", "h2", "h3", "h4"}


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of running text: an element with text of its own, its inline children included."""

    path: str
    tag: str
    offset: int
    length: int
    depth: int
    text: str

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
    blocks, covered_by = [], None
    for element in document.elements:
        if covered_by and element.path.startswith(covered_by):
            continue
        tag = tag_of(element.path)
        if element.path in speaking or tag in ROW_TAGS:
            text = _row(document, element) if tag in ROW_TAGS else _words(document, element)
            depth = element.path.count("/")
            blocks.append(Block(element.path, tag, element.offset, element.length, depth, text))
            covered_by = element.path + "/"
    return blocks


def _words(document: DocumentText, element: Element) -> str:
    return " ".join(document.text[element.offset : element.offset + element.length].split())


def _row(document: DocumentText, row: Element) -> str:
    depth = row.path.count("/") + 1
    cells = [
        element
        for element in document.elements
        if element.path.startswith(row.path + "/") and element.path.count("/") == depth
    ]
    return " · ".join(_words(document, cell) for cell in cells) or _words(document, row)


def outline_of(document: DocumentText) -> list[Entry]:
    """Return the nested entries of elements with a title of their own."""
    spans = {element.path: element for element in document.elements}
    outline: list[Entry] = []
    open_entries: list[Entry] = []
    for block in blocks_of(document):
        if not block.is_title:
            continue
        owner = spans[block.path.rpartition("/")[0] or block.path]
        while open_entries and not owner.path.startswith(open_entries[-1].path + "/"):
            open_entries.pop()
        entry = Entry(block.text, owner.path, block.offset, owner.length)
        (open_entries[-1].entries if open_entries else outline).append(entry)
        open_entries.append(entry)
    return outline
