"""Parts of a comparisons page that an analysis stands behind: what they tell, or why they tell nothing yet."""

from dataclasses import dataclass

from evaluation.models import Analysis, Edition
from evaluation.services.analyses import fits, kinds_on_every_board
from limelight.analysis.statistics.telling_apart import why_not_told

COMPUTING = "This is being computed."
ON_REQUEST = "Nobody has asked for this yet: it is computed on request."
BUILDING = "An edition that is being built is compared when it is live."


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What a part of the page tells; else `why_not` is a sentence, and somebody may ask for it or has to wait."""

    measure: str
    test: str
    told: object = None
    why_not: str = ""
    is_waiting: bool = False
    may_be_asked: bool = False


def rows_for(edition, wanted):
    """Fetch analyses of all runs of a board in one query, by measure and test."""
    measures, tests = {measure for measure, _ in wanted}, {test for _, test in wanted}
    rows = edition.analyses.filter(family=Analysis.Family.ALL, measure__in=measures, test__in=tests)
    return {(row.measure, row.test): row for row in rows}


def part_of(compared, test, rows, tell):
    """Return a part: what `tell` makes of its analysis, if that is about the runs that are on the board now."""
    edition, key = compared.edition, (compared.measure, test)
    if why_not := why_not_told(len(compared.runs), compared.topic_count):
        return Part(*key, why_not=f"{why_not.capitalize()}.")
    row = rows.get(key)
    if row is not None and row.state == Analysis.State.FAILED:
        sentence = f"This could not be computed (ref. {row.failure_reference}). The fault is ours."
        return Part(*key, why_not=sentence, may_be_asked=True)
    if row is not None and fits(row, compared.means):
        return Part(*key, told=tell(row))
    if edition.state == Edition.State.BUILDING:
        return Part(*key, why_not=BUILDING)
    if row is None and key not in kinds_on_every_board(edition):
        return Part(*key, why_not=ON_REQUEST, may_be_asked=True)
    return Part(*key, why_not=COMPUTING, is_waiting=True)
