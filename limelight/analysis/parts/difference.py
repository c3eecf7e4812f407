"""What the difference between two runs is made of: documents found, their order, and text or entry points.

Each ingredient is exchanged between the runs, alone and with the others, and the hybrids are scored by the engine.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from limelight.analysis.account import UncountedTopic, of_topic
from limelight.analysis.parts.hybrids import ONE, OTHER, SIDES, FocusedHybrids, Hybrids, InContextHybrids, laid_alike
from limelight.analysis.parts.steps import Ingredient, Part, adding_up, three_parts, two_halves
from limelight.analysis.statistics.paired import PairedDifference, paired_difference
from limelight.arrays import Integers, Reals
from limelight.formats.columns import RunColumns
from limelight.kinds import kind_of
from limelight.measures.in_context import InContextScoring
from limelight.measures.measure import Measure
from limelight.measures.text_weighted import READING_EFFORT
from limelight.scoring.evaluators import Evaluator, Judgements, compiled, evaluator_of, official_measure
from limelight.scoring.profiles import DEFAULT_PROFILE, Parameters, resolve
from limelight.scoring.spans import Highlights

DOCUMENTS = Ingredient("documents", "documents found", "come from other documents")
ORDER = Ingredient("order", "order", "from their order")
TEXT = Ingredient("text", "text within documents", "from the text taken from documents that both found")
ENTRY_POINTS = Ingredient("entry points", "entry points", "from the entry points in documents that both found")
HALVES = (
    Ingredient("caught", "highlighted text caught", "from highlighted text caught"),
    Ingredient("waste", "other text returned", "from other text returned"),
)


class NoParts(ValueError):
    """A kind of task has no single ingredients to exchange; says so in a sentence."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DifferenceParts:
    """What one run minus another is made of, topic by topic and in the mean.

    `scores` has the scores of the hybrids in axes for documents, order and text, 0 for the one run and 1 for the other,
    and the topics last; `text_scores` with text in two axes, caught and waste, where a document is scored by F.
    `returned` counts the documents of either run in each topic, `shared` those that both return.
    """

    kind: str
    measure: str
    topics: tuple[str, ...]
    scores: Reals
    text_scores: Reals | None
    returned: Integers
    shared: Integers

    @property
    def topic_differences(self) -> Reals:
        """How much higher the one run scores on each topic."""
        return self.scores[ONE, ONE, ONE] - self.scores[OTHER, OTHER, OTHER]

    @property
    def difference(self) -> PairedDifference:
        """How much higher the one run scores in the mean."""
        return paired_difference(self.scores[ONE, ONE, ONE], self.scores[OTHER, OTHER, OTHER])

    @property
    def parts(self) -> tuple[Part, ...]:
        """The three parts; they add up to the difference."""
        return three_parts(ingredients_of(self.kind), self.scores)

    @property
    def halves(self) -> tuple[Part, ...]:
        """The part of text in two, what was caught and what was wasted; none where documents have no F score."""
        return () if self.text_scores is None else two_halves(HALVES, self.text_scores)

    @property
    def share(self) -> float:
        """The share of the one run's documents that the other returns, too."""
        return float(self.shared.sum() / max(self.returned[ONE].sum(), 1))

    @property
    def largest_first(self) -> list[int]:
        """The places of the topics, those with the largest differences first."""
        return np.argsort(-np.abs(self.topic_differences), kind="stable").tolist()

    def turned(self) -> "DifferenceParts":
        """Return the same of the other run minus the one."""
        return replace(
            self,
            scores=self.scores[::-1, ::-1, ::-1],
            text_scores=None if self.text_scores is None else self.text_scores[::-1, ::-1, ::-1, ::-1],
            returned=self.returned[::-1],
        )

    def rounded(self) -> dict[str, float]:
        """Return the difference of the means and its parts by their names, with four decimals that add up."""
        return self._rounded(self.difference.mean, {part.name: part.mean.mean for part in (*self.parts, *self.halves)})

    def rounded_topic(self, place: int) -> dict[str, float]:
        """Return the difference on a topic and its parts, with four decimals that add up."""
        parts = {part.name: float(part.topic_values[place]) for part in (*self.parts, *self.halves)}
        return self._rounded(float(self.topic_differences[place]), parts)

    def _rounded(self, difference: float, parts: Mapping[str, float]) -> dict[str, float]:
        names = [ingredient.name for ingredient in ingredients_of(self.kind)]
        rounded = dict(zip(names, adding_up([parts[name] for name in names], difference), strict=True))
        if self.text_scores is not None:
            halves = [half.name for half in HALVES]
            rounded |= zip(halves, adding_up([parts[name] for name in halves], rounded[TEXT.name]), strict=True)
        return {"difference": adding_up([difference], difference)[0]} | rounded


def ingredients_of(kind: str) -> tuple[Ingredient, ...]:
    """Return what a difference in a kind of task is made of; nothing where that cannot be told.

    >>> [ingredient.label for ingredient in ingredients_of("best-in-context")]
    ['documents found', 'order', 'entry points']
    """
    if why_no_parts(kind):
        return ()
    return DOCUMENTS, ORDER, ENTRY_POINTS if kind_of(kind).returns_points else TEXT


def why_no_parts(kind: str) -> str:
    """Say why a difference in a kind of task is not told in parts; nothing where it is.

    >>> why_no_parts("focused"), why_no_parts("document")
    ('', 'A document task ranks whole documents: there is no text to tell apart from their order.')
    """
    known = kind_of(kind)
    if not known.is_scored:
        return f"A {known.words} task has no measures yet."
    if not known.has_places:
        return f"A {known.words} task ranks whole documents: there is no text to tell apart from their order."
    if not (known.in_context or known.forbids_overlap):
        return f"Results of a {known.words} task may overlap and have no single place to exchange."
    return ""


def difference_parts(
    kind: str,
    judgements: Judgements | Highlights,
    one: RunColumns,
    other: RunColumns,
    *,
    profile: str = DEFAULT_PROFILE,
    parameters: Mapping[str, Any] | None = None,
    measure: str = "",
    topic: str = "",
    document_lengths: Mapping[str, int] | None = None,
) -> DifferenceParts:
    """Tell what the score of one run, laid on text, minus that of another is made of.

    Without a measure by the official one; with a topic, of this topic alone. Raises NoParts for kinds of tasks without
    ingredients, and UncountedTopic where the topic has no score.
    """
    if why_not := why_no_parts(kind):
        raise NoParts(why_not)
    evaluator, resolved = evaluator_of(kind), resolve(kind, profile, parameters)
    highlights = judgements if isinstance(judgements, Highlights) else compiled(judgements)
    if topic:
        if topic not in highlights.topics:
            raise UncountedTopic(topic)
        one, other = of_topic(one, topic), of_topic(other, topic)
    (chosen,) = evaluator.chosen(resolved, [official_measure(kind, measure, profile, parameters)])
    make = InContextHybrids if kind_of(kind).in_context else FocusedHybrids
    hybrids = make(*laid_alike(highlights, one, other, resolved, document_lengths))
    text_scores = None
    if _splits_text(kind, resolved, chosen):
        text_scores = _text_scores(hybrids, resolved, chosen)
        scores = text_scores[:, :, SIDES, SIDES]
    else:
        scores = _scores(hybrids, evaluator, resolved, chosen)
    kept = [highlights.topics.index(topic)] if topic else list(range(len(highlights.topics)))
    return DifferenceParts(
        kind=kind,
        measure=chosen.name,
        topics=(topic,) if topic else highlights.topics,
        scores=scores[..., kept],
        text_scores=None if text_scores is None else text_scores[..., kept],
        returned=hybrids.returned[:, kept],
        shared=hybrids.shared[kept],
    )


def _splits_text(kind: str, resolved: Parameters, measure: Measure[Any]) -> bool:
    # How far a reader comes depends on where text stands, not on how much of it is highlighted.
    is_text = kind_of(kind).in_context and not kind_of(kind).returns_points
    return is_text and resolved["document_score"] == "f" and measure.name != READING_EFFORT


def _scores(hybrids: Hybrids, evaluator: Evaluator, resolved: Parameters, measure: Measure[Any]) -> Reals:
    scores = np.empty((2, 2, 2, len(hybrids.highlights.topics)))
    for documents, order, text in product(SIDES, repeat=3):
        scoring = evaluator.scoring(hybrids.laid(documents, order, text), resolved)
        scores[documents, order, text] = measure.values(scoring)
    return scores


def _text_scores(hybrids: Hybrids, resolved: Parameters, measure: Measure[Any]) -> Reals:
    scores = np.empty((2, 2, 2, 2, len(hybrids.highlights.topics)))
    for documents, order in product(SIDES, repeat=2):
        texts = [InContextScoring(hybrids.laid(documents, order, text), resolved) for text in SIDES]
        for caught, waste in product(SIDES, repeat=2):
            scores[documents, order, caught, waste] = measure.values(_mixed(texts[caught], texts[waste]))
    return scores


def _mixed(caught: InContextScoring, waste: InContextScoring) -> InContextScoring:
    """Return the highlighted text of one list with the other text of another with the same documents."""
    if caught is waste:
        return caught
    highlighted, (sizes, wanted) = caught.retrieved[1], waste.retrieved
    mixed = InContextScoring(caught.laid, caught.parameters)
    mixed.retrieved = (highlighted + sizes - wanted, highlighted)
    return mixed
