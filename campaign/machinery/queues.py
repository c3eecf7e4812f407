"""Kinds of work: how a worker takes a row, keeps it while it works, and gives it back where the fault is ours."""

import logging
import threading
import traceback
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from django.db import OperationalError, connection
from django.utils import timezone

from campaign.machinery.leases import LEASE, Leased, LeaseLost

logger = logging.getLogger(__name__)

RENEW_EVERY = 5
LONGEST_WORK = timedelta(minutes=10)
"""After this nobody renews the lease any more: a worker that hangs loses its row."""


@dataclass(frozen=True, slots=True)
class Queue:
    """One kind of work: its rows, what a worker does with one, and what is done when one has failed for good."""

    model: type[Leased]
    do: Callable
    at_the_end: Callable

    @property
    def rows(self):
        """Return all rows of this kind."""
        return self.model.objects

    def work(self, key=None):
        """Take a row, without a key the first in line, and do its work; returns it, or None where there is none."""
        row = self.rows.claim(key)
        if row is None:
            return None
        try:
            with kept(self.rows, row):
                self.do(row)
        except LeaseLost:
            self._tell_of_loss(row)
        except Exception:
            logger.exception("%s %s failed on our side.", self.model.__name__, row.pk)
            self._give_back(row, traceback.format_exc())
        return row

    def end_exhausted(self):
        """End the rows whose worker died on every attempt; returns their keys."""
        return self.rows.end_exhausted(self.at_the_end)

    def _give_back(self, row, failure):
        """Give a row back; one that somebody else has, or has ended, is no longer ours to give."""
        try:
            self.rows.give_back(row, failure, self.at_the_end)
        except LeaseLost:
            self._tell_of_loss(row)

    def _tell_of_loss(self, row):
        logger.warning("%s %s was taken over or ended while it was worked on.", self.model.__name__, row.pk)


@contextmanager
def kept(rows, row):
    """Renew a claimed row's lease in the background for as long as the work in the block goes on."""
    done = threading.Event()
    give_up_at = timezone.now() + LONGEST_WORK

    def renew():
        try:
            while not done.wait(RENEW_EVERY) and timezone.now() < give_up_at:
                try:
                    rows.held(row).update(held_until=timezone.now() + LEASE)
                except OperationalError as problem:  # a busy database now is no reason to lose the row later
                    logger.warning("The lease of %s was not renewed this time: %s", row, problem)
        finally:
            connection.close()

    renewer = threading.Thread(target=renew, name=f"lease of {row}", daemon=True)
    renewer.start()
    try:
        yield
    finally:
        done.set()
        renewer.join()
