"""Copying a campaign: all that was set up, nothing that was sent in."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from campaign.models import Campaign, Registration, Run, Task, TrailEntry
from campaign.services.acting import By
from campaign.services.refusals import Refused
from campaign.services.setup.copying import copy_campaign, moved


@pytest.fixture
def old(world):
    Campaign.objects.update(agreement="Be fair.", agreement_version=4, needs_approval=True, gates_topics=True)
    world.campaign.organisers.add(world.bob)
    world.campaign.refresh_from_db()
    Task.objects.update(
        profile="inex-2010",
        topic_budget=1000,
        quota=3,
        parameters={"unmapped_size": 3},
        opens_at=datetime(2026, 3, 1, tzinfo=UTC),
        closes_at=datetime(2026, 3, 31, 11, 59, tzinfo=UTC),
        published_at=datetime(2026, 6, 1, tzinfo=UTC),
        names_visible="at-publication",
        runs_visible="at-deadline",
    )
    return world


def copied(world, **options):
    return copy_campaign(world.campaign, by=By(world.organiser), **{"name": "Small 2027", "year": 2027} | options)


def test_settings_tracks_and_tasks_are_copied(old):
    made = copied(old)

    assert (made.slug, made.agreement, made.agreement_version) == ("small-2027", "Be fair.", 1)
    assert (made.is_public, made.needs_approval, made.gates_topics, made.gates_collection) == (False, True, True, False)
    assert set(made.organisers.all()) == {old.organiser, old.bob}
    [track] = made.tracks.all()
    assert (track.slug, track.name, track.collection) == ("ad-hoc", "Ad hoc", old.collection)
    [task] = track.tasks.all()
    assert (task.kind, task.profile, task.topic_budget, task.quota) == ("focused", "inex-2010", 1000, 3)
    assert (task.parameters, task.published_at) == ({"unmapped_size": 3}, None)
    assert (task.names_visible, task.runs_visible) == ("at-publication", "at-deadline")
    assert (task.opens_at, task.closes_at) == (
        datetime(2027, 3, 1, tzinfo=UTC),
        datetime(2027, 3, 31, 11, 59, tzinfo=UTC),
    )


def test_nothing_that_was_sent_in_is_copied(old):
    Registration.objects.update(agreement_version=4)
    old.submit(task=old.new_task("thorough", closes_at=timezone.now() + timedelta(days=1)))
    old.import_assessments()

    made = copied(old)

    [track] = made.tracks.all()
    assert not Run.objects.filter(task__track=track).exists()
    assert not Registration.objects.filter(campaign=made).exists()
    assert not track.assessment_sets.exists() and not track.assessors.exists() and not track.topics.exists()


def test_topics_and_collection_come_along_when_asked(old):
    [track] = copied(old, with_topics=True, with_collections=False).tracks.all()

    assert track.collection is None
    assert list(track.topics.values_list("number", "title")) == [(str(n), f"topic {n}") for n in (1, 2, 3)]


def test_dates_move_by_as_much_as_the_first_opening(old):
    opens_at = datetime(2027, 9, 5, 12, tzinfo=UTC)

    [track] = copied(old, opens_at=opens_at).tracks.all()

    [task] = track.tasks.all()
    assert (task.opens_at, task.closes_at - task.opens_at) == (opens_at, timedelta(days=30, hours=11, minutes=59))


def test_both_trails_tell_of_the_copy(old):
    made = copied(old)

    assert [(entry.campaign, entry.subject) for entry in TrailEntry.objects.order_by("pk")] == [
        (made, "campaign Small 2027 from Small"),
        (old.campaign, "campaign Small into Small 2027"),
    ]


def test_a_second_copy_of_the_same_name_is_refused(old):
    copied(old)

    with pytest.raises(Refused, match=r"There is a campaign Small 2027 of 2027 already. Choose another name."):
        copied(old)


def test_leap_days_move_to_the_day_before():
    assert moved(datetime(2024, 2, 29, tzinfo=UTC), 4) == datetime(2028, 2, 29, tzinfo=UTC)
    assert moved(datetime(2024, 2, 29, tzinfo=UTC), 1) == datetime(2025, 2, 28, tzinfo=UTC)


def test_a_task_around_a_leap_day_still_closes_after_it_opens(old):
    Campaign.objects.update(year=2024)
    Task.objects.update(opens_at=datetime(2024, 2, 28, 12, tzinfo=UTC), closes_at=datetime(2024, 2, 29, 6, tzinfo=UTC))
    old.campaign.refresh_from_db()

    copied(old, year=2025)

    task = Task.objects.get(track__campaign__year=2025)
    assert task.closes_at - task.opens_at == timedelta(hours=18)


def test_the_page_copies(client, old):
    client.force_login(old.organiser)
    path = "/desk/campaigns/small/copy/"
    sent = {"name": "Next", "year": "2027", "zone": "aoe", "opens_on": "2020-01-01T00:00", "with_collections": "on"}

    response = client.post(path, sent)
    assert response.status_code == 422
    assert "This moment has passed. The copy opens in the future." in response.content.decode()

    response = client.post(path, sent | {"opens_on": "2090-01-01T00:00"})
    assert response.url == "/desk/campaigns/next/setup/"
    assert Task.objects.get(track__campaign__slug="next").opens_at == datetime(2090, 1, 1, 12, tzinfo=UTC)

    assert client.post(path, sent | {"name": "And next", "opens_on": ""}).status_code == 302
    assert client.post(path).status_code == 422
