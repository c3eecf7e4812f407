"""How often somebody may do something that costs us work."""

import logging
from contextlib import nullcontext
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.utils import timezone

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RateLimit:
    """At most so many times in so many seconds, counted for each person or address apart."""

    name: str
    most: int
    seconds: int

    def seconds_to_wait(self, who):
        """Count one more time; returns 0, or after how many seconds to come back."""
        now = int(timezone.now().timestamp())
        window = now // self.seconds
        key = f"limit:{self.name}:{who}:{window}"
        try:
            with _counting():
                cache.add(key, 0, timeout=2 * self.seconds)
                count = cache.incr(key)
        except ValueError:  # it went out of the cache in between
            return 0
        except Exception:  # whichever cache this is: without it nothing is counted, but everything works
            logger.exception("The limit %s could not be counted.", self.name)
            return 0
        return 0 if count <= self.most else (window + 1) * self.seconds - now


def _counting():
    """Let nobody count in between: Redis adds in one step, a table of the database only inside a transaction."""
    return nullcontext() if settings.REDIS_URL else transaction.atomic()


def address_of(request):
    """Return the address a request comes from: behind a proxy, the one that the proxy saw."""
    forwarded = request.headers.get("X-Forwarded-For", "") if settings.BEHIND_PROXY else ""
    return forwarded.rpartition(",")[2].strip() or request.META["REMOTE_ADDR"]


def asker_of(request):
    """Return for whom a request is counted: a person who is signed in, or else an address."""
    return f"person-{request.user.pk}" if request.user.is_authenticated else f"address-{address_of(request)}"


DRY_RUNS = RateLimit("dry-run", most=30, seconds=600)
BEGINNINGS = RateLimit("beginning", most=120, seconds=600)
NEW_TEAMS = RateLimit("new-team", most=20, seconds=3600)
COMPARISONS = RateLimit("comparison", most=40, seconds=600)
SEARCHES = RateLimit("search", most=60, seconds=60)
API_READS = RateLimit("api-read", most=600, seconds=60)
API_WRITES = RateLimit("api-write", most=300, seconds=60)
