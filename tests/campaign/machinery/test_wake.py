"""Messages only wake workers: a bounded number of them, whatever waits."""

import pytest
from celery import current_app
from kombu.exceptions import OperationalError

from campaign.machinery import heartbeats
from campaign.machinery import wake as waking
from campaign.machinery.heartbeats import BEAT_TASK, ask_for_beat, beat
from campaign.machinery.wake import MOST_WAITING, messages_waiting, nobody_waits, queue_is_full, wake, work_off


@pytest.fixture
def queue():
    """Empty the queue of the tests, before and after."""

    def purge():
        with current_app.connection_for_write() as connection:
            connection.default_channel.queue_purge(current_app.conf.task_default_queue)

    purge()
    yield
    purge()


@pytest.mark.django_db(transaction=True)
def test_never_more_messages_wait_than_a_bound(queue):
    for key in range(MOST_WAITING + 50):
        wake("nothing", key)

    assert messages_waiting() == MOST_WAITING
    assert queue_is_full()


def test_a_queue_that_is_away_is_neither_full_nor_empty(monkeypatch):
    def away():
        raise OperationalError("away")

    monkeypatch.setattr(waking, "messages_waiting", away)

    assert not queue_is_full()
    assert not nobody_waits()


def working(monkeypatch, rows, waiting):
    """Return a worker's view of rows, while so many messages wait."""
    monkeypatch.setattr(waking, "messages_waiting", lambda: waiting)
    left = list(range(rows))
    return left, lambda: bool(left) and left.pop() is not None


def test_a_worker_goes_on_with_the_next_row_as_long_as_nobody_else_waits(monkeypatch):
    left, take_one = working(monkeypatch, rows=5, waiting=0)

    work_off(take_one)

    assert left == []


def test_a_worker_does_one_row_and_lets_the_next_message_have_its_turn(monkeypatch):
    left, take_one = working(monkeypatch, rows=5, waiting=1)

    work_off(take_one)

    assert len(left) == 4


def test_a_worker_goes_back_to_the_queue_before_its_time_is_over(monkeypatch):
    left, take_one = working(monkeypatch, rows=5, waiting=0)
    monkeypatch.setattr(waking, "A_WHILE", 0)

    work_off(take_one)

    assert len(left) == 4


def test_a_sign_of_life_that_nobody_answers_is_not_asked_for_twice(db, monkeypatch):
    sent, waiting = [], True
    monkeypatch.setattr(heartbeats, "wake", lambda *message: sent.append(message))
    monkeypatch.setattr(heartbeats, "nobody_waits", lambda: not waiting)

    asked_at = ask_for_beat("worker")
    assert ask_for_beat("worker", asked_at) == asked_at
    assert sent == [(BEAT_TASK, "worker")]

    beat("worker")
    asked_at = ask_for_beat("worker", asked_at)
    assert len(sent) == 2

    waiting = False  # it was lost
    ask_for_beat("worker", asked_at)
    assert len(sent) == 3
