"""The cache that rate limits are counted in: while Redis is away, each process counts in its own memory."""

import logging
import time

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

logger = logging.getLogger(__name__)

AWAY_FOR = 5
"""Seconds for which a Redis that did not answer is not asked again: nobody waits for it at every turn."""
TIMEOUTS = {"socket_connect_timeout": 1, "socket_timeout": 2}

_away_until = {}


def first_redis(name):
    """Make a method that asks Redis, and memory where Redis does not answer."""

    def ask(self, *arguments, **named):
        if time.monotonic() >= _away_until.get(self.server, 0):
            try:
                return getattr(super(LimitsCache, self), name)(*arguments, **named)
            except (RedisError, OSError) as problem:
                _away_until[self.server] = time.monotonic() + AWAY_FOR
                logger.warning("Redis does not answer (%s): limits are counted by each process for now.", problem)
        return getattr(self.memory, name)(*arguments, **named)

    return ask


class LimitsCache(RedisCache):
    """Redis, or else memory: a limit that is counted less strictly for a while keeps nobody from signing in."""

    def __init__(self, server, params):
        options = TIMEOUTS | {"retry": Retry(NoBackoff(), 0)} | params.get("OPTIONS", {})
        super().__init__(server, params | {"OPTIONS": options})
        self.server, self.memory = str(server), LocMemCache("limits", {})

    add, get, set, touch, delete, incr, has_key, get_many, set_many, delete_many, clear = map(
        first_redis,
        ("add", "get", "set", "touch", "delete", "incr", "has_key", "get_many", "set_many", "delete_many", "clear"),
    )
