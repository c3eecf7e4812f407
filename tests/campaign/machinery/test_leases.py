"""Claims, renewals, and what becomes of a row whose worker dies."""

import os
import socket
import subprocess
import sys
from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.machinery.leases import MAX_ATTEMPTS, WAKE_AT_MOST, LeaseLost
from campaign.machinery.processes import is_dead
from campaign.models import Run


@pytest.fixture
def run(world):
    return world.submit()


@pytest.fixture
def woken(monkeypatch):
    """Return the messages that would be sent."""
    messages = []
    monkeypatch.setattr("campaign.machinery.leases.wake", lambda *message: messages.append(message))
    return messages


def end_lease(run):
    Run.objects.filter(pk=run.pk).update(held_until=timezone.now() - timedelta(seconds=1))


def dead_process():
    """Return the number of a process that has been and gone."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return ended.pid


def test_a_row_is_claimed_once(run):
    first = Run.objects.claim(run.pk)
    second = Run.objects.claim(run.pk)

    assert first.state == Run.State.CHECKING
    assert first.attempts == 1
    assert second is None


def test_an_expired_lease_is_claimed_again_and_the_first_worker_cannot_write(run):
    slow = Run.objects.claim(run.pk)
    end_lease(run)
    fast = Run.objects.claim(run.pk)

    Run.objects.finish(fast, Run.State.VALID, result_count=1)

    with pytest.raises(LeaseLost):
        Run.objects.finish(slow, Run.State.REJECTED, result_count=2)
    run.refresh_from_db()
    assert (run.state, run.result_count, run.attempts) == (Run.State.VALID, 1, 2)


def test_a_finished_row_is_never_claimed(run):
    Run.objects.finish(Run.objects.claim(run.pk), Run.State.VALID)

    assert Run.objects.claim(run.pk) is None


def test_a_fault_of_ours_is_tried_again_later_and_ends_with_a_reference(run):
    for attempt in range(1, MAX_ATTEMPTS + 1):
        claimed = Run.objects.claim(run.pk)
        assert claimed.attempts == attempt
        Run.objects.give_back(claimed, "Traceback: out of paper")
        run.refresh_from_db()
        if attempt < MAX_ATTEMPTS:
            assert run.state == Run.State.RECEIVED
            assert run.will_be_retried
            assert run.held_until > timezone.now()
            assert Run.objects.claim(run.pk) is None  # not before the pause is over
            end_lease(run)

    assert run.state == Run.State.FAILED
    assert len(run.failure_reference) == 6
    assert run.failure == "Traceback: out of paper"
    assert Run.objects.claim(run.pk) is None


def test_a_row_whose_worker_dies_every_time_ends_failed(run):
    for _ in range(MAX_ATTEMPTS):
        assert Run.objects.claim(run.pk)
        end_lease(run)

    assert Run.objects.end_exhausted() == [run.pk]
    run.refresh_from_db()
    assert run.state == Run.State.FAILED
    assert run.failure.startswith(f"The worker died {MAX_ATTEMPTS} times while it had this row")
    assert Run.objects.end_exhausted() == []


def test_a_dead_process_of_this_machine_loses_its_lease_at_once(run):
    Run.objects.claim(run.pk)
    Run.objects.update(held_by=f"{socket.gethostname()}/{dead_process()}")

    assert Run.objects.free_dead() == 1
    assert Run.objects.to_wake() == [run.pk]
    assert Run.objects.claim(run.pk).attempts == 2


def test_only_a_process_of_this_machine_that_is_gone_is_dead():
    here = socket.gethostname()

    assert is_dead(f"{here}/{dead_process()}")
    for holder in (f"{here}/{os.getpid()}", f"{here}/1", "another-machine/999999999", "", "rubbish"):
        assert not is_dead(holder)


def test_a_live_process_keeps_its_lease(run):
    Run.objects.claim(run.pk)

    assert Run.objects.free_dead() == 0
    assert Run.objects.claim(run.pk) is None


def test_a_lost_wake_up_is_sent_again_but_not_at_once(run):
    assert Run.objects.to_wake() == []

    Run.objects.update(woken_at=timezone.now() - timedelta(seconds=11))

    assert Run.objects.to_wake() == [run.pk]
    assert Run.objects.to_wake() == []


def test_new_work_wakes_a_worker_and_is_not_lost_at_once(world, woken):
    run = world.submit()

    assert woken == [("campaign.tasks.check_run", run.pk)]
    assert Run.objects.to_wake() == []


def test_what_is_queued_again_is_free_and_fresh_and_its_worker_cannot_write(run, woken):
    held = Run.objects.claim(run.pk)
    Run.objects.filter(pk=run.pk).update(attempts=MAX_ATTEMPTS, failure="Traceback", failure_reference="F00D42")

    assert Run.objects.filter(pk=run.pk).requeue(description="again") == [run.pk]

    run.refresh_from_db()
    assert (run.state, run.attempts, run.failure, run.failure_reference) == (Run.State.RECEIVED, 0, "", "")
    assert (run.token, run.held_by, run.held_until, run.description) == (None, "", None, "again")
    assert woken == [("campaign.tasks.check_run", run.pk)]
    with pytest.raises(LeaseLost):
        Run.objects.finish(held, Run.State.VALID)
    assert Run.objects.claim(run.pk).attempts == 1


def test_a_few_workers_are_woken_for_much_that_is_queued_again(world, woken):
    runs = [world.submit(name=f"run-{number}") for number in range(WAKE_AT_MOST + 2)]
    woken.clear()

    keys = Run.objects.requeue()

    assert keys == [run.pk for run in runs]
    assert [key for _, key in woken] == keys[:WAKE_AT_MOST]
    assert Run.objects.to_wake() == []


def test_what_is_taken_away_has_ended_whoever_held_it(run, woken):
    held = Run.objects.claim(run.pk)
    Run.objects.filter(pk=run.pk).update(failure="Traceback")

    assert Run.objects.filter(pk=run.pk).take_away(Run.State.REJECTED, rejection_reason="Late.") == 1

    run.refresh_from_db()
    assert (run.state, run.rejection_reason, run.attempts) == (Run.State.REJECTED, "Late.", 1)
    assert (run.token, run.held_by, run.held_until, run.failure) == (None, "", None, "Traceback")
    assert woken == []
    with pytest.raises(LeaseLost):
        Run.objects.note(held)
    assert Run.objects.claim(run.pk) is None


def test_what_is_taken_away_may_begin_anew(run):
    Run.objects.filter(pk=run.pk).update(attempts=2, failure="Traceback", failure_reference="F00D42")

    Run.objects.take_away(Run.State.VALID, anew=True)

    run.refresh_from_db()
    assert (run.attempts, run.failure, run.failure_reference) == (0, "", "")


def test_what_comes_to_a_good_end_forgets_its_failures(run):
    Run.objects.give_back(Run.objects.claim(run.pk), "Traceback: out of paper")
    end_lease(run)

    Run.objects.finish(Run.objects.claim(run.pk), Run.State.VALID)

    run.refresh_from_db()
    assert (run.failure, run.attempts) == ("", 2)
