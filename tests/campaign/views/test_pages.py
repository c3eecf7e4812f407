"""Pages: who gets in, what they say, and what happens with rubbish."""

import json
from datetime import timedelta
from unittest.mock import patch

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from campaign.models import Campaign, Registration, Run
from campaign.services.runs.checks import check_run
from evaluation.services.queue import enter
from tests.world import BROKEN_RUN, GOOD_RUN, score_run


@pytest.fixture
def people(world):
    return {
        "visitor": None,
        "bystander": world.visitor_with_account,
        "alice": world.alice,
        "bob": world.bob,
        "assessor": world.assessor,
        "organiser": world.organiser,
    }


OPEN_TO_ALL = ["/", "/healthz", "/sign-in/", "/campaigns/small/", "/campaigns/small/ad-hoc/topics/"]
OPEN_TO_ALL += ["/campaigns/small/ad-hoc/topics/1/", "/campaigns/small/ad-hoc/focused/"]


@pytest.mark.parametrize("path", OPEN_TO_ALL)
def test_open_pages_are_open(client, people, path):
    for user in people.values():
        client.logout()
        if user and path != "/sign-in/":
            client.force_login(user)
        assert client.get(path).status_code == 200


@pytest.mark.parametrize(
    ("path", "statuses"),
    [
        ("/runs/", {"visitor": 302, "bystander": 200, "alice": 200}),
        ("/desk/", {"visitor": 302, "bystander": 403, "alice": 403, "assessor": 403, "organiser": 200}),
        ("/assessing/", {"visitor": 302, "alice": 403, "assessor": 200, "organiser": 403}),
        ("/campaigns/small/ad-hoc/focused/submit/", {"visitor": 302, "bystander": 200, "alice": 200}),
        ("/runs/{run}/", {"visitor": 302, "bystander": 302, "alice": 200, "bob": 302, "organiser": 200}),
        ("/runs/{run}/state/", {"visitor": 302, "alice": 200, "bob": 404, "organiser": 200}),
        ("/runs/{run}/file/", {"visitor": 302, "alice": 200, "bob": 404, "assessor": 404, "organiser": 200}),
        ("/runs/{run}/report.txt", {"visitor": 302, "alice": 200, "bob": 404, "organiser": 200}),
        ("/runs/{run}/report.json", {"visitor": 302, "alice": 200, "bob": 404}),
        ("/runs/{run}/report.exe", {"alice": 404}),
        ("/runs/999999/", {"alice": 404}),
        ("/campaigns/small/ad-hoc/nothing/", {"visitor": 404}),
        ("/campaigns/small/ad-hoc/topics/99/", {"visitor": 404}),
        ("/admin/", {"visitor": 302, "alice": 302}),
    ],
)
def test_who_gets_in(client, world, people, path, statuses):
    path = path.format(run=world.submit().pk)
    for role, status in statuses.items():
        client.logout()
        if people[role]:
            client.force_login(people[role])
        assert client.get(path).status_code == status, role


def test_a_hidden_campaign_is_there_only_for_its_people(client, world, people):
    Campaign.objects.update(is_public=False)
    expected = {"visitor": 404, "bystander": 404, "alice": 200, "organiser": 200}
    for role, status in expected.items():
        client.logout()
        if people[role]:
            client.force_login(people[role])
        for path in ("/campaigns/small/", "/campaigns/small/ad-hoc/topics/", "/campaigns/small/ad-hoc/focused/"):
            assert client.get(path).status_code == status, (role, path)
    client.logout()
    assert "Small" not in client.get("/").content.decode()


def test_gated_topics_are_for_those_who_take_part(client, world, people):
    Campaign.objects.update(gates_topics=True)
    expected = {"visitor": 403, "bystander": 403, "alice": 200, "assessor": 200, "organiser": 200}
    for role, status in expected.items():
        client.logout()
        if people[role]:
            client.force_login(people[role])
        for path in ("/campaigns/small/ad-hoc/topics/", "/campaigns/small/ad-hoc/topics/1/"):
            response = client.get(path)
            assert response.status_code == status, role
            page = response.content.decode()
            assert ("topic 1" in page) == (status == 200)
            assert ("Topics are for registered teams" in page) == (status == 403)


def test_the_gate_shows_the_way_in(client, world):
    Campaign.objects.update(gates_topics=True)
    visitor = client.get("/campaigns/small/ad-hoc/topics/99/").content.decode()
    assert '<a class="action" href="/sign-in/?next=/campaigns/small/register/">' in visitor
    assert '<a href="/sign-in/?next=/campaigns/small/ad-hoc/topics/99/">sign in</a>' in visitor

    client.force_login(world.visitor_with_account)
    bystander = client.get("/campaigns/small/ad-hoc/topics/").content.decode()
    assert '<a class="action" href="/campaigns/small/register/">Register your team</a>' in bystander

    Registration.objects.update(state="pending")
    client.force_login(world.alice)
    waiting = client.get("/campaigns/small/ad-hoc/topics/").content.decode()
    assert "<bdi>Lund</bdi> is <strong>waiting for approval</strong>" in waiting
    Campaign.objects.update(is_public=False)
    assert client.get("/campaigns/small/ad-hoc/topics/").status_code == 404


def test_navigation_is_by_role(client, world, people):
    expected = {
        "visitor": [],
        "bystander": ["My teams"],
        "alice": ["My runs", "My teams"],
        "assessor": ["My teams", "Assessing"],
        "organiser": ["My teams", "Organiser’s desk"],
    }
    for role, labels in expected.items():
        client.logout()
        if people[role]:
            client.force_login(people[role])
        page = client.get("/").content.decode()
        assert [label for label in ("My runs", "My teams", "Assessing", "Organiser’s desk") if label in page] == labels


def upload(client, content=GOOD_RUN, **fields):
    file = SimpleUploadedFile("mine.fol", content)
    return client.post("/campaigns/small/ad-hoc/focused/submit/", {"file": file, **fields})


def test_a_participant_submits_and_is_led_to_the_run(client, world):
    client.force_login(world.alice)

    response = upload(client, team=world.alices.pk, name="mine", query="automatic", topic_fields=["title"])

    run = Run.objects.get()
    assert response.url == f"/runs/{run.pk}/"
    assert (run.name, run.query, run.topic_fields, run.submitted_by) == ("mine", "automatic", ["title"], world.alice)
    page = client.get(response.url).content.decode()
    assert "received" in page
    assert 'hx-trigger="every 700ms"' in page


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"name": "a b"}, "A run name has 1 to 64 letters, digits and . _ + - , and begins with a letter or digit."),
        ({"file": ""}, "Choose the run file to submit."),
        ({"content": b""}, "This file is empty."),
        ({"query": "telepathic"}, "Select a valid choice."),
        ({"topic_fields": ["mood"]}, "Select a valid choice."),
        ({"team": 999}, "Select a valid choice."),
        ({"name": "n\x00ul"}, "Null characters are not allowed."),
    ],
)
def test_a_wrong_form_comes_back_with_a_sentence(client, world, fields, message):
    client.force_login(world.alice)

    response = upload(client, **({"team": world.alices.pk} | fields))

    assert response.status_code == 422
    assert message in response.content.decode()
    assert not Run.objects.exists()


def test_a_team_of_others_cannot_be_submitted_for(client, world):
    client.force_login(world.alice)

    assert upload(client, team=world.bobs.pk).status_code == 422
    assert not Run.objects.exists()


def test_a_closed_task_takes_nothing_and_says_when_it_closed(client, world):
    world.task.closes_at = timezone.now() - timedelta(minutes=1)
    world.task.save()
    client.force_login(world.alice)

    page = upload(client, team=world.alices.pk).content.decode()

    assert "This task closed on " in page
    assert not Run.objects.exists()


def test_a_file_over_the_limit_is_refused_while_it_arrives(client, world, settings):
    settings.UPLOAD_LIMIT_MB = 1
    client.force_login(world.alice)

    response = upload(client, b"x" * 1_200_000, team=world.alices.pk)

    assert response.status_code == 422
    assert "This file is larger than 1 MB. Compress it with gzip and submit that." in response.content.decode()
    assert not Run.objects.exists()


def test_the_report_can_be_taken_away_as_text_and_as_json(client, world):
    run = world.submit(BROKEN_RUN, name="broken")
    check_run(run.pk)
    client.force_login(world.alice)

    text = client.get(f"/runs/{run.pk}/report.txt")
    report = json.loads(client.get(f"/runs/{run.pk}/report.json").content)

    assert text.content.decode().splitlines()[1:] == [
        "broken.fol:3: the offset 'ten' isn't a whole number. Write digits only."
    ]
    assert text["Content-Disposition"] == 'attachment; filename="broken-report.txt"'
    assert report["state"] == "rejected"
    assert [problem["line"] for problem in report["problems"]] == [2, 3]


def test_the_file_comes_back_as_it_was_sent(client, world):
    run = world.submit()
    client.force_login(world.alice)

    response = client.get(f"/runs/{run.pk}/file/")

    assert b"".join(response.streaming_content) == GOOD_RUN
    assert response["Content-Disposition"] == 'attachment; filename="good.fol"'
    assert response["X-Content-Type-Options"] == "nosniff"


def test_withdrawing_needs_a_post_by_the_team(client, world):
    run = world.submit()
    address = reverse("withdraw", args=[run.pk])
    client.force_login(world.bob)
    assert client.post(address).status_code == 404
    client.force_login(world.alice)
    assert client.get(address).status_code == 405

    page = client.post(address, follow=True).content.decode()

    assert "Run good is withdrawn. It no longer appears on the board." in page
    assert "withdrawn" in page
    run.refresh_from_db()
    assert run.withdrawn_at


def test_each_state_says_what_happens_next(client, world):
    world.activate()
    client.force_login(world.alice)
    run = world.submit()

    def page():
        return client.get(f"/runs/{run.pk}/").content.decode()

    assert "The file is stored. The check begins in a moment." in page()
    with patch("campaign.valid_runs._following", []):  # as if two had met at a bad moment
        check_run(run.pk)
    assert "Your run is valid: 4 results for 3 of 3 topics. Scoring begins in a moment." in page()
    enter(run)
    assert "Your run is valid: 4 results for 3 of 3 topics. The scores are on their way." in page()
    score_run(run.pk)
    assert "Your run is valid: 4 results for 3 of 3 topics." in page()
    assert "See it on the board" in page()
    assert "hx-get" not in page()
    Run.objects.update(state="failed", failure_reference="7F3A21")
    assert "Checking failed on our side (ref. 7F3A21). Nothing is lost and your quota is untouched." in page()


def test_names_and_descriptions_appear_as_text(client, world):
    world.alices.name = "<script>alert(1)</script> =cmd ‮evil 🔦" + "x" * 400
    world.alices.save()
    world.activate()
    run = world.submit(description='"><img src=x onerror=alert(1)>')
    check_run(run.pk)
    score_run(run.pk)
    client.force_login(world.alice)
    for path in ("/campaigns/small/ad-hoc/focused/", f"/runs/{run.pk}/", "/runs/"):
        page = client.get(path).content.decode()
        assert "<script>alert" not in page
        assert "<img src=x" not in page


def test_every_page_carries_the_policy(client, world):
    for path in ("/", "/campaigns/small/ad-hoc/focused/", "/nowhere/"):
        policy = client.get(path)["Content-Security-Policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy


def test_a_fault_of_ours_has_a_page_of_its_own(client, world, monkeypatch):
    client.raise_request_exception = False
    monkeypatch.setattr("evaluation.views.home.timezone.now", lambda: 1 / 0)

    response = client.get("/")

    assert response.status_code == 500
    assert "This one is our fault" in response.content.decode()
