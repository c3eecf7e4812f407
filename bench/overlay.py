"""Benchmark of a document with what is laid over it: the real server, beside the plain page of the same document.

`script/bench overlay` makes a campaign about one document of 300,000 characters with 2,000 spans, asks for its pages in
turns, one request at a time, and looks at them in Chromium where that and Playwright are there: how long anything
keeps somebody waiting who presses keys, scrolls and drags. Nothing leaves the machine.
"""

# ruff: noqa: T201

import argparse
import gzip
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from bench.sites import DATABASE, ROOT, Server, environment_of, manage
from bench.visitors import Visitor, request_for

WITHIN, TIMES = 300, 3
"""Milliseconds for an answer, and how many times the plain page may be taken."""
INPUT_WITHIN = 100
CHROMIUM = "/usr/bin/chromium"
# Before anything else runs: what keeps the page busy for over 50 ms, and how long events wait for their handlers.
WATCH = """
window.longTasks = []; window.delays = [];
new PerformanceObserver((list) => list.getEntries().forEach((entry) => longTasks.push(entry.duration)))
  .observe({ type: "longtask", buffered: true });
new PerformanceObserver((list) => list.getEntries().forEach((entry) =>
  delays.push([entry.name, entry.processingStart - entry.startTime, entry.duration])))
  .observe({ type: "event", buffered: true, durationThreshold: 16 });
"""


@dataclass
class Page:
    """A page, and how long each of its answers took: on the clock, and of the web server's processor time."""

    name: str
    path: str
    clock: list = field(default_factory=list)
    web: list = field(default_factory=list)
    size: int = 0
    packed: int = 0

    @property
    def median(self):
        """Return the milliseconds of the answer in the middle."""
        return 1000 * statistics.median(self.clock)


def made(folder):
    """Make the campaign in a folder; returns the environment and where its pages are."""
    environment = environment_of(folder, f"sqlite:///{folder / DATABASE}")
    manage(environment, "migrate", "--verbosity", "0")
    manage(environment, "createcachetable", "--verbosity", "0")
    asked = [sys.executable, "-m", "bench.long_document"]
    told = subprocess.run(asked, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE).stdout
    return environment, json.loads(told)


def ask(server, pages, rounds):
    """Ask for each page in turns, as often as there are rounds; a first round that fills memories does not count."""
    visitor = Visitor(server.port)
    for number in range(rounds + 1):
        for page in pages:
            began, web = time.perf_counter(), server.web_seconds()
            # An address of its own each time: nothing is answered from what is kept.
            mark = "&" if "?" in page.path else "?"
            status, _, body = visitor.ask(request_for(f"{page.path}{mark}bench={number}"))
            seconds = time.perf_counter() - began
            if status != 200:
                raise RuntimeError(f"{page.path} answers {status}.")
            if number:
                page.clock.append(seconds)
                page.web.append(server.web_seconds() - web)
                page.size, page.packed = len(body), len(gzip.compress(body, 6))
    visitor.close()


def table(pages):
    """Print what was found, beside the plain page."""
    plain = pages[0]
    print("| page | ms, median | slowest | of the plain page | web, ms | bytes | as gzip |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for page in pages:
        web = 1000 * statistics.mean(page.web)
        print(
            f"| {page.name} | {page.median:,.0f} | {1000 * max(page.clock):,.0f} | {page.median / plain.median:.2f} "
            f"| {web:,.0f} | {page.size:,} | {page.packed:,} |"
        )
    laid = pages[1]
    is_reached = laid.median <= WITHIN and laid.median <= TIMES * plain.median
    print(f"\nAimed at: {WITHIN} ms, and {TIMES} times the plain page. {'Reached' if is_reached else 'Not reached'}.")


def in_chromium(address):
    """Load a page, press keys, scroll and drag; returns the long tasks while it loads, and all waits after that."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.add_init_script(WATCH)
        page.goto(address, wait_until="load")
        page.wait_for_timeout(1500)
        loading = page.evaluate("longTasks.splice(0)")
        page.evaluate("delays.length = 0")
        for key in [*"nnnnnmmmmm", *(["PageDown"] * 10), "End", "Home", "n"]:
            page.keyboard.press(key)
            page.wait_for_timeout(60)
        box = page.locator(".minimap").bounding_box()
        page.mouse.move(box["x"] + 20, box["y"] + 10)
        page.mouse.down()
        for place in range(0, 100, 4):
            page.mouse.move(box["x"] + box["width"] * place / 100, box["y"] + 10)
            page.wait_for_timeout(30)
        page.mouse.up()
        page.wait_for_timeout(800)
        after, delays = page.evaluate("[longTasks, delays]")
        browser.close()
    return loading, after, delays


def tell_waits(name, address):
    """Print how long Chromium keeps somebody waiting on a page."""
    loading, after, delays = in_chromium(address)
    longest = max((delay for _, delay, _ in delays), default=0.0)
    shown = max((duration for *_, duration in delays), default=0.0)
    verdict = "" if longest <= INPUT_WITHIN else f" More than the {INPUT_WITHIN} ms aimed at."
    print(
        f"{name}: {len(loading)} tasks over 50 ms while it loads, the longest {max(loading, default=0):,.0f} ms; "
        f"{len(after)} while somebody presses keys, scrolls and drags, the longest {max(after, default=0):,.0f} ms. "
        f"Input waits at most {longest:,.0f} ms, and is on the screen after {shown:,.0f} ms at most.{verdict}"
    )


def main():
    """Make the campaign, ask for its pages, look at them, and print what was found."""
    parser = argparse.ArgumentParser(prog="script/bench overlay", description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="how often each page is asked for")
    parser.add_argument("--no-chromium", action="store_true", help="ask the server alone")
    arguments = parser.parse_args()
    if os.name != "posix" or not Path("/proc/self/stat").exists():
        parser.error("Processor time is read from /proc: this needs Linux.")
    folder = Path(tempfile.mkdtemp(prefix="limelight-bench-"))
    try:
        environment, told = made(folder)
        server = Server(environment, folder / "server.log")
        try:
            server.wait_until_quiet()
            pages = [
                Page("the document alone", told["document"]),
                Page("a run laid over it", told["overlay"]),
                Page("two runs laid over it", told["two"]),
            ]
            ask(server, pages, arguments.rounds)
            print(f"\nA document of {told['length']:,} characters with {told['spans']:,} spans.\n")
            table(pages)
            print()
            if arguments.no_chromium or not Path(CHROMIUM).exists():
                print("Chromium was left out.")
                return
            for page in pages[1:]:
                tell_waits(page.name.capitalize(), f"http://127.0.0.1:{server.port}{page.path}")
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
