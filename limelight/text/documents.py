"""XML documents as text: what their characters are, and which of them each element covers."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, ItemsView, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import BinaryIO, NamedTuple, Protocol

import numpy as np
from lxml import etree

from limelight.arrays import Array
from limelight.formats.opening import Limits, read_payload, refuse
from limelight.formats.safe_xml import Element as XmlElement
from limelight.formats.safe_xml import entity_name, entity_text, line_of, parse
from limelight.formats.stored import File

TITLE_TAGS = ("title", "name", "atl")
POINT = re.compile(r"(?P<element>/.*?)/text\(\)(?:\[(?P<node>\d{1,9})\])?\.(?P<character>\d{1,9})")
PATHS_SIZE = 50_000_000
"""Characters of all paths of a document: a few deep elements with many parts could fill the memory with them."""

STEP_WITHOUT_NUMBER = re.compile(r"(?<=[^\]/])(?=/|\Z)")


Span = tuple[int, int]
"""Offset and length."""


class Spans(Protocol):
    """The places of one document's paths: a dictionary, or a document's own `places`, which know points too."""

    def get(self, path: str, /) -> Span | None:
        """Return the span of a path."""
        ...

    def items(self) -> Iterable[tuple[str, Span]]:
        """Go through paths and spans."""
        ...


Lookup = Callable[[str], Spans | None]
"""Gives the places of a document, None for one that isn't known."""


class Element(NamedTuple):
    """An element's path and the characters it covers."""

    path: str
    offset: int
    length: int


STILL_OPEN = Element("", 0, 0)
"""Keeps the place of an element whose end has not been met."""


class TextNode(NamedTuple):
    """A stretch of text that belongs directly to one element, numbered from 1 within it."""

    path: str
    number: int
    offset: int
    length: int


@dataclass(frozen=True)
class DocumentText:
    """A document's text (all its character data), its elements and its text nodes in document order."""

    identifier: str
    title: str
    text: str
    elements: tuple[Element, ...]
    text_nodes: tuple[TextNode, ...]

    def __len__(self) -> int:
        return len(self.text)

    @cached_property
    def places(self) -> "Places":
        """Return the spans of paths and points, for looking up as in a dictionary."""
        return Places(self)

    @cached_property
    def node_starts(self) -> list[int]:
        """Return where the text nodes begin; one follows the other without a gap."""
        return [node.offset for node in self.text_nodes]

    def save(self, target: File) -> None:
        """Write the document to a file, compactly."""
        words = [self.identifier, self.title, *(element.path for element in self.elements)]
        numbers = {element.path: number for number, element in enumerate(self.elements)}
        np.savez_compressed(
            target,
            text=_packed(self.text),
            words=_packed("\n".join(words)),
            elements=np.array([element[1:] for element in self.elements], dtype=np.int32).reshape(-1, 2),
            nodes=np.array([(numbers[node.path], *node[1:]) for node in self.text_nodes], np.int32).reshape(-1, 4),
        )

    @classmethod
    def load(cls, source: File) -> "DocumentText":
        """Read what `save` wrote."""
        with np.load(source, allow_pickle=False) as stored:
            text = _unpacked(stored["text"])
            identifier, title, *paths = _unpacked(stored["words"]).split("\n")
            spans = stored["elements"].tolist()
            nodes = stored["nodes"].tolist()
        elements = tuple(Element(path, *span) for path, span in zip(paths, spans, strict=True))
        text_nodes = tuple(TextNode(paths[number], *place) for number, *place in nodes)
        return cls(identifier, title, text, elements, text_nodes)


def _packed(text: str) -> Array:
    return np.frombuffer(text.encode("utf-8"), dtype=np.uint8)


def _unpacked(stored: Array) -> str:
    return stored.tobytes().decode("utf-8")


class Places:
    """Answers where a path or a point of one document lies; a point has length 0."""

    def __init__(self, document: DocumentText) -> None:
        self._elements = {element.path: (element.offset, element.length) for element in document.elements}
        self._nodes = {(node.path, node.number): node for node in document.text_nodes}

    def get(self, path: str, absent: Span | None = None) -> Span | None:
        """Return the offset and length of a path or point, or what stands for an absent one."""
        point = POINT.fullmatch(path)
        if not point:
            return self._elements.get(normal_path(path), absent)
        node = self._nodes.get((normal_path(point["element"]), int(point["node"] or 1)))
        character = int(point["character"])
        if node is None or character > node.length:
            return absent
        return node.offset + character, 0

    def items(self) -> ItemsView[str, Span]:
        """Return the elements' paths and spans."""
        return self._elements.items()


def read_document(stream: BinaryIO, identifier: str, *, limits: Limits = Limits()) -> DocumentText:
    """Return the text and the element spans of an XML document."""
    root, entities = parse(read_payload(stream, limits))
    walk = _Walk(entities)
    walk.element(root, "")
    title = " ".join(walk.title.split()) or identifier
    return DocumentText(identifier, title, "".join(walk.pieces), tuple(walk.elements), tuple(walk.text_nodes))


class _Walk:
    """One walk over a tree, collecting text and places."""

    def __init__(self, entities: Mapping[str, str]) -> None:
        self.entities = entities
        self.pieces: list[str] = []
        self.position = 0
        self.elements: list[Element] = []
        self.text_nodes: list[TextNode] = []
        self.title = ""
        self.paths_size = 0

    def element(self, element: XmlElement, parent_path: str, number: int = 1) -> None:
        path = f"{parent_path}/{_name(element)}[{number}]"
        self._keep_to_paths(path, element)
        index = len(self.elements)
        start = self.position
        first_piece = len(self.pieces)
        self.elements.append(STILL_OPEN)
        nodes = 0
        node_start = self.position
        self._text(element.text)
        numbers: Counter[str] = Counter()
        for child in element:
            if child.tag is etree.Entity:
                self._text(entity_text(entity_name(child), self.entities))
            else:
                nodes = self._close_text_node(path, nodes, node_start)
                if isinstance(child.tag, str):
                    name = _name(child)  # not its tag: two namespaces can share a prefix, and a path is for one element
                    numbers[name] += 1
                    self.element(child, path, numbers[name])
                node_start = self.position
            self._text(child.tail)
        self._close_text_node(path, nodes, node_start)
        self.elements[index] = Element(path, start, self.position - start)
        if not self.title and etree.QName(element).localname.lower() in TITLE_TAGS:
            self.title = "".join(self.pieces[first_piece:])

    def _keep_to_paths(self, path: str, element: XmlElement) -> None:
        self.paths_size += len(path)
        if self.paths_size > PATHS_SIZE:
            message = f"the elements' paths have more than {PATHS_SIZE:,} characters in all, the most that is read."
            refuse(message, "xml-size", line_of(element))

    def _text(self, text: str | None) -> None:
        if text:
            self.pieces.append(text)
            self.position += len(text)

    def _close_text_node(self, path: str, nodes: int, node_start: int) -> int:
        if self.position > node_start:
            nodes += 1
            self.text_nodes.append(TextNode(path, nodes, node_start, self.position - node_start))
        return nodes


def _name(element: XmlElement) -> str:
    name = etree.QName(element).localname
    return f"{element.prefix}:{name}" if element.prefix else name


def normal_path(path: str) -> str:
    """Write out the numbers that a path leaves to the reader.

    >>> normal_path("/article/bdy[1]/sec"), normal_path("/article[1]/")
    ('/article[1]/bdy[1]/sec[1]', '/article[1]')
    """
    return STEP_WITHOUT_NUMBER.sub("[1]", path.rstrip("/"))


def offset_point(document: DocumentText, offset: int, *, ends: bool = False) -> str | None:
    """Return the point before a character, or None where the text has no such offset.

    Between two text nodes the point is in the second, or in the first when something `ends` there. A document without
    text has no points: its root element's path stands for them.
    """
    if not 0 <= offset <= len(document):
        return None
    if not document.text_nodes:
        return document.elements[0].path
    place = bisect_left(document.node_starts, offset) if ends else bisect_right(document.node_starts, offset)
    node = document.text_nodes[max(place - 1, 0)]
    return f"{node.path}/text()[{node.number}].{offset - node.offset}"
