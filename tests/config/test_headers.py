"""Nobody else's cache keeps what a person saw, and no other site gets at it."""

import pytest
from django.urls import reverse

from tests.world import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def world():
    return World()


@pytest.mark.parametrize("address", ["/", "/runs/", "/status/", "/account/notifications/", "/nowhere/"])
def test_pages_of_the_signed_in_stay_out_of_shared_caches(client, world, address):
    client.force_login(world.alice)

    response = client.get(address)

    assert "private" in response["Cache-Control"] or "no-store" in response["Cache-Control"]


def test_files_of_the_signed_in_stay_out_of_shared_caches(client, world):
    run = world.submit()
    client.force_login(world.alice)

    response = client.get(reverse("run-file", args=[run.pk]))

    assert response.status_code == 200
    assert "private" in response["Cache-Control"]
    assert response["X-Content-Type-Options"] == "nosniff"


def test_a_visitor_gets_nothing_that_is_kept_without_asking_again(client):
    assert client.get("/")["Cache-Control"] == "no-cache"


def test_an_answer_that_begins_a_session_is_personal(client, world):
    response = client.post(reverse("account_login"), {"login": "nobody", "password": "wrong"})

    assert "private" in response["Cache-Control"] or "no-store" in response["Cache-Control"]


@pytest.mark.parametrize("address", ["/", "/healthz", "/nowhere/", "/api/v1/campaigns"])
def test_every_answer_says_what_it_may_use_and_who_may_embed_it(client, address):
    response = client.get(address)

    assert "camera=()" in response["Permissions-Policy"]
    assert response["Cross-Origin-Resource-Policy"] == "same-origin"
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"


def test_signing_out_clears_what_the_browser_kept(client, world):
    client.force_login(world.alice)

    response = client.post(reverse("account_logout"))

    assert response["Clear-Site-Data"] == '"cache"'
