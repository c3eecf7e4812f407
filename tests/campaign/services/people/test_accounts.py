"""Accounts: signing up, confirming, signing in, resetting, ORCID, and leaving for good."""

import re
import smtplib

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.core import mail
from django.core.cache import cache
from django.test import override_settings
from django.urls import reverse

from campaign.models import ApiToken, Membership, Notification, Run, Team, User
from campaign.services.people.accounts import erase_account
from campaign.services.refusals import Refused
from tests.orcid import Orcid
from tests.world import World

pytestmark = pytest.mark.django_db

PASSWORD = "lamp-and-lens-7"
NEWCOMER = {"email": "ada@example.org", "username": "ada", "password1": PASSWORD}


@pytest.fixture(autouse=True)
def nobody_has_tried_anything():
    cache.clear()


@pytest.fixture
def world():
    return World()


def link_in(message):
    return re.search(r"http://testserver(/\S+)", message.body)[1]


def sign_up(client, **changes):
    return client.post(reverse("account_signup"), NEWCOMER | changes)


def sign_in(client, login="ada", password=PASSWORD):
    return client.post(reverse("account_login"), {"login": login, "password": password})


def give_password_again(client, password=PASSWORD):
    client.post(reverse("account_reauthenticate"), {"password": password})


def is_signed_in(client):
    return client.get("/runs/").status_code == 200


def confirmed_person(username="ada", **changes):
    user = User.objects.create_user(username, f"{username}@example.org", PASSWORD, **changes)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def test_a_newcomer_signs_up_confirms_the_address_and_is_signed_in(client):
    response = sign_up(client)

    assert response.url == reverse("account_email_verification_sent")
    assert not is_signed_in(client)
    (message,) = mail.outbox
    assert message.subject == "[Limelight] Confirm your e-mail address"
    assert message.body.startswith("Welcome to Limelight, ada.")
    page = client.get(link_in(message))
    assert "ada@example.org belongs to the account" in page.content.decode()
    assert not is_signed_in(client)  # following the link is not enough: mail scanners do that
    client.post(link_in(message))
    assert is_signed_in(client)


def test_the_link_confirms_also_in_another_browser_and_then_asks_for_the_password(client):
    sign_up(client)
    link = link_in(mail.outbox[0])
    client.cookies.clear()

    client.post(link)

    assert not is_signed_in(client)
    assert EmailAddress.objects.get(email="ada@example.org").verified
    sign_in(client)
    assert is_signed_in(client)


def test_an_unconfirmed_account_cannot_sign_in_and_gets_the_mail_again(client):
    sign_up(client)
    client.cookies.clear()
    cache.clear()

    response = sign_in(client)

    assert response.url == reverse("account_email_verification_sent")
    assert not is_signed_in(client)
    assert len(mail.outbox) == 2


def test_a_used_or_invented_link_says_so(client):
    page = client.get(reverse("account_confirm_email", args=["invented"])).content.decode()

    assert "This link has been used or is too old." in page


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"email": "not an address"}, "Enter a valid email address."),
        ({"username": "a"}, "Ensure this value has at least 2 characters"),
        ({"username": "Taken"}, "This user name is taken. Choose another one."),
        ({"password1": "12345678"}, "This password is too common."),
        ({"username": "a\x00da"}, "Null characters are not allowed."),
    ],
)
def test_a_wrong_answer_is_named_and_no_account_made(client, changes, sentence):
    User.objects.create_user("taken")

    page = sign_up(client, **changes).content.decode()

    assert sentence in page
    assert User.objects.count() == 1


def test_signing_up_with_a_known_address_tells_nobody_but_its_owner(client):
    confirmed_person("grace")

    response = sign_up(client, email="grace@example.org")

    assert response.url == reverse("account_email_verification_sent")
    assert User.objects.count() == 1
    assert mail.outbox[0].subject == "[Limelight] You already have an account"


@pytest.mark.parametrize("login", ["ada", "ADA", "ada@example.org", "Ada@Example.org"])
def test_people_sign_in_with_name_or_address_in_any_case(client, login):
    confirmed_person()

    sign_in(client, login)

    assert is_signed_in(client)


def test_a_wrong_password_is_answered_in_a_sentence(client):
    confirmed_person()

    page = sign_in(client, password="wrong").content.decode()

    assert "This user name and password do not go together. The password is case-sensitive." in page


def test_wrong_passwords_are_limited_for_an_account(client):
    confirmed_person()
    for _ in range(5):
        sign_in(client, password="wrong")

    page = sign_in(client).content.decode()  # the right one

    assert "That was a wrong password too often. Wait five minutes, or reset the password." in page
    assert not is_signed_in(client)


def test_wrong_passwords_are_limited_for_an_address(client):
    answers = [sign_in(client, f"somebody-{number}", "wrong") for number in range(11)]

    assert "That was a wrong password too often." in answers[-1].content.decode()


def test_signing_up_in_masses_is_stopped_with_a_page_of_ours(client):
    for number in range(20):
        sign_up(client, email=f"{number}@example.org", username=f"user-{number}")

    response = sign_up(client)

    assert response.status_code == 429
    assert response["Retry-After"] == "60"
    assert "That was too often in a short time" in response.content.decode()


def test_the_administration_has_no_sign_in_page_of_its_own(client):
    response = client.get("/admin/login/", follow=True)

    assert response.redirect_chain[0][0].startswith("/sign-in/?next=")


def test_a_superuser_made_on_the_command_line_can_sign_in(client):
    User.objects.create_superuser("root", "root@example.org", PASSWORD)

    sign_in(client, "root")

    assert is_signed_in(client)


def test_a_forgotten_password_is_reset_by_mail(client):
    confirmed_person()

    client.post(reverse("account_reset_password"), {"email": "ada@example.org"})
    link = link_in(mail.outbox[0])
    form = client.get(link, follow=True)
    client.post(form.redirect_chain[-1][0], {"password1": "another-lamp-8", "password2": "another-lamp-8"})

    sign_in(client, password="another-lamp-8")
    assert is_signed_in(client)
    assert "This link has been used or is too old." in client.get(link, follow=True).content.decode()


def test_asking_for_a_reset_does_not_tell_who_has_an_account(client):
    confirmed_person()

    known = client.post(reverse("account_reset_password"), {"email": "ada@example.org"})
    unknown = client.post(reverse("account_reset_password"), {"email": "nobody@example.org"})

    assert (known.status_code, known.url) == (unknown.status_code, unknown.url)
    assert mail.outbox[1].subject == "[Limelight] No account with this address"


class DeadMailServer:
    """A mail backend whose server is away."""

    def __init__(self, *arguments, **options):
        pass

    def send_messages(self, messages):
        raise smtplib.SMTPConnectError(421, "The server is away")


@override_settings(EMAIL_BACKEND=f"{__name__}.DeadMailServer")
def test_without_a_mail_server_an_organiser_confirms_the_account(client, world):
    answer = sign_up(client)
    page = client.get(answer.url).content.decode()
    assert "We could not send a mail to ada@example.org just now." in page
    address = EmailAddress.objects.get(email="ada@example.org")

    client.force_login(world.organiser)
    assert "ada@example.org" in client.get(reverse("unconfirmed-accounts")).content.decode()
    response = client.post(reverse("confirm-account", args=[address.pk]), follow=True)

    assert "ada (ada@example.org) is confirmed and can sign in now." in response.content.decode()
    client.logout()
    sign_in(client)
    assert is_signed_in(client)


def test_only_organisers_confirm_accounts(client, world):
    sign_up(client)
    address = EmailAddress.objects.get(email="ada@example.org")
    client.logout()

    client.force_login(world.alice)

    assert client.get(reverse("unconfirmed-accounts")).status_code == 403
    assert client.post(reverse("confirm-account", args=[address.pk])).status_code == 403
    address.refresh_from_db()
    assert not address.verified


def test_an_address_that_somebody_else_has_confirmed_is_not_confirmed_again(client, world):
    late = EmailAddress.objects.create(user=User.objects.create_user("late"), email="ada@example.org")
    confirmed_person()
    client.force_login(world.organiser)

    response = client.post(reverse("confirm-account", args=[late.pk]), follow=True)

    assert "ada@example.org has already been confirmed by another account." in response.content.decode()


def test_a_new_address_counts_only_when_it_is_confirmed(client):
    user = confirmed_person()
    sign_in(client)

    client.post(reverse("account_email"), {"email": "new@example.org", "action_add": ""})
    user.refresh_from_db()
    assert user.email == "ada@example.org"
    client.post(link_in(mail.outbox[-1]))

    user.refresh_from_db()
    assert user.email == "new@example.org"
    assert list(EmailAddress.objects.values_list("email", flat=True)) == ["new@example.org"]


def test_a_person_changes_name_and_password(client):
    confirmed_person()
    sign_in(client)

    client.post(reverse("account"), {"first_name": "Ada", "last_name": "<b>L</b>"})
    new = "yet-another-lamp"
    client.post(reverse("account_change_password"), {"oldpassword": PASSWORD, "password1": new, "password2": new})

    assert "Ada &lt;b&gt;L&lt;/b&gt;" in client.get(reverse("account")).content.decode()
    client.logout()
    sign_in(client, password=new)
    assert is_signed_in(client)


# Leaving --------------------------------------------------------------------------------------------------------------


def test_a_deleted_account_is_erased_and_its_runs_stay_with_the_team(client, world, settings):
    run = world.submit()
    person = world.alice
    person.set_password(PASSWORD)
    person.save()
    EmailAddress.objects.create(user=person, email="alice@example.org", verified=True, primary=True)
    ApiToken.objects.create(user=person, name="laptop", digest="0" * 64, beginning="lml_0")
    Notification.objects.create(user=person, kind="scored", about="run", text="scored")
    sign_in(client, person.username)
    give_password_again(client)

    response = client.post(reverse("account-delete"), {"username": person.username}, follow=True)

    assert "Your account is deleted. The runs of your teams stay with the teams." in response.content.decode()
    assert not User.objects.filter(pk=person.pk).exists()
    assert not ApiToken.objects.exists() and not Notification.objects.exists() and not EmailAddress.objects.exists()
    run.refresh_from_db()
    assert run.submitted_by is None and run.team == world.alices
    assert not is_signed_in(client)


def test_deleting_asks_for_the_password_once_more(client, world):
    client.force_login(world.alice)

    response = client.get(reverse("account-delete"))

    assert response.url.startswith(reverse("account_reauthenticate"))


def test_deleting_takes_the_own_name(client):
    confirmed_person()
    sign_in(client)
    give_password_again(client)

    response = client.post(reverse("account-delete"), {"username": "somebody"})

    assert response.status_code == 422
    assert "Type ada to delete your account." in response.content.decode()
    assert User.objects.filter(username="ada").exists()


def test_the_only_organiser_cannot_leave(world):
    with pytest.raises(Refused, match="This account is the only organiser of Small"):
        erase_account(world.organiser)

    assert User.objects.filter(pk=world.organiser.pk).exists()


def test_a_team_keeps_a_leader_when_its_leader_is_erased():
    leader, first, second = (User.objects.create_user(name) for name in ("leader", "first", "second"))
    team = Team.objects.create(slug="three", name="Three")
    for user, role in ((leader, "leader"), (first, "member"), (second, "member")):
        Membership.objects.create(team=team, user=user, role=role)

    erase_account(leader)

    assert dict(team.memberships.values_list("user__username", "role")) == {"first": "leader", "second": "member"}


def test_a_team_of_one_without_runs_goes_with_its_person():
    loner = User.objects.create_user("loner")
    team = Team.objects.create(slug="one", name="One")
    Membership.objects.create(team=team, user=loner, role="leader")

    erase_account(loner)

    assert not Team.objects.exists()
    assert not Run.objects.exists()


# ORCID ----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def orcid(settings):
    stub = Orcid()
    settings.ORCID_CLIENT_ID = "limelight"
    settings.SOCIALACCOUNT_PROVIDERS = {
        "openid_connect": {
            "APPS": [
                {
                    "provider_id": "orcid",
                    "name": "ORCID",
                    "client_id": "limelight",
                    "secret": "the-secret",
                    "settings": {"server_url": stub.address, "fetch_userinfo": False, "scope": ["openid"]},
                }
            ]
        }
    }
    yield stub
    stub.close()


def go_through_orcid(client, orcid):
    """Press the button, follow ORCID's answer, and return the page on which that ends."""
    there = client.post(reverse("openid_connect_login", args=["orcid"])).url
    assert there.startswith(f"{orcid.address}/oauth/authorize?")
    query = {name: [value] for name, value in re.findall(r"[?&](\w+)=([^&]+)", there)}
    query["redirect_uri"] = [f"http://testserver{reverse('openid_connect_callback', args=['orcid'])}"]
    return client.get(orcid.led_back(query), follow=True)


def test_somebody_signs_up_with_orcid_and_gives_an_address(client, orcid):
    page = go_through_orcid(client, orcid)
    assert "ORCID has told us who you are, but not where to reach you." in page.content.decode()

    client.post(reverse("socialaccount_signup"), {"email": "josiah@example.org", "username": "josiah"})
    client.post(link_in(mail.outbox[0]))

    assert orcid.clients == [("limelight", "the-secret")]
    user = User.objects.get(username="josiah")
    assert (user.first_name, user.last_name) == ("Josiah", "Carberry")
    assert SocialAccount.objects.get(user=user).uid == Orcid.IDENTIFIER
    client.logout()
    go_through_orcid(client, orcid)
    assert is_signed_in(client)
    assert Orcid.IDENTIFIER in client.get(reverse("account")).content.decode()


def test_an_account_connects_and_disconnects_orcid(client, orcid):
    user = confirmed_person()
    sign_in(client)

    there = client.post(f"{reverse('openid_connect_login', args=['orcid'])}?process=connect").url
    query = {name: [value] for name, value in re.findall(r"[?&](\w+)=([^&]+)", there)}
    query["redirect_uri"] = [f"http://testserver{reverse('openid_connect_callback', args=['orcid'])}"]
    page = client.get(orcid.led_back(query), follow=True).content.decode()
    assert "Your account is now connected with ORCID." in page
    account = SocialAccount.objects.get(user=user)
    client.post(reverse("socialaccount_connections"), {"account": account.pk})

    assert not SocialAccount.objects.exists()


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("deny", "You came back from ORCID without signing in."),
        ("break", "Something went wrong between ORCID and us; nothing is lost."),
    ],
)
def test_what_goes_wrong_at_orcid_is_said(client, orcid, answer, sentence):
    orcid.answer = answer

    page = go_through_orcid(client, orcid)

    assert sentence in page.content.decode()
    assert not User.objects.exists()


def test_a_switched_off_account_stays_out_with_orcid_too(client, orcid):
    user = confirmed_person(is_active=False)
    SocialAccount.objects.create(user=user, provider="orcid", uid=Orcid.IDENTIFIER)

    page = go_through_orcid(client, orcid)

    assert "This account is switched off" in page.content.decode()
    assert not is_signed_in(client)


def test_without_a_registration_at_orcid_nothing_is_offered(client):
    assert "ORCID" not in client.get(reverse("account_login")).content.decode()
    assert client.post(reverse("openid_connect_login", args=["orcid"])).status_code == 404


def test_where_mail_goes_to_the_console_the_page_says_so(client, settings):
    address = reverse("account_email_verification_sent")
    assert "its mail is printed where" not in client.get(address).content.decode()

    settings.DEMO_ACCOUNTS, settings.EMAIL_BACKEND = True, "django.core.mail.backends.console.EmailBackend"

    assert "its mail is printed where <code>script/server</code> runs" in client.get(address).content.decode()
