"""Wrong passwords lock out whoever types them, not the person whose account it is; mail links to this site alone."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from campaign.models import User
from campaign.sign_in import COOKIE, FROM_EVERYWHERE

pytestmark = pytest.mark.django_db

PASSWORD = "lamp-and-lens-7"
TOO_OFTEN = "That was a wrong password too often."
HERE, NEXT_DOOR, ELSEWHERE = "192.0.2.7", "192.0.2.8", "198.51.100.9"


@pytest.fixture(autouse=True)
def nobody_has_tried_anything():
    cache.clear()


@pytest.fixture
def ada():
    user = User.objects.create_user("ada", "ada@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def sign_in(client, password, address=HERE, login="ada"):
    return client.post(reverse("account_login"), {"login": login, "password": password}, REMOTE_ADDR=address)


def guess(times, address, login="ada"):
    return [sign_in(Client(), "wrong", address, login) for _ in range(times)]


def is_signed_in(client):
    return client.get("/runs/").status_code == 200


def test_wrong_passwords_from_one_network_lock_the_account_there(ada):
    guess(5, HERE)

    answer = sign_in(Client(), PASSWORD, NEXT_DOOR)

    assert TOO_OFTEN in answer.content.decode()


def test_wrong_passwords_from_one_network_lock_nobody_elsewhere(ada):
    guess(5, HERE)
    client = Client()

    sign_in(client, PASSWORD, ELSEWHERE)

    assert is_signed_in(client)


def test_user_name_and_address_of_one_account_are_counted_together(ada):
    guess(3, HERE)
    guess(2, HERE, "Ada@Example.org")

    answer = sign_in(Client(), PASSWORD)

    assert TOO_OFTEN in answer.content.decode()


def test_a_known_device_gets_in_whatever_others_try_from_the_same_network(ada, client):
    sign_in(client, PASSWORD)
    client.post(reverse("account_logout"))
    guess(6, HERE)

    sign_in(client, PASSWORD)

    assert is_signed_in(client)


def test_a_known_device_has_its_own_limit(ada, client):
    sign_in(client, PASSWORD)
    client.post(reverse("account_logout"))
    for _ in range(5):
        sign_in(client, "wrong")

    answer = sign_in(client, PASSWORD)

    assert TOO_OFTEN in answer.content.decode()


def test_a_device_is_known_for_one_account_and_one_password(ada, client):
    sign_in(client, PASSWORD)
    client.post(reverse("account_logout"))
    ada.set_password("another-lamp-8")
    ada.save()
    guess(5, HERE)

    answer = sign_in(client, "another-lamp-8")

    assert TOO_OFTEN in answer.content.decode()


@pytest.mark.parametrize("value", ["", "1|2|3", "made-up", "1|2|3:abc:def"])
def test_a_cookie_that_is_made_up_opens_nothing(ada, client, value):
    client.cookies[COOKIE] = value
    guess(5, HERE)

    answer = sign_in(client, PASSWORD)

    assert TOO_OFTEN in answer.content.decode()


def test_guesses_from_many_networks_are_limited_together_and_let_the_known_device_in(ada, client):
    sign_in(client, PASSWORD)
    client.post(reverse("account_logout"))
    for _ in range(FROM_EVERYWHERE.most):
        FROM_EVERYWHERE.seconds_to_wait(ada.pk)

    stranger = sign_in(Client(), PASSWORD, ELSEWHERE)
    sign_in(client, PASSWORD)

    assert TOO_OFTEN in stranger.content.decode()
    assert is_signed_in(client)


@pytest.mark.parametrize("host", ["testserver:8443", "localhost:99", "127.0.0.1:1"])
@pytest.mark.parametrize(
    ("page", "entered"),
    [
        ("account_signup", {"email": "grace@example.org", "username": "grace", "password1": PASSWORD}),
        ("account_signup", {"email": "ada@example.org", "username": "grace", "password1": PASSWORD}),
        ("account_reset_password", {"email": "ada@example.org"}),
        ("account_reset_password", {"email": "nobody@example.org"}),
    ],
)
def test_links_in_mail_begin_with_the_address_of_the_site_whatever_the_request_says(ada, settings, host, page, entered):
    settings.SITE_URL = "https://limelight.example.org"

    Client().post(reverse(page), entered, HTTP_HOST=host)

    [letter] = mail.outbox
    links = re.findall(r"https?://\S+", letter.body)
    assert links
    assert all(link.startswith("https://limelight.example.org") for link in links)
    assert host not in letter.body
