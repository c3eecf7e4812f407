"""Several things of one kind make one mail: the first goes out at once, the rest together."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.models import Notification
from campaign.services.runs.checks import check_run
from campaign.services.telling import mailing
from campaign.services.telling.mailing import send_due
from campaign.services.telling.notifications import MAIL_AGAIN_AFTER, notify
from tests.post_office import PostOffice
from tests.world import BROKEN_RUN

Kind, Mail = Notification.Kind, Notification.Mail


@pytest.fixture
def office(settings):
    with PostOffice() as office:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", office.port, 0.5
        settings.SITE_URL = "https://limelight.example.org"
        yield office


def tell(user, number, kind=Kind.REJECTED):
    notify([user], kind, f"thing {number}", f"Thing {number} happened.", f"/runs/{number}/")


def ten_minutes_later():
    Notification.objects.update(mail_after=timezone.now() - timedelta(seconds=1))


def test_ten_rejected_runs_make_two_mails(world, office):
    for number in range(10):
        run = world.submit(BROKEN_RUN + b"\n" * number, name=f"broken-{number}")
        check_run(run.pk)
        send_due()
    ten_minutes_later()
    send_due()

    first, rest = office.letters_to("alice@example.org")
    assert "Your run broken-0 was rejected" in first.get_content()
    assert rest["Subject"].strip() == "Limelight: 9 times: a run was rejected"
    assert [f"broken-{number} was rejected" in rest.get_content() for number in range(10)] == [False] + [True] * 9
    assert set(Notification.objects.filter(user=world.alice).values_list("mail_state", flat=True)) == {Mail.SENT}


def test_what_comes_at_once_goes_into_one_mail_with_every_address(world, office):
    for number in (1, 2, 3):
        tell(world.alice, number)

    send_due()

    [letter] = office.letters_to("alice@example.org")
    assert (
        letter.get_content()
        .replace("\r\n", "\n")
        .startswith(
            "Thing 1 happened.\n\nhttps://limelight.example.org/runs/1/\n\n"
            "Thing 2 happened.\n\nhttps://limelight.example.org/runs/2/\n\n"
            "Thing 3 happened.\n\nhttps://limelight.example.org/runs/3/\n\n-- \n"
        )
    )


def test_a_second_mail_of_a_kind_waits_ten_minutes_and_other_kinds_do_not(world, office):
    tell(world.alice, 1)
    send_due()

    tell(world.alice, 2)
    tell(world.alice, 3, Kind.DEADLINE)
    tell(world.bob, 2)
    send_due()

    assert len(office.letters_to("alice@example.org")) == 2
    assert len(office.letters_to("bob@example.org")) == 1
    waiting = Notification.objects.get(mail_state=Mail.WAITING)
    mailed = Notification.objects.get(user=world.alice, about="thing 1").mailed_at
    assert waiting.mail_after == mailed + MAIL_AGAIN_AFTER


def test_a_long_pause_between_two_mails_delays_nothing(world, office):
    tell(world.alice, 1)
    send_due()
    Notification.objects.update(mailed_at=timezone.now() - MAIL_AGAIN_AFTER - timedelta(seconds=1))

    tell(world.alice, 2)
    send_due()

    assert len(office.letters_to("alice@example.org")) == 2


def test_one_mail_holds_a_bounded_number_and_the_next_the_rest(world, office, monkeypatch):
    monkeypatch.setattr(mailing, "MOST_IN_ONE_MAIL", 3)
    for number in range(5):
        tell(world.alice, number)

    send_due()

    assert len(office.letters) == 2


def test_gathered_mail_that_is_refused_is_tried_again_together(world, office):
    office.answer_to_data = "451 Not now"
    for number in range(3):
        tell(world.alice, number)
    send_due()
    office.answer_to_data = "250 OK"
    ten_minutes_later()

    send_due()

    assert len(office.letters) == 1
    assert list(Notification.objects.values_list("mail_state", "mail_attempts")) == [(Mail.SENT, 2)] * 3
