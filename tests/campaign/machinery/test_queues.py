"""How a worker takes a row, does its work, and what becomes of it when that fails."""

import threading
from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.machinery import queues
from campaign.machinery.leases import MAX_ATTEMPTS
from campaign.machinery.queues import Queue
from campaign.models import Run
from tests.services.site import wait_until


@pytest.fixture
def run(world):
    return world.submit()


def no_end(row):
    raise AssertionError("this is not the end")


def out_of_paper(row):
    raise RuntimeError("out of paper")


def test_work_is_done_with_a_row_that_nobody_else_can_take(run):
    done = []

    def do(row):
        done.append((row.pk, row.state, Run.objects.claim(row.pk)))
        Run.objects.finish(row, Run.State.VALID)

    queue = Queue(Run, do, at_the_end=no_end)

    assert queue.work() == run
    assert done == [(run.pk, Run.State.CHECKING, None)]
    assert queue.work() is None
    assert queue.work(run.pk) is None


def test_a_fault_of_ours_gives_the_row_back_until_the_end(run):
    ended = []
    queue = Queue(Run, out_of_paper, at_the_end=lambda row: ended.append(row.state))

    for attempt in range(1, MAX_ATTEMPTS + 1):
        assert queue.work().attempts == attempt
        Run.objects.update(held_until=None)

    run.refresh_from_db()
    assert (run.state, ended) == (Run.State.FAILED, [Run.State.FAILED])
    assert run.failure.endswith("RuntimeError: out of paper\n")
    assert queue.work() is None


def test_an_end_that_cannot_be_told_is_no_end(run):
    Run.objects.update(attempts=MAX_ATTEMPTS - 1)

    with pytest.raises(RuntimeError):
        Queue(Run, lambda row: 1 / 0, at_the_end=out_of_paper).work()

    run.refresh_from_db()
    assert run.state == Run.State.CHECKING


def test_a_worker_that_was_overtaken_writes_nothing_and_raises_nothing(run, caplog):
    caplog.set_level("WARNING")

    def overtaken(row):
        Run.objects.filter(pk=row.pk).take_away(Run.State.REJECTED)
        Run.objects.finish(row, Run.State.VALID)

    assert Queue(Run, overtaken, at_the_end=no_end).work() == run

    run.refresh_from_db()
    assert (run.state, run.failure) == (Run.State.REJECTED, "")
    assert [entry.levelname for entry in caplog.records] == ["WARNING"]


@pytest.mark.parametrize("attempts", [0, MAX_ATTEMPTS - 1])
def test_a_worker_that_fails_on_a_row_which_is_no_longer_its_own_has_nothing_to_give_back(run, attempts, caplog):
    caplog.set_level("WARNING")
    Run.objects.update(attempts=attempts)

    def fail(row):
        Run.objects.filter(pk=row.pk).take_away(Run.State.REJECTED)
        raise RuntimeError("out of paper")

    assert Queue(Run, fail, at_the_end=no_end).work() == run

    run.refresh_from_db()
    assert (run.state, run.failure, run.held_until) == (Run.State.REJECTED, "", None)
    assert [entry.levelname for entry in caplog.records] == ["ERROR", "WARNING"]


def test_a_row_whose_worker_dies_every_time_ends_as_one_that_fails(run):
    ended = []
    Run.objects.update(state=Run.State.CHECKING, attempts=MAX_ATTEMPTS, held_until=timezone.now())
    queue = Queue(Run, out_of_paper, at_the_end=lambda row: ended.append((row.state, row.failure_reference)))

    assert queue.end_exhausted() == [run.pk]

    run.refresh_from_db()
    assert ended == [(Run.State.FAILED, run.failure_reference)]
    assert queue.end_exhausted() == []


@pytest.mark.django_db(transaction=True)
def test_a_lease_is_renewed_while_the_work_goes_on(run, monkeypatch):
    monkeypatch.setattr(queues, "RENEW_EVERY", 0.02)
    claimed = Run.objects.claim(run.pk)
    first = claimed.held_until

    with queues.kept(Run.objects, claimed):
        wait_until(lambda: Run.objects.get(pk=run.pk).held_until > first, seconds=10)

    assert not [t for t in threading.enumerate() if t.name.startswith("lease of")]


@pytest.mark.django_db(transaction=True)
def test_a_hanging_worker_s_lease_is_not_renewed_for_ever(run, monkeypatch):
    monkeypatch.setattr(queues, "RENEW_EVERY", 0.02)
    monkeypatch.setattr(queues, "LONGEST_WORK", timedelta(0))
    claimed = Run.objects.claim(run.pk)

    with queues.kept(Run.objects, claimed):
        wait_until(lambda: not [t for t in threading.enumerate() if t.name.startswith("lease of")], seconds=10)

    assert Run.objects.get(pk=run.pk).held_until == claimed.held_until
