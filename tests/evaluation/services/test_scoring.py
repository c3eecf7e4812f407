"""From a valid run to scores on a board: once, exactly, and whole."""

import numpy as np
import pytest
from django.db import IntegrityError, transaction

from campaign.services.runs.check_results import load_columns
from campaign.services.runs.checks import check_run
from evaluation.models import Edition, Evaluation, Score
from evaluation.services import editions, scoring
from evaluation.services.decisions import activate
from evaluation.services.editions import finish_building
from limelight.formats.assessments.highlights import read_highlight_lines
from limelight.formats.opening import Limits
from limelight.scoring.evaluators import evaluate as evaluate_columns
from tests.world import ASSESSMENTS, score_run

RICHER = ASSESSMENTS + b"3 Q0 a 10 200 0 0:10\n"


def test_a_run_is_scored_in_the_live_edition_with_the_engine_s_numbers(world):
    world.activate()
    run = world.scored()

    evaluation = Evaluation.objects.get(run=run)
    judgements, _ = read_highlight_lines(ASSESSMENTS, Limits())
    expected = evaluate_columns("focused", judgements, load_columns(run), measures="all")
    assert evaluation.state == Evaluation.State.DONE
    assert evaluation.edition.topic_numbers == ["1", "2", "3"]
    assert {score.measure: score.mean for score in evaluation.scores.all()} == expected.means
    for score in evaluation.scores.all():
        assert np.array_equal(score.topic_values, expected.topic_values[score.measure])
    assert np.array_equal(evaluation.curves.get().values, expected.curves["iP"])


def test_the_numbers_by_hand(world):
    """Topic 1: P 1 at once; topic 2: 100 of 200 characters right, 100 of 120 found; topic 3: 40 of 100, all found."""
    world.activate()
    world.scored()

    iap = Score.objects.get(measure="iMAP")
    assert iap.topic_values.tolist() == pytest.approx([1, 84 / 101 * 0.5, 0.4], abs=1e-15)
    assert iap.mean == pytest.approx((1 + 84 / 101 * 0.5 + 0.4) / 3, abs=1e-15)


def test_a_second_delivery_scores_nothing_twice(world):
    world.activate()
    run = world.scored()
    before = list(Score.objects.values_list("pk", flat=True))

    score_run(run.pk)
    scoring.evaluate(Evaluation.objects.get().pk)

    assert Evaluation.objects.get().attempts == 1
    assert list(Score.objects.values_list("pk", flat=True)) == before


def test_a_run_before_the_assessments_waits_and_is_scored_when_they_come(world):
    run = world.scored()
    assert not Evaluation.objects.exists()

    world.activate()
    evaluation = Evaluation.objects.get(run=run)
    assert evaluation.edition.state == Edition.State.BUILDING
    scoring.evaluate(evaluation.pk)

    assert Edition.objects.get().state == Edition.State.LIVE


def test_boards_switch_as_a_whole_when_every_run_of_every_task_is_scored(world):
    world.new_task("thorough", closes_at=world.task.closes_at)
    world.activate()
    world.scored(name="one")
    world.scored(name="two", user=world.bob, team=world.bobs)

    activate(world.import_assessments(RICHER))
    new = Edition.objects.building().get(task=world.task)
    first, second = Evaluation.objects.filter(edition=new)
    scoring.evaluate(first.pk)
    states_in_between = set(Edition.objects.values_list("task__slug", "number", "state"))
    scoring.evaluate(second.pk)

    assert states_in_between == {
        ("focused", 1, "live"),
        ("thorough", 1, "live"),
        ("focused", 2, "building"),
        ("thorough", 2, "building"),
    }
    assert set(Edition.objects.values_list("task__slug", "number", "state")) == {
        ("focused", 1, "superseded"),
        ("thorough", 1, "superseded"),
        ("focused", 2, "live"),
        ("thorough", 2, "live"),
    }


def test_a_run_that_arrives_while_an_edition_is_built_is_scored_in_both(world):
    world.activate()
    first = world.scored(name="first")
    activate(world.import_assessments(RICHER))
    late = world.scored(name="late")

    assert Evaluation.objects.filter(run=late, state="done").count() == 2
    assert Edition.objects.get(number=2).state == Edition.State.BUILDING
    scoring.evaluate(Evaluation.objects.get(run=first, edition__number=2).pk)
    assert Edition.objects.get(number=2).state == Edition.State.LIVE


def test_the_latest_activation_wins_and_the_other_is_abandoned(world):
    world.scored()
    world.activate()
    activate(world.import_assessments(RICHER))

    assert dict(Edition.objects.values_list("number", "state")) == {1: "abandoned", 2: "building"}
    scoring.evaluate(Evaluation.objects.get(edition__number=2).pk)
    assert dict(Edition.objects.values_list("number", "state")) == {1: "abandoned", 2: "live"}


def test_a_failure_of_ours_ends_with_a_reference_and_uses_no_quota(world, monkeypatch):
    world.task.quota = 1
    world.task.save()
    world.activate()
    run = world.submit()
    check_run(run.pk)

    def broken(evaluation):
        raise MemoryError("no paper left")

    with monkeypatch.context() as patched:
        patched.setattr(scoring, "compute", broken)
        for _ in range(3):
            score_run(run.pk)
            Evaluation.objects.update(held_until=None)
    evaluation = Evaluation.objects.get()
    run.refresh_from_db()
    assert evaluation.state == Evaluation.State.FAILED
    assert "MemoryError: no paper left" in evaluation.failure
    assert evaluation.failure_reference
    assert run.quota_waived
    assert world.submit(name="another").pk  # the place is free again


def test_a_failed_evaluation_holds_a_new_edition_up_until_the_organiser_decides(world):
    world.scored()
    world.activate()
    Evaluation.objects.update(state=Evaluation.State.FAILED)

    assert not finish_building(world.track)
    assert finish_building(world.track, despite_failures=True)
    assert Edition.objects.get().state == Edition.State.LIVE


def test_a_run_is_evaluated_once_per_edition_by_constraint(world):
    world.activate()
    run = world.scored()

    with pytest.raises(IntegrityError), transaction.atomic():
        Evaluation.objects.create(run=run, edition=Edition.objects.get(), run_sha256=run.sha256)


def test_a_task_has_one_live_and_one_building_edition_by_constraint(world):
    assessment_set = world.activate()
    fields = {"assessment_set": assessment_set, "profile": "inex-2007", "engine_version": "1", "axis": "characters"}
    fields["official_measure"] = "iMAP"
    for state in ("live", "building"):
        Edition.objects.filter(number=1).update(state=state)
        with pytest.raises(IntegrityError), transaction.atomic():
            Edition.objects.create(task=world.task, number=2, state=state, topic_numbers=[], **fields)


def test_an_edition_whose_topics_are_not_the_engine_s_is_never_scored(world):
    world.activate()
    Edition.objects.update(topic_numbers=["1", "2"])
    run = world.scored()

    assert "The engine's topics are not the edition's." in Evaluation.objects.get(run=run).failure
    assert not Score.objects.exists()
    assert editions.finish_building(world.track) is False
