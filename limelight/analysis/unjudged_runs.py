"""What unjudged documents leave open of a whole run: of each topic, in the mean, and the run without them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from limelight.analysis.judged import are_judged, lists_only_relevant
from limelight.analysis.unjudged import agp_range, iap_ceiling, iap_range_at_ends, within
from limelight.arrays import Flags, Reals
from limelight.formats.columns import RunColumns
from limelight.formats.matching import matched
from limelight.kinds import kind_of
from limelight.measures.focused import FocusedScoring, precision_at
from limelight.measures.in_context import InContextScoring, generalised_precision_at
from limelight.measures.measure import Measure
from limelight.scoring.evaluators import evaluator_of, mean_over_topics
from limelight.scoring.profiles import Parameters
from limelight.scoring.spans import Highlights, LaidRun
from limelight.scoring.topicwise import cumulative, ratio, totals

DEPTH = 20
"""So many documents or results a topic may have been relevant; the rest stays as judged."""

WORLD = (
    "Only text in unjudged documents that this run returned may be relevant; relevant text that only others returned "
    "is not considered."
)


@dataclass(frozen=True, slots=True, eq=False)
class TopicRanges:
    """What the scores of a run could have been, a value a topic.

    `lowest` and `highest` are scores that some relevant text would give; `ceiling` is one that none exceeds.
    """

    lowest: Reals
    highest: Reals
    ceiling: Reals

    @property
    def mean(self) -> tuple[float, float]:
        """The means of the lowest scores and of those that none exceeds."""
        return mean_over_topics(self.lowest), mean_over_topics(self.ceiling)


def highest_values(
    laid: LaidRun, kind: str, parameters: Parameters, measures: Sequence[Measure[Any]]
) -> dict[str, Reals]:
    """Return the highest value of each topic, by each measure that does not depend on unknown totals.

    These are gP[r], P[r], charP and iP[0.00]; the lowest value is the score itself.
    """
    if not kind_of(kind).has_places:
        return {}
    scoring = evaluator_of(kind).scoring(laid, parameters)
    highest = _highest_in_context if kind_of(kind).in_context else _highest_of_text
    found = {measure.name: highest(scoring, measure) for measure in measures}
    return {name: values for name, values in found.items() if values is not None}


def highest_means(
    laid: LaidRun, kind: str, parameters: Parameters, measures: Sequence[Measure[Any]]
) -> dict[str, float]:
    """Return the means of the highest values over the topics."""
    highest = highest_values(laid, kind, parameters, measures)
    return {name: mean_over_topics(values) for name, values in highest.items()}


def topic_ranges(laid: LaidRun, kind: str, parameters: Parameters, depth: int = DEPTH) -> dict[str, TopicRanges]:
    """Return what AgP, or iAP, of each topic could have been, by the measure's name; none for other kinds of tasks.

    Overlapping text has no single place among the unjudged characters, so that there is none for Thorough.
    """
    if kind_of(kind).in_context:
        return {"MAgP": _agp_ranges(evaluator_of(kind).scoring(laid, parameters), depth)}
    if kind_of(kind).has_places and kind_of(kind).forbids_overlap:
        return {"iMAP": _iap_ranges(FocusedScoring(laid, parameters), depth)}
    return {}


def without_unjudged(run: RunColumns, highlights: Highlights) -> RunColumns:
    """Return a run without the results in unjudged documents: the condensed list.

    Topics that do not count, or whose assessments list only relevant documents, stay as they are.
    """
    topic = matched(run.topics, {name: number for number, name in enumerate(highlights.topics)})[run.topic]
    document = matched(run.documents, highlights.document_number, highlights.document_keys)[run.document]
    unknown = (topic < 0) | lists_only_relevant(highlights)[np.maximum(topic, 0)]
    kept = np.flatnonzero(unknown | (highlights.find(np.maximum(topic, 0), document) >= 0))
    columns = ("topic", "document", "rank", "rsv", "offset", "length", "line", "path")
    return replace(run, **{name: getattr(run, name)[kept] for name in columns})


def _highest_in_context(scoring: InContextScoring, measure: Measure[Any]) -> Reals | None:
    if measure.heading != "gP[r]":
        return None
    lifted = np.where(_unjudged_articles(scoring), 1.0, scoring.scores)
    sums = cumulative(lifted, scoring.bounds)
    return generalised_precision_at(sums, scoring.bounds, _rank(measure), scoring.parameters["past_end"])


def _highest_of_text(scoring: FocusedScoring, measure: Measure[Any]) -> Reals | None:
    lifted = np.where(are_judged(scoring.laid), scoring.relevant, scoring.sizes)
    found = cumulative(lifted, scoring.bounds)
    if measure.heading == "P[r]":
        return precision_at(found, scoring.read, scoring.bounds, _rank(measure))
    if measure.name == "charP":
        return ratio(totals(lifted, scoring.bounds), totals(scoring.sizes, scoring.bounds))
    if measure.name == "iP[0.00]":
        precisions = ratio(found, scoring.read)
        pieces = zip(scoring.bounds[:-1], scoring.bounds[1:], strict=True)
        return np.array([precisions[start:end].max(initial=0.0) for start, end in pieces])
    return None


def _rank(measure: Measure[Any]) -> int:
    return int(measure.name.partition("[")[2].rstrip("]"))


def _unjudged_articles(scoring: InContextScoring) -> Flags:
    return ~are_judged(scoring.laid)[scoring.articles.first]


def _agp_ranges(scoring: InContextScoring, depth: int) -> TopicRanges:
    unjudged, counts = _unjudged_articles(scoring), scoring.highlights.relevant_documents.tolist()
    rows = [
        agp_range(
            scoring.scores[start:end], scoring.articles.relevant[start:end], within(unjudged[start:end], depth), count
        )
        for start, end, count in zip(scoring.bounds[:-1], scoring.bounds[1:], counts, strict=True)
    ]
    lowest, highest = np.array(rows, dtype=np.float64).reshape(-1, 2).T
    return TopicRanges(lowest, highest, highest)


def _iap_ranges(scoring: FocusedScoring, depth: int) -> TopicRanges:
    unjudged, counts = ~are_judged(scoring.laid), scoring.total_relevant.tolist()
    rows = []
    for start, end, count in zip(scoring.bounds[:-1], scoring.bounds[1:], counts, strict=True):
        listed = scoring.relevant[start:end], scoring.sizes[start:end], within(unjudged[start:end], depth), count
        rows.append((*iap_range_at_ends(*listed), iap_ceiling(*listed)))
    return TopicRanges(*np.array(rows, dtype=np.float64).reshape(-1, 3).T)
