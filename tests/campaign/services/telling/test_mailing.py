"""Mail over a real SMTP server: it arrives, once; a server that refuses, hangs or is gone costs nothing but time."""

import threading
import time
from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.models import Notification, User
from campaign.services.runs.checks import check_run
from campaign.services.telling import mailing
from campaign.services.telling.mailing import MOST_ATTEMPTS, RETRY_AFTER, claim, keep_mailing, message_of, send_due
from campaign.services.telling.notifications import notify
from tests.post_office import PostOffice, hanging, hanging_up
from tests.services.site import free_port, wait_until
from tests.world import BROKEN_RUN

Kind, Mail = Notification.Kind, Notification.Mail


@pytest.fixture
def post(settings):
    """Return a function that points the site at a mail server."""

    def post(port):
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", port, 0.5
        settings.SITE_URL = "https://limelight.example.org"

    return post


@pytest.fixture
def office(post):
    with PostOffice() as office:
        post(office.port)
        yield office


def tell(user, number=1, text="Bob has joined Lund.", address="/runs/"):
    notify([user], Kind.TEAM, f"thing {number}", text, address)
    return Notification.objects.get(user=user, about=f"thing {number}")


def make_due():
    Notification.objects.filter(mail_state=Mail.WAITING).update(mail_after=timezone.now())


def states():
    return list(Notification.objects.order_by("pk").values_list("mail_state", "mail_attempts"))


def test_a_mail_arrives_word_for_word(world, office):
    run = world.submit(BROKEN_RUN, name="broken")
    check_run(run.pk)

    assert send_due()

    [letter] = office.letters_to("alice@example.org")
    assert letter["Subject"].strip() == (  # a folded header begins with its fold
        "Limelight: Your run broken was rejected: 2 problems to mend (Focused). "
        "It used up none of your quota: correct the file …"
    )
    assert (letter["From"], letter["To"]) == ("limelight@localhost", "alice@example.org")
    assert letter["Auto-Submitted"] == "auto-generated"
    assert letter.get_content_type() == "text/plain"
    assert letter.get_content().replace("\r\n", "\n") == (
        "Your run broken was rejected: 2 problems to mend (Focused). "
        "It used up none of your quota: correct the file and submit it again.\n"
        "\n"
        f"https://limelight.example.org/runs/{run.pk}/\n"
        "\n"
        "-- \n"
        "You get this mail because you have an account on Limelight.\n"
        "Choose what is mailed to you: https://limelight.example.org/account/notifications/\n"
    )
    assert states() == [(Mail.SENT, 1)]


def tell_five():
    for number in range(5):
        tell(User.objects.create_user(f"person-{number}", f"{number}@example.org"), number)


def test_a_batch_goes_over_one_connection_and_no_mail_twice(db, office):
    tell_five()

    send_due()
    make_due()
    send_due()

    assert len(office.letters) == 5
    assert office.connections == 1


def test_a_batch_is_bounded(db, office, monkeypatch):
    monkeypatch.setattr(mailing, "BATCH", 2)
    tell_five()

    send_due()

    assert [letter["Message-ID"].split("-")[1] for _, letter in office.letters] == [
        str(row.pk) for row in Notification.objects.order_by("pk")[:2]
    ]


@pytest.mark.parametrize(
    "name",
    [
        "Lund\r\nBcc: everybody@example.org",
        "Lund\nSubject: other",
        "👩‍🔬 Team\u202e evil",
        "קבוצת חיפוש",
        "=?utf-8?q?encoded?=",
        "x" * 3000,
        "\ud7ff\ue000",
    ],
)
def test_no_name_gets_into_the_headers(world, office, name):
    User.objects.filter(pk=world.bob.pk).update(first_name="", username=name[:100])
    row = tell(world.alice, text=f"{name} has joined Lund.")
    Notification.objects.filter(pk=row.pk).update(text=f"{name} has joined Lund.")  # as if nobody had cleaned it

    assert send_due()

    [letter] = office.letters_to("alice@example.org")
    assert letter["Bcc"] is None
    assert letter["Subject"].strip().startswith("Limelight: ")
    assert len(letter.get_all("Subject")) == 1
    assert len(letter["Subject"].strip()) <= 120
    assert states() == [(Mail.SENT, 1)]


def test_an_address_that_would_add_a_header_is_not_mailed(world, office):
    User.objects.filter(pk=world.alice.pk).update(email="a@example.org\nBcc: b@example.org")
    tell(User.objects.get(pk=world.alice.pk))

    assert send_due()

    assert office.letters == []
    row = Notification.objects.get()
    assert (row.mail_state, row.mail_attempts) == (Mail.WAITING, 1)
    assert row.mail_error.startswith("ValueError: Invalid address")


@pytest.mark.parametrize("fields", [{"unmailed": ["team"]}, {"email": ""}, {"is_active": False}, {"is_demo": True}])
def test_who_no_longer_wants_mail_gets_none(world, office, fields):
    tell(world.alice)
    User.objects.filter(pk=world.alice.pk).update(**fields)

    send_due()

    assert office.letters == []
    assert states() == [(Mail.UNWANTED, 0)]


def test_a_refused_recipient_does_not_hold_up_the_others(world, office):
    office.refused.add("alice@example.org")
    tell(world.alice)
    tell(world.bob)

    assert send_due()

    assert len(office.letters_to("bob@example.org")) == 1
    assert states() == [(Mail.WAITING, 1), (Mail.SENT, 1)]
    assert "550, b'No such person here'" in Notification.objects.get(user=world.alice).mail_error


def test_a_refused_mail_is_tried_again_ever_later_and_given_up_after_five(world, office):
    office.answer_to_data = "451 Not now"
    row = tell(world.alice)
    pauses = []
    for _ in range(MOST_ATTEMPTS):
        before = timezone.now()
        assert send_due()
        row.refresh_from_db()
        pauses.append(row.mail_after - before)
        send_due()  # not due: nothing happens
        make_due()
    send_due()

    assert [timedelta(seconds=round(pause.total_seconds(), -1)) for pause in pauses[:-1]] == list(RETRY_AFTER)
    assert states() == [(Mail.FAILED, 5)]
    assert row.mail_error == "SMTPDataError: (451, b'Not now')"
    assert office.letters == []


def test_a_mail_that_was_refused_once_goes_out_at_the_next_attempt(world, office):
    office.answer_to_data = "451 Not now"
    tell(world.alice)
    send_due()
    office.answer_to_data = "250 OK"
    make_due()

    send_due()

    assert len(office.letters) == 1
    assert states() == [(Mail.SENT, 2)]
    assert Notification.objects.get().mail_error == ""


def trouble(world, port, post):
    """Try to send two mails to a server in trouble; returns the first row's error and how long it took."""
    post(port)
    tell(world.alice)
    tell(world.bob)
    started = time.monotonic()

    assert not send_due()

    assert states() == [(Mail.WAITING, 1), (Mail.WAITING, 0)]  # the second one is not blamed for the server
    first = Notification.objects.get(user=world.alice)
    assert first.mail_after > timezone.now() + timedelta(seconds=50)
    return first.mail_error, time.monotonic() - started


def test_a_server_that_is_gone(world, post):
    error, _ = trouble(world, free_port(), post)

    assert error.startswith("ConnectionRefusedError: ")


def test_a_server_that_hangs_is_left_after_the_timeout(world, post):
    with hanging() as port:
        error, seconds = trouble(world, port, post)

    assert "timed out" in error
    assert seconds < 5


def test_a_server_that_hangs_up(world, post):
    with hanging_up() as port:
        error, _ = trouble(world, port, post)

    assert error.startswith("SMTPServerDisconnected: ")


def test_a_server_that_comes_back_gets_everything(world, post):
    port = free_port()
    trouble(world, port, post)

    with PostOffice(port) as office:
        make_due()
        assert send_due()

    assert len(office.letters) == 2
    assert states() == [(Mail.SENT, 2), (Mail.SENT, 1)]


def test_a_mail_is_claimed_by_one(world):
    row = tell(world.alice)

    assert claim(row.pk).pk == row.pk
    assert claim(row.pk) is None


def test_two_mailers_that_saw_the_same_row_send_one_mail(world, office, monkeypatch):
    row = tell(world.alice)
    real = mailing.wants_by_mail

    def overtaken(*arguments):
        monkeypatch.setattr(mailing, "wants_by_mail", real)
        assert claim(row.pk)  # the other one is faster
        return real(*arguments)

    monkeypatch.setattr(mailing, "wants_by_mail", overtaken)
    send_due()

    assert office.letters == []
    assert states() == [(Mail.WAITING, 1)]


def test_a_mailer_that_died_sends_again_with_the_same_id(world, office):
    row = tell(world.alice)
    taken = claim(row.pk)  # and then the process is killed, with the mail out or not
    make_due()

    send_due()

    [letter] = office.letters_to("alice@example.org")
    assert letter["Message-ID"] == message_of(taken).message()["Message-ID"]
    assert letter["Message-ID"].endswith("@limelight.example.org>")


def test_a_mailer_that_died_in_the_last_attempt_leaves_a_row_that_ends(world, office):
    tell(world.alice)
    Notification.objects.update(mail_attempts=MOST_ATTEMPTS)

    send_due()

    assert states() == [(Mail.FAILED, MOST_ATTEMPTS)]
    assert Notification.objects.get().mail_error == "Nobody knows whether it was sent."
    assert office.letters == []


def test_the_site_without_a_mail_server_writes_to_the_console(world, settings, capsys):
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    tell(world.alice)

    send_due()

    assert "Bob has joined Lund." in capsys.readouterr().out
    assert states() == [(Mail.SENT, 1)]


@pytest.mark.django_db(transaction=True)
def test_the_mailer_stops_when_told_and_outlives_what_it_cannot_send(world, office, monkeypatch):
    tell(world.alice)
    real, calls = mailing.send_due, []

    def broken_at_first(*arguments):
        calls.append(arguments)
        if len(calls) == 1:
            raise RuntimeError("no paper left")
        return real(*arguments)

    monkeypatch.setattr(mailing, "send_due", broken_at_first)
    told_to_stop = threading.Event()
    mailer = threading.Thread(target=keep_mailing, args=(told_to_stop, 0.01))
    mailer.start()
    try:
        wait_until(lambda: office.letters, seconds=10)
    finally:
        told_to_stop.set()
        mailer.join(timeout=10)

    assert not mailer.is_alive()
    wait_until(lambda: states() == [(Mail.SENT, 1)], seconds=10)


def test_after_trouble_the_mailer_leaves_the_server_alone_for_a_while(db, monkeypatch):
    waits = []

    class Stop:
        def is_set(self):
            return len(waits) > 1

        def wait(self, seconds):
            waits.append(seconds)

    answers = iter([True, False])
    monkeypatch.setattr(mailing, "send_due", lambda told_to_stop: next(answers))

    keep_mailing(Stop(), 2)

    assert waits == [2, mailing.PAUSE_AFTER_TROUBLE]
