"""The engine's benchmark: speed and memory side by side with its peers, on a generated campaign of INEX size."""

# ruff: noqa: T201

import argparse
import json
import subprocess
import sys
import tempfile
import time

import numpy as np

from bench.contenders import CONTENDERS
from bench.generated import RESULTS, TOPIC_COUNT, generate
from limelight.analysis.statistics.pairwise import bootstrap, t_test, tukey_hsd
from limelight.analysis.statistics.telling_apart import tell_apart

PEERS = ("pytrec_eval-terrier", "ranx", "ir_measures")
REFERENCE = "pytrec_eval-terrier"
ROUNDS = 2
"""Everybody runs so often, in turns, and the better time counts: machines have moods."""


def contend(name, campaign, run_count):
    """Run one contender in a process of its own; None where it isn't installed."""
    sizes = (campaign.topic_count, campaign.results, run_count)
    finished = subprocess.run(
        [sys.executable, "-m", "bench.contenders", name, str(campaign.folder), *map(str, sizes)],
        capture_output=True,
        text=True,
        check=False,
    )
    if finished.returncode:
        print(f"{name}: {(finished.stderr.strip().splitlines() or ['ended without a word'])[-1]}", file=sys.stderr)
        return None
    return json.loads(finished.stdout.splitlines()[-1])


def best_of(times, act):
    """Return the shortest of several times, in milliseconds."""
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        act()
        taken.append(time.perf_counter() - started)
    return min(taken) * 1000


def main():
    """Generate the campaign, time everything, and print tables in Markdown."""
    arguments = argparse.ArgumentParser(description="Time the engine beside its peers.")
    arguments.add_argument("--topics", type=int, default=TOPIC_COUNT)
    arguments.add_argument("--results", type=int, default=RESULTS)
    arguments.add_argument("--runs", type=int, default=100, help="runs scored from saved columns")
    arguments.add_argument("--texts", type=int, default=10, help="runs read as text, by us and by the peers")
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench") as folder:
        print(f"Generating {chosen.runs} runs of {chosen.topics} topics x {chosen.results} results …", file=sys.stderr)
        texts = min(chosen.texts, chosen.runs)
        sizes = {"topic_count": chosen.topics, "results": chosen.results}
        campaign = generate(folder, **sizes, run_count=chosen.runs, text_count=texts)
        side_by_side(campaign, texts)
    linearity(chosen.topics)
    statistics()
    start_up()


def side_by_side(campaign, texts):
    """Print the contenders' table."""
    found = {}
    for _ in range(ROUNDS):
        for name in CONTENDERS:
            run_count = texts if name in PEERS or name.endswith(" text") else campaign.run_count
            told, earlier = contend(name, campaign, run_count), found.get(name)
            found[name] = min(filter(None, (earlier, told)), key=lambda each: each["ns"], default=None)
    nothing = {"ns": float("nan"), "median_ns": float("nan")}
    reference = found[REFERENCE] or nothing
    print(f"\n{campaign.topic_count} topics x {campaign.results} results = {campaign.line_count:,} lines a run\n")
    print(f"| contender | runs | ns a line, median | of {REFERENCE} | best | of its best | peak memory, MB |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for name, told in found.items():
        if told:
            times = " | ".join(f"{told[key]:,.0f} | {told[key] / reference[key]:.2f}" for key in ("median_ns", "ns"))
            print(f"| {name} | {told['runs']} | {times} | {told['peak']:,.0f} |")
    ours, peer = found["documents from TREC text"], found[REFERENCE]
    if ours and peer:
        print(f"\nMAP of the first run: ours {ours['means']['MAP']:.6f}, {REFERENCE} {peer['means']['map']:.6f}")


def linearity(topic_count):
    """Print the time a line takes for short and long runs: the same, if time is linear."""
    print("\n| results a topic | focused from saved columns, ns a line |\n|--:|--:|")
    for results in (150, 500, 1_500, 5_000):
        with tempfile.TemporaryDirectory(prefix="bench") as folder:
            campaign = generate(folder, topic_count=topic_count, results=results, run_count=5, text_count=0)
            told = contend("focused from saved columns", campaign, 5)
            print(f"| {results:,} | {told['median_ns']:,.0f} |")


def statistics():
    """Print what the significance matrices of 100 runs over 100 topics take, and the ranges of a large board."""
    generator = np.random.default_rng(1)
    scores, board = generator.uniform(size=(100, 100)), generator.uniform(size=(300, 120))
    print("\n| 100 runs x 100 topics, 1,000 resamples | ms |\n|---|--:|")
    for name, test in (
        ("bootstrap matrix", lambda: bootstrap(scores)),
        ("randomised Tukey HSD", lambda: tukey_hsd(scores, resamples=1_000)),
        ("paired t", lambda: t_test(scores)),
        ("ranges of 300 runs x 120 topics, 2,000 resamples", lambda: tell_apart(board).ranges()),
    ):
        print(f"| {name} | {best_of(5, test):,.0f} |")


def start_up():
    """Print how long the command line takes to start."""
    print("\n| command line | ms |\n|---|--:|")
    for words, program in (
        ("--help", [sys.executable, "-m", "evaluation", "--help"]),
        ("score, until it has loaded everything", [sys.executable, "-c", "import limelight.commandline.score"]),
    ):
        taken = best_of(5, lambda program=program: subprocess.run(program, capture_output=True, check=True))
        print(f"| {words} | {taken:,.0f} |")


if __name__ == "__main__":
    main()
