"""Tables to take away: the same rows as CSV, JSON, Markdown, LaTeX and lines like those of trec_eval."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from limelight.spreadsheets import as_csv
from limelight.wording import one_line

MISSING = "–"
SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--", "−": "$-$"}
SPECIAL |= {sign: f"\\{sign}" for sign in "&%$#_{}"}
"""What TeX reads as something else than itself."""
MARKDOWN = {sign: f"\\{sign}" for sign in "\\`*_{}[]<>|~"}


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its head, whether its values are numbers, and to how many decimals people read them."""

    name: str
    is_number: bool = False
    decimals: int = 4


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Rows with what they were made from.

    `caption` says in a sentence what the rows tell, `made_by` what they depend on (edition, profile, engine …), `key`
    names the table where others refer to it. Values are None where there is none; ranges are texts.
    """

    title: str
    caption: str
    made_by: Mapping[str, Any]
    columns: tuple[Column, ...]
    rows: Sequence[Sequence[Any]]
    key: str
    marked: frozenset[tuple[int, int]] = field(default_factory=frozenset)

    def texts(self) -> list[list[str]]:
        """Return the rows as people read them."""
        return [[_text(value, column) for value, column in zip(row, self.columns, strict=True)] for row in self.rows]


def tex(text: str) -> str:
    r"""Return a text that TeX sets as it is.

    >>> print(tex("100% a_b {c}, 1–5"))
    100\% a\_b \{c\}, 1--5
    """
    return _signs(text, SPECIAL)


def _text(value: Any, column: Column) -> str:
    if value is None:
        return MISSING
    return f"{value:.{column.decimals}f}" if isinstance(value, float) else one_line(str(value))


def table_csv(table: Table) -> str:
    """Write a table as CSV, with what it was made from in front of each row and all digits of the numbers."""
    told = [_plain(value) for value in table.made_by.values()]
    heads = [*table.made_by, *(column.name for column in table.columns)]
    return as_csv([heads, *([*told, *("" if value is None else value for value in row)] for row in table.rows)])


def _plain(value: Any) -> Any:
    """Return what stands in one cell: settings as `name=value`, one after the other."""
    return " ".join(f"{name}={one}" for name, one in value.items()) if isinstance(value, Mapping) else value


def table_json(table: Table) -> str:
    """Write a table as JSON: a record a row."""
    names = [column.name for column in table.columns]
    told = {
        "title": table.title,
        "caption": table.caption,
        "made_by": dict(table.made_by),
        "rows": [dict(zip(names, row, strict=True)) for row in table.rows],
    }
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def table_markdown(table: Table) -> str:
    """Write a table as Markdown."""
    heads = [_signs(column.name, MARKDOWN) for column in table.columns]
    rules = ["--:" if column.is_number else "---" for column in table.columns]
    rows = [[_signs(text, MARKDOWN) for text in row] for row in table.texts()]
    for row, column in table.marked:
        rows[row][column] = f"**{rows[row][column]}**"
    lines = [" | ".join(row) for row in (heads, rules, *rows)]
    body = "\n".join(f"| {line} |" for line in lines)
    return f"**{_signs(table.title, MARKDOWN)}.** {_signs(table.caption, MARKDOWN)}\n\n{body}\n\n{_made(table)}\n"


def table_latex(table: Table) -> str:
    """Write a table for LaTeX with booktabs; its caption is the sentence of the page."""
    rows = [[tex(text) for text in row] for row in table.texts()]
    for row, column in table.marked:
        rows[row][column] = rf"\textbf{{{rows[row][column]}}}"
    kinds = "".join("r" if column.is_number else "l" for column in table.columns)
    heads = " & ".join(tex(column.name) for column in table.columns)
    body = "\n".join(f"    {' & '.join(row)} \\\\" for row in rows)
    caption = f"{tex(table.title)}. {tex(table.caption)} {tex(_made(table))}"
    return (
        "% \\usepackage{booktabs}\n"
        "\\begin{table}\n"
        "  \\centering\n"
        f"  \\caption{{{' '.join(caption.split())}}}\n"
        f"  \\label{{tab:{table.key}}}\n"
        f"  \\begin{{tabular}}{{{kinds}}}\n"
        "    \\toprule\n"
        f"    {heads} \\\\\n"
        "    \\midrule\n"
        f"{body}\n"
        "    \\bottomrule\n"
        "  \\end{tabular}\n"
        "\\end{table}\n"
    )


def trec_lines(runs: Sequence[tuple[str, Sequence[tuple[str, str, float]]]]) -> str:
    r"""Write the scores of runs in lines as trec_eval prints them: measure, topic or `all`, value to four decimals.

    >>> print(trec_lines([("par", [("iMAP", "101", 0.25), ("iMAP", "all", 0.37891)])]).replace("\t", " "), end="")
    runid all par
    iMAP 101 0.2500
    iMAP all 0.3789
    """
    lines = []
    for run, values in runs:
        lines.append(f"runid\tall\t{one_line(run)}")
        lines += [f"{measure}\t{topic}\t{value:.4f}" for measure, topic, value in values]
    return "".join(f"{line}\n" for line in lines)


def _made(table: Table) -> str:
    """Say what a table was made from."""
    told = ((name.replace("_", " "), _plain(value)) for name, value in table.made_by.items())
    return f"{'; '.join(f'{name} {value}' for name, value in told if value not in ('', None))}."


def _signs(text: str, signs: Mapping[str, str]) -> str:
    """Return a text that is set as it is."""
    return "".join(signs.get(sign, sign) for sign in one_line(text))
