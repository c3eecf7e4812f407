"""Tables to take away: every format says the same, and takes nothing that people wrote for a command."""

import csv
import io
import json

import pytest

from limelight.tables import Column, Table, table_csv, table_json, table_latex, table_markdown

HOSTILE = "=1+1|<b>50% of_A & B\\x ~ ^ {c} $d$ #e *f*"
ROWS = [[1, "1–2", "par-bm25", "Lund", 0.123456789], [2, "1–2", HOSTILE, "Delft\nBcc: x", None]]


@pytest.fixture
def table():
    columns = (Column("rank", is_number=True), Column("range"), Column("run"), Column("team"))
    return Table(
        title="Focused, 100% INEX",
        caption="Two runs share the lead.",
        made_by={"edition": 2, "profile": "inex-2007", "parameters": {"beta": 0.25}, "engine": "1.4"},
        columns=(*columns, Column("iMAP", is_number=True)),
        rows=ROWS,
        key="inex-focused-edition-2",
        marked=frozenset({(0, 4)}),
    )


def test_csv_has_all_digits_what_it_was_made_from_and_no_formula(table):
    rows = list(csv.DictReader(io.StringIO(table_csv(table))))

    assert rows[0]["iMAP"] == "0.123456789"
    assert (rows[0]["edition"], rows[0]["profile"], rows[0]["parameters"], rows[0]["engine"]) == (
        "2",
        "inex-2007",
        "beta=0.25",
        "1.4",
    )
    assert rows[1]["run"] == f"'{HOSTILE}"
    assert rows[1]["iMAP"] == ""


def test_json_has_the_values_themselves(table):
    told = json.loads(table_json(table))

    assert told["rows"] == [dict(zip(("rank", "range", "run", "team", "iMAP"), row, strict=True)) for row in ROWS]
    assert told["made_by"]["parameters"] == {"beta": 0.25}
    assert told["caption"] == "Two runs share the lead."


def test_markdown_is_a_table_whatever_people_wrote(table):
    lines = table_markdown(table).splitlines()

    assert lines[0] == "**Focused, 100% INEX.** Two runs share the lead."
    assert lines[2:5] == [
        "| rank | range | run | team | iMAP |",
        "| --: | --- | --- | --- | --: |",
        "| 1 | 1–2 | par-bm25 | Lund | **0.1235** |",
    ]
    assert lines[5].replace("\\|", "").count("|") == 6
    assert r"\<b\>50% of\_A" in lines[5]
    assert "Delft Bcc: x" in lines[5]
    assert lines[7] == "edition 2; profile inex-2007; parameters beta=0.25; engine 1.4."


def test_latex_sets_everything_as_it_is(table):
    written = table_latex(table)

    assert "\\begin{tabular}{rlllr}" in written
    assert "    1 & 1--2 & par-bm25 & Lund & \\textbf{0.1235} \\\\\n" in written
    assert (
        r"=1+1|<b>50\% of\_A \& B\textbackslash{}x \textasciitilde{} \textasciicircum{} \{c\} \$d\$ \#e *f*" in written
    )
    assert r"\caption{Focused, 100\% INEX. Two runs share the lead. edition 2; profile inex-2007;" in written
    assert "\\label{tab:inex-focused-edition-2}" in written
    assert all(written.count(f"\\{rule}rule") == 1 for rule in ("top", "mid", "bottom"))
