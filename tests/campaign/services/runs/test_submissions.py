"""Taking runs in: what is stored, what is refused, and what a second click does."""

from datetime import timedelta
from io import BytesIO

import pytest
from django.core.files.storage import default_storage
from django.utils import timezone

from campaign.models import Registration, Run
from campaign.services.acting import By
from campaign.services.permissions.submitting import may_submit, quota_left
from campaign.services.runs.submissions import Refused, submit_run, withdraw_run
from tests.world import GOOD_RUN


def test_a_submission_is_stored_under_its_hash_and_waits_for_the_check(world):
    run = world.submit()

    assert run.state == Run.State.RECEIVED
    assert run.size == len(GOOD_RUN)
    assert run.stored_file == f"runs/{run.sha256[:2]}/{run.sha256}"
    assert default_storage.open(run.stored_file).read() == GOOD_RUN


def test_the_same_bytes_are_stored_once(world):
    first, second = world.submit(name="one"), world.submit(name="two")

    assert first.stored_file == second.stored_file


@pytest.mark.parametrize("name", ["../../etc/passwd", "a b", "=cmd", "", "x" * 65, "naïve", "a\x00b", "-dash", "a\n"])
def test_a_run_name_keeps_to_its_pattern(world, name):
    if name == "":
        assert world.submit(name="").name == "good"  # the run id in the file
        return
    with pytest.raises(Refused) as refusal:
        world.submit(name=name)

    assert refusal.value.field == "name"
    assert refusal.value.reason == (
        "A run name has 1 to 64 letters, digits and . _ + - , and begins with a letter or digit."
    )
    assert not Run.objects.exists()


def test_a_file_name_is_only_text(world):
    run, _ = submit_run(
        world.task,
        by=By(world.alice),
        team=world.alices,
        upload=BytesIO(GOOD_RUN),
        file_name="../..\x00/My run (3).fol.gz",
    )

    assert run.file_name == "My run (3).fol.gz"


def test_a_file_without_a_run_id_lends_its_name(world):
    run, _ = submit_run(
        world.task,
        by=By(world.alice),
        team=world.alices,
        upload=BytesIO(b"rubbish\n"),
        file_name="../..\x00/My run (3).fol.gz",
    )

    assert run.name == "My-run-3"


def test_what_is_left_empty_is_taken_from_the_file(world):
    head = (
        b"# ir_metadata.start\n# method:\n#   automatic: true\n#   retrieval:\n#     - name: bm25\n# ir_metadata.end\n"
    )

    filled = world.submit(head + GOOD_RUN, name="filled")
    chosen = world.submit(head + GOOD_RUN, name="chosen", query="manual", description="By hand.")

    assert (filled.query, filled.description) == ("automatic", "Retrieval: bm25.")
    assert (chosen.query, chosen.description) == ("manual", "By hand.")


def test_an_empty_file_is_refused(world):
    with pytest.raises(Refused, match=r"^This file is empty\.$"):
        world.submit(b"")


def test_a_name_is_taken_once_by_a_standing_run_of_the_team(world):
    world.submit(name="same")

    with pytest.raises(Refused) as refusal:
        world.submit(GOOD_RUN + b"# another file\n", name="same")
    world.submit(name="same", user=world.bob, team=world.bobs)

    assert refusal.value.reason == "Lund already has a run named same in this task. Choose another name."
    assert Run.objects.filter(team=world.alices).count() == 1


def test_a_second_click_is_the_run_of_the_first(world):
    first, second = world.submit(name="twice"), world.submit(name="twice")

    assert first == second
    assert Run.objects.count() == 1


def test_a_withdrawn_or_rejected_run_frees_its_name(world):
    withdraw_run(world.submit(name="same"))
    Run.objects.filter(pk=world.submit(name="same").pk).update(state=Run.State.REJECTED)

    assert world.submit(name="same").name == "same"


def test_who_may_not_submit_is_told_why(world):
    def reason(user=world.alice, team=world.alices, **changes):
        for field, value in changes.items():
            setattr(world.task, field, value)
        return may_submit(user, team, world.task).reason

    now = timezone.now()
    assert reason(team=world.bobs) == "Only members of a team submit its runs."
    assert reason(closes_at=now - timedelta(minutes=1)).startswith("This task closed on ")
    assert reason(closes_at=now + timedelta(days=2), opens_at=now + timedelta(days=1)).startswith("This task opens on ")
    assert reason(opens_at=now - timedelta(days=1), kind="graded") == (
        "Runs for Graded elements tasks are not taken yet."
    )
    assert reason(kind="focused") == ""
    Registration.objects.filter(team=world.alices).update(state="pending")
    assert reason() == "The registration of Lund is waiting for approval."
    Registration.objects.filter(team=world.alices).delete()
    assert reason() == "Lund is not registered for Small."


def test_the_deadline_is_announced_anywhere_on_earth_and_in_utc(world):
    world.task.closes_at = timezone.datetime.fromisoformat("2026-03-04T11:59:00+00:00")

    assert may_submit(world.alice, world.alices, world.task).reason == (
        "This task closed on 3 March 2026, 23:59 AoE (4 March 2026, 11:59 UTC)."
    )


def test_quota_counts_runs_in_flight_and_valid_ones_even_if_withdrawn(world):
    world.task.quota = 2
    world.task.save()
    first = world.submit(name="first")
    assert quota_left(world.alices, world.task) == 1

    Run.objects.filter(pk=first.pk).update(state=Run.State.REJECTED)
    assert quota_left(world.alices, world.task) == 2

    Run.objects.filter(pk=first.pk).update(state=Run.State.VALID)
    withdraw_run(first)
    assert quota_left(world.alices, world.task) == 1

    withdraw_run(world.submit(name="second"))  # taken back before anything was checked
    assert quota_left(world.alices, world.task) == 1

    world.submit(name="third")
    with pytest.raises(Refused) as refusal:
        world.submit(name="fourth")
    assert refusal.value.reason == (
        "Lund has used all of its 2 runs for this task. "
        "Valid runs and runs in flight count; rejected runs, and runs that failed on our side, do not."
    )
    assert quota_left(world.bobs, world.task) == 2


def test_a_refused_submission_leaves_nothing_behind(world):
    world.task.closes_at = timezone.now() - timedelta(hours=1)
    world.task.save()

    with pytest.raises(Refused):
        world.submit()

    assert not Run.objects.exists()
