"""Boards and the versions of a collection: an edition keeps the text that it was begun on."""

import pytest

from campaign.services.acting import By
from campaign.services.documents.versions import use_version
from campaign.services.runs.checks import check_run
from evaluation.models import Edition, Evaluation, Score
from evaluation.services.decisions import activate, rebuild, roll_back
from evaluation.services.outdated import behind_collection
from evaluation.services.scoring import evaluate

pytestmark = pytest.mark.slow

BEFORE = b"<article><p>right</p><p>wrong words for this</p></article>"
AFTER = b"<article><p>a long way before it comes right</p><p>wrong words for this</p></article>"
ASSESSMENTS = b"1 Q0 a 5 25 0 0:5\n"
RUN = b"1 Q0 a 1 9 r /article[1]/p[1]\n"


def mean(run, edition):
    return Score.objects.get(evaluation__run=run, evaluation__edition=edition, measure="iMAP").mean


@pytest.fixture
def board(world):
    """Return the world with a board on the first version with text, and the collection at the next one."""
    world.give_text(a=BEFORE)
    activate(world.import_assessments(ASSESSMENTS))
    world.first = world.scored(RUN, "first")
    world.edition = Edition.objects.live().get()
    world.give_text(a=AFTER)
    check_run(world.first.pk)
    return world


def test_all_runs_of_a_board_lie_on_the_text_that_it_was_begun_on(board):
    late = board.scored(RUN, "late")

    assert board.edition.collection.version == 2
    assert board.track.collection.version == 3
    assert mean(late, board.edition) == mean(board.first, board.edition) == 1


def test_an_evaluation_of_an_old_board_is_made_again_with_the_same_numbers(board):
    (rebuilt,) = rebuild([board.task])
    for evaluation in Evaluation.objects.claimable():
        evaluate(evaluation.pk)
    assert mean(board.first, rebuilt) < 1  # the new text has other characters in that paragraph
    Evaluation.objects.filter(edition=board.edition).delete()
    board.edition.refresh_from_db()
    assert board.edition.state == "superseded"

    again = Evaluation.objects.create(edition=board.edition, run=board.first, run_sha256=board.first.sha256)
    evaluate(again.pk)

    assert mean(board.first, board.edition) == 1


def test_going_back_to_a_board_goes_back_to_its_documents(board):
    rebuild([board.task])
    for evaluation in Evaluation.objects.claimable():
        evaluate(evaluation.pk)

    (like_it,) = roll_back(board.edition)
    for evaluation in Evaluation.objects.claimable():
        evaluate(evaluation.pk)

    assert like_it.collection == board.edition.collection
    assert mean(board.first, like_it) == 1


def test_a_board_on_another_version_is_behind_until_one_goes_back(board):
    assert behind_collection(board.track) == [board.edition]

    use_version(board.collection, by=By(board.organiser), version=2, seen=3)
    board.track.refresh_from_db()

    assert behind_collection(board.track) == []
