"""Ranks of a board's runs over its editions, each by its own official measure."""

from dataclasses import dataclass

from django.db.models import F

from evaluation.models import Analysis, Edition, Evaluation, Score
from evaluation.services.analyses import TUKEY
from limelight.analysis.ranking import TIE, ranks
from limelight.analysis.statistics.telling_apart import critical_difference
from limelight.figures.grids import tick_places
from limelight.figures.plots import Frame, dot, label, path, plot_svg
from limelight.wording import counted

MOST_EDITIONS = 8
ROW, LEAST_HEIGHT, MOST_HEIGHT = 20, 160, 520
MOST_NAMED, LABEL_STEP = 12, 15


@dataclass(frozen=True, slots=True)
class Cell:
    """A run's rank in one edition, and whether it leads there; None where it was not on the board."""

    rank: int | None
    is_leading: bool


@dataclass(frozen=True, slots=True)
class RankChanges:
    """The editions, oldest first, as pairs of number and measure; and for each run of the last its cells."""

    editions: list
    lines: list

    @property
    def lowest(self):
        """Return the lowest rank that there is."""
        return max(cell.rank for _, cells in self.lines for cell in cells if cell.rank)

    @property
    def height(self):
        """Return how high the chart is: a line a run, as long as it fits."""
        return min(max(ROW * self.lowest, LEAST_HEIGHT), MOST_HEIGHT)

    def drawn(self, *, as_file=False):
        """Draw a line a run: those that lead in the last edition and one's own stand out and are named."""
        last = len(self.editions) - 1
        frame = Frame(
            title=f"Ranks of {counted(len(self.lines), 'run')} over {counted(len(self.editions), 'edition')}",
            told="The table below has the numbers.",
            horizontal="",
            vertical="rank",
            across=[(place / last, f"edition {number}") for place, (number, _) in enumerate(self.editions)],
            up=[(self._up(place + 1), str(place + 1)) for place in tick_places(self.lowest)],
            height=self.height,
            has_ends=True,
        )
        quiet = [line for line in self.lines if not _stands_out(*line)]
        loud = [line for line in self.lines if _stands_out(*line)]
        drawn = [path(piece, kind) for lines in (quiet, loud) for line in lines for kind, piece in self._pieces(*line)]
        return plot_svg(frame, drawn, [*self._dots(), *self._names(loud[:MOST_NAMED])], as_file=as_file)

    def file_rows(self):
        """Return all ranks as rows of a file."""
        yield "run", *(f"edition {number} by {measure}" for number, measure in self.editions)
        for run, cells in self.lines:
            yield run.name, *("" if cell.rank is None else cell.rank for cell in cells)

    def _up(self, rank):
        return 1 - (rank - 0.5) / self.lowest

    def _pieces(self, run, cells):
        """Yield the stretches of editions in which a run was on the board."""
        kind = "own" if run.is_own else "leads" if cells[-1].is_leading else "other"
        last, piece = len(self.editions) - 1, []
        for place, cell in enumerate(cells):
            if cell.rank is None:
                if len(piece) > 1:
                    yield kind, piece
                piece = []
            else:
                piece.append((place / last, self._up(cell.rank)))
        if len(piece) > 1:
            yield kind, piece

    def _dots(self):
        last = len(self.editions) - 1
        return [
            dot(place / last, self._up(cell.rank), "leads", self.height, 3)
            for _, cells in self.lines
            for place, cell in enumerate(cells)
            if cell.is_leading
        ]

    def _names(self, lines):
        """Name lines at their ends, apart from each other."""
        drawn, lowest = [], 0.0
        for run, cells in lines:
            y = max(self.height * (1 - self._up(cells[-1].rank)), lowest)
            lowest = y + LABEL_STEP
            drawn.append(label(1.0, 1 - y / self.height, run.name, self.height, kind="end"))
        return drawn


def rank_changes(compared):
    """Return the ranks over this edition and those before it; None where there is no other."""
    edition = compared.edition
    means = _means(edition)
    if len(means) < 2:
        return None
    leading = _leading(compared, {number: board for (number, _), board in means.items()})
    ranked = {key: dict(zip(board, ranks(board.values()), strict=True)) for key, board in means.items()}
    by_rank = sorted(compared.runs, key=lambda run: (ranked[_last(ranked)].get(run.code, len(ranked)), run.code))
    lines = [
        (run, [Cell(ranked[key].get(run.code), run.code in leading.get(key[0], ())) for key in ranked])
        for run in by_rank
        if run.code in ranked[_last(ranked)]
    ]
    return RankChanges(list(ranked), lines) if lines else None


def _last(ranked):
    return list(ranked)[-1]


def _stands_out(run, cells):
    return run.is_own or cells[-1].is_leading


def _means(edition):
    """Return the official means by code of this edition and those before it, by number and measure, oldest first."""
    readable = Edition.objects.readable() | Edition.objects.filter(pk=edition.pk)
    boards = readable.filter(
        task=edition.task_id, number__lte=edition.number, number__gt=edition.number - MOST_EDITIONS
    )
    on_board = Evaluation.objects.on_board().filter(edition__in=boards)
    rows = Score.objects.filter(evaluation__in=on_board, measure=F("evaluation__edition__official_measure"))
    rows = rows.order_by("evaluation__edition__number", "evaluation__run__code")
    means = {}
    for number, measure, code, mean in rows.values_list(
        "evaluation__edition__number", "measure", "evaluation__run__code", "mean"
    ):
        means.setdefault((number, measure), {})[code] = mean
    return means


def _leading(compared, boards):
    """Return by number of the edition who cannot be told from its first, where an analysis fits the board.

    As on a board that shows all runs, those that came after scores could be seen are left out where there is a family
    without them.
    """
    edition, families = compared.edition, {Analysis.Family.ALL, Analysis.Family.CLEAN} & compared.families.keys()
    rows = Analysis.objects.filter(edition__task=edition.task_id, edition__number__in=boards, test=TUKEY)
    rows = rows.filter(family__in=families, measure=F("edition__official_measure"), state=Analysis.State.DONE)
    leading = {}
    for number, family, codes, means, draws in rows.values_list("edition__number", "family", "codes", "means", "draws"):
        is_better = number not in leading or family != Analysis.Family.ALL
        if is_better and len(draws) and _fits(family, codes, means, boards[number]):
            least = max(means) - critical_difference(draws) - TIE
            leading[number] = {code for code, mean in zip(codes, means, strict=True) if mean >= least}
    return leading


def _fits(family, codes, means, board):
    """Return whether an analysis is about these runs with these means; one of all, about just these."""
    if family == Analysis.Family.ALL and len(codes) != len(board):
        return False
    return all(board.get(code) == mean for code, mean in zip(codes, means, strict=True))
