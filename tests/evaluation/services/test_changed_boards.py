"""Boards that go back, wait for runs that are checked again, or had come apart from their task."""

import pytest

from campaign.models import Task, TaskKind, TrailEntry
from campaign.services.acting import By
from campaign.services.refusals import Refused
from campaign.services.runs.checks import check_run
from campaign.services.runs.rechecks import recheck
from evaluation.models import Evaluation
from evaluation.services.building import building_of
from evaluation.services.decisions import abandon, activate, change_measures, roll_back
from evaluation.services.sweep import sweep
from tests.world import RICHER, score_all, score_run, states

pytestmark = pytest.mark.slow


@pytest.fixture
def board(world):
    """Return the world with a live edition that one run is scored in."""
    world.activate()
    world.run = world.scored()
    return world


def test_going_back_makes_new_editions_like_those_that_were_live_then(board):
    other = board.new_task(TaskKind.THOROUGH, closes_at=board.task.closes_at)
    activate(board.import_assessments(RICHER))
    score_all()
    change_measures(board.task, profile="inex-2009", parameters={"unmapped_size": "5"})
    score_all()
    first = board.task.editions.get(number=1)

    [edition] = roll_back(first, by=By(board.organiser), notes="v2 was wrong.")
    score_all()

    assert states(board.task) == [(1, "superseded"), (2, "superseded"), (3, "superseded"), (4, "live")]
    assert (edition.assessment_set, edition.profile, edition.parameters) == (first.assessment_set, "inex-2007", {})
    board.task.refresh_from_db()
    assert (board.task.profile, board.task.parameters) == ("inex-2007", {})
    means = {
        number: dict(
            Evaluation.objects.get(edition__number=number, edition__task=board.task).scores.values_list(
                "measure", "mean"
            )
        )
        for number in (1, 2, 4)
    }
    assert means[1] == means[4] != means[2]
    assert states(other) == [(1, "live")]  # it had no board then
    entry = TrailEntry.objects.filter(deed="rolled back").get()
    assert (entry.subject, entry.details["as_in"]) == ("boards of Ad hoc", ["focused, edition 1"])


def test_an_edition_that_never_was_a_board_is_nothing_to_go_back_to(board):
    [edition] = activate(board.import_assessments(RICHER))
    abandon(board.track)

    with pytest.raises(Refused, match=r"^This edition never was a board\.$"):
        roll_back(edition)


def test_boards_do_not_switch_while_runs_are_being_checked_again(board):
    """Otherwise an activation that meets a re-check would make an empty board public."""
    second = board.import_assessments(RICHER)
    recheck([board.task])

    activate(second)
    sweep()

    assert states(board.task) == [(1, "live"), (2, "building")]
    assert building_of(board.track).runs == 1
    check_run(board.run.pk)
    score_run(board.run.pk)
    assert states(board.task) == [(1, "superseded"), (2, "live")]
    assert Evaluation.objects.on_board().filter(edition__number=2).count() == 1


def test_a_run_that_is_refused_when_checked_again_no_longer_holds_the_boards_up(board):
    second = board.import_assessments(RICHER)
    recheck([board.task])
    activate(second)
    Task.objects.update(result_limit=1)
    check_run(board.run.pk)

    sweep()

    assert states(board.task) == [(1, "superseded"), (2, "live")]


def test_measures_are_changed_also_where_task_and_board_had_come_apart(board):
    Task.objects.update(profile="inex-2009")
    board.task.refresh_from_db()

    [edition] = change_measures(board.task, profile="inex-2009", parameters={})

    assert edition.profile == "inex-2009"
    score_all()
    assert change_measures(board.task, profile="inex-2009", parameters={}) == []
