"""Parts of a comparisons page that an analysis stands behind: what they tell, or why they tell nothing yet."""

from dataclasses import dataclass

from evaluation.models import Analysis, Edition
from evaluation.services.analyses import fits, kind_of, kinds_kept
from limelight.analysis.statistics.telling_apart import why_not_told

COMPUTING = "This is being computed."
ON_REQUEST = "Nobody has asked for this yet: it is computed on request."
BUILDING = "An edition that is being built is compared when it is live."


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What a part of the page tells; else `why_not` is a sentence, and somebody may ask for it or has to wait."""

    measure: str
    test: str
    other_measure: str = ""
    told: object = None
    why_not: str = ""
    is_waiting: bool = False
    may_be_asked: bool = False


def rows_for(edition, kinds, family=Analysis.Family.ALL):
    """Fetch analyses of a family of a board's runs in one query, by their kinds."""
    measures, tests = {measure for measure, _, _ in kinds}, {test for _, test, _ in kinds}
    rows = edition.analyses.filter(family=family, measure__in=measures, test__in=tests)
    rows = rows.filter(other_measure__in={other for _, _, other in kinds})
    return {kind_of(row): row for row in rows}


def part_of(compared, test, rows, tell, other_measure=""):
    """Return a part: what `tell` makes of its analysis, if that is about the runs that are on the board now."""
    edition, kind = compared.edition, (compared.measure, test, other_measure)
    if why_not := why_not_told(len(compared.runs), compared.topic_count):
        return Part(*kind, why_not=f"{why_not.capitalize()}.")
    row = rows.get(kind)
    if row is not None and row.state == Analysis.State.FAILED:
        sentence = f"This could not be computed (ref. {row.failure_reference}). The fault is ours."
        return Part(*kind, why_not=sentence, may_be_asked=True)
    if row is not None and fits(row, compared.means):
        return Part(*kind, told=tell(row))
    if edition.state == Edition.State.BUILDING:
        return Part(*kind, why_not=BUILDING)
    if row is None and kind not in kinds_kept(edition, compared.family):
        return Part(*kind, why_not=ON_REQUEST, may_be_asked=True)
    return Part(*kind, why_not=COMPUTING, is_waiting=True)
