"""How many topics a difference takes, and how steady a board's ranking is: from the variance that its topics leave."""

import math
from dataclasses import dataclass

import numpy as np

from evaluation.services.analyses import TUKEY
from evaluation.services.analysis_results import STEADINESS
from evaluation.services.comparison_parts import part_of
from limelight.analysis.statistics.sentences import GENERALISABILITY, few_runs_sentence, halves_heading, topics_sentence
from limelight.analysis.statistics.stability import LEAST_RUNS, Middle, SplitHalves
from limelight.analysis.statistics.telling_apart import critical_difference
from limelight.analysis.statistics.topic_numbers import (
    DIFFERENCES,
    FEWEST,
    MOST,
    found_curve,
    found_difference,
    topics_needed,
    topics_needed_for_all,
)
from limelight.figures.axes import height_for
from limelight.figures.plots import Frame, dot, label, path, plot_svg
from limelight.wording import counted

TICKS = (10, 20, 50, 100, 200, 500)
POINTS = 60


@dataclass(frozen=True, slots=True)
class Steadiness:
    """What the variance of a board's topics says; `critical` is what all pairs at once can be told apart by."""

    variance: float
    run_count: int
    topic_count: int
    critical: float | None
    halves: SplitHalves | None = None
    generalisability: float | None = None

    @property
    def sentence(self):
        """Say what so many topics find, and how many to plan."""
        return topics_sentence(self.variance, self.topic_count)

    @property
    def needed(self):
        """Return for some differences how many topics they take: between two runs, and between all at once."""
        return [(one, topics_needed(self.variance, one), self._for_all(one)) for one in DIFFERENCES]

    @property
    def heading(self):
        """Say how two halves of the topics agree; nothing of few runs."""
        if self.halves is None or self.halves.tau.mean is None:
            return ""
        words = halves_heading(self.halves)
        return f"{words[0].upper()}{words[1:]}."

    @property
    def about_halves(self):
        """Say how it was found, and how many splits told nothing."""
        left = self.halves.tau.left_out if self.halves else 0
        told = (
            "Kendall’s τ-b between the rankings by two halves of the topics: the mean over 1,000 random splits, and "
            "the middle 95 %. Both figures depend on the runs: compare measures only over the same ones."
        )
        return f"{told} {counted(left, 'split')} told nothing and were left out." if left else told

    @property
    def about_generalisability(self):
        """Say what the share means."""
        return GENERALISABILITY

    @property
    def why_not_steady(self):
        """Say why nothing is said about how steady the ranking is; else nothing."""
        if self.run_count >= LEAST_RUNS:
            return ""
        return few_runs_sentence(self.run_count)

    def drawn(self, *, as_file=False):
        """Draw which difference is found with how many topics, and where this board stands."""
        counts = np.geomspace(FEWEST, MOST, POINTS)
        found = found_difference(self.variance, counts)
        top, ticks = height_for(float(found[0]))
        frame = Frame(
            title="The smallest difference that is found four times out of five, by the number of topics",
            told=self.sentence,
            horizontal="topics",
            vertical="difference found",
            across=[(_along(count), str(count)) for count in TICKS],
            up=[(tick / top, f"{tick:g}") for tick in ticks],
        )
        curve = path(((_along(count), value / top) for count, value in zip(counts, found, strict=True)), "curve")
        return plot_svg(frame, [curve], self._here(top), as_file=as_file)

    def file_rows(self):
        """Return the curve as rows of a file."""
        yield "topics", "difference found between two runs"
        for count, found in zip(*found_curve(self.variance), strict=True):
            yield int(count), float(found)

    def _here(self, top):
        if not FEWEST <= self.topic_count <= MOST:
            return []
        x, y = _along(self.topic_count), float(found_difference(self.variance, self.topic_count)) / top
        return [dot(x, y, "here"), label(x, y + 0.05, f"here: {counted(self.topic_count, 'topic')}")]

    def _for_all(self, difference):
        if self.critical is None or not math.isfinite(self.critical) or not self.variance:
            return None
        return topics_needed_for_all(self.variance, difference, self.critical, self.topic_count)


def steadiness(compared, rows):
    """Return the part of a comparisons page about how many topics there should be and how steady the ranking is."""
    return part_of(compared, STEADINESS, rows, lambda row: _told(compared, row.result, rows))


def _told(compared, result, rows):
    ranges = rows.get((compared.measure, TUKEY, ""))
    has_draws = ranges is not None and ranges.draws is not None and ranges.codes == list(compared.means)
    halves = SplitHalves(result["half"], Middle(*result["tau"])) if "tau" in result else None
    return Steadiness(
        variance=result["variance"],
        run_count=len(compared.runs),
        topic_count=compared.topic_count,
        critical=critical_difference(ranges.draws) if has_draws and len(ranges.draws) else None,
        halves=halves,
        generalisability=result.get("generalisability"),
    )


def _along(count):
    return math.log(count / FEWEST) / math.log(MOST / FEWEST)
