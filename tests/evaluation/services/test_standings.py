"""How one's runs stand on live boards: places, ranges, and moves that chance does not make."""

import pytest

from campaign.models import Task
from evaluation.services.analyses import refresh_analyses
from evaluation.services.standings import standings_of
from tests.pages import text
from tests.twelve_topics import TOPICS, compute_all, give_twelve_topics, scored_run
from tests.world import score_all

OTHER_TEXT = b"".join(b"%d Q0 a 40 200 60 60:40\n" % number for number in TOPICS)


@pytest.fixture
def three(world):
    """Score two runs that are alike, one of them ours, and one of ours that is far behind."""
    give_twelve_topics(world)
    scored_run(world, "good", 45)
    scored_run(world, "near", 44, turn=3, user=world.bob, team=world.bobs)
    scored_run(world, "far", 6)
    return world


def computed():
    compute_all()
    refresh_analyses()


def of(team):
    """Return how a team's runs stand."""
    return standings_of({team.pk}, Task.objects.for_board())


def test_runs_stand_with_their_places_and_the_ranges_of_these(three):
    computed()

    [ours], [theirs] = of(three.alices), of(three.bobs)

    assert [(run.name, run.place, run.range) for run in ours.runs] == [("good", 1, (1, 2)), ("far", 3, (3, 3))]
    assert [(run.name, run.place, run.range) for run in theirs.runs] == [("near", 2, (1, 2))]
    assert (ours.run_count, ours.more, ours.why_no_ranges, ours.before) == (3, 0, "", None)
    assert standings_of(set(), Task.objects.for_board()) == []


def test_a_move_is_told_where_ranges_part_and_otherwise_that_there_is_none(three, client):
    computed()
    three.activate(OTHER_TEXT)
    score_all()
    computed()

    [ours] = of(three.alices)

    assert [(run.name, run.place, run.moved_from) for run in ours.runs] == [("far", 1, (3, 3)), ("good", 2, None)]
    assert ours.has_moved and ours.before.number == 1
    client.force_login(three.alice)
    said = text(client.get("/"))
    assert "1 far 0." in said and "place 1 of 3" in said
    assert "far was place 3" in said and "What moved since edition 1" in said
    assert "no move beyond chance" not in said
    client.force_login(three.bob)
    assert "no move beyond chance What moved since edition 1" in text(client.get("/"))


def test_places_wait_until_everybody_sees_all_scores_and_scores_until_teams_see_their_own(three, client):
    computed()
    Task.objects.update(other_scores_visible="at-publication")

    [ours] = of(three.alices)

    assert [(run.name, run.place, run.range) for run in ours.runs] == [("good", None, None), ("far", None, None)]
    assert (ours.run_count, ours.before) == (None, None)
    client.force_login(three.alice)
    said = text(client.get("/"))
    assert "Places are told as soon as everybody sees all scores." in said and "of 3" not in said
    Task.objects.update(own_scores_visible="never")
    assert of(three.alices) == []
    assert "No run of your teams is scored on a live board, or its scores are not shown yet." in text(client.get("/"))


def test_without_ranges_it_is_said_why(world, three):
    [waiting] = of(three.alices)
    assert waiting.why_no_ranges == "the places it may hold are being computed"
    assert [(run.place, run.range) for run in waiting.runs] == [(1, None), (3, None)]

    three.task.editions.update(topic_numbers=["1", "2"])
    [few] = of(three.alices)
    assert few.why_no_ranges == "too few topics to tell runs apart"


def test_of_many_runs_the_best_are_shown_and_the_others_counted(three, django_assert_num_queries):
    for number in range(4):
        scored_run(three, f"more-{number}", 20 + number)
    computed()
    tasks = list(Task.objects.for_board())

    with django_assert_num_queries(4):
        [ours] = standings_of({three.alices.pk}, tasks)

    assert ([run.name for run in ours.runs], ours.more) == (["good", "more-3", "more-2"], 3)
    assert ours.run_count == 7
