"""The comparisons page of an edition: what all its runs say together."""

from dataclasses import dataclass

from evaluation.services.compared_runs import ComparedRuns, compared_runs
from evaluation.services.comparison_parts import Part, rows_for
from evaluation.services.significance import significance
from limelight.scoring.evaluators import EVALUATORS


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons:
    """What the page shows, part by part."""

    compared: ComparedRuns
    exploratory: str
    pairs: Part


def comparisons_of(edition, view, asked):
    """Lay out what was asked for, for somebody who may see all scores."""
    compared = compared_runs(edition, view, asked.measure)
    rows = rows_for(edition, {(asked.measure, asked.test)})
    return Comparisons(
        compared=compared,
        exploratory=_exploratory(edition, asked.measure),
        pairs=significance(compared, asked, rows),
    )


def _exploratory(edition, measure):
    """Say that a measure is not the one that ranks the board; nothing of that one."""
    if measure == edition.official_measure:
        return ""
    count = len(EVALUATORS[edition.task.kind].measures_under(edition.profile, edition.parameters))
    among = f"{measure}, one of {count} measures"
    return f"Exploratory: {among}; the task is ranked by {edition.official_measure}."


def _pairs(edition, view, asked):
    compared = compared_runs(edition, view, asked.measure)
    part = significance(compared, asked, rows_for(edition, {(asked.measure, asked.test)}))
    return part.told and part.told.file_rows()


FILES = {"pairs": _pairs}
"""What can be downloaded, by the word in the address."""


def file_of(part, edition, view, asked):
    """Return the rows of a file, the heads of the columns first; None where there is nothing to tell."""
    return FILES[part](edition, view, asked)
