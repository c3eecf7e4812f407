"""What pages of results say, recomputed with the command line from the files that they offer.

A board, a run's page, a ranked list, a topic and the comparisons of each task of the demo; which run and which topic is
drawn.
"""

import random

import pytest
from django.db import transaction
from django.test import Client, override_settings
from django.utils import timezone

from campaign.models import SWITCHES, Task
from evaluation.demo.loader import load_demo
from evaluation.services.analyses import analyse, refresh_analyses
from tests.demo.reader import Reader
from tests.demo.recomputing import (
    check_board,
    check_comparisons,
    check_moved,
    check_ranked_list,
    check_run,
    check_topic,
)

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

TASKS = ("focused", "relevant-in-context", "best-in-context", "thorough")
TRACK = "/campaigns/demo/ad-hoc/"


@pytest.fixture(scope="module")
def published(django_db_setup, django_db_blocker, tmp_path_factory):
    """Load the demo once for this file and publish all of it, in a transaction that is taken back at the end."""
    quick = {"PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"]}
    folder = tmp_path_factory.mktemp("demo")
    with django_db_blocker.unblock(), override_settings(MEDIA_ROOT=folder, **quick), transaction.atomic():
        load_demo(say=lambda _: None)
        Task.objects.update(
            published_at=timezone.now(), assessments_while_open=True, **dict.fromkeys(SWITCHES, "at-once")
        )
        refresh_analyses()
        while analyse():
            pass
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="module", params=TASKS)
def reader(request, published, django_db_blocker, tmp_path_factory):
    """Return a visitor of a task's board who has downloaded its runs and assessments."""
    with django_db_blocker.unblock():
        yield Reader(got, tmp_path_factory.mktemp(request.param), f"{TRACK}{request.param}/")


@pytest.fixture
def drawn(reader):
    """Return a run and a topic of a board, always the same."""
    draw = random.Random(reader.board)
    topics = reader.scores(reader.official)[next(iter(reader.runs))]["topics"]
    return draw.choice(list(reader.runs)), draw.choice(list(topics))


def got(address):
    response = Client().get(address)
    assert response.status_code == 200, address
    return response.getvalue(), response.headers


def test_a_board_says_what_the_command_line_says(reader):
    check_board(reader, "all")
    if reader.official_runs():
        check_board(reader, "official")


def test_a_page_of_a_run_says_what_the_command_line_says(reader, drawn):
    check_run(reader, drawn[0])


def test_a_ranked_list_says_what_the_command_line_says(reader, drawn):
    check_ranked_list(reader, *drawn)


def test_a_topic_says_what_the_command_line_says(reader, drawn):
    check_topic(reader, drawn[1])


def test_comparisons_say_what_the_command_line_says(reader):
    check_comparisons(reader)


def test_what_moved_is_what_the_command_line_says(reader):
    check_moved(reader)
