"""Where two runs find different text, document by document, as a page tells it."""

from dataclasses import dataclass

from evaluation.services.run_addresses import overlay_address, ranked_list_address
from limelight.wording import counted

SHOWN_TEXTS, MOST_TEXTS = 5, 50
"""So many documents are shown before the others are folded away, and so many at all."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """A relevant document: what only the one run found of it, what only the other, and where it is shown."""

    topic: str
    document: str
    one: str
    other: str
    address: str


@dataclass(frozen=True, slots=True)
class ToldTexts:
    """The documents that differ most, and how many differ in all."""

    lines: list
    count: int
    are_characters: bool

    @property
    def first(self):
        """The documents that are shown at once."""
        return self.lines[:SHOWN_TEXTS]

    @property
    def further(self):
        """The documents that are folded away."""
        return self.lines[SHOWN_TEXTS:]

    @property
    def unlisted(self):
        """How many more there are than can be unfolded."""
        return self.count - len(self.lines)


def told_texts(edition, found, one, other):
    """Lay out where two runs, the one and the other, find different text."""
    traits = edition.task.traits
    lines = [_line(edition, traits, text, one, other) for text in found.texts[:MOST_TEXTS]]
    return ToldTexts(lines, found.text_count, traits.needs_text)


def _line(edition, traits, text, one, other):
    """Write a document, with the way to the run that found more of it."""
    tell = _characters if traits.needs_text else _place
    best = min(range(2), key=lambda side: (-text.alone[side], text.ranks[side] is None, text.ranks[side]))
    run, second = (one, other) if best == 0 else (other, one)
    where = overlay_address(edition.task, run.code, text.topic, text.document, edition)
    return TextLine(
        topic=text.topic,
        document=text.document,
        one=tell(text, 0),
        other=tell(text, 1),
        address=f"{where}?with={second.code}"
        if where
        else ranked_list_address(edition.task, run.code, text.topic, edition),
    )


def _characters(text, side):
    return f"{text.alone[side]:,}" if text.alone[side] else "–"


def _place(text, side):
    rank, distance = text.ranks[side], text.distances[side]
    if rank is None:
        return "–"
    if distance is None:
        return f"rank {rank:,}"
    return f"rank {rank:,}, {counted(distance, 'character')} from the entry point"
