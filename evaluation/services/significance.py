"""Which pairs of a board's runs differ: the p-values that an analysis keeps, read at a level and with a correction."""

from dataclasses import dataclass

import numpy as np

from evaluation.models import Analysis
from evaluation.services.comparison_asked import TESTS
from evaluation.services.comparison_parts import Part, part_of
from evaluation.services.ranges import FAMILIES
from limelight.analysis.ranking import TIE
from limelight.analysis.statistics.corrections import CORRECTIONS, NONE, corrected, resamples_needed
from limelight.analysis.statistics.pairwise import p_text
from limelight.analysis.statistics.resampling import RESAMPLES
from limelight.analysis.statistics.telling_apart import DRAWS, critical_difference, tell_apart, why_not_told
from limelight.figures.grids import Grid, grid_svg, tick_places
from limelight.wording import counted

RESOLUTIONS = {
    "tukey": 1 / (DRAWS + 1),
    "tukey-complete-null": 1 / (RESAMPLES + 1),
    "randomisation": 1 / (RESAMPLES + 1),
    "bootstrap": 2 / RESAMPLES,
    "t-test": 0.0,
}
"""The smallest p-value above 0 that a test can give."""

MOST_IN_TABLE = 40
MOST_WITH_P = 15
"""Of so many runs a table shows all pairs, and of so many with their p-values."""

SHADES = ("", "better", "worse")
KEY = (("better", "the run of the row is better"), ("worse", "it is worse"))


@dataclass(frozen=True, slots=True, eq=False)
class Significance:
    """The pairs of runs, the best run first: p-values as they were tested and as they are read, and which differ."""

    runs: list
    p: np.ndarray
    read: np.ndarray
    different: np.ndarray
    method: str
    level: float
    correction: str
    is_all_at_once: bool
    resolution: float
    critical: float | None = None
    family: str = Analysis.Family.ALL

    @property
    def pair_count(self):
        """Count the pairs."""
        return len(self.runs) * (len(self.runs) - 1) // 2

    @property
    def differ_count(self):
        """Count the pairs that differ."""
        return int(self.different.sum()) // 2

    @property
    def is_table(self):
        """Return whether all pairs have room in a table."""
        return len(self.runs) <= MOST_IN_TABLE

    @property
    def has_p(self):
        """Return whether the table has room for p-values."""
        return len(self.runs) <= MOST_WITH_P

    @property
    def rows(self):
        """Return for each run its cells: text and class."""
        return [
            (run, [self._cell(row, column) for column in range(len(self.runs))]) for row, run in enumerate(self.runs)
        ]

    def drawn(self, *, as_file=False):
        """Draw all pairs as a grid, for a page or as a file."""
        shades = np.where(self.different, np.where(np.triu(np.ones_like(self.different)), 1, 2), 0)
        ticks = [(place, str(place + 1)) for place in tick_places(len(self.runs))]
        title = f"Which of {counted(len(self.runs), 'run')} differ, pair by pair"
        return grid_svg(Grid(shades, SHADES, ticks, ticks, title, self.sentence, KEY), as_file=as_file)

    @property
    def sentence(self):
        """Say how many pairs differ, by which test, and from which difference on."""
        tested = f"{self.method}, {100 * self.level:g} %, tested among {self._runs}"
        told = f"{self.differ_count:,} of {counted(self.pair_count, 'pair')} differ ({tested})"
        if self.critical is None or not np.isfinite(self.critical):
            return f"{told}."
        return f"{told}; differences below {self.critical:.3f} cannot be told from chance here."

    @property
    def warning(self):
        """Say what a reader of many pairs has to mind."""
        if self.correction == NONE:
            if self.is_all_at_once or self.pair_count < 2:
                return ""
            chance = max(round(self.level * self.pair_count), 1)
            return (
                f"Each pair was tested by itself: of {self.pair_count:,} pairs of equally good runs about {chance:,} "
                "would seem to differ. A correction allows for that."
            )
        needed = resamples_needed(self.pair_count, self.resolution, self.level)
        if not needed:
            return ""
        return (
            f"With {self.pair_count:,} pairs no pair can pass this correction: the smallest p-value that these "
            f"resamples can give is {self.resolution:.2g}, and it would take more than {needed:,} of them. "
            "The paired t-test and Tukey HSD have no such limit."
        )

    def file_rows(self):
        """Return the pairs as rows of a file, the better run first."""
        yield "rank", "run", "other rank", "other run", "mean difference", "p", f"p read ({self.correction})", "differ"
        for row, run in enumerate(self.runs):
            for column, other in enumerate(self.runs[row + 1 :], row + 1):
                pair = row, column
                yield (
                    *(run.rank, run.name, other.rank, other.name, run.mean - other.mean),
                    *(float(self.p[pair]), float(self.read[pair]), "yes" if self.different[pair] else "no"),
                )

    @property
    def _runs(self):
        """Write how many runs there are, and which."""
        before = " submitted before their teams could see scores" if self.family == Analysis.Family.CLEAN else ""
        return f"{counted(len(self.runs), FAMILIES[self.family])}{before}"

    def _cell(self, row, column):
        if row == column:
            return "", "self"
        kind = SHADES[1 if row < column else 2] if self.different[row, column] else ""
        if self.has_p:
            return p_text(float(self.read[row, column]), self.resolution), kind
        return {"better": "+", "worse": "−"}.get(kind, "·"), kind


def significance(compared, asked, rows):
    """Return the part of a comparisons page that tells which pairs of runs differ; two runs have the paired t-test."""
    is_told = not why_not_told(len(compared.runs), compared.topic_count)
    if is_told and len(compared.runs) == 2 and asked.is_all_at_once:
        return Part(compared.measure, asked.test, told=_of_two(compared, asked))
    return part_of(compared, asked.test, rows, lambda row: _of_analysis(compared, asked, row))


def _of_two(compared, asked):
    told = tell_apart(compared.values)
    critical = told.critical_difference(asked.share)
    return _read(compared, asked, (told.p, told.p), told.method, critical=critical)


def _of_analysis(compared, asked, row):
    resolution = RESOLUTIONS[asked.test]
    read = corrected(row.p_values, asked.correction, resolution)
    matrices = [_matrix(values, compared.places) for values in (row.p_values, read)]
    critical = critical_difference(row.draws, asked.share) if len(row.draws) else None
    return _read(compared, asked, matrices, _method(asked), resolution, critical)


def _method(asked):
    correction = "" if asked.correction == NONE else f", {CORRECTIONS[asked.correction]}"
    return f"{TESTS[asked.test]}{correction}"


def _matrix(values, places):
    """Lay out the p-values of pairs in the order of places, 1 on the diagonal."""
    matrix = np.ones((len(places), len(places)))
    pairs = np.triu_indices(len(places), 1)
    matrix[pairs] = values
    matrix.T[pairs] = values
    return matrix[np.ix_(places, places)]


def _read(compared, asked, matrices, method, resolution=0.0, critical=None):
    p, read = matrices
    means = np.array([run.mean for run in compared.runs])
    apart = np.abs(np.subtract.outer(means, means)) > TIE
    return Significance(
        runs=compared.runs,
        p=p,
        read=read,
        different=(read < asked.share) & apart,
        method=method,
        level=asked.share,
        correction=asked.correction,
        is_all_at_once=asked.is_all_at_once,
        resolution=resolution,
        critical=critical,
        family=compared.family,
    )
