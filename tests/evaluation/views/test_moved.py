"""What moved between two editions of a board: the first runs with their reasons, the others on request."""

import pytest
from django.urls import reverse

from evaluation.services import moved
from tests.pages import source_of
from tests.twelve_topics import TOPICS, give_twelve_topics, scored_run
from tests.world import score_all


@pytest.fixture
def turned(world):
    """Let a second edition turn the order of three runs round."""
    give_twelve_topics(world)
    bobs = {"user": world.bob, "team": world.bobs}
    world.runs = [
        scored_run(world, "early", 45),
        scored_run(world, "middle", 25, **bobs),
        scored_run(world, "late", 5, **bobs),
    ]
    world.activate(b"".join(b"%d Q0 a 50 200 50 50:50\n" % number for number in TOPICS))
    score_all()
    return world


def page(world, client, query=""):
    return source_of(client.get(reverse("moved", args=[*world.task.address, 2]) + query))


def test_runs_that_moved_lead_to_their_pages(turned, client):
    told = page(turned, client)

    assert "passed <b>early</b>" in told
    for run in turned.runs:
        if run.name != "middle":
            assert f'<a href="{reverse("public-run", args=[*turned.task.address, run.code])}">{run.name}</a>' in told


def test_of_many_runs_the_first_are_explained_and_ones_own(turned, client, monkeypatch):
    monkeypatch.setattr(moved, "EXPLAINED", 1)

    told = page(turned, client)

    assert told.count("passed <b>") == 2
    assert "passed by <b>" not in told
    assert "1 further run that moved" in told
    assert 'href="?runs=all"' in told
    everything = page(turned, client, "?runs=all")
    assert (everything.count("passed <b>"), everything.count("passed by <b>")) == (2, 2)
    assert "further run" not in everything
    client.force_login(turned.alice)
    assert "passed by <b>" in page(turned, client)
