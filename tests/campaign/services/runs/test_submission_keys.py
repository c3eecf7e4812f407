"""A retry that carries the sender's key meets the run that its first try made."""

from datetime import timedelta
from io import BytesIO

import pytest
from django.utils import timezone

from campaign.models import Run
from campaign.services.acting import By
from campaign.services.runs import submissions
from campaign.services.runs.renaming import rename_run
from campaign.services.runs.submissions import KeyTaken, Refused, submit_run, withdraw_run
from tests.world import GOOD_RUN


def send(world, content=GOOD_RUN, key="key-1", **changes):
    submission = {"by": By(world.alice), "team": world.alices, "task": world.task, "name": "good"} | changes
    return submit_run(**submission, upload=BytesIO(content), file_name="good.fol", submission_key=key)


def test_the_same_key_again_is_the_same_run(world):
    first, second = send(world), send(world)

    assert (first.is_new, second.is_new) == (True, False)
    assert first.run == second.run
    assert Run.objects.get().submission_key == "key-1"


def test_a_run_that_was_rejected_or_withdrawn_since_is_still_the_run_of_its_key(world):
    run = send(world).run
    Run.objects.update(state=Run.State.REJECTED)
    assert send(world).run == run

    withdraw_run(run)

    assert send(world).run == run
    assert Run.objects.count() == 1


def test_neither_quota_nor_deadline_stand_in_the_way_of_a_retry(world):
    world.task.quota = 1
    world.task.save()
    run = send(world).run
    with pytest.raises(Refused, match="has used its only run"):
        send(world, key="key-2", name="second")

    world.task.closes_at = timezone.now() - timedelta(minutes=1)
    world.task.save()

    assert send(world) == (run, False)


@pytest.mark.parametrize("changed", ["task", "team", "file"])
def test_a_key_names_one_submission_only(world, changed):
    send(world)
    other_task = world.new_task("thorough", closes_at=world.task.closes_at)
    changes = {
        "task": {"task": other_task},
        "team": {"team": world.bobs},
        "file": {"content": GOOD_RUN + b"# more\n"},
    }[changed]

    with pytest.raises(KeyTaken) as refusal:
        send(world, **changes)

    assert refusal.value.reason == "This key was used for another submission."
    assert Run.objects.count() == 1


def test_a_key_belongs_to_its_sender(world):
    send(world)

    other = send(world, by=By(world.bob), team=world.bobs)

    assert other.is_new
    assert Run.objects.filter(submission_key="key-1").count() == 2


def test_runs_without_a_key_are_not_taken_for_each_other(world):
    first, second = send(world, key="", name="one"), send(world, key="", name="two")

    assert first.run != second.run


def test_a_key_has_a_longest_length(world):
    with pytest.raises(Refused) as refusal:
        send(world, key="k" * 101)

    assert (refusal.value.reason, refusal.value.field) == (
        "A submission key has at most 100 characters.",
        "submission_key",
    )


@pytest.mark.parametrize("quota", [None, 1])
def test_a_retry_that_overtakes_the_first_look_meets_the_same_run(world, monkeypatch, quota):
    """The other try comes in after this one has looked for its key: the constraint, or the quota, turns it back."""
    world.task.quota = quota
    world.task.save()
    seen = []

    def store_after_the_other(upload, folder, original=submissions.store):
        if not seen:
            seen.append(True)
            seen.append(send(world).run)
        return original(upload, folder)

    monkeypatch.setattr(submissions, "store", store_after_the_other)

    assert send(world) == (seen[1], False)
    assert Run.objects.count() == 1


def test_a_retry_meets_its_run_also_under_another_name(world):
    first = send(world).run
    rename_run(first, by=By(world.alice), name="better")

    assert send(world) == (first, False)
