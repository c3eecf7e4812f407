"""Publishing asks: open tasks and the answer key are named, and stay shut unless that was meant; teams are told."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from lxml import html

from campaign.models import SWITCHES, Grant, Notification, Registration, Task, TaskKind, TrailEntry
from campaign.services.acting import By
from campaign.services.permissions.seeing import may_see_assessments
from campaign.services.refusals import Refused, Stale
from campaign.services.setup.task_settings import change_task
from campaign.services.telling.news import tell_of_results
from campaign.services.visibility.publication import opened_by, publish, seen_tasks, set_switches, unpublish
from evaluation.services.sweep import sweep

DESK = "/desk/campaigns/small/publication/"
TASK = "/desk/campaigns/small/tracks/ad-hoc/tasks/focused/"
KEY = "/campaigns/small/ad-hoc/assessments/v1/imported"


@pytest.fixture
def board(world):
    """Return a world with a live board, an open task and everything kept for publication."""
    world.activate()
    Task.objects.update(**dict.fromkeys(SWITCHES, "at-publication"))
    world.task.refresh_from_db()
    return world


@pytest.fixture
def desk(client, board):
    client.force_login(board.organiser)
    return client


def text(response):
    return " ".join(html.fromstring(response.content.decode()).text_content().split())


def sure(response):
    return re.search(r'name="sure" value="(\w+)"', response.content.decode())[1]


def published():
    return set(Task.objects.exclude(published_at=None).values_list("slug", flat=True))


def close(task):
    Task.objects.filter(pk=task.pk).update(closes_at=timezone.now() - timedelta(minutes=1))
    task.refresh_from_db()


def test_publish_all_asks_and_names_open_tasks_and_the_answer_key(desk, board):
    other = board.new_task(TaskKind.THOROUGH, closes_at=board.task.closes_at)
    close(other)

    question = desk.post(f"{DESK}publish/", {"task": "all"})

    assert published() == set()
    said = text(question)
    assert "Publish the results of 2 tasks now?" in said
    assert "Focused takes runs until" in said and "whoever submits from now on has seen its results." in said
    assert "The assessments of Ad hoc, its answer key, stay hidden: Focused hides them." in said
    assert "Thorough has no board yet, so there is nothing to see of it." in said
    assert "Show the assessments, too, while Focused is open" in said
    assert "Show the assessments, too, while Thorough" not in said
    assert "2 people are told that the results are out, each once." in said


def test_the_table_promises_no_answer_key_that_another_task_keeps_hidden(desk, board):
    close(board.task)
    board.new_task(TaskKind.THOROUGH, closes_at=board.task.closes_at + timedelta(days=9))

    said = text(desk.post(f"{DESK}publish/", {"task": board.task.pk}))

    assert "stay hidden: Thorough hides them" in said
    assert "which are the answer key" not in said


def test_the_answer_key_of_an_open_task_stays_hidden_unless_ticked_by_itself(desk, client, board):
    fields = {"task": board.task.pk}
    question = desk.post(f"{DESK}publish/", fields)
    desk.post(f"{DESK}publish/", fields | {"sure": sure(question)})
    board.task.refresh_from_db()

    assert board.task.is_published()
    client.logout()
    assert client.get(KEY).status_code == 404
    close(board.task)
    assert client.get(KEY).status_code == 200


def test_ticked_by_itself_the_answer_key_is_public(desk, client, board):
    fields = {"task": board.task.pk, "with_assessments": board.task.pk}
    desk.post(f"{DESK}publish/", fields | {"sure": sure(desk.post(f"{DESK}publish/", fields))})
    client.logout()

    assert client.get(KEY).status_code == 200
    assert TrailEntry.objects.filter(deed="published").first().details["assessments_while_open"] is True
    unpublish([board.task], by=By(board.organiser))
    publish([board.task], by=By(board.organiser))
    assert client.get(KEY).status_code == 404, "the tick was for that time"


def test_a_closed_task_publishes_its_answer_key_and_says_so(desk, client, board):
    close(board.task)
    question = desk.post(f"{DESK}publish/", {"task": board.task.pk})

    assert "The assessments of Ad hoc become public. They are the answer key" in text(question)
    assert "with_assessments" not in question.content.decode()
    desk.post(f"{DESK}publish/", {"task": board.task.pk, "sure": sure(question)})
    client.logout()
    assert client.get(KEY).status_code == 200


@pytest.mark.parametrize("switch", ["at-publication", "at-deadline"])
def test_while_a_team_was_granted_more_time_the_answer_key_stays_shut(board, switch):
    close(board.task)
    Task.objects.update(assessments_visible=switch, published_at=timezone.now())
    grant = Grant.objects.create(
        task=board.task, team=board.alices, open_until=timezone.now() + timedelta(hours=1), reason="train"
    )

    assert not may_see_assessments(board.bob, board.track)
    grant.revoked_at = timezone.now()
    grant.save()
    assert may_see_assessments(board.bob, board.track)


def test_a_deadline_moved_on_after_publication_shuts_the_answer_key_again(board):
    close(board.task)
    publish([board.task], by=By(board.organiser))
    assert may_see_assessments(board.bob, board.track)

    Task.objects.update(closes_at=timezone.now() + timedelta(days=1))

    assert not may_see_assessments(board.bob, board.track)


def test_an_embargo_that_ends_before_the_deadline_asks(desk, board):
    moment = (board.task.closes_at - timedelta(hours=2)).strftime("%Y-%m-%dT%H:%M")

    question = desk.post(f"{DESK}publish/", {"task": board.task.pk, "moment": moment})

    assert "its results would be out while teams can still submit." in text(question)
    assert "Show the assessments, too, while Focused is open" in text(question)
    assert published() == set()
    done = desk.post(f"{DESK}publish/", {"task": board.task.pk, "moment": moment, "sure": sure(question)}, follow=True)
    assert "Focused: under embargo until" in text(done)


def test_what_changed_between_question_and_answer_is_asked_again(desk, board):
    question = desk.post(f"{DESK}publish/", {"task": "all"})
    board.new_task(TaskKind.THOROUGH, closes_at=board.task.closes_at)

    again = desk.post(f"{DESK}publish/", {"task": "all", "sure": sure(question)})

    assert "Something changed after you were asked, and nothing was done." in text(again)
    assert published() == set()
    desk.post(f"{DESK}publish/", {"task": "all", "sure": sure(again)})
    assert published() == {"focused", "thorough"}
    second = desk.post(f"{DESK}publish/", {"task": "all", "sure": sure(again)}, follow=True)
    assert "Nothing was left to publish." in text(second)


def test_a_switch_that_somebody_turned_meanwhile_is_asked_about_under_the_lock(board):
    seen = seen_tasks([board.task])
    Task.objects.update(assessments_visible="at-once")

    with pytest.raises(Stale):
        publish([board.task], by=By(board.organiser), seen=seen)

    assert published() == set()


def test_a_date_that_somebody_changed_meanwhile_is_not_lifted_unseen(desk, board):
    publish([board.task], by=By(board.organiser), moment=timezone.now() + timedelta(days=9))
    page = html.fromstring(desk.get(DESK).content.decode())
    form = next(form for form in page.forms if form.get("action", "").endswith("/unpublish/"))
    Task.objects.update(published_at=timezone.now())

    late = desk.post(f"{DESK}unpublish/", dict(form.form_values()), follow=True)

    assert "Somebody changed the publication of Focused after you opened this page: published is now" in text(late)
    assert published() == {"focused"}


@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_that_opens_something_at_once_asks(desk, board, name):
    path, prefix = f"{DESK}ad-hoc/focused/switches/", f"task-{board.task.pk}-"
    if name == "runs_visible":  # what runs returned is seen only with their scores
        Task.objects.update(other_scores_visible="at-once")
    board.task.refresh_from_db()
    fields = {f"{prefix}{one}": getattr(board.task, one) for one in SWITCHES} | {f"{prefix}{name}": "at-once"}

    question = desk.post(path, fields)

    assert "Saved like this, more of Focused is public at once:" in text(question)
    board.task.refresh_from_db()
    assert getattr(board.task, name) == "at-publication"
    desk.post(path, fields | {"sure": sure(question)})
    board.task.refresh_from_db()
    assert getattr(board.task, name) == "at-once"


def test_the_task_form_asks_before_it_opens_something(desk, board):
    form = form_values(desk, TASK) | {"assessments_visible": "at-once"}

    question = desk.post(TASK, form)

    assert question.status_code == 422
    assert "the assessments, which are the answer key" in text(question)
    board.task.refresh_from_db()
    assert board.task.assessments_visible == "at-publication"
    assert desk.post(TASK, form | {"sure": sure(question)}).status_code == 302
    board.task.refresh_from_db()
    assert board.task.assessments_visible == "at-once"


def test_the_yes_to_one_question_is_no_yes_to_another(desk, board):
    form = form_values(desk, TASK) | {"names_visible": "at-once"}
    answer = sure(desk.post(TASK, form))

    assert desk.post(TASK, form | {"assessments_visible": "at-once", "sure": answer}).status_code == 422


def test_a_deadline_moved_past_the_end_of_an_embargo_asks(desk, board):
    publish([board.task], by=By(board.organiser), moment=board.task.closes_at + timedelta(days=1))
    form = form_values(desk, TASK) | {"closes_on": "2099-01-01T00:00"}

    question = desk.post(TASK, form)

    assert "The results come out on" in text(question)
    assert "before the new deadline" in text(question)
    assert desk.post(TASK, form | {"sure": sure(question)}).status_code == 302


def form_values(client, path):
    page = html.fromstring(client.get(path).content.decode())
    form = next(form for form in page.forms if form.get("method") == "post" and "action" not in form.attrib)
    return dict(form.form_values())


def test_what_is_public_already_is_not_asked_about(board):
    set_switches(board.task, by=By(board.organiser), names_visible="at-once")
    board.task.refresh_from_db()

    assert opened_by(board.task, {"names_visible": "at-once", "quota": 3}) == []
    assert opened_by(board.task, {"closes_at": timezone.now()}) == []
    assert opened_by(board.task, {"other_scores_visible": "at-once"}) == ["the scores of all teams"]


RETURNED = "what each run returned: ranked lists, passages and files"


def test_what_runs_returned_opens_only_with_their_scores(board):
    assert opened_by(board.task, {"runs_visible": "at-once"}) == []
    board.task.runs_visible = "at-once"

    assert opened_by(board.task, {"other_scores_visible": "at-once"}) == ["the scores of all teams", RETURNED]


def test_publishing_says_that_what_runs_returned_becomes_public(desk, board):
    assert RETURNED in text(desk.post(f"{DESK}publish/", {"task": board.task.pk}))
    Task.objects.update(runs_visible="at-once", other_scores_visible="never")

    assert RETURNED not in text(desk.post(f"{DESK}publish/", {"task": board.task.pk}))
    Task.objects.update(other_scores_visible="at-publication")
    assert f"the scores of all teams; the names of teams and runs; {RETURNED}" in text(
        desk.post(f"{DESK}publish/", {"task": board.task.pk})
    )


# Telling --------------------------------------------------------------------------------------------------------------


def told(kind):
    return sorted(Notification.objects.filter(kind=kind).values_list("user__username", "text"))


def test_teams_are_told_once_a_person_that_results_are_out(desk, board):
    other = board.new_task(TaskKind.THOROUGH, closes_at=board.task.closes_at, position=2)
    board.activate()
    Registration.objects.filter(team=board.bobs).update(state="refused")

    publish([board.task, other], by=By(board.organiser))
    sweep()

    assert told("results") == [("alice", "The results of Focused and Thorough are out (Small).")]
    notification = Notification.objects.get(kind="results")
    assert (notification.mail_state, notification.address) == ("waiting", "/campaigns/small/")


def test_the_end_of_an_embargo_is_told_when_it_comes(board):
    moment = timezone.now() + timedelta(days=2)
    publish([board.task], by=By(board.organiser), moment=moment)
    assert told("results") == []

    for _ in range(2):
        tell_of_results(moment + timedelta(minutes=1))

    assert told("results") == [
        ("alice", "The results of Focused are out (Small)."),
        ("bob", "The results of Focused are out (Small)."),
    ]


def test_results_without_a_board_are_not_out(world):
    publish([world.task], by=By(world.organiser))

    assert told("results") == []


def test_who_wants_no_mail_of_it_is_told_in_the_application(board):
    board.alice.unmailed = ["results"]
    board.alice.save()

    publish([board.task], by=By(board.organiser))

    assert Notification.objects.get(kind="results", user=board.alice).mail_state == "unwanted"


def entered(task, **changed):
    names = [field.name for field in Task._meta.concrete_fields]
    left = {"id", "track", "slug", "position", "published_at", "assessments_while_open", "generation"}
    return {name: getattr(task, name) for name in names if name not in left} | changed


def test_teams_are_told_once_a_person_when_a_deadline_moves(world):
    later = world.task.closes_at + timedelta(days=3)

    change_task(world.task, by=By(world.organiser), **entered(world.task, closes_at=later))
    world.task.refresh_from_db()
    change_task(world.task, by=By(world.organiser), **entered(world.task, quota=9))

    rows = told("deadline-moved")
    assert [name for name, _ in rows] == ["alice", "bob"]
    assert rows[0][1].startswith("Focused (Small) closes at another time: ")
    assert " It was " in rows[0][1]


def test_a_deadline_moved_into_the_past_is_told_and_one_that_had_passed_is_not(world):
    passed = timezone.now() - timedelta(hours=1)
    change_task(world.task, by=By(world.organiser), **entered(world.task, closes_at=passed))
    assert told("deadline-moved")[0][1].startswith("Focused (Small) has closed: its deadline is ")
    Notification.objects.all().delete()
    world.task.refresh_from_db()

    change_task(world.task, by=By(world.organiser), **entered(world.task, closes_at=passed - timedelta(hours=1)))

    assert told("deadline-moved") == []


def test_a_published_task_gets_no_date_without_a_question(desk, board):
    publish([board.task], by=By(board.organiser))
    board.task.refresh_from_db()

    page = desk.post(f"{DESK}publish/", {"task": board.task.pk, "moment": "2099-12-24T18:00"}, follow=True)

    assert "Focused is published already. Take that back first, then set a date." in text(page)
    with pytest.raises(Refused):
        publish([board.task], by=By(board.organiser), moment=timezone.now() + timedelta(days=1))
