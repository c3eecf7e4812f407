"""The comparisons page of an edition: what all its runs say together."""

from dataclasses import dataclass

from evaluation.services.analyses import TUKEY
from evaluation.services.analysis_results import AGAINST, REDRAWN, STEADINESS
from evaluation.services.compared_runs import ComparedRuns, compared_runs
from evaluation.services.comparison_parts import Part, rows_for
from evaluation.services.heat_map import HeatMap, heat_map
from evaluation.services.rank_changes import RankChanges, rank_changes
from evaluation.services.redrawn_topics import redrawn_topics
from evaluation.services.significance import significance
from evaluation.services.topic_counts import steadiness
from evaluation.services.two_measures import Scatter, agreement, scatter
from limelight.scoring.evaluators import EVALUATORS


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons:
    """What the page shows, part by part."""

    compared: ComparedRuns
    exploratory: str
    pairs: Part
    redrawn: Part
    steadiness: Part
    heat_map: HeatMap | None
    scatter: Scatter | None
    agreement: Part
    changes: RankChanges | None


def comparisons_of(edition, view, asked):
    """Lay out what was asked for, for somebody who may see all scores."""
    compared = compared_runs(edition, view, asked.measure, asked.against)
    kinds = {(asked.measure, test, "") for test in (asked.test, TUKEY, REDRAWN, STEADINESS)}
    rows = rows_for(edition, kinds | {(asked.measure, AGAINST, asked.against)})
    return Comparisons(
        compared=compared,
        exploratory=_exploratory(edition, asked.measure),
        pairs=significance(compared, asked, rows),
        redrawn=redrawn_topics(compared, rows),
        steadiness=steadiness(compared, rows),
        heat_map=heat_map(compared),
        scatter=scatter(compared, asked.against),
        agreement=agreement(compared, asked.against, rows),
        changes=rank_changes(compared),
    )


def _exploratory(edition, measure):
    """Say that a measure is not the one that ranks the board; nothing of that one."""
    if measure == edition.official_measure:
        return ""
    count = len(EVALUATORS[edition.task.kind].measures_under(edition.profile, edition.parameters))
    among = f"{measure}, one of {count} measures"
    return f"Exploratory: {among}; the task is ranked by {edition.official_measure}."


def _pairs(compared, asked):
    return significance(compared, asked, rows_for(compared.edition, {(asked.measure, asked.test, "")})).told


def _redrawn(compared, asked):
    return redrawn_topics(compared, rows_for(compared.edition, {(asked.measure, REDRAWN, "")})).told


FILES = {
    "pairs": _pairs,
    "redrawn": _redrawn,
    "topics": lambda compared, asked: heat_map(compared),
    "measures": lambda compared, asked: scatter(compared, asked.against),
    "ranks": lambda compared, asked: rank_changes(compared),
}
"""The parts that can be downloaded, by the word in the address."""


def file_of(part, edition, view, asked):
    """Return the rows of a file, the heads of the columns first; None where there is nothing to tell."""
    told = FILES[part](compared_runs(edition, view, asked.measure, asked.against), asked)
    return None if told is None else told.file_rows()
