"""Checking runs again: whose turn it is, and whose it is not."""

import pytest
from django.utils import timezone

from campaign.machinery.leases import LeaseLost
from campaign.models import Document, Notification, Run, Task
from campaign.services.runs.check_results import full_report
from campaign.services.runs.checks import check_run
from campaign.services.runs.rechecks import recheck
from tests.world import OVERLAPPING_RUN

State = Run.State


def state_of(run):
    run.refresh_from_db()
    return run.state


@pytest.mark.parametrize(
    ("fields", "after"),
    [
        ({"state": "valid"}, "received"),
        ({"state": "valid", "withdrawn_at": timezone.now()}, "valid"),
        ({"state": "rejected"}, "received"),
        ({"state": "rejected", "rejection_reason": "Copied."}, "rejected"),
        ({"state": "failed"}, "failed"),
    ],
)
def test_which_runs_are_checked_again(world, fields, after):
    run = world.submit()
    Run.objects.filter(pk=run.pk).update(attempts=3, **fields)

    count = recheck([world.task])

    assert state_of(run) == after
    assert count == (1 if after == "received" else 0)
    assert Run.objects.claimable().filter(pk=run.pk).exists() == bool(count)


def test_workers_are_woken(world, monkeypatch):
    run, woken = world.submit(), []
    check_run(run.pk)
    monkeypatch.setattr("campaign.machinery.leases.wake", lambda *message: woken.append(message))

    recheck([world.task])

    assert woken == [("campaign.tasks.check_run", run.pk)]


def test_a_check_under_the_old_rules_cannot_be_written(world):
    run = Run.objects.claim(world.submit().pk)

    recheck([world.task])

    with pytest.raises(LeaseLost):
        Run.objects.finish(run, State.VALID)


def test_a_rejected_run_whose_name_was_used_again_stays_rejected(world):
    first = world.submit(OVERLAPPING_RUN)
    check_run(first.pk)
    second = world.submit()
    check_run(second.pk)

    assert recheck([world.task]) == 1

    assert state_of(first) == State.REJECTED
    assert state_of(second) == State.RECEIVED


def test_a_rejected_run_takes_no_place_that_its_team_does_not_have(world):
    first = world.submit(OVERLAPPING_RUN, name="first")
    check_run(first.pk)
    check_run(world.submit(name="second").pk)
    Task.objects.update(quota=1)

    recheck([world.task])

    assert state_of(first) == State.REJECTED


def test_the_report_is_of_the_last_check(world):
    lines = b"".join(b"1 Q0 doc%d %d %d r 0 10\n" % (rank, rank, 900 - rank) for rank in range(1, 301))
    run = world.submit(lines)
    check_run(run.pk)
    run.refresh_from_db()
    before = len(full_report(run))
    Document.objects.bulk_create(
        Document(collection=world.collection, identifier=f"doc{number}", length=50) for number in range(1, 51)
    )

    recheck([world.task])
    check_run(run.pk)

    run.refresh_from_db()
    assert before - len(full_report(run)) == 50


def test_runs_are_not_refused_for_documents_of_a_collection_that_has_yet_to_be_read(world):
    """Nobody can be wrong about documents that are not there; when they have come, the run is checked again."""
    Document.objects.all().delete()
    run = world.submit()
    check_run(run.pk)
    assert state_of(run) == State.VALID

    Document.objects.create(collection=world.collection, identifier="z", length=10)
    recheck([world.task])
    check_run(run.pk)

    assert state_of(run) == State.REJECTED
    assert {problem["rule"] for problem in full_report(run)} == {"unknown-document"}


def test_a_team_is_told_each_time_the_outcome_of_the_check_turns(world):
    run = world.submit()
    check_run(run.pk)
    assert not Notification.objects.exists()
    for limit in (1, 1, 1500, 1):
        Task.objects.update(result_limit=limit)
        recheck([world.task])
        check_run(run.pk)

    told = Notification.objects.order_by("pk").values_list("kind", "text")
    refused = (
        "rejected",
        "The rules, topics or documents have changed, and the check was repeated. "
        "Your run good was rejected: 1 problem to mend",
    )
    assert [(kind, text.split(" (Focused)")[0]) for kind, text in told] == [
        refused,
        ("counts-again", "Your run good passes the check now"),
        refused,
    ]
