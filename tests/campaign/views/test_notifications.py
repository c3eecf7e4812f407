"""The pages of notifications: one's own, newest first, read when opened, and the choice of what is mailed."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.models import Notification, User
from campaign.services.runs.checks import check_run
from campaign.services.telling.mailing import send_again
from campaign.services.telling.notifications import notify
from campaign.views import notifications as views
from tests.world import BROKEN_RUN

Kind = Notification.Kind


def tell(user, number, address="/runs/"):
    notify([user], Kind.TEAM, f"thing {number}", f"Thing {number} happened.", address)
    return Notification.objects.get(user=user, about=f"thing {number}")


@pytest.fixture
def page(client):
    """Return a function that gives the text of a page, without its tags."""

    def page(path):
        response = client.get(path)
        assert response.status_code == 200
        text = re.sub(r"<(script|style).*?</\1>|<[^>]+>", "", response.content.decode(), flags=re.DOTALL)
        return re.sub(r"\s+", " ", text)

    return page


def test_an_empty_page_teaches(client, world, page):
    client.force_login(world.alice)

    shown = page("/notifications/")

    assert "Nothing yet. You are told here when a run of your team is scored" in shown
    assert "Mark all as read" not in shown


def test_the_list_is_one_s_own_newest_first_and_marks_what_is_unread(client, world, page):
    tell(world.alice, 1)
    tell(world.alice, 2)
    tell(world.bob, 3)
    Notification.objects.filter(about="thing 1").update(read_at="2026-01-01T00:00Z")
    client.force_login(world.alice)

    shown = page("/notifications/")

    assert "Notifications (1) unread" in shown
    assert "1 unread of 2" in shown
    assert shown.index("Thing 2 happened. new") < shown.index("Thing 1 happened.")
    assert "Thing 3" not in shown


def test_opening_one_marks_it_as_read_and_leads_on(client, world):
    one, other = tell(world.alice, 1), tell(world.alice, 2, address="")
    client.force_login(world.alice)

    first = client.get(f"/notifications/{one.pk}/")
    read_at = Notification.objects.get(pk=one.pk).read_at
    client.get(f"/notifications/{one.pk}/")

    assert first.url == "/runs/"
    assert read_at is not None
    assert Notification.objects.get(pk=one.pk).read_at == read_at
    assert Notification.objects.get(pk=other.pk).read_at is None
    assert client.get(f"/notifications/{other.pk}/").url == "/notifications/"


def test_another_s_notification_is_not_there(client, world):
    his = tell(world.bob, 1)
    client.force_login(world.alice)

    assert client.get(f"/notifications/{his.pk}/").status_code == 404
    assert client.get("/notifications/999999/").status_code == 404
    his.refresh_from_db()
    assert his.read_at is None


@pytest.mark.parametrize("path", ["/notifications/", "/notifications/1/", "/account/notifications/"])
def test_a_visitor_is_asked_to_sign_in(client, world, path):
    assert client.get(path).url == f"/sign-in/?next={path}"


def test_all_are_marked_as_read_that_the_page_had(client, world):
    tell(world.alice, 1)
    seen = tell(world.alice, 2)
    late, his = tell(world.alice, 3), tell(world.bob, 1)
    client.force_login(world.alice)

    response = client.post("/notifications/read/", {"newest": seen.pk})

    unread = set(Notification.objects.unread().values_list("pk", flat=True))
    assert response.url == "/notifications/"
    assert unread == {late.pk, his.pk}


@pytest.mark.parametrize("newest", ["", "x", "-1", "²", "9" * 40])
def test_rubbish_marks_nothing(client, world, newest):
    tell(world.alice, 1)
    client.force_login(world.alice)

    assert client.post("/notifications/read/", {"newest": newest}).status_code == 302
    assert Notification.objects.unread().count() == 1


def test_marking_as_read_is_not_for_links(client, world):
    client.force_login(world.alice)

    assert client.get("/notifications/read/").status_code == 405


def test_long_lists_have_pages(client, world, page, monkeypatch):
    monkeypatch.setattr(views, "PAGE_LENGTH", 2)
    for number in range(5):
        tell(world.alice, number)
    client.force_login(world.alice)

    assert "Thing 4 happened. new" in page("/notifications/")
    last = page("/notifications/?page=3")
    assert "Thing 0 happened." in last
    assert "page 3 of 3" in last
    assert "Thing 0 happened." in page("/notifications/?page=99")


def test_names_are_escaped(client, world):
    notify([world.alice], Kind.TEAM, "team 1", "<script>alert(1)</script> has joined Lund.")
    client.force_login(world.alice)

    assert "<script>alert" not in client.get("/notifications/").content.decode()


def queries_about_notifications(client, path):
    with CaptureQueriesContext(connection) as caught:
        assert client.get(path).status_code == 200
    return [query["sql"] for query in caught if "campaign_notification" in query["sql"]]


def test_the_count_costs_one_query_a_page_and_none_for_a_fragment(client, world):
    run = world.submit()
    tell(world.alice, 1)
    client.force_login(world.alice)

    assert len(queries_about_notifications(client, "/runs/")) == 1
    assert queries_about_notifications(client, f"/runs/{run.pk}/state/") == []
    client.logout()
    assert queries_about_notifications(client, "/") == []


def test_the_settings_show_what_is_mailed_and_keep_what_is_not(client, world, page):
    client.force_login(world.alice)
    before = client.get("/account/notifications/").content.decode()
    client.post("/account/notifications/", {"by_mail": ["scored", "failed"]})
    after = client.get("/account/notifications/").content.decode()

    assert "Mail goes to alice@example.org." in before
    assert before.count(" checked") == len(Kind.values)
    assert after.count(" checked") == 2
    assert set(User.objects.get(username="alice").unmailed) == set(Kind.values) - {"scored", "failed"}


def test_what_is_not_wanted_is_told_on_the_site_only(client, world):
    client.force_login(world.alice)
    client.post("/account/notifications/", {"by_mail": ["scored"]})

    check_run(world.submit(BROKEN_RUN).pk)

    assert Notification.objects.get().mail_state == Notification.Mail.UNWANTED


def test_a_kind_that_does_not_exist_is_refused(client, world):
    client.force_login(world.alice)

    response = client.post("/account/notifications/", {"by_mail": ["spam"]})

    assert response.status_code == 422
    assert "There is no notification “spam”." in response.content.decode()
    assert User.objects.get(username="alice").unmailed == []


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"is_demo": True}, "Demo accounts get no mail."),
        ({"email": ""}, "Your account has no e-mail address, so nothing is mailed to you."),
    ],
)
def test_the_settings_say_when_nothing_is_mailed_at_all(client, world, page, settings, fields, sentence):
    settings.DEMO_ACCOUNTS = True
    User.objects.filter(pk=world.alice.pk).update(**fields)
    client.force_login(world.alice)

    assert sentence in page("/account/notifications/")


def test_the_administration_lists_notifications_and_sends_mail_again(admin_client, world):
    told = tell(world.alice, 1)
    Notification.objects.update(mail_state="failed", mail_attempts=5, mail_error="gone")
    address = "/admin/campaign/notification/"

    listed = admin_client.get(address).content.decode()
    fields = {"action": "mail_again", "_selected_action": [told.pk]}
    asked = admin_client.post(address, fields).content.decode()
    admin_client.post(address, fields | {"sure": re.search(r'name="sure" value="(\w+)"', asked)[1]})

    told.refresh_from_db()
    assert "Thing 1 happened." in listed
    assert (told.mail_state, told.mail_attempts, told.mail_error) == ("waiting", 0, "")
    assert send_again(Notification.objects.all()) == 0  # it is no longer given up
