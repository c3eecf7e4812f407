"""A topic at a glance: how much is relevant to it, and how runs fared."""

from dataclasses import dataclass

import numpy as np

from limelight.analysis.ranking import ranks
from limelight.arrays import Reals
from limelight.scoring.spans import Highlights


@dataclass(frozen=True, slots=True)
class TopicLine:
    """One topic that counts; the quartiles and the median's place among the topics are None where there are no runs.

    `highlighted_characters` is None where whole documents were graded.
    """

    topic: str
    judged_documents: int
    relevant_documents: int
    highlighted_characters: int | None
    low: float | None = None
    median: float | None = None
    high: float | None = None
    place: int | None = None


def topic_lines(highlights: Highlights, scores: Reals | None = None) -> list[TopicLine]:
    """Return a line for each topic that counts, with the quartiles of the runs' scores: runs are rows, topics columns.

    A topic's place is its median's rank among the topics, 1 for the one on which runs fared best.
    """
    judged = np.bincount(highlights.key // max(len(highlights.documents), 1), minlength=len(highlights.topics))
    characters = [None] * len(highlights.topics) if highlights.grades_documents else highlights.topic_relevant.tolist()
    counts = zip(highlights.topics, judged.tolist(), highlights.relevant_documents.tolist(), characters, strict=True)
    if scores is None or not len(scores):
        return [TopicLine(*count) for count in counts]
    low, median, high = np.quantile(scores, (0.25, 0.5, 0.75), axis=0)
    spread = zip(low.tolist(), median.tolist(), high.tolist(), ranks(median.tolist()), strict=True)
    return [TopicLine(*count, *values) for count, values in zip(counts, spread, strict=True)]
