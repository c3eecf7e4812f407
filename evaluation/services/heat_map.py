"""Runs by topics: where a board's runs score high and low, as a grid of shades."""

from dataclasses import dataclass

import numpy as np

from limelight.analysis.ranking import TIE
from limelight.figures.axes import height_for
from limelight.figures.grids import MOST_HEIGHT, ROW, Grid, grid_svg, tick_places
from limelight.wording import counted

SHADES = 8
NAMES = ("", *(f"shade-{number}" for number in range(1, SHADES + 1)))
PAPER = "paper"
MOST_NAMED = MOST_HEIGHT // ROW
MOST_TOPICS_NAMED = 15
"""So many runs and topics are named beside the grid; of more it bears numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class HeatMap:
    """Scores with a row a run, the best first, and a column a topic, that with the highest mean first."""

    runs: list
    measure: str
    topics: list
    values: np.ndarray

    @property
    def top(self):
        """Return the score of the darkest shade."""
        return height_for(float(self.values.max()))[0]

    @property
    def is_named(self):
        """Return whether runs are named beside the grid."""
        return len(self.runs) <= MOST_NAMED

    @property
    def key(self):
        """Return for each shade its class and for which scores it is used; paper has none."""
        least = (f"from {self.top * (number - 1) / SHADES:.3g}" for number in range(2, SHADES + 1))
        return [(PAPER, "0"), (NAMES[1], "above 0"), *zip(NAMES[2:], least, strict=True)]

    def drawn(self, *, as_file=False):
        """Draw the grid, for a page or as a file."""
        shades = 1 + np.minimum(np.floor(self.values / self.top * SHADES), SHADES - 1)
        shades = np.where(self.values <= TIE, 0, shades).astype(int)
        places = tick_places(len(self.runs))
        rows = list(enumerate(run.name for run in self.runs)) if self.is_named else _numbered(places)
        few = len(self.topics) <= MOST_TOPICS_NAMED
        columns = list(enumerate(self.topics)) if few else _numbered(tick_places(len(self.topics)))
        counts = f"{counted(len(self.runs), 'run')} by {counted(len(self.topics), 'topic')}"
        title, told = f"{self.measure} of {counts}", f"{counts}, as a file below."
        grid = Grid(shades, NAMES, rows, columns, title, told, self.key[1:], is_on_paper=True)
        return grid_svg(grid, as_file=as_file)

    def file_rows(self):
        """Return all scores as rows of a file."""
        yield "rank", "run", "mean", *self.topics
        for run, values in zip(self.runs, self.values.tolist(), strict=True):
            yield run.rank, run.name, run.mean, *values


def heat_map(compared):
    """Return the scores of all runs on all topics; None where there are none."""
    if not compared.values.size:
        return None
    order = np.argsort(-compared.values.mean(axis=0), kind="stable")
    topics = [compared.edition.topic_numbers[place] for place in order]
    return HeatMap(compared.runs, compared.measure, topics, compared.values[:, order])


def _numbered(places):
    return [(place, str(place + 1)) for place in places]
