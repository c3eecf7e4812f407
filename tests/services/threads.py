"""Calls at the same moment, for code that runs inside a site's Django."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.db import connection

from campaign.services.refusals import Refused


def at_once(*calls):
    """Make the calls at the same moment, each in a thread of its own; returns answers and refusals as texts."""
    barrier = Barrier(len(calls))

    def run(call):
        try:
            barrier.wait()
            return str(call())
        except Refused as refusal:
            return refusal.reason
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))
