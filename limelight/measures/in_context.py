"""Relevant in Context: ranked documents, each scored by how well its highlighted text was found (INEX 2007, 5)."""

from functools import cached_property

import numpy as np

from limelight.arrays import Array, Integers, Reals
from limelight.measures.measure import Curve, Measure
from limelight.scoring.articles import articles_of, retrieved_text
from limelight.scoring.first_read import reading_effort
from limelight.scoring.profiles import Parameters
from limelight.scoring.spans import LaidRun
from limelight.scoring.topicwise import at_rank, cumulative, held_from, places, ratio, spread, totals

CURVE_RANKS = 50
INEX_2007 = "INEX 2007 Evaluation Measures"


def f_scores(relevant: Integers, sizes: Integers, contained: Integers, beta: float = 1.0) -> Reals:
    """F_beta(d) = (1 + b^2) P(d) R(d) / (b^2 P(d) + R(d)), P = relevant / size, R = relevant / Trel(d) (Eq. 4-6).

    Brought to one fraction, (1 + b^2) relevant / (b^2 Trel(d) + size), so that there is one division; beta = 1 is the
    paper's F.

    >>> f_scores(np.array([20]), np.array([60]), np.array([40])).tolist()
    [0.4]
    >>> f_scores(np.array([20]), np.array([60]), np.array([40]), beta=1 / 4).tolist()
    [0.34]
    """
    return ratio((1 + beta**2) * relevant, beta**2 * contained + sizes)


def t2i_scores(read: Integers, wasted: Integers) -> Reals:
    """S(d) = relevant characters read / all characters read, by a reader who gives up at 300 irrelevant ones.

    >>> t2i_scores(np.array([100]), np.array([300])).tolist()
    [0.25]
    """
    return ratio(read, read + wasted)


def generalised_precisions(score_sums: Reals, bounds: Integers) -> Reals:
    """gP[r] = sum of S(d_i) / r over i = 1 .. r, from these sums (INEX 2007, Eq. 11).

    >>> generalised_precisions(np.array([1.0, 1.0, 1.5]), np.array([0, 3])).tolist()
    [1.0, 0.5, 0.5]
    """
    return score_sums / places(bounds)


def generalised_precision_at(score_sums: Reals, bounds: Integers, rank: int, past_end: str = "divide") -> Reals:
    """gP[r] of each topic at one rank; past the end of the list divided by r, or the value at the last rank.

    >>> generalised_precision_at(np.array([1.0, 1.5]), np.array([0, 2]), 5).tolist()
    [0.3]
    >>> generalised_precision_at(np.array([1.0, 1.5]), np.array([0, 2]), 5, past_end="last").tolist()
    [0.75]
    """
    divisor = np.full(len(bounds) - 1, rank) if past_end == "divide" else np.minimum(np.diff(bounds), rank)
    return ratio(at_rank(score_sums, bounds, rank), divisor)


def generalised_recall_at(weights: Array, bounds: Integers, total_weight: Integers, rank: int) -> Reals:
    """gR[r] = sum of rel(d_i) / Nrel over i = 1 .. r (INEX 2007, Eq. 12); gR' weighs in characters (slides, Eq. 4).

    >>> generalised_recall_at(np.array([1, 0, 1]), np.array([0, 3]), np.array([4]), 3).tolist()
    [0.5]
    """
    return ratio(at_rank(cumulative(weights, bounds), bounds, rank), total_weight)


def average_generalised_precision(precisions: Reals, weights: Array, bounds: Integers, total_weight: Integers) -> Reals:
    """AgP = sum of rel(d_r) gP[r] / Nrel over all ranks (INEX 2007, Eq. 13).

    With weights in characters and Trel for their total it is AgP' (slides, Eq. 5). A document is relevant when the
    assessor highlighted something in it, even if the run's passages miss it.

    >>> precisions, bounds = np.array([2 / 3, 5 / 6]), np.array([0, 2])
    >>> average_generalised_precision(precisions, np.array([1, 1]), bounds, np.array([2])).tolist()
    [0.75]
    >>> average_generalised_precision(precisions, np.array([90, 10]), bounds, np.array([100])).round(4).tolist()
    [0.6833]
    """
    return ratio(totals(weights * precisions, bounds), total_weight)


def running_share(values: Array, bounds: Integers, total: Integers) -> Reals:
    """Add up values to each rank, and divide by their topic's total.

    >>> running_share(np.array([1, 0, 1]), np.array([0, 3]), np.array([4])).tolist()
    [0.25, 0.25, 0.5]
    """
    return ratio(cumulative(values, bounds), spread(total, bounds))


class InContextScoring:
    """The arrays that the measures of one in-context run share, each made when first asked for."""

    def __init__(self, laid: LaidRun, parameters: Parameters) -> None:
        """Reduce the run to documents."""
        self.laid = laid
        self.parameters = parameters
        self.highlights = laid.highlights
        self.articles = articles_of(laid)
        self.bounds = self.articles.bounds

    @cached_property
    def retrieved(self) -> tuple[Integers, Integers]:
        """Characters retrieved from each document, and the highlighted ones among them."""
        return retrieved_text(self.laid, self.articles, self.parameters.get("unmapped_size", 0))

    @cached_property
    def f_scores(self) -> Reals:
        """The F score of each document."""
        sizes, relevant = self.retrieved
        return f_scores(relevant, sizes, self.articles.contained, self.parameters.get("beta", 1.0))

    @cached_property
    def t2i_scores(self) -> Reals:
        """The reading effort score of each document."""
        return t2i_scores(*reading_effort(self.laid, self.articles, self.parameters["tolerance"]))

    @cached_property
    def scores(self) -> Reals:
        """S(d) of each document."""
        return self.t2i_scores if self.parameters["document_score"] == "t2i" else self.f_scores

    @cached_property
    def score_sums(self) -> Reals:
        """S(d) added up to each rank."""
        return cumulative(self.scores, self.bounds)

    @cached_property
    def precisions(self) -> Reals:
        """Generalised precision at every rank."""
        return generalised_precisions(self.score_sums, self.bounds)

    @cached_property
    def average_precision(self) -> Reals:
        """AgP of each topic."""
        return self.averaged(self.precisions)

    def averaged(self, precisions: Reals) -> Reals:
        """Average gP over the relevant documents of each topic."""
        return average_generalised_precision(
            precisions, self.articles.relevant, self.bounds, self.highlights.relevant_documents
        )

    def precision_at(self, rank: int) -> Reals:
        """Return gP at a rank."""
        return generalised_precision_at(self.score_sums, self.bounds, rank, self.parameters["past_end"])

    @cached_property
    def recalls(self) -> Reals:
        """Generalised recall at every rank."""
        return running_share(self.articles.relevant, self.bounds, self.highlights.relevant_documents)

    def running_average(self, precisions: Reals) -> Reals:
        """Average gP over the relevant documents of each topic, for the list up to each document."""
        at_relevant = np.where(self.articles.relevant, precisions, 0.0)
        return running_share(at_relevant, self.bounds, self.highlights.relevant_documents)

    def held_precision(self, rank: int) -> Reals:
        """Return gP at a rank for the list up to each document."""
        place = np.minimum(places(self.bounds), rank)
        divisor = rank if self.parameters["past_end"] == "divide" else place
        return held_from(self.score_sums, self.bounds, rank) / divisor

    @cached_property
    def t2i_precisions(self) -> Reals:
        """Generalised precision at every rank, documents scored by reading effort."""
        return generalised_precisions(cumulative(self.t2i_scores, self.bounds), self.bounds)

    @cached_property
    def precision_curve(self) -> Reals:
        """Generalised precision at ranks 1 to 50, a row a topic."""
        sums = self.score_sums
        ranks = np.arange(1, CURVE_RANKS + 1)
        lengths = np.diff(self.bounds)[:, np.newaxis]
        last = self.bounds[:-1, np.newaxis] + np.minimum(ranks, lengths) - 1
        reached = np.where(lengths > 0, sums[np.maximum(last, 0)], 0.0) if len(sums) else np.zeros(last.shape)
        divisor = ranks if self.parameters["past_end"] == "divide" else np.minimum(ranks, np.maximum(lengths, 1))
        return reached / divisor

    @cached_property
    def weights(self) -> Integers:
        """What a document weighs in gR' and AgP': the highlighted text it contains, or the part retrieved.

        An entry point retrieves no text, so Best in Context always takes what the document contains.
        """
        return self.retrieved[1] if self.parameters.get("weight") == "retrieved" else self.articles.contained


def in_context_measures(parameters: Parameters) -> tuple[Measure[InContextScoring], ...]:
    """Return the reported measures of an in-context task."""
    return (
        Measure(
            name="MAgP",
            topic_name="AgP",
            heading="MAgP",
            label="Mean average generalised precision",
            explanation="Generalised precision averaged over all relevant documents of a topic, then over topics.",
            equation="AgP = sum rel(d_r) gP[r] / Nrel",
            source=f"{INEX_2007}, Eq. 13",
            values=lambda scoring: scoring.average_precision,
            running=lambda scoring: scoring.running_average(scoring.precisions),
            perfect=parameters.get("document_score") != "t2i",
            reported=True,
        ),
        *(_precision_at(rank) for rank in parameters["cutoffs"]),
    )


def recall_measures(parameters: Parameters) -> tuple[Measure[InContextScoring], ...]:
    """Return generalised recall at the cut-offs."""
    return tuple(_recall_at(rank) for rank in parameters["cutoffs"])


def _precision_at(rank: int) -> Measure[InContextScoring]:
    return Measure(
        name=f"gP[{rank}]",
        topic_name=f"gP[{rank}]",
        heading="gP[r]",
        label=f"Generalised precision at rank {rank}",
        explanation=f"The mean score of the first {rank} documents.",
        equation="gP[r] = sum S(d_i) / r, i = 1 .. r",
        source=f"{INEX_2007}, Eq. 11",
        values=lambda scoring: scoring.precision_at(rank),
        running=lambda scoring: scoring.held_precision(rank),
        perfect=False,
        reported=True,
    )


def _recall_at(rank: int) -> Measure[InContextScoring]:
    return Measure(
        name=f"gR[{rank}]",
        topic_name=f"gR[{rank}]",
        heading="gR[r]",
        label=f"Generalised recall at rank {rank}",
        explanation=f"The share of the relevant documents that stand among the first {rank}.",
        equation="gR[r] = sum rel(d_i) / Nrel, i = 1 .. r",
        source=f"{INEX_2007}, Eq. 12",
        values=lambda scoring: generalised_recall_at(
            scoring.articles.relevant, scoring.bounds, scoring.highlights.relevant_documents, rank
        ),
        running=lambda scoring: held_from(scoring.recalls, scoring.bounds, rank),
        perfect=False,
    )


CURVES: tuple[Curve[InContextScoring], ...] = (
    Curve(
        name="gP",
        label="Generalised precision",
        explanation="Generalised precision at document ranks 1 to 50, averaged over topics.",
        horizontal="Documents",
        vertical="Generalised precision",
        values=lambda scoring: scoring.precision_curve,
    ),
)
