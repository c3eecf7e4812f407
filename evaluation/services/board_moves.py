"""Who moved since the edition before: told only of runs whose ranges on the two boards do not meet."""

from evaluation.models import Analysis
from evaluation.services.analyses import TUKEY
from evaluation.services.board_memory import kept
from limelight.analysis.statistics.telling_apart import ToldApart, pair_p


def parted_since(before, ranges):
    """Return the range on the board before, by code, of the runs whose ranges then and now have no place in common."""
    if before is None or ranges is None or not ranges.are_told:
        return {}
    family, measure = ranges.family, ranges.measure
    if measure != before.official_measure or family != Analysis.Family.ALL:
        return {}
    then = kept(before, ("ranges then", measure), lambda: _ranges_then(before, family, measure))
    return {code: then[code] for code, now in ranges.of.items() if code in then and not meet(now, then[code])}


def _ranges_then(before, family, measure):
    row = before.analyses.filter(family=family, measure=measure, test=TUKEY).defer("p_values").first()
    if row is None or row.draws is None or not len(row.draws):
        return {}
    told = ToldApart(row.means, pair_p(row.draws, row.means), row.draws)
    return dict(zip(row.codes, told.ranges(), strict=True))


def meet(one, other):
    """Return whether two ranges have a place in common."""
    return one[0] <= other[1] and other[0] <= one[1]
