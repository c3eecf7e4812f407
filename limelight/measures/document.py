"""Whole documents in rank order: precision, average precision, nDCG and ERR, as trec_eval and gdeval compute them."""

from dataclasses import replace
from functools import cached_property

import numpy as np

from limelight.arrays import Flags, Integers, Reals
from limelight.measures.in_context import InContextScoring
from limelight.measures.measure import Curve, Measure, Scoring
from limelight.scoring.articles import articles_of
from limelight.scoring.profiles import Parameters
from limelight.scoring.spans import LaidRun
from limelight.scoring.topicwise import at_rank, cumulative, held_from, places, ratio, spread, totals

CURVE_RANKS = 50
ERR_RANKS = 20
SLIDES = "Evaluating Focused Retrieval Tasks"


def document_precision_at(found: Integers, bounds: Integers, rank: int) -> Reals:
    """P[r] = sum of rel(d_j) / r over j = 1 .. r, divided by r even past the end of the list (slides, Eq. 6).

    >>> document_precision_at(np.array([1, 1, 2]), np.array([0, 3]), 5).tolist()
    [0.4]
    """
    return at_rank(found, bounds, rank) / rank


def document_average_precision(relevant: Flags, bounds: Integers, relevant_documents: Integers) -> Reals:
    """AP = sum of rel(d_r) P[r] / Nrel over all ranks (slides, Eq. 7).

    >>> document_average_precision(np.array([True, False, True]), np.array([0, 3]), np.array([4])).tolist()
    [0.41666666666666663]
    """
    hits = np.flatnonzero(relevant)
    hit_bounds = np.searchsorted(hits, bounds)
    return ratio(totals(places(hit_bounds) / places(bounds)[hits], hit_bounds), relevant_documents)


def running_average_precision(
    found: Integers, retrieved: Integers, finds: Flags, bounds: Integers, relevant_documents: Integers
) -> Reals:
    """AP of the list up to each entry, from the documents found and retrieved there; `finds` marks the relevant ones.

    >>> found, finds = np.array([1, 1, 2]), np.array([True, False, True])
    >>> running = running_average_precision(found, np.array([1, 2, 3]), finds, np.array([0, 3]), np.array([4]))
    >>> running.round(4).tolist()
    [0.25, 0.25, 0.4167]
    """
    at_hits = np.where(finds, ratio(found, retrieved), 0.0)
    return ratio(cumulative(at_hits, bounds), spread(relevant_documents, bounds))


def discounted_gains(grades: Integers, bounds: Integers) -> Reals:
    """Return what each document adds to DCG = sum of grade(d_r) / log2(r + 1) over all ranks (trec_eval's ndcg).

    >>> discounted_gains(np.array([3, 0, 1]), np.array([0, 3])).tolist()
    [3.0, 0.0, 0.5]
    """
    gaining = np.flatnonzero(grades > 0)
    gains = np.zeros(len(grades))
    gains[gaining] = grades[gaining] / np.log2(places(bounds)[gaining] + 1)
    return gains


def expected_reciprocal_rank(grades: Integers, bounds: Integers, max_grade: int, depth: int = ERR_RANKS) -> Reals:
    """ERR = sum of 1/r R_r prod (1 - R_i) over i < r, r = 1 .. 20, with R = (2^grade - 1) / 2^max_grade (gdeval).

    >>> expected_reciprocal_rank(np.array([2, 1]), np.array([0, 2]), max_grade=2).tolist()
    [0.78125]
    """
    return _satisfactions(grades, bounds, max_grade, depth).sum(axis=1)


def running_expected_reciprocal_rank(
    grades: Integers, bounds: Integers, max_grade: int, depth: int = ERR_RANKS
) -> Reals:
    """ERR of the list up to each document.

    >>> running_expected_reciprocal_rank(np.array([2, 1]), np.array([0, 2]), max_grade=2).tolist()
    [0.75, 0.78125]
    """
    topic = spread(np.arange(len(bounds) - 1), bounds)
    sums = np.cumsum(_satisfactions(grades, bounds, max_grade, depth), axis=1)
    return sums[topic, np.minimum(places(bounds), depth) - 1]


def _satisfactions(grades: Integers, bounds: Integers, max_grade: int, depth: int) -> Reals:
    """Return what each of the first ranks adds to ERR, a row a topic."""
    lengths = np.diff(bounds)[:, np.newaxis]
    ranks = np.arange(depth)
    seen = np.zeros((len(bounds) - 1, depth), dtype=np.int64)
    inside = ranks < lengths
    seen[inside] = grades[(bounds[:-1, np.newaxis] + ranks)[inside]]
    stops = (2.0 ** np.clip(seen, 0, max_grade) - 1) / 2.0**max_grade
    reaches = np.cumprod(np.hstack((np.ones((len(seen), 1)), 1 - stops[:, :-1])), axis=1)
    return stops * reaches / (ranks + 1)


class DocumentScoring:
    """The arrays that the document measures of one run share, each made when first asked for."""

    def __init__(self, laid: LaidRun, parameters: Parameters) -> None:
        """Reduce the run to documents."""
        self.parameters = parameters
        self.highlights = laid.highlights
        self.articles = articles_of(laid)
        self.bounds = self.articles.bounds

    @cached_property
    def grades(self) -> Integers:
        """The grade of each document, 0 where nobody judged it."""
        judgement = self.articles.judgement
        grades = np.zeros(len(judgement), dtype=np.int64)
        grades[judgement >= 0] = self.highlights.grade[judgement[judgement >= 0]]
        return grades

    @cached_property
    def gains(self) -> Reals:
        """What each document adds to the discounted gain."""
        return discounted_gains(self.grades, self.bounds)

    @cached_property
    def ideal_gain(self) -> Reals:
        """The discounted gain of the best possible ranking of each topic."""
        topic = self.highlights.key // max(len(self.highlights.documents), 1)
        grade = self.highlights.grade
        best_first = np.lexsort((-grade, topic))
        bounds = np.searchsorted(topic, np.arange(len(self.highlights.topics) + 1))
        return totals(discounted_gains(grade[best_first], bounds), bounds)

    @cached_property
    def found(self) -> Integers:
        """Relevant documents up to each rank."""
        return cumulative(self.articles.relevant, self.bounds)

    @cached_property
    def precision_curve(self) -> Reals:
        """Precision at ranks 1 to 50, a row a topic."""
        at = [document_precision_at(self.found, self.bounds, rank) for rank in range(1, CURVE_RANKS + 1)]
        return np.stack(at, axis=1)


def average_precision_measure(parameters: Parameters) -> tuple[Measure["DocumentScoring | InContextScoring"], ...]:
    """Return mean average precision over whole documents."""
    return (
        Measure(
            name="MAP",
            topic_name="AP",
            heading="MAP",
            label="Mean average precision",
            explanation="Precision averaged over all relevant documents of a topic, then over topics: trec_eval's map.",
            equation="AP = sum rel(d_r) P[r] / Nrel",
            source=f"{SLIDES}, Eq. 7",
            values=lambda scoring: document_average_precision(
                scoring.articles.relevant, scoring.bounds, scoring.highlights.relevant_documents
            ),
            running=_running_average_precision,
        ),
    )


def _running_average_precision(scoring: "DocumentScoring | InContextScoring") -> Reals:
    relevant, bounds = scoring.articles.relevant, scoring.bounds
    found, relevant_documents = cumulative(relevant, bounds), scoring.highlights.relevant_documents
    return running_average_precision(found, places(bounds), relevant, bounds, relevant_documents)


def reported_average_precision(parameters: Parameters) -> tuple[Measure["DocumentScoring | InContextScoring"], ...]:
    """Return mean average precision as a column of the board."""
    (measure,) = average_precision_measure(parameters)
    return (_reported(measure),)


def document_measures(parameters: Parameters) -> tuple[Measure[DocumentScoring], ...]:
    """Return the other measures of a document task."""
    return (
        *(_precision_at(rank) for rank in parameters["cutoffs"]),
        Measure(
            name="nDCG",
            topic_name="nDCG",
            heading="nDCG",
            label="Normalised discounted cumulated gain",
            explanation="The grades found, discounted by rank, against those of the best possible ranking.",
            equation="nDCG = DCG / ideal DCG, DCG = sum grade(d_r) / log2(r + 1)",
            source="trec_eval, ndcg",
            values=lambda scoring: ratio(totals(scoring.gains, scoring.bounds), scoring.ideal_gain),
            running=lambda scoring: ratio(
                cumulative(scoring.gains, scoring.bounds), spread(scoring.ideal_gain, scoring.bounds)
            ),
            reported=True,
        ),
        Measure(
            name="ERR@20",
            topic_name="ERR@20",
            heading="ERR@20",
            label="Expected reciprocal rank at 20",
            explanation="The expected reciprocal rank at which a reader who goes down the list is satisfied.",
            equation="ERR = sum 1/r R_r prod (1 - R_i), R = (2^grade - 1) / 2^max_grade",
            source="TREC gdeval, ERR@20",
            values=lambda scoring: expected_reciprocal_rank(
                scoring.grades, scoring.bounds, int(scoring.parameters["max_grade"])
            ),
            running=lambda scoring: running_expected_reciprocal_rank(
                scoring.grades, scoring.bounds, int(scoring.parameters["max_grade"])
            ),
            perfect=False,
            reported=True,
        ),
    )


def _reported(measure: Measure[Scoring]) -> Measure[Scoring]:
    return replace(measure, reported=True)


def _precision_at(rank: int) -> Measure[DocumentScoring]:
    return Measure(
        name=f"P@{rank}",
        topic_name=f"P@{rank}",
        heading="P@r",
        label=f"Precision at {rank} documents",
        explanation=f"The share of relevant documents among the first {rank}.",
        equation="P[r] = sum rel(d_j) / r, j = 1 .. r",
        source=f"{SLIDES}, Eq. 6",
        values=lambda scoring: document_precision_at(scoring.found, scoring.bounds, rank),
        running=lambda scoring: held_from(scoring.found, scoring.bounds, rank) / rank,
        perfect=False,
        reported=True,
    )


CURVES: tuple[Curve[DocumentScoring], ...] = (
    Curve(
        name="P",
        label="Precision",
        explanation="Precision at document ranks 1 to 50, averaged over topics.",
        horizontal="Documents",
        vertical="Precision",
        values=lambda scoring: scoring.precision_curve,
    ),
)
