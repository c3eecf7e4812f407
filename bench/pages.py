"""Benchmark of the pages: the real server on a large campaign, each row beside the server's empty view.

`script/bench pages` measures on SQLite and, where its programs are found, on PostgreSQL. Nothing leaves the machine.
"""

# ruff: noqa: T201

import argparse
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.sites import (
    DATABASE,
    ROOT,
    Postgres,
    Server,
    copied,
    environment_of,
    make_campaign,
    manage,
    postgres_programs,
    processor_seconds,
)
from bench.visitors import ask_often, ask_once, request_for

BOARD = "/campaigns/large/ad-hoc/focused/"
EMPTY = "/healthz"
VISITORS = 4
MOST = 5_000
AIMS = {"visitor": 1 / 2, "visitor, not modified": 1 / 2, "each time another address": 1 / 40, "signed in": 1 / 40}
"""Shares of the empty view's rate that are aimed at."""


@dataclass
class Row:
    """One way to ask, and what was found in the best of the rounds."""

    name: str
    request_of: object
    rate: float = 0.0
    web: float = 0.0
    database: float = 0.0
    statuses: dict = field(default_factory=dict)


def rows_for(port, cookie):
    """Return what is asked for; a page without a validator cannot be asked whether it was modified."""
    _, headers, _ = ask_once(port, BOARD, accept_encoding="gzip")
    rows = [
        Row("empty view", _always(request_for(EMPTY))),
        Row("visitor", _always(request_for(BOARD, accept_encoding="gzip"))),
    ]
    if etag := headers.get("etag"):
        request = request_for(BOARD, accept_encoding="gzip", if_none_match=etag)
        rows.append(Row("visitor, not modified", _always(request)))
    rows.append(
        Row("each time another address", lambda number: request_for(f"{BOARD}?bench={number}", accept_encoding="gzip"))
    )
    rows.append(Row("signed in", _always(request_for(BOARD, accept_encoding="gzip", cookie=cookie))))
    return rows


def _always(request):
    return lambda number: request


def measure(rows, server, database_process, seconds, rounds):
    """Ask for each row in turns; the best round of each counts."""
    for _ in range(rounds):
        for row in rows:
            web, database = server.web_seconds(), processor_seconds(database_process) if database_process else 0.0
            answers = ask_often(server.port, row.request_of, visitors=VISITORS, seconds=seconds, most=MOST)
            web = server.web_seconds() - web
            database = processor_seconds(database_process) - database if database_process else 0.0
            if answers.rate > row.rate:
                row.rate, row.statuses = answers.rate, dict(answers.statuses)
                row.web, row.database = web / answers.count, database / answers.count


def table(title, rows):
    """Print what was found, as ratios of the empty view."""
    empty = rows[0]
    print(f"\n{title}\n")
    print("| | status | requests a second | of the empty view | aim | web, ms | database, ms | of its processor time |")
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    for row in rows:
        aim = f"{AIMS[row.name]:.3f}" if row.name in AIMS else ""
        statuses = ", ".join(map(str, sorted(row.statuses)))
        print(
            f"| {row.name} | {statuses} | {row.rate:,.1f} | {row.rate / empty.rate:.4f} | {aim} "
            f"| {1000 * row.web:,.1f} | {1000 * row.database:,.1f} | {(row.web + row.database) / empty.web:,.0f} |"
        )


def sizes(port):
    """Return the bytes of the board as they are sent, uncompressed, and as gzip would make them."""
    _, headers, sent = ask_once(port, BOARD, accept_encoding="gzip")
    plain = gzip.decompress(sent) if headers.get("content-encoding") == "gzip" else sent
    return len(sent), len(plain), len(gzip.compress(plain, 6))


def asked_inside(environment):
    """Return what the site says from inside about its board."""
    asked = [sys.executable, "-m", "bench.inside", BOARD]
    return json.loads(subprocess.run(asked, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE).stdout)


def site_measured(name, environment, folder, arguments, database_process=None):
    """Measure one site and print what was found."""
    server = Server(environment, folder / "server.log")
    try:
        server.wait_until_quiet()
        inside = asked_inside(environment)
        rows = rows_for(server.port, inside["cookie"])
        measure(rows, server, database_process, arguments.seconds, arguments.rounds)
        sent, plain, packed = sizes(server.port)
    finally:
        server.stop()
    table(f"{name}, the board of {arguments.runs} runs x {arguments.topics} topics, {VISITORS} at once", rows)
    print(
        f"\nThe board: {sent:,} bytes sent, {plain:,} uncompressed, {packed:,} as gzip. Statements, first and again: "
        f"{_and(inside['visitor'])} for a visitor, {_and(inside['signed in'])} for somebody signed in."
    )
    ranges = inside["ranges"]
    runs, topics = ranges["shape"]
    print(
        f"Ranges of {runs} runs x {topics} topics: {ranges['seconds']:.2f} s, {ranges['processor']:.2f} s of processor "
        f"time; {ranges['leading']} in the leading group, the widest range has {ranges['widest']} ranks."
    )


def _and(counts):
    return " and ".join(map(str, counts))


@contextmanager
def _folder():
    """Give a folder that PostgreSQL may enter, whoever we are, and remove it at the end."""
    folder = Path(tempfile.mkdtemp(prefix="limelight-bench-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    """Make the campaign, measure its pages and print the tables."""
    parser = argparse.ArgumentParser(prog="script/bench pages", description=__doc__)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--topics", type=int, default=120)
    parser.add_argument("--seconds", type=float, default=4, help="how long each row is asked for in a round")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--site", type=Path, help="the folder of a site with such a campaign on SQLite; it is copied")
    parser.add_argument("--no-postgres", action="store_true", help="measure on SQLite alone")
    arguments = parser.parse_args()
    if os.name != "posix" or not Path("/proc/self/stat").exists():
        parser.error("Processor time is read from /proc: this needs Linux.")
    kept = ROOT / "var" / "bench" / f"large-{arguments.runs}x{arguments.topics}"
    source = arguments.site or make_campaign(kept, arguments.runs, arguments.topics)
    with _folder() as folder:
        site = copied(source, folder / "site")
        environment = environment_of(site, f"sqlite:///{site / DATABASE}")
        site_measured("SQLite", environment, folder, arguments)
        programs = None if arguments.no_postgres else postgres_programs()
        if programs is None:
            print("\nPostgreSQL was left out.")
            return
        postgres = Postgres(folder / "postgres", programs)
        try:
            environment |= {"DATABASE_URL": postgres.url}
            manage(environment, "migrate", "--verbosity", "0")
            manage(environment, "createcachetable", "--verbosity", "0")
            postgres.fill(site / DATABASE)
            site_measured("PostgreSQL", environment, folder, arguments, postgres.process)
        finally:
            postgres.stop()


if __name__ == "__main__":
    main()
