"""No run can stop the check: its time grows with the size of the run, whatever rules are broken and how often."""

import time
from io import BytesIO

import pytest

from limelight.rules.checking import read_and_check
from limelight.rules.task_rules import Rules

pytestmark = pytest.mark.slow

FEW, MANY = 4_000, 16_000
NOTHING = 0.1
"""Seconds that nobody asks about: measured times below are noise."""

RUNS = {
    "nested": lambda n, i: (1, "a", i, 2 * (n - i) + 1),
    "the same again and again": lambda n, i: (1, "a", 0, 50),
    "staggered": lambda n, i: (1, "a", 2 * i, 3),
    "backwards": lambda n, i: (1, "a", 10 * (n - i), 11),
    "two documents by turns": lambda n, i: (1, "ab"[i % 2], 10 * i, 15),
    "a topic a line": lambda n, i: (i, "a", 0, 50),
    "a document a line": lambda n, i: (1, f"d{i}", 0, 50),
    "topics in pieces": lambda n, i: (i % 7, f"d{i % 11}", i, 5),
    "past the end": lambda n, i: (1, f"d{i % 50}", 10**9 + i, 5),
    "without a place": lambda n, i: (1, f"d{i}", "X", "X"),
    "empty": lambda n, i: (1, "a", i, 0),
}


def written(construct, count):
    lines = (construct(count, number) for number in range(count))
    return "".join(
        f"{topic} Q0 {document} {number % 1000} {number} R {offset} {length}\n"
        for number, (topic, document, offset, length) in enumerate(lines)
    ).encode()


def seconds(kind, payload):
    """Return the processor time of a check."""
    started = time.process_time()
    read_and_check(
        BytesIO(payload),
        Rules(kind, result_limit=None, topic_budget=1000, article_budget=500),
        lambda columns: {"topics": ["1", "2"], "document_lengths": {f"d{number}": 300 for number in range(100)}},
    )
    return time.process_time() - started


@pytest.mark.parametrize("construct", RUNS)
@pytest.mark.parametrize("kind", ["focused", "thorough", "relevant-in-context", "best-in-context", "document"])
def test_the_time_of_a_check_grows_with_the_run(kind, construct):
    payload = written(RUNS[construct], MANY)
    if seconds(kind, payload) < NOTHING:
        return

    many = min(seconds(kind, payload) for _ in range(3))
    few = min(seconds(kind, written(RUNS[construct], FEW)) for _ in range(3))

    assert many < 2
    assert many < max(NOTHING, 8 * few)
