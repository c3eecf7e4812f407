"""`manage.py sweep`: the loop that makes good what was lost on the way."""

import logging
import signal
import threading
import time

from django.core.management.base import BaseCommand
from django.db import DatabaseError, close_old_connections

from campaign.machinery.heartbeats import ask_for_beat, beat
from campaign.services.telling.mailing import keep_mailing, send_due
from config.operators import warnings
from evaluation.services.sweep import sweep, tidy, wake_for_what_waits

logger = logging.getLogger(__name__)

WORKER_BEAT_EVERY = 15
TIDY_EVERY = 60
LONGEST_GOODBYE = 3
"""Seconds for the mail that is being sent when we are told to stop; cut off, it is sent again."""


class Command(BaseCommand):
    help = "Free dead leases, end what used up its attempts, wake workers for everything that waits, and send mail."

    def add_arguments(self, parser):
        parser.add_argument("--once", action="store_true", help="sweep one time and stop")
        parser.add_argument("--every", type=float, default=2, metavar="SECONDS", help="pause between sweeps (2)")

    def handle(self, *args, once, every, **options):
        if once:
            sweep()
            tidy()
            wake_for_what_waits()
            send_due()
            return
        for warning in warnings():
            logger.warning(warning)
        told_to_stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: told_to_stop.set())
        mailer = threading.Thread(target=keep_mailing, args=(told_to_stop, every), name="mail", daemon=True)
        mailer.start()
        ask_worker_at, worker_asked_at, tidied_at = 0.0, None, 0.0
        while not told_to_stop.is_set():
            try:
                sweep()
                wake_for_what_waits()
                beat("sweep")
                if time.monotonic() >= ask_worker_at:
                    worker_asked_at = ask_for_beat("worker", worker_asked_at)
                    ask_worker_at = time.monotonic() + WORKER_BEAT_EVERY
            except DatabaseError:
                logger.exception("The database did not answer; sweeping again in %s s.", every)
            if time.monotonic() - tidied_at >= TIDY_EVERY:
                tidy()
                tidied_at = time.monotonic()
            close_old_connections()
            told_to_stop.wait(every)
        mailer.join(timeout=LONGEST_GOODBYE)
