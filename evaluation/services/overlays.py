"""A document as a run returns it for a topic, with what was highlighted in it, as a person may see it.

What may be seen is decided where ranked lists are made: without an account there is no judgement here either, and the
assessments are not opened.
"""

from dataclasses import dataclass
from functools import cached_property

from campaign.services.documents.files import load_document
from campaign.services.visibility.pseudonyms import pseudonyms_of
from evaluation.services.board_lines import evaluations_on, shown_names
from evaluation.services.material import compiled_judgements
from limelight.formats.assessments.columns import CHARACTERS
from limelight.overlay import (
    Layer,
    Numbers,
    Overlay,
    Sentence,
    judgement_of,
    numbers_of,
    outline_html,
    outline_words,
    results_html,
    results_of,
    sentence,
    slices_svg,
    stops_html,
    strip_svg,
    text_html,
)
from limelight.overlay.laying import APART, HIT, LIT, MISS, PASSAGE
from limelight.scoring.profiles import resolve
from limelight.text.outline import blocks_of, outline_of
from limelight.text.placing import span_of
from limelight.text.spans import joined, size

STOPS = {
    HIT: ("n", "hit"),
    PASSAGE: ("n", "passage"),
    LIT: ("n", "highlight"),
    MISS: ("m", "miss"),
    APART: ("d", "difference"),
}
"""Where one can go in a text: the key, and what is there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownLayer:
    """What the page says of one run: its ranked list, a line of words, numbers (None where hidden) and its results."""

    ranked: object
    layer: Layer
    said: Sentence
    numbers: Numbers | None
    results: str


@dataclass(frozen=True, slots=True)
class StopLink:
    """A way to the places of one kind: the key, what is there, where the first one is, and how many there are."""

    name: str
    key: str
    noun: str
    first: str
    count: int


@dataclass(frozen=True, kw_only=True)
class OverlayPage:
    """A document with what is laid over it; `text` is None where there is none to read, or none that it lies on."""

    document: str
    title: str
    row: object
    overlay: Overlay
    shown: tuple
    text: object
    measures_characters: bool
    previous: str
    next: str

    @property
    def ranked(self):
        """The ranked list of the run that is looked at."""
        return self.shown[0].ranked

    @cached_property
    def blocks(self):
        """The blocks of the text."""
        return blocks_of(self.text) if self.text else []

    @cached_property
    def laid(self):
        """The text with what is laid over it, None without a text."""
        return text_html(self.text, self.overlay, blocks=self.blocks) if self.blocks else None

    @property
    def stops(self):
        """The ways to hits, misses and so on."""
        found = self.laid.stops if self.laid else {}
        return [
            StopLink(name, *STOPS[name], found[name][0].anchor, len(found[name])) for name in STOPS if found.get(name)
        ]

    @property
    def missed(self):
        """The places of the text that were missed, as a list of links."""
        return stops_html(self.laid.stops.get(MISS, ()), "miss") if self.laid else ""

    @property
    def strip(self):
        """The strip of the whole document."""
        told = " ".join(f"{shown.layer.name}: {shown.said}" for shown in self.shown)
        return strip_svg(self.overlay, f"The whole document. {told}")

    @property
    def slices(self):
        """Links from the strip into the text."""
        return slices_svg(self.blocks, self.overlay)

    @property
    def outline(self):
        """The outline with its heat."""
        if not self.blocks:
            return ""
        return outline_html(self.text, outline_of(self.text, self.blocks), self.overlay)

    @property
    def outline_words(self):
        """What the shares beside the outline are."""
        return outline_words(self.overlay)


def overlay_page(ranked, document, *, second=None, collection=None, reads_text=False):
    """Lay what one or two ranked lists return of a document over it; None where nobody knows such a document.

    Without `reads_text` the collection is only asked for the document's length, as the ranked list does.
    """
    row = collection.documents.filter(identifier=document).first() if collection is not None else None
    measures_characters = ranked.edition is None or ranked.edition.axis == CHARACTERS
    lists = [ranked, second] if second is not None else [ranked]
    judgement = _judgement(ranked, document)
    is_returned = any(line.document == document for one in lists for line in one.lines)
    if not is_returned and (row is None or not reads_text) and (judgement is None or not judgement.is_judged):
        return None
    text = load_document(row.text_file) if reads_text and measures_characters and row and row.text_file else None
    length = row.length if row is not None and measures_characters else judgement.length if judgement else 0
    layers = tuple(_layer(one, document, text, is_measured=one.account is not None) for one in lists)
    overlay = Overlay(ranked.traits, length, layers, judgement)
    documents = list(dict.fromkeys(line.document for line in ranked.lines))
    place = documents.index(document) if document in documents else None
    return OverlayPage(
        document=document,
        title=row.title if row is not None and reads_text else "",
        row=row if reads_text else None,
        overlay=overlay,
        shown=tuple(_shown(one, overlay, number, in_text=text is not None) for number, one in enumerate(lists)),
        text=text,
        measures_characters=measures_characters,
        previous=documents[place - 1] if place else "",
        next=documents[place + 1] if place is not None and place + 1 < len(documents) else "",
    )


def _judgement(ranked, document):
    """Return what the assessments say of a document; None where this may not be known, without opening them."""
    if ranked.account is None:
        return None
    assessment_set = ranked.edition.assessment_set
    highlights = compiled_judgements(assessment_set.columns_file, assessment_set.content)
    return judgement_of(highlights, ranked.topic, document)


def _layer(ranked, document, text, *, is_measured):
    lines = [line for line in ranked.lines if line.document == document]
    known = [(line.rank, [(place.offset, place.length, place.path) for place in line.places]) for line in lines]
    placed = [(rank, [_placed(place, text) for place in places]) for rank, places in known]
    unplaced = 0
    if placed == known and ranked.traits.needs_text:
        spans = joined((offset, length) for _, places in known for offset, length, _ in places if offset is not None)
        unplaced = sum(line.new for line in lines) - size(spans)
    return Layer(
        name=ranked.name,
        results=results_of(placed),
        is_measured=is_measured,
        unplaced=unplaced,
        score=lines[0].document_score if lines else None,
    )


def _placed(place, text):
    """Return a place, of an element found in the text where scoring has not found it yet."""
    offset, length, path = place
    if offset is not None or not path or text is None:
        return place
    return (*(span_of(path, text.places) or (None, length)), path)


def _shown(ranked, overlay, number, *, in_text):
    layer = overlay.layers[number]
    numbers = numbers_of(overlay, layer, _beta(ranked))
    return ShownLayer(
        ranked=ranked,
        layer=layer,
        said=sentence(overlay, layer, numbers),
        numbers=numbers if ranked.account is not None and overlay.is_judged else None,
        results=results_html(overlay, number, in_text=in_text),
    )


def _beta(ranked):
    edition = ranked.edition
    return resolve(ranked.traits.name, edition.profile, edition.parameters).get("beta", 1.0) if edition else 1.0


def layable_runs(run, view, edition):
    """Return code, name and team of the other runs of a board that may be laid beside one, by name."""
    if edition is None:
        return []
    others = [evaluation.run for evaluation in evaluations_on(edition) if evaluation.run_id != run.pk]
    rows = [other for other in others if view.shows_results_of(other)]
    aliases = {} if all(view.names_run(other) for other in rows) else pseudonyms_of(run.task)
    return sorted((*reversed(shown_names(other, view, aliases)), other.code) for other in rows)


def as_rows(page):
    """Return the segments of a document as rows of a table, the head first; what may not be known has no column."""
    overlay = page.overlay
    told = [["yes" if segment.highlighted else "no"] if overlay.is_judged else [] for segment in overlay.segments]
    ranks = zip(*(overlay.labels_of(layer) for layer in overlay.layers), strict=True)
    head = ["topic", "document", "begin", "end", *(["highlighted"] if overlay.is_judged else [])]
    rows = (
        [page.ranked.topic, page.document, segment.begin, segment.end, *highlighted, *map(" ".join, labels)]
        for segment, highlighted, labels in zip(overlay.segments, told, ranks, strict=True)
    )
    return [[*head, *(shown.layer.name for shown in page.shown)], *rows]
