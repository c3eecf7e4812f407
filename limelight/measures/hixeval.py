"""HiXEval: precision averaged over results rather than over text (Evaluating Focused Retrieval Tasks, appendix B)."""

import numpy as np

from limelight.arrays import Integers, Reals
from limelight.measures.focused import FocusedScoring, f1, recall_at
from limelight.measures.measure import Measure, first_results
from limelight.measures.whole_list import RecallWords, recall_words
from limelight.scoring.profiles import Parameters
from limelight.scoring.topicwise import at_rank, held_from, means_at, places, ratio, running_means_at, totals

SLIDES = "Evaluating Focused Retrieval Tasks, appendix B"


def hixeval_precision_at(share_sums: Reals, bounds: Integers, rank: int) -> Reals:
    """P@r = (1/r) sum of rsize(e_i) / size(e_i) over i = 1 .. r, from these sums, divided by r past the end too.

    >>> hixeval_precision_at(np.array([1.0, 1.0, 1.0]), np.array([0, 3]), rank=3).round(2).tolist()
    [0.33]
    """
    return at_rank(share_sums, bounds, rank) / rank


def hixeval_average_precision(
    relevant: Integers, share_sums: Reals, bounds: Integers, total_relevant: Integers
) -> Reals:
    """AP = mean of P@r over the ranks of relevant results, times the final recall.

    >>> share_sums = np.array([1.0, 2.0, 3.0])
    >>> hixeval_average_precision(np.array([33] * 3), share_sums, np.array([0, 3]), np.array([198])).tolist()
    [0.5]
    """
    adding = np.flatnonzero(relevant)
    precision = share_sums[adding] / places(bounds)[adding]
    return means_at(adding, precision, bounds) * ratio(totals(relevant, bounds), total_relevant)


def hixeval_measures(parameters: Parameters) -> tuple[Measure[FocusedScoring], ...]:
    """Return HiXEval's measures for a focused or thorough task."""
    recall = recall_words(parameters)
    return (
        *(_precision_at(rank) for rank in parameters["cutoffs"]),
        *(_recall_at(rank, recall) for rank in parameters["cutoffs"]),
        *(_f_at(rank, recall) for rank in parameters["cutoffs"]),
        Measure(
            name="hixMAP",
            topic_name="hixAP",
            heading="hixMAP",
            label="HiXEval mean average precision",
            explanation="HiXEval precision averaged over the ranks of relevant results, times the final recall"
            f"{recall.ending}",
            equation="AP = sum rel(e_r) P@r / sum rel(e_r) * R@|R|",
            source=SLIDES,
            values=lambda scoring: hixeval_average_precision(
                scoring.relevant, scoring.share_sums, scoring.bounds, scoring.total_relevant
            ),
            running=_running_average_precision,
            bounded=recall.bounded,
        ),
    )


def _precision(scoring: FocusedScoring, rank: int) -> Reals:
    return hixeval_precision_at(scoring.share_sums, scoring.bounds, rank)


def _running_precision(scoring: FocusedScoring, rank: int) -> Reals:
    return held_from(scoring.share_sums, scoring.bounds, rank) / rank


def _running_average_precision(scoring: FocusedScoring) -> Reals:
    precision = scoring.share_sums / places(scoring.bounds)
    return running_means_at(scoring.relevant > 0, precision, scoring.bounds) * scoring.running_character_recall


def _recall(scoring: FocusedScoring, rank: int) -> Reals:
    return recall_at(scoring.found, scoring.bounds, scoring.total_relevant, rank)


def _precision_at(rank: int) -> Measure[FocusedScoring]:
    return Measure(
        name=f"hixP@{rank}",
        topic_name=f"hixP@{rank}",
        heading="hixP@r",
        label=f"HiXEval precision at {rank}",
        explanation=f"The share of highlighted text in {first_results(rank)}, each result counting the same.",
        equation="P@r = (1/r) sum rsize(e_i) / size(e_i), i = 1 .. r",
        source=SLIDES,
        values=lambda scoring: _precision(scoring, rank),
        running=lambda scoring: _running_precision(scoring, rank),
        perfect=False,
    )


def _recall_at(rank: int, recall: RecallWords) -> Measure[FocusedScoring]:
    return Measure(
        name=f"hixR@{rank}",
        topic_name=f"hixR@{rank}",
        heading="hixR@r",
        label=f"HiXEval recall at {rank}",
        explanation=f"The share of the topic's highlighted text that is in {first_results(rank)}{recall.ending}",
        equation="R@r = sum rsize(e_i) / Trel, i = 1 .. r",
        source=SLIDES,
        values=lambda scoring: _recall(scoring, rank),
        running=lambda scoring: scoring.held_recall(rank),
        bounded=recall.bounded,
        perfect=False,
    )


def _f_at(rank: int, recall: RecallWords) -> Measure[FocusedScoring]:
    return Measure(
        name=f"hixF@{rank}",
        topic_name=f"hixF@{rank}",
        heading="hixF@r",
        label=f"HiXEval F at {rank}",
        explanation=f"The harmonic mean of HiXEval precision and recall at {rank} results{recall.ending}",
        equation="F@r = 2 P@r R@r / (P@r + R@r)",
        source=SLIDES,
        values=lambda scoring: f1(_precision(scoring, rank), _recall(scoring, rank)),
        running=lambda scoring: f1(_running_precision(scoring, rank), scoring.held_recall(rank)),
        bounded=recall.bounded,
        perfect=False,
    )
