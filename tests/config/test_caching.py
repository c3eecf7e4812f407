"""Limits while Redis is away: counted in memory, and nobody is kept from signing in."""

import time

import pytest
from django.test import Client
from django.urls import reverse

from campaign.models import User
from config import caching
from tests.services.site import free_port


@pytest.fixture
def away(settings):
    """Point the cache at a port where nothing listens."""
    settings.CACHES = {
        "default": {"BACKEND": "config.caching.LimitsCache", "LOCATION": f"redis://127.0.0.1:{free_port()}/0"}
    }
    caching.LocMemCache("limits", {}).clear()
    return settings.CACHES["default"]["LOCATION"]


@pytest.mark.django_db
def test_people_sign_in_while_redis_is_away(away):
    User.objects.create_superuser("root", "root@example.org", "lamp-and-lens-7")
    client = Client()

    response = client.post(reverse("account_login"), {"login": "root", "password": "lamp-and-lens-7"})

    assert response.status_code == 302
    assert client.get("/runs/").status_code == 200


@pytest.mark.django_db
def test_wrong_passwords_are_limited_while_redis_is_away(away):
    User.objects.create_superuser("root", "root@example.org", "lamp-and-lens-7")

    answers = [
        Client().post(reverse("account_login"), {"login": "root", "password": "wrong"}).content.decode()
        for _ in range(6)
    ]

    assert "That was a wrong password too often." in answers[-1]


def test_every_operation_has_its_answer_while_redis_is_away(away):
    cache = caching.LimitsCache(away, {})

    assert cache.add("a", 1) is True
    assert cache.incr("a") == 2
    cache.set("b", [1])
    assert cache.get_many(["a", "b"]) == {"a": 2, "b": [1]}
    assert cache.has_key("b")
    assert "b" in cache
    assert cache.get_or_set("c", 5) == 5
    assert cache.touch("c", 10)
    assert cache.delete("c")
    cache.set_many({"d": 1})
    cache.delete_many(["d"])
    cache.clear()
    assert cache.get("a") is None


def test_a_redis_that_is_away_is_asked_once_in_five_seconds(away, caplog):
    cache = caching.LimitsCache(away, {})
    caplog.set_level("WARNING", "config.caching")

    started = time.monotonic()
    for number in range(200):
        cache.set(f"key-{number}", number)

    assert time.monotonic() - started < 2
    assert len(caplog.records) == 1
