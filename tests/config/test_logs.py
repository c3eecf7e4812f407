"""One line a minute for one cause, and nothing of our own faults left out."""

import errno
import logging

import pytest
from django.db import OperationalError
from kombu.exceptions import OperationalError as QueueError
from redis.exceptions import ConnectionError as RedisAway

from config.logs import OncePerCause


class Written(logging.Handler):
    """What would stand in the log."""

    def __init__(self):
        super().__init__()
        self.setFormatter(logging.Formatter("{levelname} {message}", style="{"))
        self.lines = []

    def emit(self, record):
        self.lines += self.format(record).splitlines()


@pytest.fixture
def log():
    """Lend a logger, what it writes, and the hands of its clock."""
    hands = [1000.0]
    logger, written = logging.getLogger("tests.logs"), Written()
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    written.addFilter(OncePerCause(clock=lambda: hands[0]))
    logger.addHandler(written)
    yield logger, written.lines, hands
    logger.removeHandler(written)


def fail_with(logger, error, words="Internal Server Error: %s", *arguments):
    try:
        raise error
    except type(error):
        logger.exception(words, *(arguments or ("/",)))


def test_a_database_that_is_away_is_one_line_a_minute(log):
    logger, lines, hands = log
    for second in range(121):
        hands[0] = 1000.0 + second
        for path in ("/", "/status/", "/runs/"):
            fail_with(logger, OperationalError("connection refused\nIs the server running?"), "Failed: %s", path)

    first = "ERROR The database does not answer: connection refused. Met at: Failed: /"
    later = f"{first} 179 more lines of this were left out."
    assert lines == [first, later, later]


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (RedisAway("Error 111 connecting to localhost:1."), "Redis does not answer"),
        (QueueError("Error 111"), "Redis does not answer"),
        (OSError(errno.ENOSPC, "No space left on device"), "No room left on a disk"),
    ],
)
def test_other_causes_are_told_apart_and_once(log, error, cause):
    logger, lines, _ = log

    for number in range(5):
        fail_with(logger, error)
        logger.warning("Could not wake %s for %s (%s); the sweep will.", "a task", number, error)
    fail_with(logger, OperationalError("away"))

    assert [line.split(":")[0] for line in lines] == [f"ERROR {cause}", "ERROR The database does not answer"]


def test_what_caused_an_error_counts(log):
    logger, lines, _ = log

    try:
        try:
            raise OperationalError("away")
        except OperationalError as cause:
            raise RuntimeError("could not count") from cause
    except RuntimeError:
        logger.exception("The limit could not be counted.")

    assert lines == ["ERROR The database does not answer: could not count. Met at: The limit could not be counted."]


def test_our_own_faults_are_all_written_with_their_tracebacks(log):
    logger, lines, _ = log

    for number in range(3):
        fail_with(logger, ValueError("ours"), "Evaluation %s failed on our side.", number)
        logger.warning("Run %s was taken over.", number)

    assert sum("failed on our side" in line for line in lines) == 3
    assert sum("Traceback" in line for line in lines) == 3
    assert sum("taken over" in line for line in lines) == 3
