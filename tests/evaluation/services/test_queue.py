"""How a run comes from the check into the queue for scoring: in one transaction, and whatever is lost on the way."""

from unittest.mock import patch

import pytest
from django.db.models import Min
from django.utils import timezone

from campaign.machinery.leases import WAKE_AT_MOST
from campaign.models import Run
from campaign.services.acting import By
from campaign.services.runs.checks import check_run
from campaign.services.runs.rejections import reinstate, reject
from campaign.tasks import check_run as check_task
from evaluation import tasks
from evaluation.models import Edition, Evaluation
from evaluation.services import queue, sweep
from evaluation.services.decisions import activate
from evaluation.services.queue import enter_missing, not_entered
from evaluation.services.scoring import evaluate
from evaluation.services.sweep import wake_for_what_waits
from tests.world import BROKEN_RUN, GOOD_RUN, score_run

LONG_AGO = timezone.timedelta(minutes=1)


@pytest.fixture
def sent(monkeypatch):
    """Return the messages that the queue and the sweep send; none waits."""
    messages = []
    monkeypatch.setattr("campaign.machinery.leases.wake", lambda *message: messages.append(message))
    monkeypatch.setattr(sweep, "messages_waiting", lambda: 0)
    return messages


def valid_runs(world, count):
    """Make valid runs that no edition knows of, as if two had met at a bad moment."""
    runs = [world.submit(GOOD_RUN + b"# %d\n" % number, name=f"run-{number}") for number in range(count)]
    with patch("campaign.valid_runs._following", []):
        for run in runs:
            check_run(run.pk)
    return runs


def test_a_run_that_becomes_valid_is_queued_in_the_same_step(world, sent):
    world.activate()
    run = world.submit()
    sent.clear()

    assert check_run()

    evaluation = Evaluation.objects.get(run=run)
    assert evaluation.state == Evaluation.State.QUEUED
    assert sent == [("evaluation.tasks.evaluate", evaluation.pk)]
    assert not check_run()


def test_a_run_is_not_valid_where_it_cannot_be_queued(world, monkeypatch):
    world.activate()
    run = world.submit()

    def fail(*anything):
        raise RuntimeError("out of paper")

    monkeypatch.setattr(queue, "queue_evaluations", fail)
    check_run()

    run.refresh_from_db()
    assert (run.state, run.will_be_retried) == (Run.State.RECEIVED, True)


def test_a_rejected_run_is_queued_nowhere(world, sent):
    world.activate()
    world.submit(BROKEN_RUN)
    sent.clear()

    check_run()

    assert not Evaluation.objects.exists()
    assert sent == []


def test_a_run_is_queued_in_the_live_edition_and_in_the_one_being_built(world, sent):
    first = world.activate()
    valid_runs(world, 1)
    activate(first)
    run = world.submit(name="another")

    check_run()

    assert Evaluation.objects.filter(run=run).count() == Edition.objects.scoring().count() == 2


def test_a_reinstated_run_is_queued_in_the_same_step(world, sent):
    [run] = valid_runs(world, 1)
    reject([run], by=By(world.organiser), reason="A copy.")
    world.activate()
    sent.clear()

    assert reinstate([run], by=By(world.organiser)) == ([run], [])

    assert Evaluation.objects.get().run == run
    assert len(sent) == 1


def test_the_sweep_queues_what_is_missing_without_a_message_a_run(world, sent):
    world.activate()
    valid_runs(world, 15)
    sent.clear()

    assert [(edition.number, missing.count()) for edition, missing in not_entered()] == [(1, 15)]
    sweep.sweep()

    assert Evaluation.objects.count() == 15
    assert not_entered() == []
    assert enter_missing() == 0
    assert sent == []


def test_a_lost_wake_up_is_made_good_a_few_at_a_time(world, sent):
    world.activate()
    valid_runs(world, 15)
    run = world.submit(name="waiting")
    Run.objects.update(woken_at=timezone.now() - LONG_AGO)
    enter_missing()
    sent.clear()

    wake_for_what_waits()

    oldest = Evaluation.objects.order_by("state_since", "pk").values_list("pk", flat=True)[:WAKE_AT_MOST]
    assert sent == [
        ("campaign.tasks.check_run", run.pk),
        *[("evaluation.tasks.evaluate", key) for key in oldest],
    ]
    sent.clear()
    wake_for_what_waits()
    assert len(sent) == 5  # the others; those that were woken just now are not woken again
    sent.clear()
    wake_for_what_waits()
    assert sent == []


def test_nobody_is_woken_while_messages_wait(world, sent, monkeypatch):
    world.activate()
    valid_runs(world, 3)
    enter_missing()
    sent.clear()
    monkeypatch.setattr(sweep, "messages_waiting", lambda: WAKE_AT_MOST)

    for _ in range(100):
        wake_for_what_waits()

    assert sent == []


def test_a_worker_takes_what_has_waited_longest_whatever_the_message_names(world, sent):
    world.activate()
    runs = [world.submit(name=f"run-{number}") for number in range(3)]
    Run.objects.filter(pk=runs[1].pk).update(state_since=timezone.now() - LONG_AGO)

    check_run()

    assert list(Run.objects.valid()) == [runs[1]]


def test_runs_for_live_boards_come_before_those_of_a_new_edition(world, sent):
    first = world.activate()
    for run in valid_runs(world, 3):
        score_run(run.pk)
    activate(first)
    late = world.submit(name="late")
    check_run()
    Evaluation.objects.filter(run=late).update(state_since=timezone.now())

    evaluate()

    assert Evaluation.objects.get(run=late, edition__state="live").state == Evaluation.State.DONE
    assert Evaluation.objects.filter(edition__state="building", state="done").count() == 0


@pytest.mark.parametrize("message", [(), (1,), (987654321,)])
def test_messages_of_every_age_are_understood(world, sent, message, monkeypatch):
    monkeypatch.setattr("campaign.machinery.wake.messages_waiting", lambda: 0)
    world.activate()
    world.submit()

    check_task(*message)
    tasks.enter_run(*message)

    assert Evaluation.objects.get().state == Evaluation.State.DONE
    tasks.evaluate(*message)
    assert Evaluation.objects.aggregate(least=Min("attempts"))["least"] == 1


def test_the_names_of_the_tasks_stay():
    names = {task.name for task in (check_task, tasks.enter_run, tasks.evaluate)}
    assert names == {"campaign.tasks.check_run", "evaluation.tasks.enter_run", "evaluation.tasks.evaluate"}
