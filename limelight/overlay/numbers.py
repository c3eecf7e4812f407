"""What a layer is worth in numbers, and in one line of words."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from limelight.measures.in_context import f_scores
from limelight.overlay.laying import Layer, Overlay
from limelight.scoring.topicwise import ratio
from limelight.text.spans import shared, size
from limelight.wording import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """Characters of a document that are highlighted, returned and both; its P, R and F; how far the entries lie apart.

    P(d), R(d) and F(d) are None where no text is returned that they could be said of, `distance` is negative where the
    run begins before the assessor would, and None where one of the two is not known.
    """

    highlighted: int
    returned: int
    found: int
    precision: float | None = None
    recall: float | None = None
    f: float | None = None
    distance: int | None = None

    @property
    def wasted(self) -> int:
        """Return how many characters are returned and not highlighted."""
        return self.returned - self.found


def numbers_of(overlay: Overlay, layer: Layer, beta: float = 1.0) -> Numbers:
    """Count what a layer returns of a document: P(d) = found / returned, R(d) = found / Trel(d), F(d) (Eq. 4-6).

    Text returned twice counts once, and text whose place is not known is not found. 0 / 0 = 0.
    """
    highlighted = size(overlay.highlighted)
    if not overlay.returns_text:
        return Numbers(highlighted=highlighted, returned=0, found=0, distance=_distance(overlay, layer))
    returned, found = size(layer.ranges) + layer.unplaced, size(shared(overlay.highlighted, layer.ranges))
    caught, taken, wanted = (np.array([count]) for count in (found, returned, highlighted))
    return Numbers(
        highlighted=highlighted,
        returned=returned,
        found=found,
        precision=float(ratio(caught, taken)[0]),
        recall=float(ratio(caught, wanted)[0]),
        f=float(f_scores(caught, taken, wanted, beta)[0]),
        distance=_distance(overlay, layer),
    )


def _distance(overlay: Overlay, layer: Layer) -> int | None:
    if overlay.entry_point is None or layer.entry is None or not overlay.kind.has_places:
        return None
    return layer.entry - overlay.entry_point


class Sentence(NamedTuple):
    """A line of words: what matters most, and the rest of it."""

    head: str
    rest: str = ""

    def __str__(self) -> str:
        return self.head + self.rest


def sentence(overlay: Overlay, layer: Layer, numbers: Numbers) -> Sentence:
    """Say in one line what a layer is worth here, as far as one may know."""
    if not layer.results:
        return Sentence("Nothing of this document is returned", f"{_beside_nothing(overlay, numbers)}.")
    if not overlay.kind.has_places:
        return Sentence("The whole document is returned", f"{_whole(overlay, numbers)}.")
    if overlay.kind.returns_points:
        return _entry_sentence(overlay, layer, numbers)
    return _text_sentence(overlay, layer, numbers)


UNJUDGED = "Nobody judged this document"
ONLY_RELEVANT = "The assessments list only relevant documents, and this is none of them"


def _unjudged(overlay: Overlay) -> str:
    return UNJUDGED if overlay.judgement is not None and overlay.judgement.is_judged is False else ONLY_RELEVANT


def _beside_nothing(overlay: Overlay, numbers: Numbers) -> str:
    if overlay.judgement is None:
        return ""
    if not overlay.is_judged:
        return ", and nobody judged it" if overlay.judgement.is_judged is False else ""
    if overlay.judgement.grade is not None:
        return f"; its grade is {overlay.judgement.grade}"
    if not numbers.highlighted:
        return ", and nothing in it is relevant"
    verb = "is" if numbers.highlighted == 1 else "are"
    return f", and {counted(numbers.highlighted, 'highlighted character')} in it {verb} missed"


def _whole(overlay: Overlay, numbers: Numbers) -> str:
    if overlay.judgement is None:
        return ""
    if not overlay.is_judged:
        return f". {_unjudged(overlay)}: it counts as not relevant"
    if overlay.judgement.grade is not None:
        return f"; its grade is {overlay.judgement.grade}"
    if not numbers.highlighted:
        return ", and nothing in it is relevant"
    share = percentage(numbers.highlighted, overlay.length)
    return f", and {share} of it is highlighted" if overlay.length else ", and some of it is highlighted"


def _entry_sentence(overlay: Overlay, layer: Layer, numbers: Numbers) -> Sentence:
    if layer.entry is None:
        return Sentence("The entry point of the run has no known place", ".")
    head = f"The run enters at character {layer.entry:,}"
    if overlay.judgement is None:
        return Sentence(head, f" of {overlay.length:,}." if overlay.length else ".")
    if not overlay.is_judged:
        return Sentence(_unjudged(overlay), f": its entry at character {layer.entry:,} counts as not relevant.")
    if not numbers.highlighted:
        return Sentence("Nothing in this document is relevant", f": the entry at character {layer.entry:,} is in vain.")
    if numbers.distance is None:
        return Sentence(head, ", and the assessor named no entry point.")
    words = apart(numbers.distance)
    return Sentence(f"Entry {words}", ".")


def _text_sentence(overlay: Overlay, layer: Layer, numbers: Numbers) -> Sentence:
    returned = counted(numbers.returned, "character")
    if overlay.judgement is None or not layer.is_measured:
        of = f" of {overlay.length:,}" if overlay.length else ""
        head = f"{numbers.returned:,}{of} characters returned" if of else f"{returned} returned"
        return Sentence(head, f" in {counted(len(layer.results), 'result')}.")
    if not overlay.is_judged:
        count = "counts" if numbers.returned == 1 else "count"
        return Sentence(_unjudged(overlay), f": the {returned} returned {count} as not relevant.")
    if not numbers.highlighted:
        return Sentence("Nothing in this document is relevant", f": {returned} wasted.")
    wasted = f"{counted(numbers.wasted, 'character')} wasted" if numbers.wasted else "nothing wasted"
    entry = "" if numbers.distance is None else f", entry {apart(numbers.distance)}"
    return Sentence(_found(numbers), f", {wasted}{entry}.")


def _found(numbers: Numbers) -> str:
    if not numbers.found:
        return "None of the highlighted text found"
    if numbers.found == numbers.highlighted:
        return "All of the highlighted text found"
    return f"{percentage(numbers.found, numbers.highlighted).capitalize()} of the highlighted text found"


def apart(distance: int) -> str:
    """Write how far a run's entry point is from the assessor's.

    >>> apart(-540), apart(1), apart(0)
    ('540 characters too early', '1 character too late', 'where the assessor would begin')
    """
    if not distance:
        return "where the assessor would begin"
    return f"{counted(abs(distance), 'character')} too {'early' if distance < 0 else 'late'}"


def percentage(part: int, whole: int) -> str:
    """Write a share in whole per cent; never 0 % of something, nor 100 % of less than all.

    >>> percentage(1, 3), percentage(1, 1000), percentage(999, 1000), percentage(3, 3), percentage(0, 0)
    ('33 %', 'less than 1 %', 'more than 99 %', '100 %', '0 %')
    """
    if not part or part >= whole:
        return "100 %" if part else "0 %"
    share = 100 * part / whole
    if share < 1:
        return "less than 1 %"
    return "more than 99 %" if share > 99 else f"{share:.0f} %"
