"""The Boards tab of the desk, and the page that tells what moved."""

import re

import pytest
from django.urls import reverse

from campaign.models import Task, Track
from evaluation.models import Edition, Evaluation
from evaluation.services.decisions import activate
from tests.pages import source_of, text
from tests.world import GOOD_RUN, RICHER, fail_all, list_lengths, score_all

pytestmark = pytest.mark.slow

BOARDS = "/desk/campaigns/small/boards/"
OTHER_RUN = b"1 Q0 a 1 9.5 other 0 100\n3 Q0 a 1 6.0 other 0 10\n"
MOVED = "/campaigns/small/ad-hoc/focused/editions/2/moved/"


@pytest.fixture
def board(world):
    """Return the world with a live edition that two runs are scored in."""
    world.activate()
    world.run = world.scored()
    world.other = world.scored(content=OTHER_RUN, user=world.bob, team=world.bobs, name="other")
    return world


@pytest.fixture
def desk(client, board):
    client.force_login(board.organiser)
    return client


def newest():
    return Edition.objects.order_by("-pk").first().pk


def activate_on_desk(client, **fields):
    return client.post(
        f"{BOARDS}activate/", {"track": "ad-hoc", "version": "2", "seen": newest(), **fields}, follow=True
    )


PAGES = [
    ("get", BOARDS, 200),
    ("get", f"{BOARDS}ad-hoc/building/", 200),
    ("get", f"{BOARDS}ad-hoc/focused/measures/", 200),
    ("post", f"{BOARDS}activate/", 404),
    ("post", f"{BOARDS}ad-hoc/rebuild/", 302),
    ("post", f"{BOARDS}ad-hoc/building/pause/", 302),
    ("post", f"{BOARDS}ad-hoc/building/explode/", 404),
    ("get", f"{BOARDS}nothing/building/", 404),
]


@pytest.mark.parametrize(("method", "path", "status"), PAGES)
def test_the_boards_are_for_organisers_of_the_campaign(client, board, method, path, status):
    call = getattr(client, method)
    assert call(path).status_code == 302  # to the sign-in
    assert "/sign-in/" in call(path)["Location"]
    other = board.person("stranger")
    for user in (board.alice, board.assessor, board.visitor_with_account, other):
        client.force_login(user)
        assert call(path).status_code == 404
    client.force_login(board.organiser)
    assert call(path).status_code == status


@pytest.mark.parametrize("path", [f"{BOARDS}activate/", f"{BOARDS}ad-hoc/rebuild/", f"{BOARDS}ad-hoc/building/pause/"])
def test_a_link_changes_nothing(desk, path):
    assert desk.get(path).status_code == 405


def test_the_page_shows_what_is_live(desk):
    page = text(desk.get(BOARDS))

    assert "Focused edition 1 v1 iMAP inex-2007" in page
    assert "History: 1 edition" in page
    assert "Being built" not in page


def test_activating_on_the_desk_builds_and_switches(desk, board):
    board.import_assessments(RICHER)

    page = text(activate_on_desk(desk, notes="Better."))

    assert "1 new edition of Ad hoc is being built." in page
    assert "0 of 2 runs scored" in page
    score_all()
    page = desk.get(BOARDS)
    assert "Focused edition 2 v2" in text(page)
    assert f'href="{MOVED}"' in source_of(page)
    assert Edition.objects.live().get().notes == "Better."


def test_a_second_click_activates_nothing_more(desk, board):
    board.import_assessments(RICHER)
    seen = newest()
    activate_on_desk(desk, seen=seen)

    page = text(activate_on_desk(desk, seen=seen))

    assert "Nothing was done: new editions were begun after you opened this page. Here is how things stand now." in page
    assert board.task.editions.count() == 2


@pytest.mark.parametrize(
    ("version", "sentence"),
    [
        ("9", "Ad hoc has no assessments v9."),
        ("", "Choose a version of the assessments."),
        ("²", "Choose a version of the assessments."),
        ("9" * 40, "Choose a version of the assessments."),
    ],
)
def test_rubbish_is_answered_with_a_sentence(desk, board, version, sentence):
    response = activate_on_desk(desk, version=version)

    assert response.status_code == 422
    assert sentence in text(response)
    assert board.task.editions.count() == 1


def test_a_track_is_named_by_slug_or_key_and_belongs_to_the_campaign(desk, board):
    assert activate_on_desk(desk, track=board.track.pk, version="1").status_code == 200
    assert activate_on_desk(desk, track="nothing").status_code == 404


def test_the_building_is_followed_until_it_is_over(desk, board):
    activate(board.import_assessments(RICHER))
    fragment = source_of(desk.get(f"{BOARDS}ad-hoc/building/"))
    assert 'hx-trigger="every 1s"' in fragment
    assert 'value="0"' in fragment

    desk.post(f"{BOARDS}ad-hoc/building/pause/")
    fragment = source_of(desk.get(f"{BOARDS}ad-hoc/building/"))
    assert "hx-trigger" not in fragment
    assert "0 of 2 runs scored, paused" in fragment

    desk.post(f"{BOARDS}ad-hoc/building/resume/")
    score_all()
    response = desk.get(f"{BOARDS}ad-hoc/building/")
    assert (response["HX-Refresh"], response.content) == ("true", b"")


def test_deeds_are_told_and_harmless_twice(desk, board):
    activate(board.import_assessments(RICHER))
    for deed, sentence in [
        ("pause", "Paused. What a worker has begun is finished; nothing else is begun."),
        ("pause", "Nothing was done: that had been done already, or the boards had switched by then."),
        ("resume", "The building goes on."),
        ("go-live", "Some runs are still being checked or scored. The boards can switch when none is left."),
        ("abandon", "Abandoned. The boards stay as they are."),
        ("abandon", "Nothing was done: that had been done already, or the boards had switched by then."),
        ("go-live", "Nothing is being built."),
    ]:
        assert sentence in text(desk.post(f"{BOARDS}ad-hoc/building/{deed}/", follow=True)), deed


def test_failed_runs_are_named_and_the_organiser_decides(desk, board):
    [edition] = activate(board.import_assessments(RICHER))
    fail_all(edition)

    page = desk.get(BOARDS)
    assert "Scoring good (Lund, Focused) failed on our side, ref. ABC123" in text(page)
    assert "Go live without the failed ones" in text(page)

    page = desk.post(f"{BOARDS}ad-hoc/building/go-live/", follow=True)
    assert "The boards of Ad hoc have switched." in text(page)
    assert Edition.objects.live().get() == edition


def test_building_anew(desk, board):
    page = text(desk.post(f"{BOARDS}ad-hoc/rebuild/", {"task": "focused", "seen": newest()}, follow=True))
    assert "1 new edition of Ad hoc is being built." in page

    response = desk.post(f"{BOARDS}ad-hoc/rebuild/", {"task": "nothing"})
    assert response.status_code == 422
    assert "There is no task to score anew." in text(response)


def test_measures_are_changed_with_a_new_edition(desk, board):
    path = f"{BOARDS}ad-hoc/focused/measures/"
    assert "Ranks at which measures at a rank are reported." in text(desk.get(path))

    wrong = desk.post(path, {"profile": "inex-2007", "parameter-cutoffs": "0"})
    assert wrong.status_code == 422
    assert "Parameter cutoffs can&#x27;t be “0”" in text(wrong)
    assert desk.post(path, {"profile": "inex-1066"}).status_code == 422

    page = desk.post(path, {"profile": "inex-2009", "parameter-cutoffs": "3", "notes": "As in 2009."}, follow=True)
    assert "1 new edition of Ad hoc is being built." in text(page)
    board.task.refresh_from_db()
    assert (board.task.profile, board.task.parameters) == ("inex-2009", {"cutoffs": [3]})
    assert 'value="3"' in source_of(desk.get(path))
    page = desk.post(path, {"profile": "inex-2009", "parameter-cutoffs": "3"}, follow=True)
    assert "The measures of Focused are as before, so no edition was built." in text(page)
    assert board.task.editions.count() == 2


def test_an_empty_campaign_teaches(desk, board):
    Evaluation.objects.all().delete()
    Edition.objects.all().delete()
    assert "no board yet" in text(desk.get(BOARDS))
    board.track.assessment_sets.all().delete()
    assert "No assessments yet." in text(desk.get(BOARDS))


# What moved -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def moved(board):
    """Return the world with a second edition in which topic 3 alone was judged again.

    Topic 1 before and after: "good" returns 50 of 50 relevant characters at once, iAP 1; "other" returns them in 100,
    iAP 0.5. Topic 2: only "good" answers. Topic 3 before: document d. After: ten characters of document a as well.
    """
    activate(board.import_assessments(b"1 Q0 a 50 200 50 50:50\n3 Q0 a 10 200 0 0:10\n"))
    score_all()
    return board


def test_the_page_tells_ranks_scores_and_topics_by_hand(client, moved):
    """After: topic 1 is 50-100 of a, where "good" finds nothing (0) and "other" 50 of 100 characters, iAP 0.5.

    Topic 3 is 0-10 of a: "good" finds nothing (0), "other" all at once (1). Means over two topics: good 0, other 0.75.
    Before, over three topics: good (1 + 84 / 101 / 2 + 0.4) / 3 = 0.6053, other (0.5 + 0 + 0) / 3 = 0.1667.
    So "other" rose from 2 to 1: topic 3 gave 1 / 2 - 0 = +0.5, topic 1 gave 0.5 / 2 - 0.5 / 3 = +0.0833.
    "good" fell: topic 1 -1 / 3 = -0.3333, topic 2 -0.4158 / 3 = -0.1386, topic 3 -0.4 / 3 = -0.1333.
    "other" gained on "good" by all three: the sum of its own and of what "good" lost, 0.6333, 0.4167 and 0.1386.
    """
    page = text(client.get(MOVED))

    ranked = "inex-2007, ranked by iMAP"
    assert f"from edition 1 (assessments v1, {ranked}) to edition 2 (assessments v2, {ranked})" in page
    assert "Means are over 3 topics before and 2 after." in page
    by_map = text(client.get(f"{MOVED}?measure=iMAP"))
    assert (
        "2 1 ▲ 1 up other Delft 0.1667 0.7500 passed good by 3 +0.6333, 1 +0.4167, 2 +0.1386 "
        "3 +0.5000 0.0000 → 1.0000 1 +0.0833 0.5000 → 0.5000"
    ) in by_map
    assert (
        "1 2 ▼ 1 down good Lund 0.6053 0.0000 passed by other by 3 +0.6333, 1 +0.4167, 2 +0.1386 "
        "1 −0.3333 1.0000 → 0.0000 2 −0.1386 0.4158 → not counted "
        "3 −0.1333 0.4000 → 0.0000"
    ) in by_map
    assert "-1.0000" in by_map or "−1.0000" in by_map


def test_the_page_follows_the_boards_visibility(client, moved):
    Task.objects.update(other_scores_visible="at-publication")
    for user, status in [(None, 404), (moved.alice, 404), (moved.organiser, 200)]:
        client.logout()
        if user:
            client.force_login(user)
        assert client.get(MOVED).status_code == status
        linked = MOVED in source_of(client.get("/campaigns/small/ad-hoc/focused/"))
        assert linked == (status == 200)


def test_an_anonymous_board_stays_anonymous(client, moved):
    Task.objects.update(names_visible="at-publication")

    page = source_of(client.get(MOVED))
    assert not re.search(r"Lund|Delft|good|other ", page)
    client.force_login(moved.alice)
    page = source_of(client.get(MOVED))
    assert "Lund" in page
    assert "Delft" not in page


@pytest.mark.parametrize(
    ("query", "status"), [("?from=1", 200), ("?from=2", 404), ("?from=9", 404), ("?from=x", 404), ("?from=²", 404)]
)
def test_the_edition_to_compare_with_can_be_chosen(client, moved, query, status):
    assert client.get(f"{MOVED}{query}").status_code == status


def test_the_first_edition_has_nothing_before_it(client, moved):
    response = client.get(MOVED.replace("/2/", "/1/"))

    assert response.status_code == 200
    assert "This is the first edition of the board, so nothing has moved yet." in text(response)


def test_editions_that_never_were_a_board_are_not_there(client, moved):
    [edition] = activate(moved.track.assessment_sets.get(version=1))

    assert client.get(MOVED.replace("/2/", f"/{edition.number}/")).status_code == 404
    assert client.get(f"{MOVED}?from={edition.number}").status_code == 404


def test_going_back_shows_the_moves_back(client, moved):
    activate(moved.track.assessment_sets.get(version=1))
    score_all()

    page = text(client.get(f"{MOVED.replace('/2/', '/3/')}?from=1"))
    assert "No run changed its rank." in page
    assert "2 runs kept their rank" in page


def test_old_editions_stay_readable_at_their_address(client, moved):
    page = text(client.get(reverse("edition", args=["small", "ad-hoc", "focused", 1])))

    assert "This is edition 1, which was superseded" in page


def test_a_rejected_run_leaves_both_sides(client, moved):
    moved.other.state = "rejected"
    moved.other.save()

    page = text(client.get(MOVED))
    assert "Delft" not in page
    assert "1 run kept its rank" in page


def test_the_same_file_moves_nowhere(client, board):
    board.scored(content=GOOD_RUN, name="twin")
    activate(board.track.assessment_sets.get())
    score_all()

    assert "3 runs kept their rank" in text(client.get(MOVED))


def test_going_back_from_the_history(desk, moved):
    page = source_of(desk.get(BOARDS))
    [first] = [edition.pk for edition in Edition.objects.filter(number=1)]
    assert f'name="edition" value="{first}"' in page

    told = text(desk.post(f"{BOARDS}ad-hoc/roll-back/", {"edition": first, "seen": newest()}, follow=True))
    late = text(desk.post(f"{BOARDS}ad-hoc/roll-back/", {"edition": first, "seen": first}, follow=True))

    assert "1 new edition of Ad hoc is being built." in told
    assert "Nothing was done: new editions were begun after you opened this page." in late
    score_all()
    assert Edition.objects.live().get().assessment_set.version == 1
    for rubbish in ("", "x", "999999", "²"):
        assert desk.post(f"{BOARDS}ad-hoc/roll-back/", {"edition": rubbish}).status_code == 404


def test_boards_that_were_built_on_other_documents_are_to_be_built_anew(desk, board):
    sentence = "The documents of Ad hoc are no longer those on which the board of Focused was built."
    assert sentence not in text(desk.get(BOARDS))

    list_lengths(board.collection, new=10)
    assert sentence in text(desk.get(BOARDS))
    desk.post(f"{BOARDS}ad-hoc/rebuild/", {"seen": newest(), "notes": "The documents have changed."})
    score_all()
    assert sentence not in text(desk.get(BOARDS))
    Track.objects.update(collection=None)

    assert sentence in text(desk.get(BOARDS))
