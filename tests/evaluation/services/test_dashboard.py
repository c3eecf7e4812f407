"""The overview of a campaign's desk: who is late, what is missing, what came in when."""

from datetime import timedelta
from io import BytesIO

from django.utils import timezone

from assessments.services.previews import discard_import, read_import, take_file
from campaign.models import Registration, Run, Topic
from campaign.services.acting import By
from campaign.services.runs.checks import check_run
from evaluation.services.dashboard import DAYS_SHOWN, dashboard
from tests.pages import source_of
from tests.world import ASSESSMENTS, BROKEN_RUN, GOOD_RUN


def test_registrations_are_counted_by_state(world):
    Registration.objects.filter(team=world.bobs).update(state="pending")

    assert dashboard(world.campaign).registrations == {"waiting for approval": 1, "approved": 1}


def test_teams_without_a_valid_run_are_named_when_the_deadline_nears(world):
    check_run(world.submit().pk)
    check_run(world.submit(BROKEN_RUN, user=world.bob, team=world.bobs, name="broken").pk)

    (standing,) = dashboard(world.campaign).tasks
    assert standing.late_teams == [world.bobs]
    world.task.closes_at = timezone.now() + timedelta(days=8)
    world.task.save()
    assert dashboard(world.campaign).tasks[0].late_teams == []
    world.task.closes_at = timezone.now() - timedelta(hours=1)
    world.task.save()
    assert dashboard(world.campaign).tasks[0].late_teams == []


def test_runs_are_counted_by_day(world):
    now = timezone.now()
    for number, days_ago in enumerate((0, 0, 3, DAYS_SHOWN - 1, DAYS_SHOWN)):
        run = world.submit(GOOD_RUN + b"#\n" * number, name=f"run-{number}")
        Run.objects.filter(pk=run.pk).update(created_at=now - timedelta(days=days_ago))

    days = dashboard(world.campaign, now).tasks[0].days

    assert len(days) == DAYS_SHOWN
    assert [day.runs for day in days] == [1, *[0] * 9, 1, 0, 0, 2]
    assert [day.share for day in days if day.runs] == [50.0, 50.0, 100.0]


def test_runs_that_skip_topics_and_topics_that_nobody_judged_are_named(world):
    world.activate()
    run = world.submit(b"1 Q0 a 1 9.5 short 0 50\n", name="short")
    check_run(run.pk)
    Topic.objects.create(track=world.track, number="4", position=4, title="unjudged")

    found = dashboard(world.campaign)

    assert found.tasks[0].skipping_runs == [(run, 3)]
    ((track, newest, topics),) = found.unjudged
    assert (track, newest.version, [topic.number for topic in topics]) == (world.track, 1, ["4"])


def test_the_page_shows_it_to_organisers_alone(client, world):
    check_run(world.submit().pk)
    client.force_login(world.organiser)

    page = source_of(client.get("/desk/campaigns/small/"))

    assert "2 teams approved" in page
    assert "No valid run yet from <bdi>Delft</bdi>." in page
    assert ": 1 run</title>" in page
    client.force_login(world.alice)
    assert client.get("/desk/campaigns/small/").status_code == 404


def test_what_is_missing_and_what_waits_for_a_decision_stands_above_all(client, world):
    found = take_file(world.track, by=By(world.organiser), upload=BytesIO(ASSESSMENTS), file_name="second.qrels")
    read_import(found.pk)
    client.force_login(world.organiser)

    page = source_of(client.get("/desk/campaigns/small/"))

    assert "There is no agreement for teams to accept. Write one." in page
    assert f'<a href="/desk/campaigns/small/imports/{found.pk}/"><bdi>second.qrels</bdi></a> has been read and' in page
    discard_import(found, by=By(world.organiser))
    assert "second.qrels" not in source_of(client.get("/desk/campaigns/small/"))
