"""The readers' benchmark: FOL and XML runs beside a plain loop and lxml's usual idiom."""

# ruff: noqa: T201

import argparse
import io
import time

import numpy as np
from lxml import etree

from bench.generated import RESULTS, TOPIC_COUNT
from limelight.formats.columns import RunColumns, RunHeader
from limelight.formats.opening import Limits
from limelight.formats.problems import ProblemList
from limelight.formats.runs.fol import read_lines
from limelight.formats.runs.inex_xml import read_parts
from limelight.formats.runs.reading import read_run
from limelight.formats.runs.writing import write_fol, write_inex_xml
from limelight.rules.checking import check
from limelight.rules.task_rules import Rules

COLLECTION = 2_600_000
POOL = 45_000
LIMITS = Limits()


def generated_run(topic_count, results, *, elements, seed=1):
    """Return a run that keeps the rules of the focused task, as spans or as element paths."""
    generator = np.random.default_rng(seed)
    count = topic_count * results
    pool = generator.choice(COLLECTION, POOL, replace=False)
    sections, paragraphs = generator.integers(1, 9, count), generator.integers(1, 30, count)
    written = [f"/article[1]/body[1]/section[{s}]/p[{p}]" for s, p in zip(sections, paragraphs, strict=True)]
    paths = tuple(dict.fromkeys(written)) if elements else ()
    numbers = {path: number for number, path in enumerate(paths)}
    path = np.array([numbers[path] for path in written]) if elements else np.full(count, -1)
    rank = np.tile(np.arange(1, results + 1), topic_count)
    return RunColumns(
        "benchmark",
        "element" if elements else "passage",
        tuple(str(2009001 + number) for number in range(topic_count)),
        tuple(map(str, pool.tolist())),
        paths,
        topic=np.repeat(np.arange(topic_count), results),
        document=np.concatenate([generator.choice(POOL, results, replace=False) for _ in range(topic_count)]),
        rank=rank,
        rsv=np.round(20 - rank / 100 - generator.random(count) / 200, 6),
        offset=np.full(count, -1) if elements else generator.integers(0, 60_000, count),
        length=np.zeros(count, dtype=np.int64) if elements else generator.integers(1, 3_000, count),
        line=np.arange(1, count + 1),
        path=path,
        header=RunHeader(participant="19", task="Focused", query="automatic", result_type="element"),
    )


def plain_loop(payload):
    """Split every line and turn its numbers into numbers: no check of any kind."""
    results = []
    for line in payload.decode().splitlines():
        topic, _, document, rank, rsv, run_id, offset, length = line.split()
        results.append((topic, document, int(rank), float(rsv), run_id, int(offset), int(length)))
    return results


def usual_idiom(payload):
    """Take the results one by one from lxml's iterparse, clearing behind: no check of any kind."""
    results = []
    for _, element in etree.iterparse(io.BytesIO(payload), tag="result"):
        rank, rsv = int(element.findtext("rank")), float(element.findtext("rsv"))
        topic = element.getparent().get("topic-id")
        results.append((topic, element.findtext("file"), element.findtext("path"), rank, rsv))
        element.clear()
        while element.getprevious() is not None:
            del element.getparent()[0]
    return results


def read_and_check(payload):
    """Read a run and hold it against the rules of the focused task."""
    columns, problems = read_run(io.BytesIO(payload))
    return columns, problems + check(columns, Rules("focused"), topics=columns.topics)


def nanoseconds(times, count, act):
    """Return the shortest of several processor times, for one result."""
    taken = []
    for _ in range(times):
        started = time.process_time()
        act()
        taken.append(time.process_time() - started)
    return min(taken) / count * 1e9


def written(write, columns):
    """Return what a writer writes."""
    target = io.BytesIO()
    write(columns, target)
    return target.getvalue()


def main():
    """Time the readers and print a table in Markdown."""
    arguments = argparse.ArgumentParser(description="Time the readers of runs.")
    arguments.add_argument("--topics", type=int, default=TOPIC_COUNT)
    arguments.add_argument("--results", type=int, default=RESULTS)
    arguments.add_argument("--times", type=int, default=5)
    chosen = arguments.parse_args()
    count = chosen.topics * chosen.results
    fol = written(write_fol, generated_run(chosen.topics, chosen.results, elements=False))
    xml = written(write_inex_xml, generated_run(chosen.topics, chosen.results, elements=True))
    header = RunHeader()
    rows = (
        ("FOL: plain split loop, nothing checked", lambda: plain_loop(fol)),
        ("FOL: read, format checked", lambda: read_run(io.BytesIO(fol))),
        ("FOL: read, format and all rules of the task checked", lambda: read_and_check(fol)),
        ("FOL: line by line, as for untidy files", lambda: read_lines(fol, LIMITS, ProblemList(), header)),
        ("XML: lxml iterparse result by result, nothing checked", lambda: usual_idiom(xml)),
        ("XML: read, format checked", lambda: read_run(io.BytesIO(xml))),
        ("XML: read, format and all rules of the task checked", lambda: read_and_check(xml)),
        ("XML: with the parser alone, as for untidy files", lambda: read_parts(xml, LIMITS)),
    )
    print(f"{chosen.topics} topics x {chosen.results} results; FOL {len(fol):,} bytes, XML {len(xml):,} bytes.\n")
    print("| reader | ns a result | of the plain way |")
    print("|---|---:|---:|")
    plain = {}
    for name, act in rows:
        taken = nanoseconds(chosen.times, count, act)
        share = taken / plain.setdefault(name[:3], taken)
        print(f"| {name} | {taken:,.0f} | {share:.2f} |")


if __name__ == "__main__":
    main()
