"""The comparisons page of an edition: what all its runs say together."""

from dataclasses import dataclass

from evaluation.models import Analysis
from evaluation.services.analyses import TUKEY
from evaluation.services.analysis_results import AGAINST, REDRAWN, STEADINESS
from evaluation.services.compared_runs import ComparedRuns, compared_runs
from evaluation.services.comparison_asked import family_asked
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
    family: str
    problem: str
    pairs: Part
    redrawn: Part
    steadiness: Part
    heat_map: HeatMap | None
    scatter: Scatter | None
    agreement: Part
    changes: RankChanges | None

    @property
    def families(self):
        """Return the families that pairs can be tested in, as they are called; nothing where there is no choice."""
        names = [(family.value, family.label) for family in Analysis.Family if family in self.compared.families]
        return names if len(names) > 1 else []

    @property
    def later(self):
        """Say that runs came after scores could be seen, and what that means here."""
        if not self.compared.has_later:
            return ""
        told = "Runs were submitted after scores were visible"
        if self.family == Analysis.Family.ALL:
            return f"{told}: what is said here describes these topics only."
        return f"{told}. Pairs are tested without them; what is said of all runs describes these topics only."


def comparisons_of(edition, view, asked):
    """Lay out what was asked for, for somebody who may see all scores."""
    compared = compared_runs(edition, view, asked.measure, asked.against)
    kinds = {(asked.measure, test, "") for test in (asked.test, TUKEY, REDRAWN, STEADINESS)}
    rows = rows_for(edition, kinds | {(asked.measure, AGAINST, asked.against)})
    family, problem = family_asked(asked, compared)
    return Comparisons(
        compared=compared,
        exploratory=_exploratory(edition, asked.measure),
        family=family,
        problem=problem,
        pairs=_pairs(compared, asked, family, rows),
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


def _pairs(compared, asked, family, rows=None):
    """Return the part about pairs; rows of all runs may be at hand, those of another family are fetched."""
    if rows is None or family != Analysis.Family.ALL:
        rows = rows_for(compared.edition, {(asked.measure, asked.test, "")}, family)
    return significance(compared.among(family), asked, rows)


def _redrawn(compared, asked):
    return redrawn_topics(compared, rows_for(compared.edition, {(asked.measure, REDRAWN, "")})).told


def _steadiness(compared, asked):
    kinds = {(asked.measure, test, "") for test in (STEADINESS, TUKEY)}
    return steadiness(compared, rows_for(compared.edition, kinds)).told


FILES = {
    "pairs": lambda compared, asked: _pairs(compared, asked, family_asked(asked, compared)[0]).told,
    "redrawn": _redrawn,
    "steadiness": _steadiness,
    "topics": lambda compared, asked: heat_map(compared),
    "measures": lambda compared, asked: scatter(compared, asked.against),
    "ranks": lambda compared, asked: rank_changes(compared),
}
"""The parts that can be downloaded, by the word in the address."""

CSV, SVG = "csv", "svg"
FORMATS = {CSV: set(FILES), SVG: set(FILES) - {"redrawn"}}
"""As what they can be downloaded: numbers are there of all, drawings of most."""


def file_of(part, file_format, edition, view, asked):
    """Return the rows of a file, the heads of the columns first, or a drawing; None where there is nothing to tell."""
    told = FILES[part](compared_runs(edition, view, asked.measure, asked.against), asked)
    if told is None:
        return None
    return told.file_rows() if file_format == CSV else told.drawn(as_file=True)
