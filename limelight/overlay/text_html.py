"""The text of a document with what is laid over it, as HTML.

All of the raw text is there, character by character, white space between elements as well; what is not text (ranks,
entry points) bears `data-mark`. There are no addresses but those inside the page, which begin with a prefix.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from itertools import pairwise
from typing import NamedTuple

from limelight.overlay.laying import MOST_LAYERS, Overlay, Segment
from limelight.text.documents import DocumentText
from limelight.text.outline import Block, blocks_of

ASKED, ENTERED = "▼", "▽"
RESULTS = ("r", "q")
"""What the anchors of the results of the first and of the second run begin with."""


class Stop(NamedTuple):
    """A place to go to: what it is called in the page, and from where to where it reaches."""

    anchor: str
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class LaidText:
    """The text as HTML, and the places to go to in it, by what they are: hits, misses and so on."""

    html: str
    stops: dict[str, list[Stop]] = field(default_factory=dict)


def text_html(
    document: DocumentText, overlay: Overlay, *, prefix: str = "", blocks: Sequence[Block] | None = None
) -> LaidText:
    """Write a document's blocks with what is laid over them; whoever has the blocks hands them over."""
    writer = _Writer(document.text, overlay, prefix)
    writer.write([block for block in (blocks_of(document) if blocks is None else blocks) if block.length])
    return LaidText("".join(writer.written), writer.stops)


def escaped(text: str) -> str:
    """Write text so that a browser reads the same characters: also a carriage return, which it would take for a line.

    >>> escaped("a < b & c\\r")
    'a &lt; b &amp; c&#13;'
    """
    return escape(text, quote=False).replace("\r", "&#13;")


class _Writer:
    """One walk over a text, from cut to cut."""

    def __init__(self, text: str, overlay: Overlay, prefix: str) -> None:
        self.text, self.overlay, self.prefix = text, overlay, prefix
        self.written: list[str] = []
        self.stops: dict[str, list[Stop]] = {}
        self.stop_count = 0
        self.open_stops: tuple[str, ...] = ()
        self.marks = sorted(_marks(overlay, prefix), key=lambda mark: mark[0])
        self.next_mark = 0
        self.names = cache(lambda highlighted, by: _names(overlay, highlighted, by))

    def write(self, blocks: Sequence[Block]) -> None:
        """Write everything: blocks as elements, what lies between them as it is."""
        segments = iter(self.overlay.segments)
        segment = next(segments)
        opens = {block.offset: block for block in blocks}
        closes = {block.offset + block.length: block for block in blocks}
        cells = [cell for block in blocks for cell in block.cells if cell[1]]
        cell_opens, cell_closes = {offset for offset, _ in cells}, {offset + length for offset, length in cells}
        is_inside = False
        for begin, end in pairwise(self._cuts(opens, closes, cell_opens, cell_closes)):
            while segment.end <= begin:
                segment = next(segments)
            if begin in opens:
                self.written.append(_opening(opens[begin], self.prefix))
                is_inside = True
            if not is_inside:
                self.written.append(escaped(self.text[begin:end]))
                continue
            if begin in cell_opens:
                self.written.append('<span class="cell">')
            self._write_marks(begin)
            self._write_piece(begin, end, segment)
            if end in cell_closes:
                self.written.append("</span>")
            if end in closes:
                if closes[end] is blocks[-1]:
                    self._write_marks(self.overlay.extent)
                self.written.append(f"</{_tag(closes[end])}>")
                is_inside = False

    def _cuts(self, *places: Iterable[int]) -> list[int]:
        """Return where the text is cut: at segments, marks, blocks and cells."""
        cuts = {0, len(self.text), *(place for some in places for place in some)}
        cuts |= {segment.begin for segment in self.overlay.segments} | {place for place, _ in self.marks}
        return sorted(cut for cut in cuts if 0 <= cut <= len(self.text))

    def _write_marks(self, place: int) -> None:
        """Write the marks up to a place that have not been written yet, those between two blocks as well."""
        while self.next_mark < len(self.marks) and self.marks[self.next_mark][0] <= place:
            self.written.append(self.marks[self.next_mark][1])
            self.next_mark += 1

    def _write_piece(self, begin: int, end: int, segment: Segment) -> None:
        piece = self.text[begin:end]
        name, stops = self.names(segment.highlighted, segment.by)
        begun = [] if piece.isspace() else self._begun(begin, end, stops)
        if not name:
            self.written.append(escaped(piece))
        elif begun:
            anchor = f'id="{self.prefix}s{self.stop_count}" data-stop="{" ".join(begun)}"'
            self.written.append(f'<span class="{name}" {anchor}>{escaped(piece)}</span>')
        else:
            self.written.append(f'<span class="{name}">{escaped(piece)}</span>')

    def _begun(self, begin: int, end: int, stops: tuple[str, ...]) -> list[str]:
        """Note which places to go to begin or go on here; white space between two pieces parts nothing."""
        begun = [name for name in stops if name not in self.open_stops]
        self.stop_count += bool(begun)
        for name in stops:
            known = self.stops.setdefault(name, [])
            if name in begun:
                known.append(Stop(f"{self.prefix}s{self.stop_count}", begin, end))
            else:
                known[-1] = known[-1]._replace(end=end)
        self.open_stops = stops
        return begun


def _names(overlay: Overlay, highlighted: bool, by: tuple[bool, ...]) -> tuple[str, tuple[str, ...]]:
    segment = Segment(0, 0, highlighted, by)
    return " ".join(overlay.marks_of(segment)), overlay.stops_of(segment)


def _marks(overlay: Overlay, prefix: str) -> Iterable[tuple[int, str]]:
    """Yield what stands between characters, with its place: entry points first, then ranks."""
    if overlay.entry_point is not None and overlay.kind.has_places:
        yield overlay.entry_point, _entry(f"{prefix}asked", "asked", ASKED, "The assessor would begin here")
    for number, layer in enumerate(overlay.layers):
        if overlay.shows_entries and layer.entry is not None:
            anchor = f"{prefix}entered{number + 1 if overlay.is_double else ''}"
            name = f"entered layer-{number + 1}"
            yield layer.entry, _entry(anchor, name, ENTERED, f"{layer.name} begins here")
    if not overlay.kind.has_places:
        return
    for layer, letter, tag in zip(overlay.layers, RESULTS, _rank_tags(overlay), strict=False):
        for result in layer.results:
            if result.offset is not None:
                anchor = escape(f"{prefix}{letter}{result.number}")
                yield result.offset, f'<{tag} class="rank" id="{anchor}" data-mark>{escape(result.label)}</{tag}>'


def _rank_tags(overlay: Overlay) -> tuple[str, ...]:
    """Return where ranks stand: above the text, or of two runs each where it has its line."""
    return ("sub", "sup")[:MOST_LAYERS] if overlay.is_double else ("sup",)


def _entry(anchor: str, name: str, sign: str, told: str) -> str:
    label = escape(told)
    return f'<span class="entry {name}" id="{anchor}" role="img" aria-label="{label}" data-mark>{sign}</span>'


def _tag(block: Block) -> str:
    return "h2" if block.is_title else "p"


def _opening(block: Block, prefix: str) -> str:
    place = f'id="{prefix}c{block.offset}" data-at="{block.offset}" dir="auto" title="{escape(block.path)}"'
    if block.is_title:
        return f'<h2 {place} class="depth-{block.depth}">'
    name = "row" if block.is_row else "item" if block.tag == "item" else ""
    return f'<p {place} class="{name}">' if name else f"<p {place}>"
