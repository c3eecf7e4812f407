"""What boards are made from: read once a generation, never longer than it is true, and chosen from for each reader."""

from types import SimpleNamespace

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaign.models import Task
from campaign.services.generations import raise_generation
from campaign.services.runs.submissions import withdraw_run
from evaluation.services import board_memory
from evaluation.services.board_memory import forget_boards, kept, kept_each
from tests.world import GOOD_RUN


@pytest.fixture(autouse=True)
def nothing_kept():
    forget_boards()
    yield
    forget_boards()


def edition(key=1, generation=1):
    return SimpleNamespace(pk=key, task=SimpleNamespace(generation=generation))


def reader():
    """Return a function that returns another number each time it reads."""
    numbers = iter(range(100))
    return lambda: next(numbers)


def test_it_is_read_once_a_generation():
    read = reader()

    assert [kept(edition(), "rows", read) for _ in range(3)] == [0, 0, 0]
    assert kept(edition(), "others", read) == 1
    assert kept(edition(generation=2), "rows", read) == 2
    assert kept(edition(key=2), "rows", read) == 3


def test_only_what_is_missing_is_asked_for():
    asked = []

    def read(names):
        asked.append(sorted(names))
        return {name: name.upper() for name in names}

    assert kept_each(edition(), "means", {"a", "b"}, read) == {"a": "A", "b": "B"}
    assert kept_each(edition(), "means", {"b", "c"}, read) == {"b": "B", "c": "C"}
    assert asked == [["a", "b"], ["c"]]


def test_so_many_editions_are_kept_and_no_more(monkeypatch):
    monkeypatch.setattr(board_memory, "MOST_EDITIONS", 2)
    read = reader()
    for key in (1, 2, 1, 3):  # the second is the one longest not asked for
        kept(edition(key), "rows", read)

    assert kept(edition(1), "rows", read) == 0
    assert kept(edition(2), "rows", read) == 3


@pytest.mark.django_db(transaction=True)
def test_what_a_transaction_sees_is_not_kept():
    read = reader()
    with transaction.atomic():
        assert [kept(edition(), "rows", read) for _ in range(2)] == [0, 1]
        kept_each(edition(), "means", {"a"}, lambda names: dict.fromkeys(names, "not yet true"))

    assert kept(edition(), "rows", read) == 2
    assert kept_each(edition(), "means", {"a"}, lambda names: dict.fromkeys(names, "true")) == {"a": "true"}


@pytest.fixture
def board(world):
    world.activate()
    world.scored(GOOD_RUN, "ours-alone")
    world.scored(GOOD_RUN, "theirs-alone", user=world.bob, team=world.bobs)
    return reverse("board", args=world.task.address)


def look(client, address):
    with CaptureQueriesContext(connection) as caught:
        response = client.get(address)
    return response.content.decode(), len(caught)


@pytest.mark.django_db(transaction=True)
def test_a_board_that_somebody_has_seen_costs_its_team_few_statements_and_is_theirs_alone(world, board):
    Task.objects.update(other_scores_visible="at-publication")
    raise_generation(world.task)
    alice, bob = Client(), Client()
    alice.force_login(world.alice)
    bob.force_login(world.bob)

    for _ in range(2):
        of_alice, by_alice = look(alice, board)
        of_bob, by_bob = look(bob, board)

    assert max(by_alice, by_bob) <= 12
    assert "ours-alone" in of_alice
    assert "theirs-alone" not in of_alice
    assert "theirs-alone" in of_bob
    assert "ours-alone" not in of_bob


@pytest.mark.django_db(transaction=True)
def test_a_run_that_leaves_is_gone_at_once(world, board):
    alice = Client()
    alice.force_login(world.alice)
    assert "ours-alone" in look(alice, board)[0]

    withdraw_run(world.task.runs.get(name="ours-alone"))

    assert "ours-alone" not in look(alice, board)[0]
