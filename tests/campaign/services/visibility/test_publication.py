"""Publication: switches, embargoes, previews, and reviewers who come by a link."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.models import SWITCHES, Campaign, ReviewerLink, TaskKind, TrailEntry
from campaign.services.acting import By
from campaign.services.refusals import Refused
from campaign.services.runs.checks import check_run
from campaign.services.visibility.publication import (
    make_reviewer_link,
    publish,
    revoke_reviewer_link,
    set_switches,
    unpublish,
)
from tests.pages import source_of
from tests.world import score_run

pytestmark = pytest.mark.slow

BOARD = "/campaigns/small/ad-hoc/focused/"
DESK = "/desk/campaigns/small/publication/"


@pytest.fixture
def board(world):
    """Return a world whose board has a run of each team and shows nothing before publication."""
    world.activate()
    for user, team, name in ((world.alice, world.alices, "alices-run"), (world.bob, world.bobs, "bobs-run")):
        run = world.submit(user=user, team=team, name=name)
        check_run(run.pk)
        score_run(run.pk)
    set_switches(
        world.task,
        by=By(world.organiser),
        own_scores_visible="at-publication",
        other_scores_visible="at-publication",
        names_visible="at-publication",
        assessments_visible="at-publication",
    )
    return world


def seen(client, path=BOARD):
    page = source_of(client.get(path))
    return {name for name in ("alices-run", "bobs-run") if name in page}


def send(client, path, fields):
    """Send a form, and say yes where the desk asks."""
    response = client.post(path, fields, follow=True)
    asked = re.search(r'name="sure" value="(\w+)"', source_of(response))
    return client.post(path, fields | {"sure": asked[1]}, follow=True) if asked else response


def deeds():
    return list(TrailEntry.objects.order_by("pk").values_list("deed", "subject", "actor__username"))


def test_publishing_opens_the_board_and_unpublishing_closes_it(client, board):
    assert seen(client) == set()

    publish([board.task], by=By(board.organiser))
    assert seen(client) == {"alices-run", "bobs-run"}
    board.task.refresh_from_db()
    unpublish([board.task], by=By(board.organiser))

    assert seen(client) == set()
    assert deeds()[-2:] == [
        ("published", "the results of Focused", "organiser"),
        ("unpublished", "the results of Focused", "organiser"),
    ]


def test_an_embargo_ends_by_itself(client, board, monkeypatch):
    moment = timezone.now() + timedelta(days=2)

    publish([board.task], by=By(board.organiser), moment=moment)

    assert seen(client) == set()
    monkeypatch.setattr(timezone, "now", lambda: moment + timedelta(seconds=1))
    assert seen(client) == {"alices-run", "bobs-run"}


def test_a_second_click_keeps_the_moment_of_the_first(board):
    publish([board.task], by=By(board.organiser))
    board.task.refresh_from_db()
    first = board.task.published_at

    publish([board.task], by=By(board.organiser))

    board.task.refresh_from_db()
    assert board.task.published_at == first
    assert [deed for deed, _, _ in deeds()].count("published") == 1


def test_switches_are_changed_and_written_down(world):
    chosen = {"own_scores_visible": "at-once", "other_scores_visible": "never"}

    assert set_switches(world.task, by=By(world.organiser), **chosen)
    assert not set_switches(world.task, by=By(world.organiser), **chosen)

    (entry,) = TrailEntry.objects.all()
    assert (entry.deed, entry.subject) == ("changed", "who sees what of Focused")
    assert entry.details == {"other_scores_visible": "at-once → never"}


def test_the_desk_publishes_sets_a_date_and_takes_back(client, board):
    client.force_login(board.organiser)
    everything = {"task": "all"}

    told = [
        send(client, f"{DESK}publish/", {"task": board.task.pk, "moment": "2099-12-24T18:00"}),
        send(client, f"{DESK}publish/", {"task": board.task.pk}),
        client.post(f"{DESK}unpublish/", everything, follow=True),
        client.post(f"{DESK}publish/", everything | {"moment": "soon"}, follow=True),
    ]

    pages = [source_of(answer) for answer in told]
    assert "Focused: under embargo until 24 December 2099, 06:00 AoE" in pages[0].replace("&nbsp;", " ")
    assert "under embargo" in pages[0]
    assert "Focused: published." in pages[1]
    assert "Focused: no longer published." in pages[2]
    assert "This is no date and time. Write it like 2026-12-24 18:00." in pages[3]
    board.task.refresh_from_db()
    assert board.task.published_at is None


@pytest.mark.parametrize(
    ("moment", "sentence"),
    [
        ("2020-01-01T00:00", "This moment has passed. To publish at once, press “Publish now”."),
        ("", "Say from when on the results are to be public."),
        ("soon", "This is no date and time. Write it like 2026-12-24 18:00."),
    ],
)
def test_a_wrong_date_publishes_nothing(client, board, moment, sentence):
    client.force_login(board.organiser)

    page = source_of(client.post(f"{DESK}publish/", {"task": board.task.pk, "moment": moment}, follow=True))

    assert sentence in page
    board.task.refresh_from_db()
    assert board.task.published_at is None


def test_publishing_all_breaks_no_embargo_and_a_published_task_gets_no_date(client, board):
    client.force_login(board.organiser)
    other = board.new_task(TaskKind.THOROUGH, closes_at=board.task.closes_at)
    send(client, f"{DESK}publish/", {"task": board.task.pk, "moment": "2099-12-24T18:00"})

    page = source_of(send(client, f"{DESK}publish/", {"task": "all"}))
    again = source_of(client.post(f"{DESK}publish/", {"task": "all"}, follow=True))
    dated = client.post(f"{DESK}publish/", {"task": other.pk, "moment": "2099-12-24T18:00"}, follow=True)

    assert "Thorough: published." in page
    assert "Nothing was left to publish." in again
    assert "Thorough is published already. Take that back first, then set a date." in source_of(dated)
    board.task.refresh_from_db()
    other.refresh_from_db()
    assert (board.task.is_published(), other.is_published()) == (False, True)


def test_the_preview_says_which_tasks_still_hide_the_assessments(client, board):
    client.force_login(board.organiser)
    preview = f"{DESK}ad-hoc/focused/preview/?when=published"
    other = board.new_task(TaskKind.THOROUGH, closes_at=board.task.closes_at)

    now = source_of(client.get(f"{DESK}ad-hoc/focused/preview/"))
    before = source_of(client.get(preview))
    send(client, f"{DESK}publish/", {"task": other.pk, "with_assessments": other.pk})

    assert "<bdi>Focused</bdi>, <bdi>Thorough</bdi> still hide them." in now
    assert "<bdi>Thorough</bdi> still hides them." in before
    assert "Everybody sees the assessments." in source_of(client.get(preview))
    assert "as=lund&amp;when=published&amp;sort=" in source_of(client.get(f"{preview}&as=lund")).replace(
        "when=published&amp;as=lund", "as=lund&amp;when=published"
    )
    alone = "What a run returned is seen by its team and the organisers alone."
    assert alone in source_of(client.get(preview.replace("published", "now")))
    assert alone not in source_of(client.get(preview))
    assert "Everybody sees what runs returned." in source_of(client.get(preview))
    Campaign.objects.update(is_public=False)
    assert "For now visitors see nothing of it" in source_of(client.get(preview))


@pytest.mark.parametrize("task", ["", "x", "999999", "9" * 30, "²"])
def test_a_task_that_is_not_there_is_not_published(client, board, task):
    client.force_login(board.organiser)

    assert client.post(f"{DESK}publish/", {"task": task}).status_code == 404


def test_the_desk_saves_switches_and_refuses_what_it_does_not_know(client, board):
    client.force_login(board.organiser)
    prefix = f"task-{board.task.pk}-"
    fields = {f"{prefix}{name}": "never" for name in SWITCHES}
    address = f"{DESK}ad-hoc/focused/switches/"

    saved = source_of(client.post(address, fields, follow=True))
    unknown = source_of(client.post(address, fields | {f"{prefix}names_visible": "tomorrow"}, follow=True))

    board.task.refresh_from_db()
    assert "Saved for Focused." in saved
    assert "Select a valid choice. tomorrow is not one of the available choices." in unknown
    assert {getattr(board.task, name) for name in SWITCHES} == {"never"}


def test_the_preview_shows_the_board_through_other_eyes(client, board):
    set_switches(board.task, by=By(board.organiser), own_scores_visible="at-once")
    client.force_login(board.organiser)
    preview = f"{DESK}ad-hoc/focused/preview/"

    assert seen(client, preview) == set()
    assert seen(client, f"{preview}?as=lund") == {"alices-run"}
    assert seen(client, f"{preview}?when=published") == {"alices-run", "bobs-run"}
    assert seen(client, f"{preview}?as=nobody&when=never") == set()
    board.task.refresh_from_db()
    assert board.task.published_at is None  # looking changes nothing


def test_a_reviewer_sees_the_boards_but_no_names_until_the_link_is_revoked(client, board):
    link = make_reviewer_link(board.campaign, by=By(board.organiser), label="Programme committee")
    board.campaign.is_public = False
    board.campaign.save()
    assert client.get(BOARD).status_code == 404

    arrival = client.get(f"/review/{link.token}/")
    assert "Please do not pass it on." in source_of(arrival)
    assert client.get(BOARD).status_code == 404  # following the link is not enough
    client.post(f"/review/{link.token}/")
    page = source_of(client.get(BOARD))
    assert page.count('<td class="number score') == 2 * 5
    assert seen(client) == set()
    assert "You look at this as a reviewer, before publication." in page
    link.refresh_from_db()
    assert link.last_used_at is not None
    revoke_reviewer_link(link, by=By(board.organiser))

    assert client.get(BOARD).status_code == 404
    gone = client.get(f"/review/{link.token}/")
    assert gone.status_code == 410
    assert "The organisers have revoked it, or its time is over." in source_of(gone)


def test_a_link_may_show_names_and_shows_no_answer_key(client, board):
    link = make_reviewer_link(board.campaign, by=By(board.organiser), label="Jury", shows_names=True)

    client.post(f"/review/{link.token}/")

    assert seen(client) == {"alices-run", "bobs-run"}
    assert client.get("/campaigns/small/ad-hoc/assessments/v1/imported").status_code == 404
    client.post("/review/end/")
    assert seen(client) == set()


def test_a_link_is_for_one_campaign(client, board):
    other = type(board.campaign).objects.create(slug="other", name="Other", year=2026)
    link = make_reviewer_link(other, by=By(board.organiser), label="Others")

    client.post(f"/review/{link.token}/")

    assert client.get("/campaigns/other/").status_code == 200
    assert seen(client) == set()


def test_a_link_ends_at_its_time(client, board):
    link = make_reviewer_link(
        board.campaign, by=By(board.organiser), label="Jury", expires_at=timezone.now() + timedelta(hours=1)
    )
    client.post(f"/review/{link.token}/")
    assert "reviewer" in source_of(client.get(BOARD))
    ReviewerLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    assert "as a reviewer" not in source_of(client.get(BOARD))
    assert client.post(f"/review/{link.token}/").status_code == 410


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"label": " "}, "Say for whom the link is, so that you know later which one to revoke."),
        ({"label": "Jury", "expires_at": timezone.now() - timedelta(days=1)}, "This moment has passed."),
    ],
)
def test_a_link_without_sense_is_refused(world, fields, sentence):
    with pytest.raises(Refused) as refusal:
        make_reviewer_link(world.campaign, by=By(world.organiser), **fields)

    assert refusal.value.reason.startswith(sentence)
    assert not ReviewerLink.objects.exists()


def test_the_desk_makes_and_revokes_links(client, board):
    client.force_login(board.organiser)

    made = source_of(client.post(f"{DESK}links/", {"label": "<b>Jury</b>"}, follow=True))
    link = ReviewerLink.objects.get()
    revoked = source_of(client.post(f"{DESK}links/{link.pk}/revoke/", follow=True))
    empty = client.post(f"{DESK}links/", {"label": ""})

    assert link.token in made and "&lt;b&gt;Jury&lt;/b&gt;" in made
    assert link.token not in revoked and "no longer works" in revoked
    assert empty.status_code == 422
    assert [deed for deed, _, _ in deeds()][-2:] == ["granted", "revoked"]


def test_an_invented_token_is_not_there(client, board):
    assert client.get("/review/invented/").status_code == 404
    assert client.get("/review/%00/").status_code == 404


def test_switches_that_somebody_else_changed_meanwhile_are_not_put_back(client, board):
    client.force_login(board.organiser)
    prefix = f"task-{board.task.pk}-"
    seen = re.search(r'name="seen" value="(\w+)"', source_of(client.get(DESK)))[1]
    mine = {f"{prefix}{name}": getattr(board.task, name) for name in SWITCHES}
    path = f"{DESK}ad-hoc/focused/switches/"
    client.post(path, mine | {f"{prefix}names_visible": "never", "seen": seen})

    page = client.post(path, mine | {f"{prefix}own_scores_visible": "never", "seen": seen}, follow=True)

    told = "Somebody changed who sees what of Focused after you opened this page: names visible is now “never”."
    assert told in source_of(page)
    board.task.refresh_from_db()
    assert (board.task.names_visible, board.task.own_scores_visible) == ("never", mine[f"{prefix}own_scores_visible"])
