"""Tables for people, spreadsheets and papers; numbers stay numbers until here."""

import csv
import io
from collections.abc import Sequence

Rows = Sequence[Sequence[str | float]]

DANGEROUS = ("=", "+", "-", "@", "\t", "\r")
"""First characters that a spreadsheet would take for a formula."""

LATEX_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "'": r"\ensuremath{'}",
        **{character: f"\\{character}" for character in "&%$#_{}"},
    }
)


def text(head: Sequence[str], rows: Rows) -> str:
    """Return a table with aligned columns: names on the left, numbers on the right with four decimals."""
    head, rows = _without_repetition(head, rows)
    cells = [[f"{cell:.4f}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows]
    return aligned(head, cells, [name for name, right in zip(head, _numeric(rows), strict=True) if not right])


def aligned(head: Sequence[str], rows: Sequence[Sequence[str]], words: Sequence[str] = ()) -> str:
    """Return a table of written cells; columns of words stand on the left, all others on the right.

    >>> print(aligned(["run", "rank"], [["a", "10"], ["long", "2"]], words=["run"]), end="")
    run   rank
    a       10
    long     2
    """
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if name in words else cell.rjust(width)
            for cell, width, name in zip(row, widths, head, strict=True)
        ).rstrip()
        for row in [head, *rows]
    ]
    return "\n".join(lines) + "\n"


def csv_table(head: Sequence[str], rows: Rows) -> str:
    """Return the table as CSV with all digits; text that a spreadsheet would run gets a quote in front.

    >>> csv_table(["run", "iMAP"], [["=cmd", 0.1 + 0.2]])
    "run,iMAP\\n'=cmd,0.30000000000000004\\n"
    """
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([[_harmless(cell) for cell in row] for row in rows])
    return written.getvalue()


def latex(head: Sequence[str], rows: Rows) -> str:
    """Return the table for a paper, with booktabs rules and four decimals."""
    head, rows = _without_repetition(head, rows)
    numeric = _numeric(rows)
    lines = [
        f"\\begin{{tabular}}{{{''.join('r' if right else 'l' for right in numeric)}}}",
        "\\toprule",
        " & ".join(cell.translate(LATEX_ESCAPES) for cell in head) + r" \\",
        "\\midrule",
    ]
    for row in rows:
        cells = (f"{cell:.4f}" if isinstance(cell, float) else str(cell).translate(LATEX_ESCAPES) for cell in row)
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}"]) + "\n"


def _numeric(rows: Rows) -> list[bool]:
    # A column of numbers may have blanks.
    return [any(isinstance(cell, float) for cell in column) for column in zip(*rows, strict=True)]


def _without_repetition(head: Sequence[str], rows: Rows) -> tuple[list[str], list[list[str | float]]]:
    # The file only helps where run names are missing or repeat; the topic only where there are topics.
    dropped = set()
    by_run: dict[str | float, set[str | float]] = {}
    for row in rows:
        by_run.setdefault(row[0], set()).add(row[1])
    if "" not in by_run and all(len(files) == 1 for files in by_run.values()):
        dropped.add(1)
    if all(row[2] == "all" for row in rows):
        dropped.add(2)
    kept = [place for place in range(len(head)) if place not in dropped]
    return [head[place] for place in kept], [[row[place] for place in kept] for row in rows]


def _harmless(cell: str | float) -> str | float:
    if isinstance(cell, str) and cell.startswith(DANGEROUS):
        return f"'{cell}"
    return cell
