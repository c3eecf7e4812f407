"""Remembering what took long to compute, under a key that names everything it was computed from."""

import hashlib
import json
import logging
from dataclasses import dataclass

from django.core.cache import caches
from django.utils.connection import ConnectionProxy

from campaign.machinery.wake import queue_is_full, wake

logger = logging.getLogger(__name__)
cache = ConnectionProxy(caches, "answers")

A_WEEK = 7 * 24 * 3600
PATIENCE = 600
"""Seconds after which work that a worker was asked for is asked for again: no task takes longer."""

ASKED, FAILED = "asked", "failed"


@dataclass(frozen=True, slots=True)
class Answer:
    """What was computed, or that it is being computed, or that this failed on our side."""

    value: object = None
    is_waiting: bool = False
    has_failed: bool = False


def remembered(name, origin, compute):
    """Return what was computed before from the same origin, or compute it; without a cache everything still works."""
    key = key_of(name, origin)
    found = _asked(key)
    if found is None:
        found = compute()
        remember(key, found)
    return found


def answered(key, compute, *, task=None, order=""):
    """Return what is remembered under a key; else compute it now, or ask a worker where a task is named.

    A worker is asked once; a message that was lost is sent again when somebody asks after ten minutes.
    """
    found = _asked(key)
    if found is not None:
        return Answer(found)
    if task is None or not _works():
        value = compute()
        remember(key, value)
        return Answer(value)
    if not queue_is_full() and cache.add(f"{key}:state", ASKED, timeout=PATIENCE):
        wake(task, order)  # full, it is asked when somebody looks again
    return Answer(has_failed=True) if _asked(f"{key}:state") == FAILED else Answer(is_waiting=True)


def compute_for(key, compute):
    """Compute what a page waits for, in a worker; a failure is told for a minute, then it can be tried again."""
    if _asked(key) is not None:
        return
    try:
        remember(key, compute())
    except Exception:
        logger.exception("%s could not be computed.", key)
        cache.set(f"{key}:state", FAILED, timeout=60)


def key_of(name, origin):
    """Return the key of what is computed from an origin that JSON can write."""
    return f"{name}:{hashlib.sha256(json.dumps(origin).encode()).hexdigest()}"


def remember(key, value):
    """Keep a value for a week, if there is a cache that takes it."""
    try:
        cache.set(key, value, timeout=A_WEEK)
    except Exception:
        logger.exception("%s could not be remembered.", key)


def _works():
    """Return whether there is a cache through which a worker could answer."""
    try:
        cache.get("")
    except Exception:
        return False
    return True


def _asked(key):
    try:
        return cache.get(key)
    except Exception:
        logger.exception("%s could not be looked up.", key)
        return None
