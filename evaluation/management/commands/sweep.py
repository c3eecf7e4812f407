"""`manage.py sweep`: the loop that makes good what was lost on the way."""

import logging
import signal
import threading
import time
from datetime import timedelta

from django.core.management.base import BaseCommand
from django.db import DatabaseError, close_old_connections
from django.utils import timezone

from campaign.services.heartbeats import beat, has_beaten_since
from campaign.services.mailing import keep_mailing, send_due
from campaign.wake import wake
from evaluation.services.sweep import sweep, wake_for_what_waits

logger = logging.getLogger(__name__)

WORKER_BEAT_EVERY = 15
WORKER_IS_SILENT_AFTER = timedelta(seconds=60)
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
            wake_for_what_waits()
            send_due()
            return
        told_to_stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: told_to_stop.set())
        mailer = threading.Thread(target=keep_mailing, args=(told_to_stop, every), name="mail", daemon=True)
        mailer.start()
        worker_asked_at = 0.0
        while not told_to_stop.is_set():
            try:
                sweep()
                if has_beaten_since("worker", timezone.now() - WORKER_IS_SILENT_AFTER):
                    wake_for_what_waits()  # to a dead worker it would only pile up messages
                beat("sweep")
                if time.monotonic() - worker_asked_at >= WORKER_BEAT_EVERY:
                    wake("campaign.tasks.beat", "worker")
                    worker_asked_at = time.monotonic()
            except DatabaseError:
                logger.exception("The database did not answer; sweeping again in %s s.", every)
            close_old_connections()
            told_to_stop.wait(every)
        mailer.join(timeout=LONGEST_GOODBYE)
