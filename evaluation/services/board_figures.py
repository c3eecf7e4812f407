"""The curves of a board as a figure."""

from limelight.figures import FIGURES, styles_by_code
from limelight.wording import one_line, shortened

DRAWN_AT_FIRST = 10
"""So many curves are in the chart before somebody ticks others."""
LONGEST_LABEL = 40
"""Characters of a team's name beside a curve; the table has all of it."""


def board_figure(board):
    """Draw the curves of the board's lines, in the board's order."""
    curve = board.evaluator.curves[0]
    on_board = board.edition.evaluations.on_board().filter(run__code__in=[line.code for line in board.lines])
    values = dict(on_board.filter(curves__name=curve.name).values_list("run__code", "curves__values"))
    drawn = [line for line in board.lines if line.code in values]
    at_first = {line.code for line in board.lines[:DRAWN_AT_FIRST]}
    figure = FIGURES[curve.name]([(_label(line), values[line.code]) for line in drawn])
    styles = styles_by_code([line.code for line in sorted(drawn, key=lambda line: (line.rank or 0, line.code))])
    for line, trace in zip(drawn, figure["data"], strict=True):
        trace["meta"] = line.code  # ties the curve to its line of the table
        trace["line"] = styles[line.code]
        if line.code not in at_first:
            trace["visible"] = "legendonly"
    return figure


def _label(line):
    return f"{line.name} ({shortened(one_line(line.team), LONGEST_LABEL)})"
