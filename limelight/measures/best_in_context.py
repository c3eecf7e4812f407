"""Best in Context: ranked documents, each scored by its distance from the assessor's entry point (INEX 2007, 5)."""

from functools import cached_property

import numpy as np

from limelight.arrays import Integers, Reals
from limelight.formats.assessments.columns import UNKNOWN
from limelight.measures.in_context import InContextScoring
from limelight.scoring.articles import entry_distances
from limelight.scoring.topicwise import ratio


def ratio_scores(distance: Integers, document_length: Integers, a: float = 0.1) -> Reals:
    """Score an entry point by s(x, b) = A L / (A L + d(x, b)) (INEX 2007, Eq. 8); 0 where the length L isn't known.

    >>> ratio_scores(np.array([0, 100]), np.array([1000, 1000])).tolist()
    [1.0, 0.5]
    """
    room = a * np.maximum(document_length, 0)
    return ratio(room, room + distance)


def linear_scores(distance: Integers, n: int = 1000) -> Reals:
    """Score an entry point by s(x, b) = (n - d(x, b)) / n for d <= n, else 0 (INEX 2007, Eq. 9).

    >>> linear_scores(np.array([0, 250, 2000])).tolist()
    [1.0, 0.75, 0.0]
    """
    return np.maximum(n - distance, 0) / n


class BestInContextScoring(InContextScoring):
    """The arrays that the measures of one best-in-context run share; a document's first result is its entry point."""

    @cached_property
    def distances(self) -> Integers:
        """How far each document's entry point is from the assessor's."""
        return entry_distances(self.laid, self.articles)

    @cached_property
    def scores(self) -> Reals:
        """S(d) of each document: 0 without highlighting, without a known entry point or without a known place."""
        scored = np.flatnonzero(self.distances != UNKNOWN)
        distance = self.distances[scored]
        scores = np.zeros(len(self.distances))
        if self.parameters["formula"] == "linear":
            scores[scored] = linear_scores(distance, self.parameters["n"])
        else:
            length = self.highlights.document_length[self.articles.judgement[scored]]
            scores[scored] = ratio_scores(distance, length, self.parameters["A"])
        return scores
