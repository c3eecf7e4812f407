"""What people are told about runs, deadlines, teams and registrations: word for word, once, and only them."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone

from campaign.machinery.leases import MAX_ATTEMPTS
from campaign.models import Membership, Notification, Registration, Run, User
from campaign.services.runs.checks import check_run
from campaign.services.runs.submissions import withdraw_run
from campaign.services.telling import notifications
from campaign.services.telling.notifications import notify, tell_of_deadlines
from evaluation.services.sweep import sweep
from tests.world import BROKEN_RUN, told, use_up_attempts

Kind, Mail = Notification.Kind, Notification.Mail


def test_a_person_is_told_once_of_a_thing(world):
    for _ in range(2):
        notify([world.alice, world.alice], Kind.TEAM, "team 1", "Bob has joined Lund.")
    notify([world.alice], Kind.TEAM, "team 2", "Bob has joined Delft.")

    assert told(world.alice) == ["Bob has joined Lund.", "Bob has joined Delft."]


def test_nobody_is_told_of_what_was_rolled_back(world):
    with pytest.raises(RuntimeError), transaction.atomic():
        notify([world.alice], Kind.TEAM, "team 1", "Bob has joined Lund.")
        raise RuntimeError

    assert told(world.alice) == []


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({}, Mail.WAITING),
        ({"unmailed": ["deadline"]}, Mail.WAITING),
        ({"unmailed": ["team"]}, Mail.UNWANTED),
        ({"email": ""}, Mail.UNWANTED),
        ({"is_active": False}, Mail.UNWANTED),
        ({"is_demo": True}, Mail.UNWANTED),
    ],
)
def test_mail_waits_only_for_those_who_want_it_and_can_get_it(world, fields, state):
    User.objects.filter(pk=world.alice.pk).update(**fields)

    notify(User.objects.filter(pk=world.alice.pk), Kind.TEAM, "team 1", "Bob has joined Lund.")

    row = Notification.objects.get()
    assert row.mail_state == state
    assert (row.mail_after is not None) == (state == Mail.WAITING)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("Lund\r\nBcc: all@example.org", "Lund Bcc: all@example.org"),
        ("a\x00b\u2028c\u2029d", "a b c d"),
        ("\u202eevil\u202c \u2067team\u2069", "evil team"),
        ("קבוצה 👩‍🔬 Ünï", "קבוצה 👩‍🔬 Ünï"),  # letters of all languages stay, joined emoji too
    ],
)
def test_what_names_bring_along_stays_on_one_line(world, name, line):
    notify([world.alice], Kind.TEAM, "team 1", f"Bob has joined {name}.")

    assert told(world.alice) == [f"Bob has joined {line}."]


def test_a_rejected_run(world):
    run = world.submit(BROKEN_RUN, name="broken")

    check_run(run.pk)
    check_run(run.pk)  # delivered twice

    assert told(world.alice) == [
        "Your run broken was rejected: 2 problems to mend (Focused). "
        "It used up none of your quota: correct the file and submit it again."
    ]
    row = Notification.objects.get()
    assert (row.kind, row.address, row.mail_state) == (Kind.REJECTED, f"/runs/{run.pk}/", Mail.WAITING)


def test_one_problem_is_one_problem(world):
    check_run(world.submit(b"1 Q0 a 1 9.5 r ten 50\n2 Q0 a 1 1.0 r 0 9\n3 Q0 a 1 1.0 r 0 9\n").pk)

    assert "1 problem to mend" in told(world.alice)[0]


def test_a_valid_run_is_not_worth_a_notification_of_its_own(world):
    check_run(world.submit().pk)

    assert not Notification.objects.exists()


def test_a_check_that_fails_on_our_side(world):
    run = world.submit()
    default_storage.delete(run.stored_file)  # the disk has lost it
    for _ in range(MAX_ATTEMPTS):
        assert not Notification.objects.exists()  # it may still succeed
        check_run(run.pk)
        Run.objects.update(held_until=None)
    check_run(run.pk)

    run.refresh_from_db()
    assert told(world.alice) == [
        f"Checking your run good failed on our side (Focused, ref. {run.failure_reference}). "
        "Nothing is lost, your quota is untouched, and the organisers have been told."
    ]
    assert told(world.organiser) == [
        f"Checking run good of Lund failed on our side (Focused, ref. {run.failure_reference}). "
        "The team has lost nothing. The traceback is on your desk, where you can start it again."
    ]
    assert Notification.objects.get(user=world.organiser).address == f"/desk/campaigns/small/runs/{run.pk}/failure/"
    assert Notification.objects.count() == 2


def test_a_check_that_the_sweep_ends(world):
    run = world.submit()
    use_up_attempts(Run.objects.filter(pk=run.pk))

    sweep()
    sweep()

    run.refresh_from_db()
    assert run.failure_reference in told(world.alice, Kind.FAILED)[0]
    assert len(told(world.alice, Kind.FAILED)) == len(told(world.organiser, Kind.FAILED)) == 1


def test_a_row_is_not_ended_without_its_people_being_told(world, monkeypatch):
    run = world.submit()
    use_up_attempts(Run.objects.filter(pk=run.pk))

    def broken(*arguments):
        raise RuntimeError("no paper left")

    monkeypatch.setattr(notifications, "notify", broken)
    with pytest.raises(RuntimeError):
        sweep()

    assert Run.objects.get().state == Run.State.CHECKING


def test_a_second_failure_has_a_reference_of_its_own_and_is_told(world):
    run = world.submit()
    for _ in range(2):
        use_up_attempts(Run.objects.filter(pk=run.pk))
        sweep()
        Run.objects.failed().requeue()

    assert len(told(world.alice, Kind.FAILED)) == 2


def test_without_organisers_the_superusers_are_told(world):
    world.campaign.organisers.clear()
    keeper = world.person("keeper", is_superuser=True)
    run = world.submit()
    use_up_attempts(Run.objects.filter(pk=run.pk))

    sweep()

    assert len(told(keeper, Kind.FAILED)) == 1
    assert told(world.organiser, Kind.FAILED) == []


def test_a_team_is_not_told_of_a_run_it_took_back(world):
    run = world.submit(BROKEN_RUN)
    withdraw_run(run)

    check_run(run.pk)

    assert not Notification.objects.exists()


CLOSING = datetime(2031, 3, 4, 11, 59, tzinfo=UTC)


@pytest.fixture
def closing(world):
    """Return a moment a day and an hour before the task closes."""
    world.task.closes_at = CLOSING
    world.task.save()
    return CLOSING - timedelta(hours=25)


def test_a_deadline_is_told_a_day_before(world, closing):
    check_run(world.submit(BROKEN_RUN, name="broken").pk)
    world.submit(name="one")
    world.submit(name="two")

    tell_of_deadlines(closing)
    assert told(world.alice, Kind.DEADLINE) == []
    for hours in (1, 2, 24):
        tell_of_deadlines(closing + timedelta(hours=hours))

    closes = "Focused (Small) closes on 3 March 2031, 23:59 AoE (4 March 2031, 11:59 UTC)."
    assert told(world.alice, Kind.DEADLINE) == [f"{closes} Lund has 2 runs in it."]
    assert told(world.bob, Kind.DEADLINE) == [f"{closes} Delft has no run in it yet."]
    assert Notification.objects.filter(kind=Kind.DEADLINE).count() == 2
    assert Notification.objects.get(user=world.bob).address == "/campaigns/small/ad-hoc/focused/"


def test_an_extended_deadline_is_told_again(world, closing):
    tell_of_deadlines(closing + timedelta(hours=2))
    world.task.closes_at += timedelta(days=7)
    world.task.save()

    tell_of_deadlines(closing + timedelta(days=7, hours=2))

    assert [text[:49] for text in told(world.alice)] == [
        "Focused (Small) closes on 3 March 2031, 23:59 AoE",
        "Focused (Small) closes on 10 March 2031, 23:59 Ao",
    ]


def test_a_deadline_that_has_passed_is_not_told(world, closing):
    tell_of_deadlines(CLOSING)

    assert not Notification.objects.exists()


def test_a_deadline_is_for_members_of_admitted_teams(world, closing):
    world.bobs.registrations.update(state=Registration.State.PENDING)

    tell_of_deadlines(closing + timedelta(hours=2))

    assert set(Notification.objects.values_list("user__username", flat=True)) == {"alice"}


def test_a_member_of_two_teams_is_told_once_about_both(world, closing):
    Membership.objects.create(team=world.bobs, user=world.alice)

    tell_of_deadlines(closing + timedelta(hours=2))

    [text] = told(world.alice)
    assert text.endswith("Delft has no run in it yet. Lund has no run in it yet.")


def test_who_joins_on_the_last_day_is_told_too(world, closing):
    tell_of_deadlines(closing + timedelta(hours=2))
    Membership.objects.create(team=world.alices, user=world.visitor_with_account)

    tell_of_deadlines(closing + timedelta(hours=3))

    assert len(told(world.visitor_with_account)) == len(told(world.alice)) == 1


def test_the_sweep_tells_of_deadlines(world):
    world.task.closes_at = timezone.now() + timedelta(hours=3)
    world.task.save()

    sweep()
    sweep()

    assert len(told(world.alice, Kind.DEADLINE)) == 1


@pytest.fixture
def registration(world):
    Registration.objects.filter(team=world.alices).update(state=Registration.State.PENDING)
    return Registration.objects.get(team=world.alices)


def test_a_registration_that_waits_for_the_organisers(world, registration):
    for _ in range(2):
        notifications.registration_requested(registration)

    assert told(world.organiser) == ["Lund asks to take part in Small and waits for your decision."]
    assert Notification.objects.get().address == "/desk/"


def test_a_registration_that_nobody_has_to_approve(world):
    notifications.registration_requested(world.bobs.registrations.get())

    assert told(world.organiser) == ["Delft has registered for Small."]


@pytest.mark.parametrize(
    ("state", "reason", "text"),
    [
        ("approved", "", "Lund takes part in Small: the organisers approved the registration."),
        ("refused", "", "The organisers of Small refused the registration of Lund."),
        ("refused", "Too\nlate.", "The organisers of Small refused the registration of Lund: Too late."),
        ("withdrawn", "", "The registration of Lund for Small was withdrawn."),
        ("pending", "", "The registration of Lund for Small waits for a decision again."),
    ],
)
def test_what_became_of_a_registration(world, registration, state, reason, text):
    registration.state, registration.reason, registration.decided_at = state, reason, timezone.now()
    for _ in range(2):
        notifications.registration_decided(registration)

    assert told(world.alice) == [text]
    assert told(world.bob) == []
    assert Notification.objects.get().address == "/campaigns/small/"


def test_who_joins_and_leaves_a_team(world):
    Membership.objects.create(team=world.alices, user=world.bob)
    for _ in range(2):
        notifications.member_joined(world.alices, world.bob, "/teams/lund/")
    Membership.objects.filter(team=world.alices, user=world.bob).delete()
    notifications.member_left(world.alices, world.bob)

    assert told(world.alice) == ["bob has joined Lund.", "bob has left Lund."]
    assert told(world.bob) == []
