"""Findings of what was scored before they were kept: made up in the background, after everything else."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.machinery.leases import MAX_ATTEMPTS
from campaign.models import Run
from evaluation.models import Evaluation, LateFindings, Score
from evaluation.services import late_findings, scoring
from evaluation.services.background import queue_of
from evaluation.services.findings import findings_of
from evaluation.services.status import status
from evaluation.services.sweep import sweep
from tests.world import ASSESSMENTS


def forget():
    """Let all evaluations be as an earlier version left them."""
    Evaluation.objects.update(findings_file="", judged=None)


@pytest.fixture
def old(world):
    """Return the evaluation of a run that was scored before findings were kept."""
    world.activate()
    run = world.scored()
    forget()
    return Evaluation.objects.get(run=run)


def test_the_sweep_queues_what_is_missing_and_a_worker_makes_it_up(old):
    scores = list(Score.objects.order_by("pk").values_list("measure", "mean"))

    sweep()
    late_findings.find()

    old.refresh_from_db()
    assert findings_of(old).of_topic(0).hit.tolist() == [50]
    assert old.judged == 1.0
    assert list(Score.objects.order_by("pk").values_list("measure", "mean")) == scores
    assert not LateFindings.objects.exists()
    assert late_findings.queue_missing() == 0


def test_a_worker_killed_half_way_leaves_a_row_that_the_next_one_finishes(old):
    late_findings.queue_missing()
    LateFindings.objects.claim()  # and the process dies
    assert late_findings.find() is None
    LateFindings.objects.update(held_until=timezone.now() - timedelta(seconds=1))

    sweep()
    late_findings.find()

    old.refresh_from_db()
    assert old.findings_file
    assert not LateFindings.objects.exists()


def test_a_worker_that_lost_its_row_writes_nothing(old, monkeypatch):
    late_findings.queue_missing()
    compute = scoring.compute

    def slow(evaluation):
        LateFindings.objects.requeue()
        return compute(evaluation)

    monkeypatch.setattr(scoring, "compute", slow)
    late_findings.find()

    old.refresh_from_db()
    assert old.findings_file == ""
    assert LateFindings.objects.get().state == LateFindings.WAITING


def test_what_fails_three_times_is_left_and_not_queued_again(old, monkeypatch):
    def fails(evaluation):
        raise RuntimeError("always")

    monkeypatch.setattr(scoring, "compute", fails)
    late_findings.queue_missing()
    for _ in range(MAX_ATTEMPTS):
        LateFindings.objects.update(held_until=None)
        late_findings.find()

    row = LateFindings.objects.get()
    assert row.state == LateFindings.FAILED
    assert "always" in row.failure
    assert late_findings.queue_missing() == 0


def test_no_more_than_a_few_wait_and_those_of_live_boards_come_first(world, monkeypatch):
    monkeypatch.setattr(late_findings, "AT_MOST", 2)
    world.activate()
    world.scored(name="one")
    world.scored(name="two", user=world.bob, team=world.bobs)
    world.activate(ASSESSMENTS + b"3 Q0 a 10 200 0 0:10\n")
    while scoring.evaluate():
        pass
    forget()

    assert late_findings.queue_missing() == 2
    assert late_findings.queue_missing() == 0
    assert {row.edition.state for row in LateFindings.objects.all()} == {"live"}
    late_findings.find()
    late_findings.find()
    assert late_findings.queue_missing() == 2
    assert {row.edition.state for row in LateFindings.objects.all()} == {"superseded"}


def test_runs_that_wait_come_before_findings(old, world):
    late_findings.queue_missing()
    run = world.submit(user=world.bob, team=world.bobs, name="new")

    assert late_findings.find() is None
    assert LateFindings.objects.get().attempts == 0
    Run.objects.filter(pk=run.pk).delete()
    assert late_findings.find()


def test_runs_that_left_the_board_are_left_alone(old):
    Run.objects.update(withdrawn_at=timezone.now())

    assert late_findings.queue_missing() == 0


def test_the_queue_names_the_run_and_nothing_is_slow_because_of_it(old, world):
    late_findings.queue_missing()
    LateFindings.objects.update(state_since=timezone.now() - timedelta(days=1))

    (job,) = queue_of(world.campaign)

    assert (job.what, job.run, job.edition) == ("findings", old.run, old.edition)
    assert status().waiting == 1
    assert not status().is_slow


def test_boards_are_made_anew_once_the_last_findings_are_there(world):
    world.activate()
    world.scored(name="one")
    world.scored(name="two", user=world.bob, team=world.bobs)
    forget()
    late_findings.queue_missing()
    generations = []
    for _ in range(2):
        late_findings.find()
        world.task.refresh_from_db()
        generations.append(world.task.generation)

    assert generations[1] == generations[0] + 1
