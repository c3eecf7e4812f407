"""More runs, or more time, for one team."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.models import Grant, Notification, Registration, TrailEntry
from campaign.services.acting import By
from campaign.services.permissions.submitting import closes_for, may_submit, quota_left, quota_of, standing_of
from campaign.services.refusals import Refused
from campaign.services.visibility.grants import grant, revoke
from limelight.moments import spoken
from tests.pages import source_of
from tests.world import GOOD_RUN

GRANTS = "/desk/campaigns/small/runs/grants/"


def granted(world, **fields):
    given = {"task": world.task, "team": world.alices, "by": By(world.organiser), "reason": "Their server was down."}
    return grant(**given | fields)


@pytest.fixture
def full(world):
    """Return the world with a quota of one run, which Lund has used."""
    world.task.quota = 1
    world.task.save()
    world.submit()
    return world


@pytest.fixture
def closed(world):
    """Return the world with a task that closed an hour ago."""
    world.task.closes_at = timezone.now() - timedelta(hours=1)
    world.task.save()
    return world


def test_more_runs_add_to_the_quota_of_this_team_only(full):
    assert not may_submit(full.alice, full.alices, full.task)

    granted(full, extra_runs=2)

    assert may_submit(full.alice, full.alices, full.task)
    assert (quota_of(full.alices, full.task), quota_left(full.alices, full.task)) == (3, 2)
    assert (quota_of(full.bobs, full.task), quota_left(full.bobs, full.task)) == (1, 1)
    full.submit(GOOD_RUN + b"3 Q0 a 2 1.0 good 0 5\n", name="second")
    full.submit(GOOD_RUN + b"3 Q0 a 2 1.0 good 0 6\n", name="third")
    assert may_submit(full.alice, full.alices, full.task).reason.startswith("Lund has used all of its 3 runs")


@pytest.mark.parametrize("page", ["/campaigns/small/", "/campaigns/small/ad-hoc/focused/"])
def test_more_time_brings_the_way_to_submit_back_for_this_team_only(client, closed, page):
    def offers(user):
        client.force_login(user)
        return "/ad-hoc/focused/submit/" in source_of(client.get(page))

    assert not offers(closed.alice)
    given = granted(closed, open_until=timezone.now() + timedelta(hours=5))

    assert offers(closed.alice)
    assert not offers(closed.bob)
    revoke(given, by=By(closed.organiser))
    assert not offers(closed.alice)


def test_more_time_opens_the_task_for_this_team_only(closed):
    until = timezone.now() + timedelta(hours=5)
    assert not may_submit(closed.alice, closed.alices, closed.task)

    granted(closed, open_until=until)

    assert may_submit(closed.alice, closed.alices, closed.task)
    assert closes_for(closed.alices, closed.task) == until
    assert not may_submit(closed.bob, closed.bobs, closed.task)
    closed.submit()
    late = may_submit(closed.alice, closed.alices, closed.task, moment=until)
    assert late.reason == f"This task closed on {spoken(until)}."


def test_a_grant_that_was_taken_back_gives_nothing(full):
    made = granted(full, extra_runs=2)

    assert revoke(made, by=By(full.organiser))

    assert not may_submit(full.alice, full.alices, full.task)
    assert not revoke(made, by=By(full.organiser))
    assert list(TrailEntry.objects.values_list("deed", "subject")[:2]) == [
        ("revoked", "Lund in Focused: 2 more runs"),
        ("granted", "Lund in Focused: 2 more runs"),
    ]


def test_the_team_is_told_and_sees_it_where_it_submits(client, full):
    made = granted(full, extra_runs=1)

    [told] = Notification.objects.filter(user=full.alice)
    assert told.text == "Lund may submit 1 more run to Focused (Small): Their server was down."
    client.force_login(full.alice)
    page = source_of(client.get(told.address))
    assert "has 1 of 2 places left." in page
    assert "1 more run. " in page
    assert "Their server was down." in page
    assert not Notification.objects.filter(user=full.bob).exists()
    revoke(made, by=By(full.organiser))
    assert Notification.objects.filter(user=full.alice).first().text == (
        "The organisers took back that Lund may submit 1 more run to Focused (Small). Runs that are submitted stay."
    )
    assert standing_of(full.alice, full.alices, full.task).grants == []


@pytest.mark.parametrize(
    ("fields", "reason", "field"),
    [
        ({}, "Say how many more runs, or until when.", "extra_runs"),
        ({"extra_runs": 1, "reason": " "}, "Say why: the team reads it, and the trail keeps it.", "reason"),
        ({"extra_runs": 1001}, "Grant 1 to 1,000 more runs.", "extra_runs"),
        ({"extra_runs": -1}, "Grant 1 to 1,000 more runs.", "extra_runs"),
    ],
)
def test_what_makes_no_sense_is_refused(full, fields, reason, field):
    with pytest.raises(Refused) as refusal:
        granted(full, **fields)

    assert (refusal.value.reason, refusal.value.field) == (reason, field)
    assert not Grant.objects.exists()


def test_more_of_what_has_no_limit_is_refused(world):
    with pytest.raises(Refused, match=r"^Focused has no limit on runs, so there is nothing to add to\.$"):
        granted(world, extra_runs=1)


def test_more_time_ends_after_the_deadline_and_after_now(world, closed):
    for moment in (timezone.now() - timedelta(minutes=1), closed.task.closes_at - timedelta(days=1)):
        with pytest.raises(Refused, match=r"^More time has to end later than the deadline, .*, and later than now\.$"):
            granted(closed, open_until=moment)


def test_a_team_that_does_not_take_part_gets_nothing(full):
    Registration.objects.filter(team=full.alices).update(state=Registration.State.REFUSED)

    with pytest.raises(Refused, match=r"^Lund is not admitted to Small\.$"):
        granted(full, extra_runs=1)


def test_granting_and_taking_back_on_the_desk(client, full):
    client.force_login(full.organiser)
    form = {"task": full.task.pk, "team": full.alices.pk, "extra_runs": "2", "zone": "utc", "reason": "A day of rain."}
    assert "Nothing was granted yet." in source_of(client.get(GRANTS))

    page = source_of(client.post(GRANTS, form | {"until_on": "2099-03-31T23:59", "zone": "aoe"}, follow=True))

    assert "Granted. Lund has been told." in page
    made = Grant.objects.get()
    assert made.open_until.isoformat() == "2099-04-01T11:59:00+00:00"
    assert "A day of rain." in page
    page = source_of(client.post(f"{GRANTS}{made.pk}/revoke/", follow=True))
    assert "Taken back. Lund has been told." in page
    page = source_of(client.post(f"{GRANTS}{made.pk}/revoke/", follow=True))
    assert "This grant had been taken back already." in page


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"extra_runs": ""}, "Say how many more runs, or until when."),
        ({"reason": ""}, "Say why: the team reads it, and the trail keeps it."),
        ({"until_on": "tomorrow"}, "Write it as 2026-03-31 23:59."),
        ({"until_on": "2001-01-01T00:00"}, "More time has to end later than the deadline"),
        ({"team": "999999"}, "Choose a team of this campaign."),
        ({"task": "x"}, "Choose a task of this campaign."),
        ({"extra_runs": "many"}, "Enter a whole number."),
    ],
)
def test_a_wrong_form_comes_back_with_a_sentence(client, full, fields, sentence):
    client.force_login(full.organiser)
    form = {"task": full.task.pk, "team": full.alices.pk, "extra_runs": "2", "zone": "utc", "reason": "A day of rain."}

    response = client.post(GRANTS, form | fields)

    assert response.status_code == 422
    assert sentence in source_of(response)
    assert not Grant.objects.exists()
