"""The list of topics: which columns it has for whom, and every order."""

import pytest
from django.contrib.auth.models import AnonymousUser

from campaign.models import Task, TaskKind, Topic, Track
from evaluation.services.topic_lists import topic_list
from tests.evaluation.fared import give_values, with_fleet
from tests.world import score_all

VISITOR = AnonymousUser()


@pytest.fixture
def told(world):
    """The world with five teams, other medians on each topic, and everything open."""
    runs = with_fleet(world)
    for run, value in zip(runs, (0.1, 0.2, 0.3, 0.4, 0.5), strict=True):
        give_values(run, value, value / 2, 0.9)
    Task.objects.update(assessments_visible="at-once")
    Topic.objects.create(track=world.track, number="4", position=4, title="counts for nothing")
    return world


def order(world, **asked):
    return [line.topic.number for line in topic_list(VISITOR, world.track, **asked).lines]


@pytest.mark.parametrize(
    ("sort", "numbers"),
    [
        ("", "1234"),
        ("number", "1234"),
        ("-number", "4321"),
        ("relevant", "2134"),
        ("-relevant", "1324"),
        ("highlighted", "2134"),
        ("-highlighted", "3124"),
        ("median", "3124"),
        ("-median", "2134"),
        ("spread", "1234"),
        ("-spread", "3214"),
    ],
)
def test_topics_are_sorted_both_ways_and_those_without_a_number_come_last(told, sort, numbers):
    assert "".join(order(told, sort=sort)) == numbers


def test_the_columns_are_those_that_may_be_known(told):
    def columns(**switches):
        Task.objects.update(**switches)
        return topic_list(VISITOR, Track.objects.get()).columns

    assert columns() == ("relevant", "highlighted", "median", "spread")
    assert columns(assessments_visible="never") == ("median", "spread")
    assert columns(other_scores_visible="never") == ()


def test_an_order_by_what_is_hidden_is_not_given_and_is_told(told):
    Task.objects.update(other_scores_visible="never", assessments_visible="at-publication")

    listed = topic_list(VISITOR, told.track, sort="median")

    assert [line.topic.number for line in listed.lines] == ["1", "2", "3", "4"]
    assert listed.problems == ["Topics cannot be sorted by median over teams here: these numbers are not shown."]
    assert [one.when for one in listed.hiding] == ["once the results are published"]


def test_unknown_words_are_told(told):
    listed = topic_list(VISITOR, told.track, task="nothing", sort="-hardest")

    assert listed.problems == [
        "There is no board of a task “nothing” here.",
        "Topics cannot be sorted by “hardest”; choose number, relevant, highlighted, median or spread.",
    ]
    assert (listed.board.task, listed.sort) == (told.task, "number")


def test_the_numbers_are_those_of_the_chosen_task(told):
    other = told.new_task(TaskKind.THOROUGH, closes_at=told.task.closes_at, position=1, assessments_visible="at-once")
    told.activate()
    score_all()

    listed = topic_list(VISITOR, told.track, task="thorough")

    assert listed.tasks == [told.task, other]
    assert (listed.board.task, listed.columns) == (other, ("relevant", "highlighted"))
    assert topic_list(VISITOR, told.track).board.task == told.task


def test_too_few_teams_have_no_medians(world):
    with_fleet(world, teams=3)

    listed = topic_list(VISITOR, world.track)

    assert (listed.columns, listed.lacks_teams) == ((), True)


def test_without_a_board_it_is_a_list(world):
    listed = topic_list(VISITOR, world.track, sort="median")

    assert (listed.board, listed.columns, listed.tasks, len(listed.lines)) == (None, (), [], 3)
