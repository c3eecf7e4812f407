"""One line a minute for one cause: while the database, the queue or the disk is away, the log stays readable."""

import logging
import threading
import time

from django.db import InterfaceError, OperationalError
from kombu.exceptions import OperationalError as QueueError
from redis.exceptions import RedisError

from campaign.machinery.whole_files import is_no_room

EVERY = 60
NOT_NOW = (503, 507)


class OncePerCause(logging.Filter):
    """Let the first record of a cause outside of our code through, as one line, and count the others of its minute."""

    def __init__(self, clock=time.monotonic):
        super().__init__()
        self._clock, self._lock, self._told = clock, threading.Lock(), {}

    def filter(self, record):
        """Return whether a record is written; one that is has lost its traceback."""
        cause = cause_of(record)
        if cause is None:
            return True
        with self._lock:
            now = self._clock()
            told_at, held_back = self._told.get(cause, (float("-inf"), 0))
            if now - told_at < EVERY:
                self._told[cause] = told_at, held_back + 1
                return False
            self._told[cause] = now, 0
        _shorten(record, cause, held_back)
        return True


def cause_of(record):
    """Return what lies behind a record, where that is not our code; None for all others."""
    for error in _errors_of(record):
        if is_no_room(error):
            return "No room left on a disk"
        while error is not None:
            if isinstance(error, OperationalError | InterfaceError):
                return "The database does not answer"
            if isinstance(error, RedisError | QueueError):
                return "Redis does not answer"
            error = error.__cause__ or error.__context__
    if record.name == "django.request" and getattr(record, "status_code", None) in NOT_NOW:
        return f"Answers with {record.status_code}"
    return None


def _errors_of(record):
    """Return the exceptions that a record bears: its own, and those it quotes."""
    own = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
    quoted = record.args.values() if isinstance(record.args, dict) else record.args or ()
    return [error for error in (own, *quoted) if isinstance(error, BaseException)]


def _shorten(record, cause, held_back):
    """Make one line of a record: the cause, what it said, and where it was met."""
    said = next((_first_line(error) for error in _errors_of(record)), "")
    more = f" {held_back} more lines of this were left out." if held_back else ""
    met = record.getMessage().splitlines()[0] if record.getMessage() else ""
    record.msg = f"{cause}{f': {said}' if said else ''}. Met at: {met}{more}"
    record.args, record.exc_info, record.exc_text = (), None, None


def _first_line(error):
    return str(error).strip().splitlines()[0].rstrip(".") if str(error).strip() else type(error).__name__
