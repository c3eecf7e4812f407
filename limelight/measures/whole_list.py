"""Focused and Thorough without interpolation: precision and recall at ranks and of the whole list (INEX 2007, 4)."""

from dataclasses import dataclass
from functools import partial

from limelight.arrays import Reals
from limelight.measures.document import SLIDES, document_average_precision, running_average_precision
from limelight.measures.focused import INEX_2007, FocusedScoring, average_precision, f1, precision_at, recall_at
from limelight.measures.measure import Measure, first_results
from limelight.scoring.profiles import Parameters
from limelight.scoring.topicwise import held_from


@dataclass(frozen=True, slots=True)
class RecallWords:
    """Whether recall, and what is made of it, stays below 1, and how the explanation of such a measure ends."""

    bounded: bool
    ending: str


BOUNDED_RECALL = RecallWords(True, ".")
UNBOUNDED_RECALL = RecallWords(False, "; text retrieved twice counts twice (overlap=count_all), so it may exceed 1.")


def recall_words(parameters: Parameters) -> RecallWords:
    """Tell what becomes of recall under the parameters.

    >>> recall_words({"overlap": "count_all"}).bounded, recall_words({}).bounded
    (False, True)
    """
    return UNBOUNDED_RECALL if parameters.get("overlap") == "count_all" else BOUNDED_RECALL


def further_measures(parameters: Parameters) -> tuple[Measure[FocusedScoring], ...]:
    """Return what else a focused or thorough task can compute."""
    recall = recall_words(parameters)
    return (
        Measure(
            name="charMAP",
            topic_name="charAP",
            heading="charMAP",
            label="Mean average precision in characters",
            explanation="Precision averaged over the ranks that add highlighted text, times the final recall"
            f"{recall.ending}",
            equation="AP = sum rel(p_r) P[r] / sum rel(p_r) * R[|R|]",
            source=f"{INEX_2007}, Eq. 3",
            values=lambda scoring: average_precision(
                scoring.relevant, scoring.found, scoring.read, scoring.bounds, scoring.total_relevant
            ),
            running=lambda scoring: scoring.running_average_precision,
            bounded=recall.bounded,
        ),
        Measure(
            name="artMAP",
            topic_name="artAP",
            heading="artMAP",
            label="Mean average precision over articles",
            explanation="Precision averaged over all relevant articles of a topic, each of the run's articles at its "
            "first result: trec_eval's map.",
            equation="AP = sum rel(d_r) P[r] / Nrel",
            source=f"{SLIDES}, Eq. 7",
            values=lambda scoring: document_average_precision(
                scoring.articles.relevant, scoring.articles.bounds, scoring.laid.highlights.relevant_documents
            ),
            running=_running_article_average_precision,
        ),
        *(_precision_at(rank) for rank in parameters["cutoffs"]),
        *(_recall_at(rank, recall) for rank in parameters["cutoffs"]),
        *_whole_list("char", "character_", "Character", "characters", "highlighted characters", recall),
        *_whole_list("art", "article_", "Article", "articles", "articles with highlighted text"),
    )


def _running_article_average_precision(scoring: FocusedScoring) -> Reals:
    articles, relevant_documents = scoring.running_articles, scoring.laid.highlights.relevant_documents
    return running_average_precision(
        articles.found, articles.retrieved, articles.finds, scoring.bounds, relevant_documents
    )


def _precision_at(rank: int) -> Measure[FocusedScoring]:
    return Measure(
        name=f"P[{rank}]",
        topic_name=f"P[{rank}]",
        heading="P[r]",
        label=f"Precision at rank {rank}",
        explanation=f"The share of highlighted characters in the text of {first_results(rank)}.",
        equation="P[r] = sum rsize(p_i) / sum size(p_i), i = 1 .. r",
        source=f"{INEX_2007}, Eq. 1",
        values=lambda scoring: precision_at(scoring.found, scoring.read, scoring.bounds, rank),
        running=lambda scoring: held_from(scoring.running_character_precision, scoring.bounds, rank),
        monotone=False,  # a long result with little relevant text may lower it
    )


def _recall_at(rank: int, recall: RecallWords) -> Measure[FocusedScoring]:
    return Measure(
        name=f"R[{rank}]",
        topic_name=f"R[{rank}]",
        heading="R[r]",
        label=f"Recall at rank {rank}",
        explanation=f"The share of the topic's highlighted characters that are in {first_results(rank)}{recall.ending}",
        equation="R[r] = sum rsize(p_i) / Trel, i = 1 .. r",
        source=f"{INEX_2007}, Eq. 2",
        values=lambda scoring: recall_at(scoring.found, scoring.bounds, scoring.total_relevant, rank),
        running=lambda scoring: scoring.held_recall(rank),
        bounded=recall.bounded,
        perfect=False,
    )


def _whole_list(
    prefix: str, attribute: str, label: str, unit: str, sought: str, counted: RecallWords = BOUNDED_RECALL
) -> tuple[Measure[FocusedScoring], ...]:
    def precision(scoring: FocusedScoring, running: str = "") -> Reals:
        return getattr(scoring, f"{running}{attribute}precision")

    def recall(scoring: FocusedScoring, running: str = "") -> Reals:
        return getattr(scoring, f"{running}{attribute}recall")

    def harmonic(scoring: FocusedScoring, running: str = "") -> Reals:
        return f1(precision(scoring, running), recall(scoring, running))

    share, ending = f"The share of {sought} among all returned {unit}.", counted.ending
    rows = (
        ("P", "precision", share, "P = found / returned", precision, True),
        (
            "R",
            "recall",
            f"The share of all {sought} that the run returns{ending}",
            "R = found / all relevant",
            recall,
            counted.bounded,
        ),
        (
            "F1",
            "F1",
            f"The harmonic mean of {label.lower()} precision and recall{ending}",
            "F1 = 2 P R / (P + R)",
            harmonic,
            counted.bounded,
        ),
    )
    return tuple(
        Measure(
            name=f"{prefix}{letter}",
            topic_name=f"{prefix}{letter}",
            heading=f"{prefix}P, {prefix}R and {prefix}F1",
            label=f"{label} {word}",
            explanation=explanation,
            equation=equation,
            source="INEX 2010, Restricted Focused task",
            values=values,
            running=partial(values, running="running_"),
            bounded=bounded,
        )
        for letter, word, explanation, equation, values, bounded in rows
    )
