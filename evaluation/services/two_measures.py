"""One measure against another over the same runs: a dot a run, and how alike the two rank them."""

from dataclasses import dataclass

from evaluation.services.analysis_results import AGAINST
from evaluation.services.comparison_parts import Part, part_of
from limelight.analysis.statistics.sentences import few_runs_sentence
from limelight.analysis.statistics.stability import LEAST_RUNS
from limelight.figures.axes import height_for
from limelight.figures.plots import Frame, dot, plot_svg
from limelight.wording import counted

NAMES = {"tau-b": "Kendall’s τ-b", "tau-AP": "τ_AP", "r": "Pearson’s r"}
HEIGHT = 360
NOT_BOTH = "Not every run has both measures."


@dataclass(frozen=True, slots=True)
class Coefficient:
    """How alike two measures are over all topics, and between which numbers over redrawn ones."""

    name: str
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """All coefficients, and how far the first measure agrees with itself over redrawn topics."""

    coefficients: list
    ceiling: float | None
    measure: str

    @property
    def sentence(self):
        """Say what the coefficients can be held against."""
        if self.ceiling is None:
            return ""
        return f"{self.measure} on redrawn topics agrees with itself on all topics by a τ-b of {self.ceiling:.2f}."


@dataclass(frozen=True, slots=True)
class Scatter:
    """The runs by both measures."""

    runs: list
    measure: str
    other_measure: str

    @property
    def has_own(self):
        """Return whether runs of one's own are among them."""
        return any(run.is_own for run in self.runs)

    def drawn(self, *, as_file=False):
        """Draw a dot a run, one's own on top, for a page or as a file."""
        ends = [height_for(max(values)) for values in zip(*self._places(), strict=True)]
        (right, across), (top, up) = ends
        frame = Frame(
            title=f"{self.other_measure} against {self.measure}, a dot a run",
            told=f"{counted(len(self.runs), 'run')}; the numbers are in a file below.",
            horizontal=self.measure,
            vertical=self.other_measure,
            across=[(tick / right, f"{tick:g}") for tick in across],
            up=[(tick / top, f"{tick:g}") for tick in up],
            height=HEIGHT,
        )
        in_order = sorted(self.runs, key=lambda run: run.is_own)
        dots = [
            dot(
                run.mean / right, run.other_mean / top, "own" if run.is_own else "one", HEIGHT, 5 if run.is_own else 3.5
            )
            for run in in_order
        ]
        return plot_svg(frame, [], dots, as_file=as_file)

    def file_rows(self):
        """Return both measures of each run as rows of a file."""
        yield "rank", "run", self.measure, self.other_measure
        for run in self.runs:
            yield run.rank, run.name, run.mean, run.other_mean

    def _places(self):
        return [(run.mean, run.other_mean) for run in self.runs]


def scatter(compared, other_measure):
    """Return the runs that have both measures; None where there are none."""
    runs = [run for run in compared.runs if run.other_mean is not None]
    return Scatter(runs, compared.measure, other_measure) if runs else None


def agreement(compared, other_measure, rows):
    """Return the part of a comparisons page that tells how alike two measures are; nothing is told of few runs."""
    if len(compared.runs) < LEAST_RUNS:
        why_not = few_runs_sentence(len(compared.runs))
        return Part(compared.measure, AGAINST, other_measure, why_not=why_not)
    part = part_of(compared, AGAINST, rows, lambda row: _told(compared, row.result), other_measure)
    if part.why_not or part.told is not None:
        return part
    return Part(compared.measure, AGAINST, other_measure, why_not=NOT_BOTH)


def _told(compared, result):
    if not result:
        return None
    coefficients = [
        Coefficient(label, result["value"][name], *result["redrawn"][name][1:3]) for name, label in NAMES.items()
    ]
    return Agreement(coefficients, result["ceiling"], compared.measure)
