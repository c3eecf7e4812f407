"""What organisers decide about editions, and what becomes of the boards."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from assessments.services.versions import version_of
from campaign.models import Run, TaskKind, TrailEntry
from campaign.services.acting import By
from campaign.services.refusals import Refused
from campaign.services.runs.checks import check_run
from evaluation.management import following
from evaluation.models import Edition, Evaluation
from evaluation.services.building import building_of
from evaluation.services.decisions import (
    abandon,
    activate,
    change_measures,
    go_live_despite_failures,
    pause,
    rebuild,
    resume,
)
from evaluation.services.editions import finish_building
from evaluation.services.scoring import evaluate
from evaluation.services.status import status
from evaluation.services.sweep import sweep
from tests.world import RICHER, fail_all, score_all, states

pytestmark = pytest.mark.slow


@pytest.fixture
def board(world):
    """Return the world with a live edition that one run is scored in."""
    world.activate()
    world.run = world.scored()
    return world


def test_activating_records_who_did_it_why_and_when_it_went_live(board):
    second = board.import_assessments(RICHER)

    [edition] = activate(second, by=By(board.organiser), notes="Topic 3 was judged again.")
    score_all()

    edition.refresh_from_db()
    assert (edition.started_by, edition.notes) == (board.organiser, "Topic 3 was judged again.")
    went_live, activated = TrailEntry.objects.all()[:2]
    assert (activated.deed, activated.subject, activated.actor) == (
        "activated",
        "assessments v2 of Ad hoc",
        board.organiser,
    )
    assert activated.details == {"notes": "Topic 3 was judged again.", "editions": ["focused, edition 2"]}
    assert (went_live.deed, went_live.subject) == ("went live", "boards of Ad hoc with assessments v2")
    assert (went_live.through, went_live.details) == ("machinery", {"editions": ["focused, edition 2"], "without": []})


def test_a_participant_reads_that_the_first_scoring_is_paused(client, world):
    check_run(world.submit().pk)
    world.activate()
    pause(world.track, by=By(world.organiser))
    client.force_login(world.alice)
    run = Run.objects.get()

    assert "The organisers have paused the scoring" in client.get(f"/runs/{run.pk}/").content.decode()
    resume(world.track, by=By(world.organiser))
    assert "The organisers have paused" not in client.get(f"/runs/{run.pk}/").content.decode()


def test_an_edition_that_cannot_be_begun_leaves_no_trace(board, monkeypatch):
    before = TrailEntry.objects.count()
    monkeypatch.setattr("campaign.services.telling.trail.TrailEntry.objects.create", lambda **fields: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        activate(board.import_assessments(RICHER))

    monkeypatch.undo()
    assert states(board.task) == [(1, "live")]
    assert TrailEntry.objects.count() == before


def test_a_paused_edition_is_not_scored_and_does_not_go_live(board):
    activate(board.import_assessments(RICHER))

    assert pause(board.track, by=By(board.organiser))
    score_all()
    waiting = Evaluation.objects.get(edition__number=2)
    evaluate(waiting.pk)

    waiting.refresh_from_db()
    assert waiting.state == Evaluation.State.QUEUED
    assert list(Evaluation.objects.to_wake()) == []
    assert not finish_building(board.track)
    assert not finish_building(board.track, despite_failures=True)
    assert states(board.task) == [(1, "live"), (2, "building")]


def test_what_was_done_when_the_building_was_paused_goes_live_on_resuming(board):
    activate(board.import_assessments(RICHER))
    held = Evaluation.objects.claim(Evaluation.objects.get(edition__number=2).pk)
    pause(board.track)
    Evaluation.objects.finish(held, Evaluation.State.DONE)  # the worker that had it finishes
    sweep()
    assert states(board.task) == [(1, "live"), (2, "building")]

    assert resume(board.track, by=By(board.organiser))

    assert states(board.task) == [(1, "superseded"), (2, "live")]
    assert [entry.deed for entry in TrailEntry.objects.all()[:3]] == ["went live", "resumed", "paused"]


def test_pausing_and_resuming_twice_is_harmless(board):
    assert not pause(board.track)
    activate(board.import_assessments(RICHER))

    assert [pause(board.track), pause(board.track)] == [True, False]
    assert [resume(board.track), resume(board.track)] == [True, False]


def test_the_live_board_takes_runs_while_the_next_one_is_paused(board):
    activate(board.import_assessments(RICHER))
    pause(board.track)

    late = board.scored(name="late")

    assert sorted(late.evaluations.values_list("edition__number", "state")) == [(1, "done"), (2, "queued")]
    resume(board.track)
    score_all()
    assert states(board.task) == [(1, "superseded"), (2, "live")]
    assert Evaluation.objects.on_board().filter(edition__number=2).count() == 2


def test_what_is_abandoned_is_not_scored_and_waits_nowhere(board):
    activate(board.import_assessments(RICHER))

    assert abandon(board.track, by=By(board.organiser))
    score_all()

    assert Evaluation.objects.get(edition__number=2).state == Evaluation.State.QUEUED
    assert status().waiting == 0
    assert states(board.task) == [(1, "live"), (2, "abandoned")]
    assert not abandon(board.track)
    assert TrailEntry.objects.first().deed == "abandoned"


def test_a_worker_that_ends_after_the_abandoning_changes_no_board(board):
    activate(board.import_assessments(RICHER))
    held = Evaluation.objects.claim(Evaluation.objects.get(edition__number=2).pk)
    abandon(board.track)

    Evaluation.objects.finish(held, Evaluation.State.DONE)

    assert not finish_building(board.track)
    assert states(board.task) == [(1, "live"), (2, "abandoned")]


def test_a_failed_run_holds_the_switch_until_the_organiser_decides(board):
    other = board.scored(user=board.bob, team=board.bobs, name="other")
    [edition] = activate(board.import_assessments(RICHER))
    fail_all(edition)
    edition.evaluations.filter(run=other).update(state=Evaluation.State.QUEUED)
    with pytest.raises(
        Refused, match=r"^Some runs are still being checked or scored\. The boards can switch when none is left\.$"
    ):
        go_live_despite_failures(board.track)
    score_all()
    found = building_of(board.track)
    assert (found.scored, found.runs, found.percent, found.waits_for_decision) == (1, 2, 50, True)

    go_live_despite_failures(board.track, by=By(board.organiser))

    assert states(board.task) == [(1, "superseded"), (2, "live")]
    entry = TrailEntry.objects.first()
    assert (entry.deed, entry.actor, entry.details["without"]) == ("went live", board.organiser, ["good"])


def test_going_live_is_refused_where_there_is_nothing_or_it_is_paused(board):
    with pytest.raises(Refused, match=r"^Nothing is being built\.$"):
        go_live_despite_failures(board.track)
    [edition] = activate(board.import_assessments(RICHER))
    fail_all(edition)
    pause(board.track)
    with pytest.raises(Refused, match=r"^The building is paused\. Resume it first\.$"):
        go_live_despite_failures(board.track)


def test_a_rejected_run_no_longer_holds_the_switch(board):
    [edition] = activate(board.import_assessments(RICHER))
    fail_all(edition)
    Run.objects.update(state=Run.State.REJECTED, rejection_reason="A copy.")

    sweep()

    assert states(board.task) == [(1, "superseded"), (2, "live")]
    assert not Evaluation.objects.on_board().exists()


@pytest.mark.parametrize("version", [0, 7])
def test_a_version_that_is_not_there_is_refused(board, version):
    with pytest.raises(Refused, match=rf"^Ad hoc has no assessments v{version}\.$"):
        version_of(board.track, version)


def test_a_track_without_a_task_for_the_assessments_is_refused(board):
    second = board.import_assessments(RICHER)
    board.task.kind = TaskKind.INFORMATIVENESS
    board.task.save()

    with pytest.raises(Refused, match=r"^No task of Ad hoc can be scored with assessments v2\.$"):
        activate(second)


def test_building_anew_uses_the_assessments_that_are_live(board):
    board.import_assessments(RICHER)

    [edition] = rebuild([board.task], by=By(board.organiser), notes="To be sure.")
    score_all()

    assert (edition.assessment_set.version, edition.notes, edition.started_by) == (1, "To be sure.", board.organiser)
    assert states(board.task) == [(1, "superseded"), (2, "live")]
    assert TrailEntry.objects.filter(deed="re-evaluated").get().subject == "Focused"


def test_building_one_task_anew_leaves_what_the_others_are_built_on(board):
    other = board.new_task(TaskKind.THOROUGH, closes_at=board.task.closes_at)
    activate(board.import_assessments(RICHER))
    pause(board.track)

    rebuild([board.task])

    building_ones = Edition.objects.building().order_by("task__slug")
    assert [(e.task.slug, e.assessment_set.version, e.is_paused) for e in building_ones] == [
        ("focused", 2, True),
        ("thorough", 2, True),
    ]
    assert states(other) == [(1, "building")]
    assert states(board.task) == [(1, "live"), (2, "abandoned"), (3, "building")]


def test_a_task_without_a_board_cannot_be_built_anew(world):
    with pytest.raises(Refused, match=r"^Focused has no board yet\. Activate assessments first\.$"):
        rebuild([world.task])
    with pytest.raises(Refused, match=r"^There is no task to score anew\.$"):
        rebuild([])


def test_other_parameters_make_a_new_edition_and_leave_the_old_one_alone(board):
    before = dict(Evaluation.objects.get().scores.values_list("measure", "mean"))

    [edition] = change_measures(board.task, by=By(board.organiser), profile="inex-2009", parameters={"cutoffs": "3, 5"})
    score_all()

    board.task.refresh_from_db()
    assert (board.task.profile, board.task.parameters) == ("inex-2009", {"cutoffs": [3, 5]})
    assert (edition.profile, edition.parameters) == ("inex-2009", {"cutoffs": [3, 5]})
    assert states(board.task) == [(1, "superseded"), (2, "live")]
    first = board.task.editions.get(number=1)
    assert (first.profile, first.parameters) == ("inex-2007", {})
    assert dict(first.evaluations.get().scores.values_list("measure", "mean")) == before
    entry = TrailEntry.objects.get(deed="changed")
    ranked = {"official_measure": "iMAP"}
    assert entry.details["before"] == {"profile": "inex-2007", "parameters": {}} | ranked
    assert entry.details["after"] == {"profile": "inex-2009", "parameters": {"cutoffs": [3, 5]}} | ranked


def test_the_same_parameters_again_build_nothing(board):
    change_measures(board.task, profile="inex-2007", parameters={"cutoffs": "3"})

    assert change_measures(board.task, profile="inex-2007", parameters={"cutoffs": [3]}) == []
    assert board.task.editions.count() == 2


@pytest.mark.parametrize(
    ("profile", "parameters", "reason"),
    [
        ("inex-1066", {}, "There is no profile “inex-1066”. Profiles are inex-2007, inex-2009 and inex-2010."),
        (
            "inex-2007",
            {"beta": "1"},
            "There is no parameter “beta” for a focused task. It knows cutoffs and unmapped_size.",
        ),
        (
            "inex-2007",
            {"cutoffs": "zero"},
            "Parameter cutoffs can't be “zero”: it takes up to 50 whole numbers from 1 to 1,000,000, such as "
            "5,10,25,50.",
        ),
    ],
)
def test_parameters_that_make_no_sense_are_refused_and_change_nothing(board, profile, parameters, reason):
    with pytest.raises(Refused) as refusal:
        change_measures(board.task, profile=profile, parameters=parameters)

    board.task.refresh_from_db()
    assert refusal.value.reason == reason
    assert (board.task.profile, board.task.editions.count()) == ("inex-2007", 1)


def test_a_task_without_a_board_keeps_its_measures_for_the_first_one(world):
    assert change_measures(world.task, profile="inex-2009", parameters={}) == []

    world.activate()
    assert world.task.editions.get().profile == "inex-2009"


def test_an_evaluation_of_a_rejected_run_is_on_no_board_and_tells_nobody(board):
    run = board.submit(name="late")
    check_run(run.pk)
    Run.objects.filter(pk=run.pk).update(state=Run.State.REJECTED)

    score_all()

    assert run.evaluations.get().state == Evaluation.State.DONE
    assert not run.evaluations.on_board().exists()
    assert not board.alice.notifications.filter(about=f"run {run.pk}").exists()


# Commands -------------------------------------------------------------------------------------------------------------


def command(*words):
    out = StringIO()
    call_command(*words, stdout=out, stderr=out)
    return out.getvalue()


def test_the_command_activates_and_says_so(board):
    board.import_assessments(RICHER)

    said = command("activate", "small/ad-hoc", "2", "--notes", "Better.")

    assert said == "Begun with assessments v2: focused edition 2.\n"
    entry = TrailEntry.objects.get(deed="activated", subject="assessments v2 of Ad hoc")
    assert (entry.through, entry.actor, entry.details["notes"]) == ("command", None, "Better.")


def test_a_dry_run_of_the_commands_builds_nothing(board):
    told = "focused: 1 runs would be scored under inex-2007 and ranked by iMAP.\n"
    assert command("activate", "small/ad-hoc", "1", "--dry-run") == told
    assert command("reevaluate", "small", "--dry-run") == "ad-hoc/focused: 1 runs would be scored anew.\n"
    assert states(board.task) == [(1, "live")]


def test_the_command_waits_until_the_boards_have_switched(board, monkeypatch):
    monkeypatch.setattr(following.time, "sleep", lambda seconds: score_all())

    said = command("reevaluate", "small/ad-hoc/focused", "--wait")

    assert said.splitlines() == [
        "Begun: focused edition 2.",
        "No worker is alive: start the site, or a worker. Ctrl-C ends only the waiting.",
        "ad-hoc: focused edition 2 live.",
    ]


@pytest.mark.parametrize(
    ("deed", "reason"),
    [
        (pause, "The building of ad-hoc is paused. Resume it on the desk."),
        (abandon, "The new editions of ad-hoc were abandoned: somebody began others, or gave them up."),
        (
            lambda track: fail_all(Edition.objects.building().get()),
            "Scoring failed on our side for good. Try again or go live without them on the desk.",
        ),
    ],
)
def test_a_waiting_command_ends_where_somebody_has_to_decide(board, monkeypatch, deed, reason):
    monkeypatch.setattr(following.time, "sleep", lambda seconds: deed(board.track))

    with pytest.raises(CommandError) as error:
        command("reevaluate", "small/ad-hoc", "--wait")

    assert str(error.value) == reason


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["activate", "small/ad-hoc", "9"], "Ad hoc has no assessments v9."),
        (["activate", "small/ad-hoc", "9", "--dry-run"], "Ad hoc has no assessments v9."),
        (["activate", "small", "1"], "“small” is not of the form campaign/track."),
        (["activate", "large/ad-hoc", "1"], "There is no campaign large. There are: small."),
        (["activate", "small/x", "1"], "small has no track x. It has: ad-hoc."),
        (["reevaluate", "small/ad-hoc/x"], "small/ad-hoc has no task x. It has: focused."),
        (["reevaluate", "small/"], "“small/” is not of the form campaign, campaign/track or campaign/track/task."),
    ],
)
def test_commands_say_what_is_not_there(board, words, reason):
    with pytest.raises(CommandError) as error:
        command(*words)

    assert str(error.value) == reason


def test_a_campaign_without_boards_has_nothing_to_score_anew(world):
    with pytest.raises(CommandError, match=r"^small has no board yet\. Activate assessments first\.$"):
        command("reevaluate", "small")


def test_an_activation_tells_what_it_ended(board):
    activate(board.import_assessments(RICHER))
    activate(board.import_assessments(RICHER + b"2 Q0 b 10 200 0 0:10\n"))

    assert TrailEntry.objects.filter(deed="activated").first().details["abandoned"] == ["focused, edition 2"]
