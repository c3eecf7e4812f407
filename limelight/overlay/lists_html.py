"""What stands beside the text, as HTML: the outline with its heat, the results in the document, and what was missed."""

from collections.abc import Iterable, Sequence
from html import escape

import numpy as np

from limelight.overlay.counting import Counts, counts_in
from limelight.overlay.laying import HIT, LIT, MISS, RETURNED, WASTE, Layer, Overlay
from limelight.overlay.numbers import percentage
from limelight.overlay.text_html import RESULTS, Stop
from limelight.text.documents import DocumentText
from limelight.text.outline import Entry
from limelight.wording import counted

BEFORE_THE_FOLD = 5
BAR = 100


def outline_html(document: DocumentText, entries: Sequence[Entry], overlay: Overlay, *, prefix: str = "") -> str:
    """Write the outline; beside each section how much of its highlighted text was found, and a bar of its text."""
    every = list(_all_of(entries))
    if not every:
        return ""
    spans = [document.places.get(entry.path) or (entry.offset, entry.length) for entry in every]
    begins, lengths = np.array(spans, dtype=np.int64).T
    heats = {
        id(entry): counts for entry, counts in zip(every, counts_in(overlay, begins, begins + lengths), strict=True)
    }

    def written(level: Sequence[Entry]) -> str:
        lines = (
            f'<li><a href="#{prefix}c{entry.offset}"><bdi>{escape(entry.title)}</bdi></a> '
            f"{_heat(overlay, heats[id(entry)])}{written(entry.entries) if entry.entries else ''}</li>"
            for entry in level
        )
        return f"<ol>{''.join(lines)}</ol>"

    return written(entries)


def outline_words(overlay: Overlay) -> str:
    """Say what the shares beside an outline are."""
    if not overlay.returns_text:
        return "highlighted share of each section" if overlay.is_judged else ""
    if not overlay.is_judged:
        return "returned share of each section"
    return "found share of what is highlighted in each section" + (", below and above" if overlay.is_double else "")


def _all_of(entries: Iterable[Entry]) -> Iterable[Entry]:
    for entry in entries:
        yield entry
        yield from _all_of(entry.entries)


def _heat(overlay: Overlay, counts: Counts) -> str:
    words = _share(overlay, counts)
    return f'<span class="heat">{_bar(overlay, counts)} {words}</span>' if words else ""


def _share(overlay: Overlay, counts: Counts) -> str:
    if not overlay.returns_text:
        return percentage(counts.highlighted, counts.length) if overlay.is_judged else ""
    if not overlay.is_judged:
        return percentage(counts.returned_by_any, counts.length)
    if not counts.highlighted:
        return "–"
    told = [found for found, layer in zip(counts.found, overlay.layers, strict=True) if layer.is_measured]
    return " · ".join(percentage(found, counts.highlighted) for found in told)


def _bar(overlay: Overlay, counts: Counts) -> str:
    """Draw how much of a section is hit, missed and wasted, in this order."""
    if not overlay.returns_text:
        parts = {LIT: counts.highlighted}
    elif not overlay.is_judged:
        parts = {RETURNED: counts.returned_by_any}
    else:
        wasted = counts.returned_by_any - counts.found_by_any
        parts = {HIT: counts.found_by_any, MISS: counts.missed, WASTE: wasted}
    drawn, place = [], 0.0
    for name, count in parts.items():
        wide = BAR * count / max(counts.length, 1)
        if count:
            drawn.append(f'<path class="{name}" d="M{place:.1f} 5h{max(wide, 1):.1f}"/>')
        place += wide
    return (
        f'<svg viewBox="0 0 {BAR} 10" preserveAspectRatio="none" aria-hidden="true" fill="none" stroke-width="10">'
        f'<path class="paper" d="M0 5h{BAR}"/>{"".join(drawn)}</svg>'
    )


def results_html(overlay: Overlay, number: int = 0, *, prefix: str = "", in_text: bool = True) -> str:
    """List the results of a layer: rank, place and size; links into the text where there is one."""
    layer = overlay.layers[number]
    spans = [(result.offset or 0, result.length if result.offset is not None else 0) for result in layer.results]
    if not spans:
        return ""
    begins, lengths = np.array(spans, dtype=np.int64).T
    counts = counts_in(overlay, begins, begins + lengths)
    lines = [
        f"<li>{_rank(layer, place, f'{prefix}{RESULTS[number]}' if in_text else '')} "
        f"{_words(overlay, layer, place, counts[place])}</li>"
        for place in range(len(layer.results))
    ]
    return folded(lines, "result")


def _rank(layer: Layer, place: int, anchor: str) -> str:
    result = layer.results[place]
    label = escape(result.label)
    if not anchor or result.offset is None:
        return f"<b>{label}</b>"
    return f'<a href="#{anchor}{escape(result.number)}"><b>{label}</b></a>'


def _words(overlay: Overlay, layer: Layer, place: int, counts: Counts) -> str:
    result = layer.results[place]
    if not overlay.kind.has_places:
        return "the whole document"
    words = "without a place" if result.offset is None else f"at {result.offset:,}"
    if overlay.returns_text and result.offset is not None:
        words = f"{counted(result.length, 'character')} {words}"
        if overlay.is_judged and layer.is_measured:
            words += f", {counts.highlighted:,} highlighted"
    return words + (f" <code>{escape(result.path.replace(' ', ' to '))}</code>" if result.path else "")


def stops_html(stops: Sequence[Stop], noun: str) -> str:
    """List places of the text by where they lie, as links."""
    lines = [f'<li><a href="#{stop.anchor}">{stop.begin:,}–{stop.end:,}</a></li>' for stop in stops]
    return folded(lines, noun)


def folded(lines: Sequence[str], noun: str) -> str:
    """Write lines as a list, of which what follows the first few is folded away."""
    shown, rest = lines[:BEFORE_THE_FOLD], lines[BEFORE_THE_FOLD:]
    if len(rest) == 1:
        shown, rest = lines, []
    more = ""
    if rest:
        more = f"<details><summary>{counted(len(rest), f'more {noun}')}</summary><ul>{''.join(rest)}</ul></details>"
    return f"<ul>{''.join(shown)}</ul>{more}" if shown else ""
