"""What organisers do to many runs at once: asked about with numbers, told once a person, taken back as one deed."""

import re

import pytest

from campaign.models import Membership, Notification, Rejection, Run, TrailEntry
from campaign.services.acting import By
from campaign.services.refusals import Stale
from campaign.services.runs import rejections
from evaluation.models import Edition, Evaluation
from evaluation.services.bulk_deeds import outlook, rerun
from tests.pages import text
from tests.world import GOOD_RUN, fail_all

pytestmark = pytest.mark.slow

RUNS = "/desk/campaigns/small/runs/"


@pytest.fixture
def board(world):
    """Return the world with a live board of two tasks, and five runs of two teams on it."""
    world.thorough = world.new_task("thorough", closes_at=world.task.closes_at)
    world.activate()
    for number in range(3):
        world.scored(name=f"lund-{number}")
    world.scored(user=world.bob, team=world.bobs, name="delft")
    world.scored(task=world.thorough, name="lund-thorough")
    return world


@pytest.fixture
def desk(client, board):
    client.force_login(board.organiser)
    return client


def send(client, **fields):
    return client.post(f"{RUNS}deed/", {"which": "all", "reason": "A copy.", **fields}, follow=True)


def sure(response):
    return re.search(r'name="sure" value="(\w+)"', response.content.decode())[1]


def states():
    return set(Run.objects.values_list("state", flat=True))


def test_rejecting_all_asks_first_with_numbers_by_task_and_team(desk, board):
    question = text(send(desk, deed="reject"))

    assert "Reject 5 runs?" in question
    assert "What the teams read: A copy." in question
    assert "Nothing would be left on the board of Focused, Thorough." in question
    assert "Focused (Ad hoc) 4 4 0" in question
    assert "Thorough (Ad hoc) 1 1 0" in question
    assert "Delft 1" in question and "Lund 4" in question
    assert "2 people are told, each once." in question
    assert states() == {"valid"}
    assert not Notification.objects.filter(kind="rejected").exists()


def test_two_ticked_runs_ask_and_one_does_not(desk, board):
    first, second = Run.objects.order_by("pk")[:2]

    assert "Reject 2 runs?" in text(send(desk, deed="reject", which="ticked", runs=[first.pk, second.pk]))
    assert "1 run rejected." in text(send(desk, deed="reject", which="ticked", runs=[first.pk]))


def test_each_person_is_told_once_a_deed(desk, board):
    send(desk, deed="reject", sure=sure(send(desk, deed="reject")))

    assert states() == {"rejected"}
    told = Notification.objects.filter(kind="rejected")
    assert sorted(told.values_list("user__username", "text")) == [
        (
            "alice",
            "The organisers rejected 4 of your runs (Focused: 3, Thorough: 1): A copy. "
            "They are on no board and use up none of your quota.",
        ),
        (
            "bob",
            "The organisers rejected your run delft (Focused): A copy. "
            "It is on no board and uses up none of your quota.",
        ),
    ]


def test_somebody_in_two_teams_is_told_once(desk, board):
    Membership.objects.create(team=board.bobs, user=board.alice)

    send(desk, deed="reject", sure=sure(send(desk, deed="reject")))

    assert Notification.objects.get(kind="rejected", user=board.alice).text.startswith(
        "The organisers rejected 5 of your runs"
    )


def test_the_trail_has_the_deed_as_one(desk, board):
    send(desk, deed="reject", sure=sure(send(desk, deed="reject")))

    (entry,) = TrailEntry.objects.filter(deed="rejected")
    deed = Rejection.objects.get()
    assert entry.subject.startswith("5 runs: lund-0 of Lund in Focused, ")
    assert entry.details["rejection"] == deed.pk
    assert set(entry.details["runs"]) == set(Run.objects.filter(rejection=deed).values_list("pk", flat=True))


def test_taking_the_deed_back_leaves_alone_what_was_rejected_on_purpose(desk, board):
    before, after = Run.objects.get(name="lund-0"), Run.objects.get(name="lund-1")
    rejections.reject([before], by=By(board.organiser), reason="Cheating.")
    send(desk, deed="reject", sure=sure(send(desk, deed="reject")))
    rejections.reinstate([after], by=By(board.organiser))
    rejections.reject([after], by=By(board.organiser), reason="Cheating, too.")
    deed = Rejection.objects.get(reason="A copy.")
    address = f"{RUNS}rejections/{deed.pk}/take-back/"

    question = desk.post(address)
    assert "Take the rejection of 3 runs back?" in text(question)
    page = text(desk.post(address, {"sure": sure(question)}, follow=True))

    assert "3 runs reinstated." in page
    assert sorted(Run.objects.filter(state="rejected").values_list("name", "rejection_reason")) == [
        ("lund-0", "Cheating."),
        ("lund-1", "Cheating, too."),
    ]
    told = Notification.objects.filter(user=board.alice, text__contains="back.").order_by("pk").last()
    assert told.kind == "counts-again"
    assert told.text == (
        "The organisers took the rejection of 2 of your runs (Focused: 1, Thorough: 1) back. They count again."
    )
    assert TrailEntry.objects.filter(deed="reinstated").first().details["rejection"] == deed.pk
    assert "This had been taken back already." in text(desk.post(address, {"sure": sure(question)}, follow=True))


def test_all_that_were_rejected_in_several_deeds_do_not_come_back_by_the_way(desk, board):
    rejections.reject([Run.objects.get(name="lund-0")], by=By(board.organiser), reason="Cheating.")
    send(desk, deed="reject", sure=sure(send(desk, deed="reject")))

    page = text(send(desk, deed="reinstate", state="rejected"))

    assert "These 5 runs were rejected in 2 deeds, for reasons of their own." in page
    assert states() == {"rejected"}
    assert "Rejections that can be taken back 4 runs: A copy." in page


def test_the_official_run_is_official_again_unless_another_is_by_then(desk, board):
    ours, theirs = Run.objects.get(name="lund-0"), Run.objects.get(name="delft")
    Run.objects.filter(pk__in=[ours.pk, theirs.pk]).update(is_official=True)
    rejections.reject(list(Run.objects.all()), by=By(board.organiser), reason="A copy.")
    another = board.scored(name="another")
    Run.objects.filter(pk=another.pk).update(is_official=True)

    rejections.take_back(Rejection.objects.get(), by=By(board.organiser))

    assert set(Run.objects.filter(is_official=True)) == {another, theirs}


def test_a_run_whose_name_was_taken_stays_behind_and_is_named(desk, board):
    send(desk, deed="reject", sure=sure(send(desk, deed="reject")))
    board.scored(content=GOOD_RUN + b"3 Q0 a 2 1.0 good 0 5\n", name="lund-0")
    address = f"{RUNS}rejections/{Rejection.objects.get().pk}/take-back/"

    page = text(desk.post(address, {"sure": sure(desk.post(address))}, follow=True))

    assert "4 runs reinstated. 1 run stayed rejected: Lund has another run named lund-0 in Focused by now." in page


def test_runs_that_came_after_the_question_are_asked_about(desk, board):
    answer = sure(send(desk, deed="reject"))
    board.scored(name="late")

    again = send(desk, deed="reject", sure=answer)

    assert "This changed after you were asked, and nothing was done." in text(again)
    assert "Reject 6 runs?" in text(again)
    assert states() == {"valid"}
    send(desk, deed="reject", sure=sure(again))
    assert states() == {"rejected"}


def test_a_second_click_does_nothing_more(desk, board):
    answer = sure(send(desk, deed="reject"))
    send(desk, deed="reject", sure=answer)

    page = text(send(desk, deed="reject", sure=answer))

    assert "These runs are withdrawn or rejected already." in page
    assert Rejection.objects.count() == 1
    assert Notification.objects.filter(kind="rejected").count() == 2


def test_of_two_at_once_the_second_is_refused(board):
    runs = list(Run.objects.all())
    seen = outlook("reject", runs).seen
    rejections.reject(runs[:2], by=By(board.organiser), reason="First.")

    with pytest.raises(Stale):
        rejections.reject(runs, by=By(board.organiser), reason="Second.", seen=seen)

    assert Run.objects.filter(state="rejected").count() == 2


def test_re_evaluating_asks_and_a_second_answer_builds_nothing_more(desk, board):
    question = send(desk, deed="re-evaluate")
    assert "Re-evaluate 5 runs?" in text(question)
    assert Edition.objects.count() == 2

    page = text(send(desk, deed="re-evaluate", sure=sure(question)))
    again = text(send(desk, deed="re-evaluate", sure=sure(question)))

    assert "2 new editions begun" in page
    assert "This changed after you were asked" in again
    assert Edition.objects.count() == 4


def test_retrying_asks_with_numbers(desk, board):
    fail_all(board.task.editions.get())

    question = send(desk, deed="retry")

    assert "Try again what failed in 4 runs?" in text(question)
    assert not Evaluation.objects.filter(state="queued").exists()
    assert "4 failed steps started again." in text(send(desk, deed="retry", sure=sure(question)))
    assert "nothing to try again" in text(send(desk, deed="retry", sure=sure(question)))


def test_a_retry_of_what_is_no_longer_so_is_refused(board):
    fail_all(board.task.editions.get())
    runs = list(Run.objects.for_lists())
    seen = outlook("retry", runs).seen
    rerun([Run.objects.get(name="lund-0")], by=By(board.organiser), deed="retry")

    with pytest.raises(Stale):
        rerun(runs, by=By(board.organiser), deed="retry", seen=seen)
