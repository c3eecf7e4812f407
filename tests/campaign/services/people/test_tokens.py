"""Tokens: shown once, kept as a digest, useless when revoked."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from campaign.models import ApiToken
from campaign.services.people.tokens import create_token, find_token, revoke_token


def test_a_token_is_found_by_its_secret_which_the_database_does_not_have(world):
    token, secret = create_token(world.alice, "laptop")

    assert re.fullmatch(r"lml_[A-Za-z0-9]{40}", secret)
    assert find_token(secret) == token
    stored = ApiToken.objects.values().get()
    assert secret not in str(stored)
    assert stored["beginning"] == secret[:12]


@pytest.mark.parametrize("secret", ["", "lml_", "lml_" + 40 * "a", "Bearer", "lml_\udcff", "naïve"])
def test_what_is_no_token_finds_nothing(world, secret):
    create_token(world.alice, "laptop")

    assert find_token(secret) is None


def test_a_revoked_token_finds_nothing(world):
    token, secret = create_token(world.alice, "laptop")

    revoke_token(token)

    assert find_token(secret) is None


def test_its_last_use_is_noted_at_most_once_a_minute(world):
    token, secret = create_token(world.alice, "laptop")
    find_token(secret)
    token.refresh_from_db()
    assert timezone.now() - token.last_used_at < timedelta(seconds=10)

    ApiToken.objects.update(last_used_at=timezone.now() - timedelta(seconds=50))
    find_token(secret)
    token.refresh_from_db()
    assert timezone.now() - token.last_used_at > timedelta(seconds=40)

    ApiToken.objects.update(last_used_at=timezone.now() - timedelta(seconds=61))
    find_token(secret)
    token.refresh_from_db()
    assert timezone.now() - token.last_used_at < timedelta(seconds=10)


def test_the_page_is_for_people_who_are_signed_in(client, world):
    assert client.get(reverse("api-tokens")).url == "/sign-in/?next=/account/tokens/"


def test_the_page_teaches_what_a_token_is_for(client, world):
    client.force_login(world.alice)

    assert "No tokens yet." in client.get(reverse("api-tokens")).content.decode()


def test_the_secret_is_shown_once_with_a_line_to_copy(client, world):
    client.force_login(world.alice)

    response = client.post(reverse("api-tokens"), {"name": "laptop"})

    page = response.content.decode()
    secret = re.search(r"lml_[A-Za-z0-9]{40}", page)[0]
    assert find_token(secret).user == world.alice
    assert f'curl -H "Authorization: Bearer {secret}" http://testserver/api/v1/runs' in page.replace("&quot;", '"')
    assert response["Cache-Control"] == "max-age=0, no-cache, no-store, must-revalidate, private"
    again = client.get(reverse("api-tokens")).content.decode()
    assert secret not in again
    assert secret[:12] in again
    assert "laptop" in again


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "This field is required."),
        ("x" * 101, "Ensure this value has at most 100 characters (it has 101)."),
        ("n\x00ul", "Null characters are not allowed."),
    ],
)
def test_a_token_needs_a_name(client, world, name, message):
    client.force_login(world.alice)

    response = client.post(reverse("api-tokens"), {"name": name})

    assert response.status_code == 422
    assert message in response.content.decode()
    assert not ApiToken.objects.exists()


def test_names_of_tokens_appear_as_text(client, world):
    client.force_login(world.alice)

    page = client.post(reverse("api-tokens"), {"name": "<b>bold</b>"}).content.decode()

    assert "&lt;b&gt;bold&lt;/b&gt;" in page
    assert "<b>bold</b>" not in page


def test_only_its_owner_revokes_a_token(client, world):
    token, secret = create_token(world.alice, "laptop")
    address = reverse("revoke-token", args=[token.pk])
    client.force_login(world.bob)
    assert client.post(address).status_code == 404
    assert find_token(secret)
    client.force_login(world.alice)
    assert client.get(address).status_code == 405

    page = client.post(address, follow=True).content.decode()

    assert "Token laptop is revoked. Whatever used it can no longer sign in." in page
    assert find_token(secret) is None
    assert "No tokens yet." in page
