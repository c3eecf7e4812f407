"""Can this site do its work now? Each part is asked in bounded time: one that hangs does not hang the answer."""

import logging
import threading
import time
from dataclasses import dataclass

from celery import current_app
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection

from campaign.machinery.storage import temporary_file
from campaign.machinery.whole_files import UNFINISHED, is_no_room, unfinished_name
from campaign.models import Heartbeat
from evaluation.services.status import status

logger = logging.getLogger(__name__)

PATIENCE = 3
"""Seconds in which each part has to answer; all are asked at the same time."""

FRESH = 1
"""Seconds for which an answer is given again, so that many who ask cost no more than one."""

OK = "ok"


class NotReady(Exception):
    """A part answers, but cannot do its work; says why."""


def ask_database():
    """Read a row."""
    Heartbeat.objects.exists()


def ask_queue():
    """Have the queue tell how many messages wait."""
    with current_app.connection_for_write() as queue:
        queue.default_channel.queue_declare(settings.CELERY_TASK_DEFAULT_QUEUE)


def ask_storage():
    """Write a file, read it and remove it; and one without a name, as uploads are."""
    with temporary_file() as spool:
        spool.write(b"ready")
        spool.flush()
    name = default_storage.save(f"ready/{UNFINISHED}/{unfinished_name()}", ContentFile(b"ready"))
    try:
        with default_storage.open(name) as stream:
            if stream.read() != b"ready":
                raise NotReady("what is written does not come back")
    finally:
        default_storage.delete(name)


def ask_workers():
    """Look at the heartbeats of worker and sweep."""
    if silent := [part.name for part in status().parts if not part.is_alive]:
        raise NotReady(f"silent: {', '.join(silent)}")


PROBES = {"database": ask_database, "queue": ask_queue, "storage": ask_storage, "workers": ask_workers}


@dataclass
class Asking:
    """One question to one part, put in a thread of its own."""

    name: str
    answer: str = ""

    def start(self):
        """Put the question."""
        self.thread = threading.Thread(target=self._ask, name=f"ready: {self.name}", daemon=True)
        self.thread.start()
        return self

    def _ask(self):
        try:
            PROBES[self.name]()
            self.answer = OK
        except NotReady as reason:
            self.answer = str(reason)
        except Exception as error:  # whatever it is, this part is not ready
            logger.warning("Not ready: %s (%s).", self.name, error, exc_info=error)
            self.answer = "no room left" if is_no_room(error) else "does not answer"
        finally:
            connection.close()


class Readiness:
    """Asks all parts at once; a question that hangs is not put a second time."""

    def __init__(self):
        self._one_at_a_time = threading.Lock()
        self._asking, self._answers, self._asked_at = {}, {}, float("-inf")

    def answers(self):
        """Return what each part answered: `ok`, or why it is not ready."""
        with self._one_at_a_time:
            if time.monotonic() - self._asked_at >= FRESH:
                self._answers, self._asked_at = self._ask(), time.monotonic()
            return self._answers

    def _ask(self):
        for name in PROBES:
            if name not in self._asking or self._asking[name].answer:
                self._asking[name] = Asking(name).start()
        patient_until = time.monotonic() + PATIENCE
        for asking in self._asking.values():
            asking.thread.join(max(0, patient_until - time.monotonic()))
        return {name: asking.answer or f"no answer in {PATIENCE} s" for name, asking in self._asking.items()}


READINESS = Readiness()
