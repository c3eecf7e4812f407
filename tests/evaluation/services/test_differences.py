"""Differences between two runs: asked for, computed by a worker, kept for good, and few at a time."""

from datetime import timedelta

import numpy as np
import pytest
from django.utils import timezone

from campaign.services.acting import By
from campaign.services.refusals import Refused
from evaluation.models import Difference, Edition
from evaluation.services import differences
from evaluation.services.differences import differ, difference_of, request_difference, told_by
from evaluation.services.material import placed_run
from evaluation.services.sweep import sweep
from tests.world import RICHER, World, score_all, use_up_attempts

ONE = b"1 Q0 a 1 9 one 0 50\n1 Q0 b 2 8 one 0 50\n2 Q0 c 1 7 one 0 200\n3 Q0 d 1 6 one 0 100\n"
OTHER = b"1 Q0 b 1 9 other 0 50\n1 Q0 a 2 8 other 30 90\n2 Q0 a 1 7 other 100 60\n3 Q0 d 1 6 other 0 30\n"


def pair_on(world, one=ONE, other=OTHER):
    """Score two runs, and return their evaluations on the live board."""
    world.activate()
    runs = [world.scored(one, "one"), world.scored(other, "other", user=world.bob, team=world.bobs)]
    edition = Edition.objects.for_board().get(task=world.task, state="live")
    return edition, [edition.evaluations.get(run=run) for run in runs]


def ask(world, edition, one, other):
    request_difference(edition, by=By(world.organiser), one=one, other=other)


@pytest.fixture
def board(world):
    world.edition, world.pair = pair_on(world)
    return world


def test_a_worker_computes_what_was_asked_for_once(board):
    before = type(board.task).objects.get(pk=board.task.pk).generation

    ask(board, board.edition, *board.pair)
    ask(board, board.edition, *reversed(board.pair))

    row = Difference.objects.get()
    assert (row.one, row.other, row.state) == (*board.pair, "queued")
    assert differ().pk == row.pk
    row.refresh_from_db()
    assert (row.state, row.engine_version) == ("done", differences.ENGINE_VERSION)
    assert type(board.task).objects.get(pk=board.task.pk).generation > before + 1  # asked for, and computed
    assert differ() is None


def test_what_is_kept_tells_what_was_computed(board):
    ask(board, board.edition, *board.pair)
    differ()

    kept = told_by(Difference.objects.get(), board.edition)

    fresh = difference_of(board.edition, [placed_run(one.run, board.edition) for one in board.pair])
    assert np.array_equal(kept.parts.scores, fresh.parts.scores)
    assert np.array_equal(kept.parts.returned, fresh.parts.returned)
    assert np.array_equal(kept.parts.shared, fresh.parts.shared)
    assert kept.texts == fresh.texts
    assert (kept.text_count, kept.alone.tolist()) == (4, [[30, 100, 20], [0, 20, 0]])
    assert kept.documents.tolist() == [1, 2, 1]
    values = [one.scores.get(measure="iMAP").topic_values for one in board.pair]
    assert np.array_equal(kept.parts.topic_differences, values[0] - values[1])


def test_the_difference_of_the_other_to_the_one_is_the_same_turned(board):
    ask(board, board.edition, *board.pair)
    differ()

    told = told_by(Difference.objects.get(), board.edition)

    turned = told.turned()
    assert turned.parts.difference.mean == pytest.approx(-told.parts.difference.mean)
    assert [text.alone for text in turned.texts] == [text.alone[::-1] for text in told.texts]
    assert turned.alone.tolist() == told.alone[::-1].tolist()


@pytest.mark.parametrize("kind", ["relevant-in-context", "best-in-context", "thorough", "document"])
def test_every_kind_of_task_tells_what_it_can(db, settings, tmp_path, kind):
    settings.MEDIA_ROOT = tmp_path / "files"
    world = World(kind)
    lines = b"1 Q0 a 1 9 one 0 50\n2 Q0 c 1 7 one 0 100\n", b"1 Q0 b 1 9 other 0 50\n2 Q0 c 1 7 other 50 100\n"
    if kind == "best-in-context":
        lines = b"1 Q0 a 1 9 one 0\n2 Q0 c 1 7 one 10\n", b"1 Q0 b 1 9 other 0\n2 Q0 c 1 7 other 50\n"
    if kind == "document":
        lines = b"1 Q0 a 1 9 one\n2 Q0 c 1 7 one\n", b"1 Q0 b 1 9 other\n2 Q0 a 1 7 other\n"
    edition, pair = pair_on(world, *lines)
    ask(world, edition, *pair)

    assert differ().state == "done", Difference.objects.get().failure

    told = told_by(Difference.objects.get(), edition)
    assert (told.parts is None) == (kind in ("thorough", "document"))
    assert ("1", "a") in {(text.topic, text.document) for text in told.texts}


def test_of_many_documents_those_that_differ_most_are_kept(board, monkeypatch):
    monkeypatch.setattr(differences, "MOST_TEXTS", 1)
    ask(board, board.edition, *board.pair)
    differ()

    told = told_by(Difference.objects.get(), board.edition)

    assert [(text.topic, text.document, text.alone) for text in told.texts] == [("2", "c", (100, 0))]
    assert told.text_count > 1


def test_a_killed_worker_leaves_a_row_that_the_sweep_has_taken_up_again(board):
    ask(board, board.edition, *board.pair)
    row = Difference.objects.claim()
    Difference.objects.filter(pk=row.pk).update(held_until=timezone.now() - timedelta(seconds=1))

    sweep()

    assert differ().state == "done"


def test_what_failed_is_tried_again_when_somebody_asks(board):
    ask(board, board.edition, *board.pair)
    use_up_attempts(Difference.objects.all())
    sweep()
    row = Difference.objects.get()
    assert (row.state, bool(row.failure_reference)) == ("failed", True)

    ask(board, board.edition, *board.pair)

    assert differ().state == "done"
    assert Difference.objects.get().failure_reference == ""


def test_a_board_keeps_few_and_the_oldest_make_room(board, monkeypatch):
    monkeypatch.setattr(differences, "MOST_KEPT", 2)
    third = board.scored(ONE, "third")
    evaluations = [*board.pair, board.edition.evaluations.get(run=third)]
    pairs = [(evaluations[0], evaluations[1]), (evaluations[0], evaluations[2]), (evaluations[1], evaluations[2])]
    for pair in pairs[:2]:
        ask(board, board.edition, *pair)

    with pytest.raises(Refused) as refused:
        ask(board, board.edition, *pairs[2])

    assert refused.value.reason == "2 differences of this board are waiting. Try again when some are computed."

    while differ():
        pass
    ask(board, board.edition, *pairs[2])
    assert [(row.one, row.other) for row in Difference.objects.order_by("pk")] == pairs[1:]


def test_who_asks_for_very_many_is_told_to_wait(board, monkeypatch):
    monkeypatch.setattr("campaign.machinery.limits.RateLimit.seconds_to_wait", lambda *_: 17)

    with pytest.raises(Refused) as refused:
        ask(board, board.edition, *board.pair)

    assert refused.value.reason == "You asked for many comparisons at once. Try again in 17 seconds."


def test_an_edition_that_is_being_built_has_none(board):
    board.activate(RICHER)
    building = Edition.objects.get(state="building")

    with pytest.raises(Refused) as refused:
        ask(board, building, *board.pair)

    assert refused.value.reason == "An edition that is being built is compared when it is live."


def test_it_is_about_evaluations_that_nobody_overwrites(board):
    """Another edition has others, and so differences of its own."""
    ask(board, board.edition, *board.pair)
    differ()
    board.activate(RICHER)
    score_all()

    live = Edition.objects.get(state="live")
    assert live != board.edition
    assert live.differences.count() == 0
    assert board.edition.differences.count() == 1
