"""The runs that are compared, as a person may see them, with their scores topic by topic."""

from dataclasses import dataclass, replace

import numpy as np

from evaluation.models import Edition, Score
from evaluation.services.board_lines import Cell, evaluations_on
from evaluation.services.comparing.asked import FEWEST_COMPARED, quoted
from limelight.analysis.ranking import TIE
from limelight.analysis.statistics.paired import MOST_COMPARED, PairedDifference, paired_difference
from limelight.wording import in_words, one_line, spelled


@dataclass(frozen=True, slots=True, eq=False)
class ChosenRun:
    """A run of a comparison: its line on the board, what sentences call it, and its score on each topic.

    `cells` are its scores in the columns of the board, the best of those compared marked. `against` is how it does
    beside the reference; None of the reference itself.
    """

    line: object
    label: str
    key: int
    values: np.ndarray
    run: object
    cells: list
    against: PairedDifference | None = None

    @property
    def code(self):
        """The run's code."""
        return self.line.code

    @property
    def same(self):
        """On how many topics it scores as much as the reference."""
        return self.against.topic_count - self.against.better - self.against.worse


@dataclass(frozen=True, slots=True, eq=False)
class ChosenRuns:
    """The runs of a comparison in the order they were asked for, and the one that the others are held against."""

    edition: Edition
    runs: list
    reference: ChosenRun

    @property
    def others(self):
        """The runs that are held against the reference."""
        return [run for run in self.runs if run is not self.reference]

    @property
    def codes(self):
        """The codes of all runs."""
        return tuple(run.code for run in self.runs)

    @property
    def values(self):
        """The scores, a row a run."""
        return np.vstack([run.values for run in self.runs])

    def by_code(self, code):
        """Return the run with a code, or None."""
        return next((run for run in self.runs if run.code == code), None)


def vectors(edition, codes):
    """Return evaluation and scores by topic of runs on a board, by their codes, in one query."""
    rows = Score.objects.filter(
        evaluation__in=edition.evaluations.on_board(),
        measure=edition.official_measure,
        evaluation__run__code__in=codes[:MOST_COMPARED],
    )
    return {
        code: (key, values)
        for code, key, values in rows.values_list("evaluation__run__code", "evaluation", "topic_values")
    }


def known_codes(board, asked):
    """Return those of the asked codes that a person sees on the board, and a sentence about the others."""
    known = {line.code for line in board.all_lines if line.value is not None}
    missing = [code for code in asked.codes if code not in known]
    problems = [f"There is no run {quoted(missing)} among those you see on this board."] if missing else []
    return tuple(code for code in asked.codes if code in known), problems


def why_not_compared(board, codes):
    """Say why runs are not compared: there are too few, or too many; nothing where they are."""
    if len(board.all_lines) < FEWEST_COMPARED:
        return "You see only one run on this board, and nothing to compare it with."
    if not codes:
        return "Tick two to six runs, and compare them topic by topic."
    if len(codes) < FEWEST_COMPARED:
        [line] = [line for line in board.all_lines if line.code == codes[0]]
        return f"Tick one to five more runs to compare {one_line(line.name)} with."
    if len(codes) > MOST_COMPARED:
        most = in_words(MOST_COMPARED)
        return f"You chose {spelled(len(codes), 'run')}; at most {most} fit side by side. Leave some out."
    return ""


def chosen_runs(board, asked, values_of):
    """Return the runs of a comparison with their evaluations and scores, and sentences about what could not be done."""
    by_code = {line.code: line for line in board.all_lines}
    lines = [by_code[code] for code in asked.codes if code in values_of]
    run_of = {row.run.code: row.run for row in evaluations_on(board.edition)}
    runs = [
        ChosenRun(line, label, *values_of[line.code], run=run_of[line.code], cells=cells)
        for line, label, cells in zip(lines, _labels(lines), _cells(lines), strict=True)
    ]
    reference, problems = _reference(runs, asked)
    held = [
        run if run is reference else replace(run, against=paired_difference(run.values, reference.values))
        for run in runs
    ]
    return ChosenRuns(board.edition, held, reference), problems


def _reference(runs, asked):
    """Return the run that the others are held against: the asked one, of two the worse, of more the first."""
    asked_for = next((run for run in runs if run.code == asked.reference), None)
    problems = []
    if asked.reference and asked_for is None:
        problems.append(
            f"The run to hold the others against, {quoted([asked.reference])}, is not among those compared."
        )
    if asked_for is not None:
        return asked_for, problems
    if len(runs) == FEWEST_COMPARED:
        one, other = runs
        return (other if one.values.mean() >= other.values.mean() - TIE else one), problems
    return runs[0], problems


def _labels(lines):
    """Return what sentences call runs: their names, with the team where two have the same."""
    names = [one_line(line.name) for line in lines]
    return [
        name if names.count(name) == 1 else f"{name} ({one_line(line.team)})"
        for name, line in zip(names, lines, strict=True)
    ]


def _cells(lines):
    """Return the scores of each run by column, the best among these runs marked."""
    best = [
        max((cell.value for cell in column if cell.value is not None), default=None)
        for column in zip(*(line.cells for line in lines), strict=True)
    ]
    return [
        [
            Cell(cell.value, cell.text, cell.value is not None and cell.value == most and cell.value > 0)
            for cell, most in zip(line.cells, best, strict=True)
        ]
        for line in lines
    ]
