"""Built, looked at, then live: new boards that wait for an organiser, and what everybody else sees meanwhile."""

import re
from io import StringIO

import pytest
from django.core.management import call_command

from campaign.models import Notification, TrailEntry
from campaign.services.acting import By
from campaign.services.runs.checks import check_run
from campaign.services.visibility.publication import make_reviewer_link
from evaluation.models import Edition, Evaluation
from evaluation.services import decisions
from evaluation.services.building import building_of
from evaluation.services.decisions import activate
from evaluation.services.editions import NewerEditions, newest_edition
from evaluation.services.reruns import reevaluate
from evaluation.services.scoring import evaluate
from evaluation.services.sweep import sweep
from tests.world import RICHER, fail_all, score_all

pytestmark = pytest.mark.slow

BOARDS = "/desk/campaigns/small/boards/"
BOARD = "/campaigns/small/ad-hoc/focused/"
PREVIEW, MOVED = f"{BOARD}editions/2/", f"{BOARD}editions/2/moved/"


@pytest.fixture
def board(world):
    """Return the world with a live edition and one being built that is to wait for a look."""
    world.activate()
    world.run = world.scored()
    world.sets = [world.import_assessments(RICHER)]
    [world.edition] = activate(world.sets[0], waits_for_look=True)
    return world


@pytest.fixture
def desk(client, board):
    client.force_login(board.organiser)
    return client


def text(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def state(edition):
    return Edition.objects.get(pk=edition.pk).state


def decide(client, deed, **fields):
    return text(client.post(f"{BOARDS}ad-hoc/building/{deed}/", fields, follow=True))


def test_a_set_that_is_built_waits_and_the_organisers_are_told_once(board):
    score_all()
    for _ in range(3):
        sweep()

    assert state(board.edition) == "building"
    assert building_of(board.track).is_built
    [notice] = Notification.objects.filter(kind="built")
    assert notice.user == board.organiser
    assert notice.address == BOARDS
    assert notice.text.startswith("New boards of Ad hoc (Small) are built and wait for your look: Focused.")


def test_the_sweep_leaves_what_waits_alone(board, django_assert_max_num_queries):
    score_all()
    sweep()

    with django_assert_max_num_queries(24):
        sweep()


def test_going_live_switches_at_once_when_all_is_scored(desk, board):
    score_all()
    page = text(desk.get(BOARDS))
    assert "Built, waiting for your look" in page

    assert "The boards of Ad hoc have switched." in decide(desk, "when-ready", seen=newest_edition(board.track))

    assert state(board.edition) == "live"
    switch = TrailEntry.objects.filter(deed="went live").first()
    assert switch.actor == board.organiser
    again = decide(desk, "when-ready")
    assert "Nothing was done: that had been done already" in again


def test_going_live_when_ready_can_be_chosen_while_it_is_built(desk, board):
    assert "Go live when ready" in text(desk.get(BOARDS))

    assert "The new boards go live as soon as every run is scored." in decide(desk, "when-ready")
    score_all()

    assert state(board.edition) == "live"
    assert not Notification.objects.filter(kind="built").exists()


def test_waiting_for_a_look_can_be_chosen_while_it_is_built(desk, board):
    decide(desk, "when-ready")

    assert "The new boards wait for a look when they are built." in decide(desk, "look")
    assert "Nothing was done" in decide(desk, "look")
    score_all()

    assert state(board.edition) == "building"


def test_what_waits_can_be_abandoned(desk, board):
    score_all()

    assert "Abandoned. The boards stay as they are." in decide(desk, "abandon")
    assert state(board.edition) == "abandoned"
    assert desk.get(PREVIEW).status_code == 404


def test_runs_that_come_meanwhile_are_scored_in_both(board):
    score_all()
    late = board.submit(name="late")
    check_run()
    while evaluate():
        pass

    assert set(Evaluation.objects.filter(run=late).values_list("edition__number", "state")) == {
        (1, "done"),
        (2, "done"),
    }
    assert state(board.edition) == "building"
    assert decisions.go_live_when_ready(board.track)
    assert Notification.objects.filter(kind="built").count() == 1


def test_a_run_that_is_not_scored_yet_is_waited_for(board):
    score_all()
    board.submit(name="late")
    check_run()

    assert decisions.go_live_when_ready(board.track) is False
    assert state(board.edition) == "building"
    while evaluate():
        pass
    assert state(board.edition) == "live"


def test_failed_runs_are_decided_about_as_ever(desk, board):
    fail_all(board.edition)

    assert "Go live without the failed ones" in text(desk.get(BOARDS))
    assert "have switched" in decide(desk, "go-live")
    assert state(board.edition) == "live"


def test_building_one_task_anew_goes_on_waiting(board):
    score_all()

    [anew] = decisions.rebuild([board.task])
    score_all()

    assert state(anew) == "building"
    assert building_of(board.track).is_built
    assert Notification.objects.filter(kind="built").count() == 2


def test_the_preview_is_for_organisers_alone(client, api, board):
    score_all()
    link = make_reviewer_link(board.campaign, by=By(board.organiser), label="reviewers")
    client.get(f"/review/{link.token}/")
    pages = (PREVIEW, MOVED)
    calls = ("/campaigns/small/ad-hoc/focused/editions/2", f"/runs/{board.run.pk}/scores?edition=2")

    assert [client.get(page).status_code for page in pages] == [404, 404]
    for person in (board.alice, board.bob, board.assessor, board.visitor_with_account):
        client.force_login(person)
        assert [client.get(page).status_code for page in pages] == [404, 404]
        assert [api(person).get(call).status_code for call in calls] == [404, 404]
    assert api().get(calls[0]).status_code == 404

    client.force_login(board.organiser)
    assert "which only organisers see: it is built and waits for a look." in text(client.get(PREVIEW))
    assert client.get(MOVED).status_code == 200
    told = api(board.organiser).get(calls[0]).json()
    assert (told["provenance"]["edition_state"], told["provenance"]["live_at"]) == ("building", None)
    assert api(board.organiser).get(calls[1]).status_code == 200


def test_everybody_else_sees_the_board_as_it_was(client, api, board):
    before = client.get(BOARD).content
    score_all()

    assert client.get(BOARD).content.replace(b"\n", b"")[:2000] == before.replace(b"\n", b"")[:2000]
    assert api().get("/campaigns/small/ad-hoc/focused/board").json()["provenance"]["edition"] == 1
    assert not board.alice.notifications.filter(kind="re-evaluated").exists()


def test_what_is_half_built_says_how_far_it_is(desk, board):
    assert "it is being built, and 0 of 1 run is scored" in text(desk.get(PREVIEW))


def test_the_desk_proposes_a_look_where_a_board_is_live(desk, board):
    page = desk.get(BOARDS).content.decode()

    assert '<option value="look" selected>' in page


def test_the_desk_proposes_to_go_live_at_once_where_there_is_no_board(client, world):
    world.import_assessments()
    client.force_login(world.organiser)

    assert '<option value="ready" selected>' in client.get(BOARDS).content.decode()


def test_the_choice_on_the_desk_counts(desk, board):
    fields = {"track": "ad-hoc", "version": "2", "goes_live": "look", "seen": newest_edition(board.track)}
    page = text(desk.post(f"{BOARDS}activate/", fields, follow=True))
    assert "is being built" in page
    assert Edition.objects.building().get().waits_for_look

    fields |= {"goes_live": "ready", "seen": newest_edition(board.track)}
    desk.post(f"{BOARDS}activate/", fields)
    assert not Edition.objects.building().get().waits_for_look


def test_the_page_is_fetched_again_when_the_set_is_built(desk, board):
    assert "hx-trigger" in desk.get(f"{BOARDS}ad-hoc/building/").content.decode()
    score_all()

    assert desk.get(f"{BOARDS}ad-hoc/building/")["HX-Refresh"] == "true"


def test_the_command_waits_for_a_look_if_asked(board):
    out = StringIO()
    call_command("activate", "small/ad-hoc", 1, stdout=out)
    assert not Edition.objects.building().get().waits_for_look
    call_command("activate", "small/ad-hoc", 1, "--look", stdout=out)
    assert Edition.objects.building().get().waits_for_look
    score_all()

    call_command("activate", "small/ad-hoc", 1, "--look", "--dry-run", stdout=out)
    assert Edition.objects.building().get().waits_for_look


DEEDS = {
    "activate": lambda world, seen: activate(world.sets[0], seen=seen),
    "rebuild": lambda world, seen: decisions.rebuild([world.task], seen=seen),
    "roll back": lambda world, seen: decisions.roll_back(world.task.editions.get(number=1), seen=seen),
    "measures": lambda world, seen: decisions.change_measures(
        world.task, profile="inex-2009", parameters={}, seen=seen
    ),
    "pause": lambda world, seen: decisions.pause(world.track, seen=seen),
    "resume": lambda world, seen: decisions.resume(world.track, seen=seen),
    "abandon": lambda world, seen: decisions.abandon(world.track, seen=seen),
    "go live": lambda world, seen: decisions.go_live_when_ready(world.track, seen=seen),
    "look": lambda world, seen: decisions.wait_for_look(world.track, seen=seen),
    "re-evaluate": lambda world, seen: reevaluate([world.run], by=By(world.organiser), seen=seen),
    "despite failures": lambda world, seen: decisions.go_live_despite_failures(world.track, seen=seen),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_no_deed_is_done_on_a_page_that_was_overtaken(board, deed):
    before = list(Edition.objects.values())

    with pytest.raises(NewerEditions, match="new editions were begun after you opened this page"):
        DEEDS[deed](board, "1")

    assert list(Edition.objects.values()) == before
