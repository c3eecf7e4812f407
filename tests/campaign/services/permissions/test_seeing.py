"""Who sees what of a task's results: every role, every switch, at every moment."""

from datetime import timedelta
from itertools import combinations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign.models import SWITCHES, Grant, Task, TaskKind, Visible
from campaign.services.permissions.seeing import (
    board_view,
    board_view_of,
    board_views,
    hiding_assessments,
    may_see_assessments,
    may_see_own_scores,
)
from tests.needs import LETTERS, METHODS, ROLES, is_shown

SUBSETS = [set(chosen) for size in range(len(SWITCHES) + 1) for chosen in combinations(SWITCHES, size)]


def people(world):
    """Return somebody for each column of the table."""
    reviewer, naming = AnonymousUser(), AnonymousUser()
    reviewer.reviewed_campaigns, naming.reviewed_campaigns = {world.campaign.pk: False}, {world.campaign.pk: True}
    superuser = world.person("superuser", is_superuser=True)
    signed_in = (world.visitor_with_account, world.alice, world.bob, world.assessor, world.organiser, superuser)
    return dict(zip(ROLES, (AnonymousUser(), *signed_in, reviewer, naming), strict=True))


def answer(view, method, run):
    asked = getattr(view, method)
    return asked(run) if callable(asked) else asked


def with_switches(task, **values):
    """Return a task as it is when its switches are set so."""
    Task.objects.filter(pk=task.pk).update(**values)
    return Task.objects.for_board().get(pk=task.pk)


@pytest.mark.parametrize("role", ROLES)
def test_each_role_is_shown_what_the_switches_open_for_it_and_nothing_else(world, role):
    run, person = world.submit(), people(world)[role]

    for revealed in SUBSETS:
        task = with_switches(world.task, **{name: "at-once" if name in revealed else "never" for name in SWITCHES})
        view = board_view(person, task)
        told = {method: answer(view, method, run) for method in METHODS}

        assert told == {method: is_shown(method, role, revealed) for method in METHODS}, sorted(revealed)


def test_what_a_team_and_visitors_see_is_told_without_their_accounts(world):
    run = world.submit()

    for revealed in SUBSETS:
        task = with_switches(world.task, **{name: "at-once" if name in revealed else "never" for name in SWITCHES})
        assert board_view_of(None, task) == board_view(AnonymousUser(), task)
        assert board_view_of(world.alices, task) == board_view(world.alice, task)
        assert not board_view_of(world.bobs, task).shows_results_of(run) or {"other_scores_visible"} <= revealed


@pytest.mark.parametrize("role", ROLES)
def test_the_tasks_of_a_track_are_each_seen_as_by_themselves(world, role):
    """One that hides the assessments hides them for all; everything else is its own."""
    person, other = people(world)[role], world.new_task(TaskKind.THOROUGH, closes_at=world.task.closes_at)

    for revealed in SUBSETS:
        for task, opened in ((world.task, revealed), (other, set(SWITCHES)), (other, {"names_visible"})):
            with_switches(task, **{name: "at-once" if name in opened else "never" for name in SWITCHES})
            views = board_views(person, world.track)
            assert views == {one: board_view(person, one) for one in Task.objects.for_board()}


def test_the_views_of_many_tasks_cost_no_more_than_those_of_two(world):
    costs = set()
    for number in range(3):
        now = timezone.now() - timedelta(days=1)
        world.new_task(TaskKind.THOROUGH, slug=f"more-{number}", opens_at=now - timedelta(days=1), closes_at=now)
        Task.objects.update(assessments_visible="at-deadline")
        with CaptureQueriesContext(connection) as caught:
            board_views(world.alice, world.track)
        costs.add(len(caught))

    assert costs == {4}


MOMENTS = {
    # open, closed, published
    "at-once": (True, True, True),
    "at-deadline": (False, True, True),
    "at-publication": (False, False, True),
    "never": (False, False, False),
}


@pytest.mark.parametrize("value", Visible.values)
def test_each_switch_opens_at_its_moment_and_not_before(world, value):
    published = world.task.closes_at + timedelta(days=2)
    moments = (timezone.now(), world.task.closes_at, published)
    task = with_switches(world.task, published_at=published, **dict.fromkeys(SWITCHES, value))

    views = [board_view_of(world.alices, task, moment) for moment in moments]

    for thing in ("own_scores", "all_scores", "names", "runs", "assessments"):
        assert tuple(getattr(view, thing) for view in views) == MOMENTS[value], thing
    assert tuple(may_see_own_scores(world.alice, task, moment) for moment in moments) == MOMENTS[value]


def test_a_switch_turned_alone_opens_its_own_thing_alone(world):
    fields = dict(zip(SWITCHES, ("own_scores", "all_scores", "names", "runs", "assessments"), strict=True))
    for name, field in fields.items():
        view = board_view_of(None, with_switches(world.task, **dict.fromkeys(SWITCHES, "never") | {name: "at-once"}))

        assert [each for each in fields.values() if getattr(view, each)] == [field]


def test_results_published_while_somebody_can_submit_keep_the_answer_key_unless_ticked(world):
    now = timezone.now()
    task = with_switches(world.task, published_at=now, **dict.fromkeys(SWITCHES, "at-publication"))
    assert board_view_of(None, task).visibility_class == "snr-"

    assert board_view_of(None, with_switches(task, assessments_while_open=True)).visibility_class == "snra"

    task = with_switches(task, assessments_while_open=False, closes_at=now)
    assert board_view_of(None, task).visibility_class == "snra"
    Grant.objects.create(task=task, team=world.alices, open_until=now + timedelta(hours=1), reason="train")
    assert board_view_of(None, task).visibility_class == "snr-"


def test_another_task_of_the_track_keeps_the_answer_key_for_all(world):
    task = with_switches(world.task, assessments_visible="at-once")
    assert board_view(world.bob, task).knows_judgements

    world.new_task(TaskKind.THOROUGH, closes_at=task.closes_at)

    assert not board_view(world.bob, task).knows_judgements
    assert not may_see_assessments(world.bob, world.track)
    assert [hiding.kind for hiding in hiding_assessments(world.track.tasks.all())] == ["thorough"]


def test_the_class_tells_apart_what_is_shared_and_knows_nothing_of_ones_own(world):
    classes = {}
    for revealed in SUBSETS:
        task = with_switches(world.task, **{name: "at-once" if name in revealed else "never" for name in SWITCHES})
        found = {board_view(person, task).visibility_class for person in (world.alice, world.bob, AnonymousUser())}
        assert len(found) == 1
        classes.setdefault(found.pop(), []).append(revealed - {LETTERS["O"]})

    assert len(classes) == 16
    assert all(first == second for first, second in classes.values())


@pytest.mark.parametrize(("role", "most"), [("visitor", 2), ("own", 4), ("assessor", 2), ("organiser", 2)])
def test_deciding_costs_as_many_queries_for_one_task_as_for_many(world, role, most):
    person = people(world)[role]
    closed = {"closes_at": timezone.now(), "assessments_visible": "at-deadline"}

    def queries():
        task = with_switches(world.task, **closed)
        with CaptureQueriesContext(
            connection,
        ) as captured:
            assert board_view(person, task).knows_judgements
        return len(captured)

    alone = queries()
    for place, kind in enumerate(TaskKind.values):
        world.new_task(kind, slug=f"further-{place}", **closed)

    assert queries() == alone <= most
