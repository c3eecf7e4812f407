"""A reader at home: takes from pages what these offer, and asks the command line."""

import csv
import io
import json
import re
import shlex
from contextlib import redirect_stdout
from pathlib import Path

import lxml.html

from limelight.__main__ import main

SCORE = re.compile(r"(?<![\d.,\w])[−-]?\d+\.\d{4}(?!\d)")
"""Scores and differences, as pages write them."""

ROWS = '//table[contains(@class, "board")]//tr[@data-run]'
OFFICIAL = './th/span[@class="badge" and text() = "official"]'


class Reader:
    """Knows a board by its address: its runs by code with their files and teams, its assessments, how it was scored.

    `get` returns the content and the headers of an address.
    """

    def __init__(self, get, folder, board):
        self.get, self.folder, self.board, self.answers = get, folder, board, {}
        rows = self.page("?show=all").xpath(ROWS)
        self.names = {row.get("data-run"): row.xpath("string(./th/a)") for row in rows}
        self.teams = {
            row.get("data-run"): (row.xpath('string(./td[contains(@class, "name")])'), bool(row.xpath(OFFICIAL)))
            for row in rows
        }
        first = self.page(f"runs/{next(iter(self.names))}/")
        command = shlex.split(first.xpath("string(//footer//pre)"))
        self.official = command[command.index("--measures") + 1].split(",")[0]
        self.settings = command[2 : command.index("--measures")]
        self.assessments = self._save(first.xpath('//footer//a[contains(@href, "/imported")]/@href')[0])
        self.runs = {code: self._save_run(code) for code in self.names}

    def page(self, path=""):
        """Return a page of the board, or of the site."""
        content, _ = self.get(path if path.startswith("/") else self.board + path)
        return lxml.html.fromstring(content.decode())

    def table(self, path):
        """Return the rows of a file of the board."""
        return list(csv.reader(self.get(self.board + path)[0].decode().splitlines()))

    def _save(self, address):
        content, headers = self.get(address)
        path = self.folder / re.search('filename="([^"]+)"', headers["Content-Disposition"])[1]
        path.write_bytes(content)
        return str(path)

    def _save_run(self, code):
        """Keep a run as it was scored, named by its code: two teams may have given the same name."""
        content, _ = self.get(f"{self.board}runs/{code}/scored.fol")
        lines = [line.split() for line in content.decode().splitlines()]
        return self.write(code, [[*line[:5], code, *line[6:]] for line in lines])

    def write(self, name, lines):
        """Write the lines of a run to a file; returns where."""
        path = self.folder / f"{name}.fol"
        path.write_text("".join(f"{' '.join(line)}\n" for line in lines))
        return str(path)

    def results(self, code, topic):
        """Return the lines of a run for a topic, in their order."""
        lines = [line.split() for line in Path(self.runs[code]).read_text().splitlines()]
        return sorted((line for line in lines if line[0] == topic), key=lambda line: int(line[3]))

    def asked(self, command, *words, runs=None, assessments=None):
        """Ask the command line, by default of all runs of the board; returns what it says."""
        files = self.runs.values() if runs is None else runs
        said, sources = io.StringIO(), assessments or [self.assessments]
        line = (command, *self.settings, *words, "--format", "json", *sources, *files)
        if line not in self.answers:
            with redirect_stdout(said):
                assert main([*line]) == 0
            self.answers[line] = json.loads(said.getvalue())
        return self.answers[line]

    def scores(self, *measures, runs=None):
        """Return what `score` says of each run, by code."""
        told = self.asked("score", "--measures", ",".join(measures), "--intervals", "--judged", runs=runs)
        return {run["run"]: run for run in told["runs"]}

    def official_runs(self):
        """Return the codes of the runs that bear the mark."""
        return [code for code, (_, is_official) in self.teams.items() if is_official]


def text_of(element):
    """Return what an element says, in one line."""
    return " ".join(element.text_content().split())


def cells_of(row):
    """Return what the cells of a row say."""
    return [text_of(cell) for cell in row.xpath("./td | ./th")]


def rows_of(page, where):
    """Return what the rows of a table's body say, given the way to it."""
    return [cells_of(row) for row in page.xpath(f"{where}//tbody/tr")]


def scores_in(page, without=()):
    """Return the numbers with four decimals that a page says, without those of some parts, given the way to them."""
    for part in without:
        for element in page.xpath(part):
            element.drop_tree()
    return {float(found.replace("−", "-")) for found in SCORE.findall(text_of(page.xpath("//main")[0]))}


def written(values):
    """Return numbers as pages write them."""
    return {round(value, 4) + 0.0 for value in values}
