"""What a board may say about the differences between its runs: rank ranges and the leading group."""

from dataclasses import dataclass

from evaluation.models import Analysis, Score
from evaluation.services.analyses import TUKEY, fits
from evaluation.services.columns import measures_of
from evaluation.services.families import families_of
from limelight.analysis.statistics.telling_apart import LEVEL, ToldApart, pair_p, tell_apart, why_not_told

COMPUTING = "Ranges are being computed."
ON_REQUEST = "Ranges by this measure are computed on the comparisons page."
FAMILIES = {Analysis.Family.ALL: "run", Analysis.Family.CLEAN: "run", Analysis.Family.OFFICIAL: "official run"}
"""What a sentence calls the runs of a family."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranges:
    """Which ranks the runs of a family may truly have by one measure, by their codes; else why nothing is told.

    `critical` is the difference above which two runs differ, `has_later` that others came after scores could be seen.
    """

    measure: str
    family: str
    run_count: int
    topic_count: int
    why_not: str = ""
    is_waiting: bool = False
    method: str = ""
    critical: float | None = None
    of: dict | None = None
    leading: frozenset = frozenset()
    has_later: bool = False

    @property
    def are_told(self):
        """Return whether there are ranges to show."""
        return self.of is not None

    @property
    def noun(self):
        """Return what a sentence calls one run of the family."""
        return FAMILIES[self.family]


def ranges_on(edition, measure, means, *, runs, after, only_official=False):
    """Return what may be said about a board's runs by a measure, given the means by code of all that have one.

    `runs` are all that stand on the board, `after` the keys of those that came after scores could be seen.
    """
    families = families_of(runs, after)
    family = family_shown(families, is_official=measure == edition.official_measure, only_official=only_official)
    members = {
        run.code: means[run.code] for run in sorted(families[family], key=lambda run: run.code) if run.code in means
    }
    about = {
        "measure": measure,
        "family": family,
        "run_count": len(members),
        "topic_count": len(edition.topic_numbers),
        "has_later": bool(after) and family == Analysis.Family.ALL,
    }
    if why_not := why_not_told(len(members), len(edition.topic_numbers)):
        return Ranges(**about, why_not=f"{why_not.capitalize()}.")
    if len(members) == 2:
        return _told(about, members, tell_apart(_values(edition, measure, members)))
    row = edition.analyses.filter(family=family, measure=measure, test=TUKEY).defer("p_values").first()
    if row is None or row.state == Analysis.State.FAILED:
        return Ranges(**about, **_missing(edition, measure, row))
    if not len(row.draws if row.draws is not None else ()) or not fits(row, members):
        return Ranges(**about, why_not=COMPUTING, is_waiting=True)
    return _told(about, members, ToldApart(row.means, pair_p(row.draws, row.means), row.draws))


def family_shown(families, *, is_official, only_official):
    """Choose the family that is shown: others than that of all runs are tested by the official measure alone."""
    if is_official:
        asked = Analysis.Family.OFFICIAL if only_official else Analysis.Family.CLEAN
        if asked in families:
            return asked
    return Analysis.Family.ALL


def _missing(edition, measure, row):
    if row is not None:
        return {"why_not": f"Ranges could not be computed (ref. {row.failure_reference}). The fault is ours."}
    is_column = measure in {column.name for column in measures_of(edition)}
    return {"why_not": COMPUTING, "is_waiting": True} if is_column else {"why_not": ON_REQUEST}


def _told(about, members, told):
    codes = list(members)
    return Ranges(
        **about,
        method=told.method,
        critical=told.critical_difference(LEVEL),
        of=dict(zip(codes, told.ranges(LEVEL), strict=True)),
        leading=frozenset(code for code, leads in zip(codes, told.leading(LEVEL), strict=True) if leads),
    )


def _values(edition, measure, members):
    on_board = Score.objects.filter(evaluation__in=edition.evaluations.on_board(), measure=measure)
    rows = on_board.filter(evaluation__run__code__in=members).order_by("evaluation__run__code")
    return [values for (values,) in rows.values_list("topic_values")]
