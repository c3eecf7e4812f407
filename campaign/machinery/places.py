"""Places for heavy work inside a web process: so much at once, a few wait a moment, the rest are told."""

import ctypes
import threading
import time
from contextlib import contextmanager, suppress

LOOK_EVERY = 0.2
"""Seconds between two looks at whether somebody who waits is still there."""

LARGE_FROM = 5_000_000
"""Bytes from which a file counts as large."""


CHECKING = (
    "Other files are being checked just now, and only so many can be at once. Nothing is wrong with yours: try again "
    "in {seconds} seconds, or submit it, and a worker checks it."
)
WRITING = "Other files are being written just now, and only so many can be at once. Try again in {seconds} seconds."


def give_back_memory():
    """Ask the C library to hand the memory of finished work back to the system; elsewhere, do without."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


class Busy(Exception):
    """All places are taken; says when to come back."""

    def __init__(self, sentence, seconds):
        self.retry_after = seconds
        super().__init__(sentence.format(seconds=seconds))


class Gone(Exception):
    """Whoever asked has gone away: nobody would read the answer."""


class Places:
    """So many at once in this process; `most_waiting` wait at most `patience` seconds for one of them to end."""

    def __init__(self, at_once=1, most_waiting=2, patience=10, sentence=CHECKING):
        self.sentence = sentence
        self.at_once, self.most_waiting, self.patience = at_once, most_waiting, patience
        self._changed = threading.Condition()
        self._taken = self._waiting = 0

    @contextmanager
    def one(self, is_there=lambda: True):
        """Do what is in the block in one of the places; raises Busy, or Gone where nobody waits for it any more."""
        self._take(is_there)
        try:
            yield
        finally:
            give_back_memory()
            with self._changed:
                self._taken -= 1
                self._changed.notify()

    def _take(self, is_there):
        patient_until = time.monotonic() + self.patience
        with self._changed:
            if self._taken >= self.at_once and self._waiting >= self.most_waiting:
                raise Busy(self.sentence, self.patience)
            self._waiting += 1
            try:
                while self._taken >= self.at_once and is_there():
                    left = patient_until - time.monotonic()
                    if left <= 0:
                        raise Busy(self.sentence, self.patience)
                    self._changed.wait(min(left, LOOK_EVERY))
                if not is_there():
                    raise Gone
                self._taken += 1
            finally:
                self._waiting -= 1


LARGE_DRY_RUNS, SMALL_DRY_RUNS = Places(), Places()
"""A large file takes some 300 MB and ten seconds: one at a time in each process; small ones need not wait for it."""

EXPORTS = Places(sentence=WRITING)
"""Runs and assessments written anew in other forms, each of them in memory."""


def dry_run_places(size):
    """Return the places among which a file of this size is checked."""
    return LARGE_DRY_RUNS if size >= LARGE_FROM else SMALL_DRY_RUNS
