"""Reading XML that strangers wrote: nothing external, nothing that grows, every complaint with its line."""

import html
import html.entities
import io
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

from lxml import etree

from limelight.formats.opening import refuse
from limelight.formats.problems import FormatError, Problem
from limelight.formats.xml_attributes import keep_to_attributes

Element = etree._Element
"""What lxml makes of an element; it has no public name for it."""

PARSER_OPTIONS: Any = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}
ENCODINGS = re.compile(r"utf-?8|us-ascii|ascii|iso-?8859-?\d{1,2}|latin-?1|windows-125\d|cp125\d", re.IGNORECASE)
DECLARED_ENCODING = re.compile(rb"""\A\s*<\?xml[^>]{0,200}?\bencoding\s*=\s*["']([^"'>]{0,100})["']""")
ENTITY_COUNT = 300
MARKUP_COUNT = 500_000
ENTITY_SIZE = 200
PROLOG_SIZE = 200_000
PROLOG_PIECE = re.compile(rb"\s+|<\?.*?\?>|<!--.*?-->", re.DOTALL)
DOCTYPE_HEAD = re.compile(rb"""<!DOCTYPE\s+[^\s\[>]+(?:\s+(?:"[^"]*"|'[^']*'|[^\s\["'>]+))*\s*""")
SUBSET_PIECE = re.compile(
    rb"""\s+|<!--.*?-->|<\?.*?\?>|(?P<declaration><!(?:[^"'>]|"[^"]*"|'[^']*')*>)|(?P<parameter>%[^;\s]*;)""", re.DOTALL
)
ENTITY_DECLARATION = re.compile(rb"""<!ENTITY\s+(?P<percent>%\s+)?(?P<name>[^\s%]+)\s+(?P<rest>.*)>\Z""", re.DOTALL)
COMPLAINTS = (
    ("Excessive depth", "the elements are nested more than 256 deep, the most that is read.", "xml-depth"),
    ("amplification", "the entities stand for far more text than the file has. Write the text itself.", "xml-entities"),
    ("XML_PARSE_HUGE", "a text, name or attribute has more than 10 MB, the most that is read.", "xml-size"),
    ("too big", "a comment or an instruction has more than 10 MB, the most that is read.", "xml-size"),
    (
        "Invalid bytes in character encoding",
        "there are bytes that the declared encoding (or else UTF-8) doesn't have. Save the file as UTF-8.",
        "encoding",
    ),
)
PREDEFINED = ("lt", "gt", "amp", "quot", "apos")
UNKNOWN_CHARACTER = "\ufffd"


def checked_entities(payload: bytes) -> dict[str, str]:
    """Refuse a DOCTYPE, an encoding or an element that could hurt; return the harmless entities that are declared."""
    declared = DECLARED_ENCODING.match(payload)
    if declared and not ENCODINGS.fullmatch(encoding := declared[1].decode("latin-1")):
        refuse(f"the file declares the encoding {encoding!r}, which isn't read here. Save it as UTF-8.", "encoding", 1)
    keep_to_attributes(payload)
    position = 0
    while piece := PROLOG_PIECE.match(payload, position):
        position = piece.end()
    if not payload.startswith(b"<!DOCTYPE", position):
        return {}
    head = DOCTYPE_HEAD.match(payload, position, position + PROLOG_SIZE)
    if not head:
        refuse("the DOCTYPE is broken. Remove it: nothing here needs it.", "doctype", line_at(payload, position))
    return _entities(payload, head.end()) if payload.startswith(b"[", head.end()) else {}


def _entities(payload: bytes, start: int) -> dict[str, str]:
    position = start + 1
    end = start + PROLOG_SIZE
    entities: dict[str, str] = {}
    while piece := SUBSET_PIECE.match(payload, position, end):
        begun, position = position, piece.end()
        if piece["parameter"] is not None:
            message = "the DOCTYPE uses a parameter entity. Remove it: nothing here needs it."
            refuse(message, "doctype", line_at(payload, begun))
        if piece["declaration"] is not None and (declaration := ENTITY_DECLARATION.match(piece["declaration"])):
            name, value = _harmless_entity(declaration, partial(line_at, payload, begun))
            entities.setdefault(name, value)
            if len(entities) > ENTITY_COUNT:
                refuse(f"The DOCTYPE declares more than {ENTITY_COUNT} entities, the most that is read.", "doctype")
    if not payload.startswith(b"]", position):
        refuse("The DOCTYPE is broken or too long. Remove it: nothing here needs it.", "doctype")
    return entities


def line_at(payload: bytes, position: int) -> int:
    """Return the number of the line at a place; it takes a look at all before it, so only a complaint asks."""
    return payload.count(b"\n", 0, position) + 1


def _harmless_entity(declaration: re.Match[bytes], line: Callable[[], int]) -> tuple[str, str]:
    name = declaration["name"].decode("utf-8", "replace")
    if declaration["percent"]:
        refuse(f"the DOCTYPE declares the parameter entity %{name};. Remove it.", "doctype", line())
    rest = declaration["rest"].strip()
    if rest[:1] not in (b'"', b"'"):
        refuse(f"the entity &{name}; points outside the file. Write its text into the file instead.", "doctype", line())
    value = plain_value(rest[1:-1])
    if name in PREDEFINED:
        return name, html.unescape(f"&{name};")  # real INEX topics redeclare these; they keep their meaning
    if value is None or len(rest) > ENTITY_SIZE:
        refuse(
            f"the entity &{name}; is long or built of other entities. Write its text into the file instead.",
            "doctype",
            line(),
        )
    return name, value


def plain_value(value: bytes) -> str | None:
    """Return the text of an entity's value, or None when it holds markup or other entities.

    >>> plain_value(b"caf&#233;"), plain_value(b"&a;&a;"), plain_value(b"&#38;a;")
    ('café', None, None)
    """
    if re.search(rb"%|&(?!#\d{1,7};|#x[0-9A-Fa-f]{1,6};)", value):
        return None
    text = html.unescape(value.decode("utf-8", "replace"))
    return None if re.search("[&<]", text) else text


def parse(payload: bytes) -> tuple[Element, dict[str, str]]:
    """Return the root element of a whole small file, and the entities that it declares."""
    entities = checked_entities(payload)
    if markup_in(payload) > MARKUP_COUNT:
        refuse(f"The file has more than {MARKUP_COUNT:,} tags and attributes, the most that is read.", "markup")
    parser = etree.XMLParser(**PARSER_OPTIONS)
    try:
        return etree.fromstring(payload, parser), entities
    except etree.XMLSyntaxError:
        raise syntax_error(parser.error_log) from None


def markup_in(payload: bytes) -> int:
    """Count tags and attributes roughly, from above: what the tree's memory grows with."""
    return payload.count(b"<") + payload.count(b"=")


class WatchedStream:
    """Hands a file to the parser and stops it when too much markup has come since the tree was last cleared."""

    def __init__(self, payload: bytes) -> None:
        self._stream = io.BytesIO(payload)
        self._pending = 0

    def read(self, size: int) -> bytes:
        """Return the next bytes."""
        chunk = self._stream.read(size)
        self._pending += markup_in(chunk)
        if self._pending > MARKUP_COUNT:
            message = f"One part of the file has more than {MARKUP_COUNT:,} tags and attributes, the most that is read."
            refuse(message, "markup")
        return chunk

    def cleared(self) -> None:
        """Begin to count anew."""
        self._pending = 0


def syntax_error(error_log: etree._ListErrorLog) -> FormatError:
    """Turn lxml's complaints about one file into ours, with their lines."""
    entries = [entry for entry in error_log if entry.level_name != "WARNING"][:100]
    problems = []
    for entry in entries:
        message, rule = explained(" ".join(entry.message.split()).rstrip("."))
        problems.append(Problem(message, rule, entry.line))
    problems = problems or [Problem("The XML is broken. Mend the file and upload it again.", "xml-syntax")]
    return FormatError(problems)


def explained(complaint: str) -> tuple[str, str]:
    """Say what a complaint of the parser means for the file's author, and name its rule."""
    for part, message, rule in COMPLAINTS:
        if part in complaint:
            return message, rule
    return f"the XML is broken here ({complaint}). Mend the file and upload it again.", "xml-syntax"


def entity_text(name: str, entities: Mapping[str, str]) -> str:
    """Return what an entity stands for; one that nobody declared counts as one unknown character.

    >>> entity_text("eacute", {}), entity_text("inex", {"inex": "INEX"}), entity_text("nobody", {})
    ('é', 'INEX', '�')
    """
    if name in entities:
        return entities[name]
    return html.entities.html5.get(f"{name};", UNKNOWN_CHARACTER)


def entity_name(entity: Element) -> str:
    """Return the name of an entity that stands in a tree for itself."""
    return cast(etree._Entity, entity).name


def line_of(element: Element) -> int:
    """Return the line on which an element begins; what was parsed from a file always has one."""
    return cast(int, element.sourceline)


def text_of(element: Element, entities: Mapping[str, str]) -> str:
    """Return all character data inside an element."""
    pieces: list[str] = []
    _gather(element, entities, pieces)
    return "".join(pieces)


def _gather(element: Element, entities: Mapping[str, str], pieces: list[str]) -> None:
    pieces.append(element.text or "")
    for child in element:
        if child.tag is etree.Entity:
            pieces.append(entity_text(entity_name(child), entities))
        elif isinstance(child.tag, str):
            _gather(child, entities, pieces)
        pieces.append(child.tail or "")
