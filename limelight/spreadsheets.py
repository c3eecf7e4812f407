"""Tables as CSV that no spreadsheet takes for formulas."""

import csv
import io
from collections.abc import Iterable

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def cell(value: object) -> object:
    """Return a value as a spreadsheet may see it: a text that could be a formula gets a quote in front.

    >>> cell("=cmd|' /C calc'!A0"), cell("lamp"), cell(-0.5)
    ("'=cmd|' /C calc'!A0", 'lamp', -0.5)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value


def as_csv(rows: Iterable[Iterable[object]]) -> str:
    """Write rows as CSV text."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows([cell(value) for value in row] for row in rows)
    return text.getvalue()
