"""Pages of campaigns and tracks: what they are, and who leads on their boards as any visitor may know it."""

import re

import pytest
from django.utils.html import strip_tags

from campaign.models import Campaign, Task

TRACK = "/campaigns/small/ad-hoc/"


def words(response):
    """Return what a page says, on one line."""
    return re.sub(r"\s+", " ", strip_tags(response.content.decode()))


@pytest.fixture
def board(world):
    world.activate()
    world.run = world.scored()
    return world


def test_a_track_tells_what_it_is_and_who_leads(board, client):
    board.track.description = "Find the *right* text."
    board.track.save()

    page = client.get(TRACK)

    assert page.status_code == 200
    said = words(page)
    assert "3 topics · Letters: 4 documents" in said
    assert "Find the right text." in said
    assert "good Lund 0.6053 iMAP" in said
    assert "Sign in or sign up to take part" in said


@pytest.mark.parametrize(
    ("switch", "told"),
    [
        ("at-once", "no run is scored yet"),
        ("at-deadline", "from the deadline on"),
        ("at-publication", "when results are published"),
        ("never", "scores are not shown"),
    ],
)
def test_a_track_says_why_nobody_leads(world, client, switch, told):
    Task.objects.update(other_scores_visible=switch)

    assert told in words(client.get(TRACK))


def test_hidden_scores_and_names_stay_hidden_on_a_track(board, client):
    Task.objects.update(names_visible="never")
    said = words(client.get(TRACK))
    assert "0.6053" in said
    assert "Lund" not in said
    assert board.run.code in said

    Task.objects.update(other_scores_visible="never")
    assert "0.6053" not in words(client.get(TRACK))


def test_crumbs_lead_to_the_track(board, client):
    for path in ("focused/", "topics/", "topics/1/"):
        assert f'<a href="{TRACK}"><bdi>Ad hoc</bdi></a>' in client.get(TRACK + path).content.decode(), path


def test_tracks_of_hidden_campaigns_are_not_there(board, client):
    Campaign.objects.update(is_public=False)

    assert client.get(TRACK).status_code == 404
    client.force_login(board.alice)
    assert client.get(TRACK).status_code == 200
