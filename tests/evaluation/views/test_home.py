"""The front page: a passage, open tasks, latest results; and for the signed-in what is theirs."""

import re
from datetime import timedelta
from io import BytesIO

import pytest
from django.utils import timezone
from django.utils.html import strip_tags

from assessments.services.previews import take_file
from campaign.models import Campaign, Registration, Task
from campaign.services.acting import By
from campaign.services.permissions.submitting import closes_for, open_places, quota_left
from campaign.services.visibility.grants import grant
from evaluation.models import Edition
from evaluation.services.excerpts import excerpt, laid_over, make_excerpt
from evaluation.services.front import MOST_OPEN, front_for
from evaluation.services.waiting import waiting_for
from tests.world import ASSESSMENTS, article

DRAWN = "An example, drawn by hand"


def words(response):
    """Return what a page says, on one line."""
    return re.sub(r"\s+", " ", strip_tags(response.content.decode()))


@pytest.fixture
def board(world):
    world.activate()
    world.run = world.scored()
    return world


@pytest.fixture
def published(world):
    """A board of documents with text, everything of which is published."""
    world.give_text(**{name: article() for name in "abcd"})
    world.activate()
    world.run = world.scored(b"2 Q0 c 1 7.0 good 20 150\n3 Q0 d 1 6.0 good 0 100\n")
    hour = timedelta(hours=1)
    moments = {"closes_at": timezone.now() - hour, "published_at": timezone.now() - hour / 2}
    Task.objects.update(runs_visible="at-publication", **moments)
    world.task.refresh_from_db()
    return world


def make(world):
    make_excerpt(str(world.task.editions.live().get().pk))


def test_the_front_page_lists_open_tasks_with_leaders_and_the_latest_results(board, client):
    said = words(client.get("/"))

    assert "Focused Small › Ad hoc" in said[said.index("Open tasks") : said.index("Latest results")]
    latest = said[said.index("Latest results") : said.index("All campaigns")]
    assert "on the board since" in latest
    assert said.count("good Lund 0.6053 iMAP") == 2
    assert DRAWN in said


def test_the_questions_of_a_newcomer_are_answered_one_click_away(board, client):
    front = client.get("/")

    said, links = words(front), re.findall(r'href="([^"]+)"', front.content.decode())
    assert "good Lund 0.6053 iMAP one run so far" in said  # who won, and is it real
    assert "To take part, sign up, make a team, and register it on the page of a campaign." in said
    explained = f"{board.task.get_absolute_url()}#measures"
    assert {explained, "/sign-up/", "/campaigns/small/"} <= set(links)
    there = words(client.get(board.task.get_absolute_url()))
    assert "What the measures mean iMAP Interpolated precision averaged over the 101 recall levels" in there
    client.force_login(board.alice)
    assert "To take part, sign up" not in words(client.get("/"))


def test_hidden_scores_are_no_results(board, client):
    Task.objects.update(other_scores_visible="never")

    said = words(client.get("/"))

    assert "0.6053" not in said
    assert "No board shows its scores yet." in said


def test_published_results_come_with_their_moment(board):
    published_at = board.task.editions.get().live_at + timedelta(seconds=1)
    Task.objects.update(published_at=published_at)

    [outcome] = front_for(board.visitor_with_account, published_at + timedelta(hours=1)).outcomes

    assert (outcome.at, outcome.is_published) == (published_at, True)


def test_the_nearest_deadlines_are_listed_and_the_others_counted(world, client):
    for number in range(MOST_OPEN + 2):
        world.new_task("thorough", slug=f"more-{number}", closes_at=world.task.closes_at + timedelta(days=number + 1))

    front = front_for(world.visitor_with_account)

    assert front.open_tasks[0] == world.task
    assert (len(front.open_tasks), front.more_open) == (MOST_OPEN, 3)
    assert "3 more open tasks" in words(client.get("/"))


def test_a_site_without_campaigns_says_so(client, db):
    said = words(client.get("/"))

    assert "No campaign is listed yet." in said
    assert "No task takes runs at present." in said
    assert DRAWN in said


def test_the_passage_is_a_real_one_with_what_the_first_run_returned(published, client):
    make(published)

    page = client.get("/")

    said = words(page)
    assert DRAWN not in said
    assert "what good returned (Lund) in Focused." in said
    assert "Asked: topic" in said
    pieces = page.context["excerpt"]["pieces"]
    assert {kind for kind, _ in pieces} >= {"hit", "waste"}
    assert "".join(text for _, text in pieces) in strip_tags(article().decode())


@pytest.mark.parametrize(
    "hidden",
    ["other_scores_visible", "names_visible", "runs_visible", "assessments_visible"],
)
def test_no_passage_is_shown_of_what_somebody_could_not_read(published, hidden):
    make(published)
    assert excerpt()

    Task.objects.update(**{hidden: "never"})
    assert excerpt() is None


@pytest.mark.parametrize("gate", [{"gates_topics": True}, {"gates_collection": True}, {"is_public": False}])
def test_no_passage_is_shown_of_a_campaign_that_keeps_its_text(published, gate):
    make(published)
    Campaign.objects.update(**gate)

    assert excerpt() is None


def test_where_nothing_relevant_was_returned_there_is_no_passage():
    assert laid_over("a " * 500, [(0, 300)], [(600, 700)])[1] == 0
    assert laid_over("a " * 500, [], [(600, 700)]) == ([], 0)


def test_somebody_sees_their_deadlines_places_and_last_runs(board, client):
    Task.objects.update(quota=3)
    board.task.refresh_from_db()
    until = board.task.closes_at + timedelta(days=2)
    grant(board.task, by=By(board.organiser), team=board.alices, reason="late train", open_until=until, extra_runs=2)
    client.force_login(board.alice)

    said = words(client.get("/"))

    assert "Lund: 4 runs left" in said
    assert "good scored 0.6053 iMAP Focused, Small · Lund" in said
    [place] = open_places(board.alice)
    assert place.left == quota_left(board.alices, board.task) == 4
    assert place.closes_at == closes_for(board.alices, board.task) == until
    assert open_places(board.alice, until) == []
    assert open_places(board.visitor_with_account) == []


def test_a_newcomer_is_told_how_to_take_part_and_a_team_how_deadlines_come_here(board, client):
    client.force_login(board.visitor_with_account)

    said = words(client.get("/"))

    assert "Take part Make a team, or ask its leader for an invitation if yours is here already." in said
    assert "My deadlines" not in said and "How my runs stand" not in said
    Task.objects.update(closes_at=timezone.now())
    client.force_login(board.alice)
    said = words(client.get("/"))
    assert "No open task takes runs of your teams." in said
    assert "Take part" not in said


def test_organisers_and_assessors_are_led_to_their_desks(board, client):
    for person, sentence in (
        (
            board.organiser,
            "Nothing waits for your decision. Registrations, files and boards are on the organiser’s desk.",
        ),
        (board.assessor, "Which of your topics are judged, and with how much text, stands under Assessing."),
    ):
        client.force_login(person)
        assert sentence in words(client.get("/"))


def test_what_waits_for_organisers_and_leaders_stands_on_their_home(board, client):
    Registration.objects.filter(team=board.bobs).update(state="pending")
    Edition.objects.filter(pk=board.task.editions.get().pk).update(
        state="building", built_at=timezone.now(), waits_for_look=True
    )
    Campaign.objects.update(agreement_version=2)

    assert [(one.what, one.address) for one in waiting_for(board.organiser)] == [
        ("1 registration to decide on", "/desk/campaigns/small/"),
        ("1 board built, to look at before it goes live", "/desk/campaigns/small/boards/"),
    ]
    assert [one.what for one in waiting_for(board.alice)] == ["A new agreement for Lund to accept"]
    client.force_login(board.organiser)
    assert "1 registration to decide on Small" in words(client.get("/"))


def test_files_that_were_read_wait_for_organisers(world):
    world.campaign.registrations.update(state="approved")
    imported = take_file(world.track, by=By(world.organiser), upload=BytesIO(ASSESSMENTS), file_name="next.qrels")
    type(imported).objects.update(state="ready")

    assert [one.what for one in waiting_for(world.organiser)] == ["1 file of assessments to look at"]
    assert waiting_for(world.alice) == []
