"""Variants of the in-context measures: documents that weigh as much as their text, or are scored by reading effort."""

import numpy as np

from limelight.arrays import Flags, Integers, Reals
from limelight.measures.in_context import (
    InContextScoring,
    average_generalised_precision,
    generalised_recall_at,
    running_share,
)
from limelight.measures.measure import Measure
from limelight.scoring.profiles import Parameters
from limelight.scoring.topicwise import held_from, ratio, running_means_at, totals

SLIDES = "Evaluating Focused Retrieval Tasks"
READING_EFFORT = "MAgP(T2I)"
"""The measure that always scores documents by how far a reader comes."""


def average_generalised_precision_by_recall(
    precisions: Reals, relevant: Flags, weights: Integers, bounds: Integers, total_weight: Integers
) -> Reals:
    """AgP' = gR'[|D|] * sum of rel(d_r) gP[r] / sum of rel(d_r) (slides, Eq. 8).

    >>> precisions, relevant, bounds = np.array([2 / 3, 5 / 6]), np.array([True, True]), np.array([0, 2])
    >>> weights, total = np.array([45, 10]), np.array([100])
    >>> average_generalised_precision_by_recall(precisions, relevant, weights, bounds, total).round(9).tolist()
    [0.4125]
    """
    at_relevant = np.where(relevant, precisions, 0.0)
    return ratio(totals(weights, bounds), total_weight) * ratio(totals(at_relevant, bounds), totals(relevant, bounds))


def text_weighted_measures(parameters: Parameters) -> tuple[Measure[InContextScoring], ...]:
    """Return the slides' variants, in which a document weighs as much as its text."""
    return (
        *(_text_recall_at(rank) for rank in parameters["cutoffs"]),
        Measure(
            name="MAgP'",
            topic_name="AgP'",
            heading="MAgP'",
            label="Mean average generalised precision by text",
            explanation="Generalised precision averaged over documents weighted by their highlighted text.",
            equation="AgP' = sum rsize(d_r) / Trel * rel(d_r) gP[r]",
            source=f"{SLIDES}, Eq. 5",
            values=lambda scoring: average_generalised_precision(
                scoring.precisions, scoring.weights, scoring.bounds, scoring.highlights.topic_relevant
            ),
            running=lambda scoring: running_share(
                scoring.weights * scoring.precisions, scoring.bounds, scoring.highlights.topic_relevant
            ),
            perfect=parameters.get("document_score") != "t2i",
        ),
        Measure(
            name="MAgP'(8)",
            topic_name="AgP'(8)",
            heading="MAgP'(8)",
            label="Mean average generalised precision times text recall",
            explanation="Generalised precision averaged over the relevant documents retrieved, times the final recall "
            "in text.",
            equation="AgP' = gR'[|D|] * sum rel(d_r) gP[r] / sum rel(d_r)",
            source=f"{SLIDES}, Eq. 8",
            values=lambda scoring: average_generalised_precision_by_recall(
                scoring.precisions,
                scoring.articles.relevant,
                scoring.weights,
                scoring.bounds,
                scoring.highlights.topic_relevant,
            ),
            running=lambda scoring: (
                _running_text_recall(scoring)
                * running_means_at(scoring.articles.relevant, scoring.precisions, scoring.bounds)
            ),
            perfect=parameters.get("document_score") != "t2i",
        ),
    )


def reading_effort_measure(parameters: Parameters) -> tuple[Measure[InContextScoring], ...]:
    """Return MAgP with documents scored by reading effort, whatever scores them otherwise."""
    return (
        Measure(
            name=READING_EFFORT,
            topic_name="AgP(T2I)",
            heading="MAgP(T2I)",
            label="Mean average generalised precision by reading effort",
            explanation=f"MAgP with documents scored by what a reader takes in before {parameters['tolerance']} "
            "irrelevant characters.",
            equation="S(d) = relevant read / (relevant read + irrelevant read)",
            source="INEX 2010, Relevant in Context",
            values=lambda scoring: scoring.averaged(scoring.t2i_precisions),
            running=lambda scoring: scoring.running_average(scoring.t2i_precisions),
            perfect=False,
        ),
    )


def _running_text_recall(scoring: InContextScoring) -> Reals:
    return running_share(scoring.weights, scoring.bounds, scoring.highlights.topic_relevant)


def _text_recall_at(rank: int) -> Measure[InContextScoring]:
    return Measure(
        name=f"gR'[{rank}]",
        topic_name=f"gR'[{rank}]",
        heading="gR'[r]",
        label=f"Generalised recall by text at rank {rank}",
        explanation=f"The share of the topic's highlighted text that the first {rank} documents hold.",
        equation="gR'[r] = sum rsize(d_i) / Trel, i = 1 .. r",
        source=f"{SLIDES}, Eq. 4",
        values=lambda scoring: generalised_recall_at(
            scoring.weights, scoring.bounds, scoring.highlights.topic_relevant, rank
        ),
        running=lambda scoring: held_from(_running_text_recall(scoring), scoring.bounds, rank),
        perfect=False,
    )
