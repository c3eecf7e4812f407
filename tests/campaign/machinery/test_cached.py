"""What took long is computed once; without a cache it is computed every time, and nothing breaks."""

import pytest

from campaign.machinery import cached
from campaign.machinery.cached import Answer, answered, compute_for, key_of, remembered

pytestmark = pytest.mark.django_db


class Counting:
    """A computation that counts how often it was made."""

    def __init__(self):
        self.count = 0

    def __call__(self):
        self.count += 1
        return {"made": self.count}


class Broken:
    """A cache that does not answer."""

    def __getattr__(self, name):
        def refuse(*arguments, **options):
            raise ConnectionError("no cache")

        return refuse


@pytest.fixture
def woken(monkeypatch):
    orders = []
    monkeypatch.setattr(cached, "wake", lambda task, order: orders.append((task, order)))
    return orders


def test_the_same_origin_is_computed_once():
    compute = Counting()

    made = [remembered("sum", origin, compute) for origin in ([1, 2], [1, 2], [2, 1])]

    assert made == [{"made": 1}, {"made": 1}, {"made": 2}]


def test_without_a_cache_everything_is_computed(monkeypatch, woken):
    monkeypatch.setattr(cached, "cache", Broken())
    compute = Counting()

    made = [remembered("sum", [1], compute), answered("key", compute, task="a.task", order="1").value]

    assert made == [{"made": 1}, {"made": 2}]
    assert woken == []


def test_a_worker_is_asked_once_and_its_answer_is_kept(woken):
    key, compute = key_of("sum", [1]), Counting()

    waiting = [answered(key, compute, task="a.task", order="1") for _ in range(2)]
    compute_for(key, compute)
    compute_for(key, compute)

    assert waiting == [Answer(is_waiting=True)] * 2
    assert woken == [("a.task", "1")]
    assert answered(key, compute, task="a.task", order="1") == Answer({"made": 1})
    assert compute.count == 1


def test_a_failure_is_told_and_can_be_tried_again(woken):
    key = key_of("sum", [1])
    answered(key, None, task="a.task", order="1")

    compute_for(key, lambda: 1 / 0)

    assert answered(key, None, task="a.task", order="1") == Answer(has_failed=True)
    cached.cache.delete(f"{key}:state")  # what its age limit does
    assert answered(key, None, task="a.task", order="1") == Answer(is_waiting=True)
    assert woken == [("a.task", "1")] * 2
