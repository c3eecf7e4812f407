"""The trail: narrowed, paged, taken away, and never changed."""

import csv
import getpass
import io
import json

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.utils import timezone

from campaign.models import Campaign, Registration, TrailEntry
from campaign.services.acting import By
from campaign.services.people.accounts import erase_account
from campaign.services.people.registrations import decide
from campaign.services.telling import trail

PATH = "/desk/campaigns/small/trail/"


@pytest.fixture
def organiser(client, world):
    client.force_login(world.organiser)
    return client


def shown(response):
    return [entry.subject for entry in response.context["page"]]


def test_the_newest_come_first_and_other_campaigns_are_elsewhere(organiser, world):
    other = Campaign.objects.create(slug="other", name="Other", year=2026)
    for campaign, subject in ((world.campaign, "one"), (other, "theirs"), (None, "nobody's"), (world.campaign, "two")):
        trail.record(campaign, trail.CHANGED, subject, by=By(world.organiser))

    assert shown(organiser.get(PATH)) == ["two", "one"]


def test_it_is_narrowed_to_a_deed_and_a_person(organiser, world):
    trail.record(world.campaign, trail.CHANGED, "one", by=By(world.organiser))
    trail.record(world.campaign, trail.CREATED, "two", by=By(world.bob))
    trail.record(world.campaign, trail.CREATED, "three")

    assert shown(organiser.get(PATH, {"deed": "created"})) == ["three", "two"]
    assert shown(organiser.get(PATH, {"deed": "created", "person": "bob"})) == ["two"]
    assert shown(organiser.get(PATH, {"person": trail.NOBODY})) == ["three"]
    assert "Nothing like this was done." in organiser.get(PATH, {"deed": "danced"}).content.decode()


def test_it_has_pages(organiser, world):
    for number in range(60):
        trail.record(world.campaign, trail.CHANGED, str(number))

    assert shown(organiser.get(PATH))[0] == "59"
    assert shown(organiser.get(PATH, {"page": 2, "deed": "changed"}))[-1] == "0"
    assert "?deed=changed&amp;page=2" in organiser.get(PATH, {"deed": "changed"}).content.decode()
    assert shown(organiser.get(PATH, {"page": "x"}))[0] == "59"


def test_changes_are_told_as_before_and_after(organiser, world):
    changes = {"quota": [None, 3], "is_public": [False, True], "assessors": [4, 5, 6]}
    trail.record(world.campaign, trail.CHANGED, "one", by=By(world.organiser), changes=changes)

    words = "quota: nothing → 3; is_public: no → yes; assessors: 4, 5, 6"
    assert words in organiser.get(PATH).content.decode()


def test_people_are_named_as_long_as_they_have_an_account(organiser, world):
    trail.record(world.campaign, trail.GRANTED, "organising Small", by=By(world.organiser), person=world.bob.pk)
    assert "organising Small</bdi>: <bdi>bob</bdi>" in organiser.get(PATH).content.decode()

    erase_account(world.bob)

    assert "bob" not in organiser.get(PATH).content.decode()


def test_an_empty_trail_teaches(organiser):
    assert "Nothing was done yet." in organiser.get(PATH).content.decode()


def test_it_is_taken_away_as_csv_without_formulas(organiser, world):
    trail.record(world.campaign, trail.CHANGED, "=1+1", by=By(world.organiser), before="a")

    response = organiser.get("/desk/campaigns/small/trail.csv")

    head, row = csv.reader(io.StringIO(response.content.decode()))
    assert head == ["at", "deed", "subject", "person", "through", "details"]
    assert row[1:] == ["changed", "'=1+1", "organiser", "on the site", '{"before": "a"}']
    assert response["Content-Disposition"] == 'attachment; filename="small-trail.csv"'


def test_it_is_taken_away_as_json_narrowed_as_the_page(organiser, world):
    trail.record(world.campaign, trail.CHANGED, "one", by=By(world.organiser), number=1)
    trail.record(world.campaign, trail.CREATED, "two")

    found = json.loads(organiser.get("/desk/campaigns/small/trail.json", {"deed": "changed"}).content)

    assert found["campaign"] == "small"
    assert [entry | {"at": ""} for entry in found["entries"]] == [
        {
            "at": "",
            "deed": "changed",
            "subject": "one",
            "person": "organiser",
            "through": "on the site",
            "details": {"number": 1},
        }
    ]
    assert organiser.get("/desk/campaigns/small/trail.exe").status_code == 404


def test_decisions_about_registrations_are_kept(world):
    registration = Registration.objects.get(team=world.alices)
    Registration.objects.update(state="pending")

    decide(registration, by=By(world.organiser), approve=False, reason="No cake.")
    decide(registration, by=By(world.organiser), approve=False, reason="No cake.")  # a second click
    decide(registration, by=By(world.organiser), approve=True)

    told = [(entry.deed, entry.subject, entry.details) for entry in TrailEntry.objects.order_by("pk")]
    assert told == [
        ("refused", "registration of Lund", {"team": "lund", "reason": "No cake."}),
        ("approved", "registration of Lund", {"team": "lund"}),
    ]


def test_confirmed_accounts_are_kept_for_superusers(client, world):
    address = EmailAddress.objects.create(user=world.bob, email="bob@example.org", verified=False)
    client.force_login(world.organiser)

    client.post(f"/desk/accounts/{address.pk}/confirm/")

    entry = TrailEntry.objects.get()
    assert (entry.campaign, entry.deed, entry.subject, entry.actor) == (
        None,
        "confirmed",
        f"account {world.bob.pk}",
        world.organiser,
    )
    assert client.get("/desk/trail/").status_code == 404
    client.force_login(world.person("root", is_superuser=True))
    assert shown(client.get("/desk/trail/")) == [entry.subject]


def test_a_deleted_account_is_kept_without_the_person(world):
    trail.record(world.campaign, trail.CHANGED, "something", by=By(world.bob))

    erase_account(world.bob)

    assert [(entry.subject, entry.actor) for entry in TrailEntry.objects.order_by("pk")] == [
        ("something", None),
        ("an account, by the person it was of", None),
    ]
    assert "bob" not in json.dumps(list(TrailEntry.objects.values("subject", "details", "campaign_name")))


def test_the_command_s_import_is_kept_by_every_campaign_that_uses_the_collection(world, tmp_path):
    file = tmp_path / "lengths.txt"
    file.write_bytes(b"x 10\n")

    call_command("import_collection", "letters", str(file))
    call_command("import_collection", "unused", str(file))

    of_site, entry = TrailEntry.objects.all()
    assert (of_site.campaign, of_site.subject) == (None, "documents of unused")
    assert (entry.campaign, entry.subject, entry.through) == (world.campaign, "documents of Letters", "command")
    assert entry.details == {"file": "lengths.txt", "documents": 1, "account": getpass.getuser()}


def test_the_administration_only_shows_it(client, world):
    entry = trail.record(world.campaign, trail.CHANGED, "one", at_what=timezone.now().isoformat())
    client.force_login(world.person("root", is_superuser=True, is_staff=True))

    assert client.get("/admin/campaign/trailentry/").status_code == 200
    assert client.get(f"/admin/campaign/trailentry/{entry.pk}/change/").status_code == 200
    assert client.post(f"/admin/campaign/trailentry/{entry.pk}/change/", {"deed": "x"}).status_code == 403
    assert client.post(f"/admin/campaign/trailentry/{entry.pk}/delete/", {"post": "yes"}).status_code == 403
    assert client.get("/admin/campaign/trailentry/add/").status_code == 403


def test_the_site_s_own_trail_is_taken_away_by_superusers(client, world):
    trail.record(None, trail.DELETED, "campaign Gone", by=By(world.organiser))
    trail.record(world.campaign, trail.CHANGED, "one")
    client.force_login(world.person("root", is_superuser=True))

    found = client.get("/desk/trail.json").json()

    assert found["campaign"] is None
    assert [entry["subject"] for entry in found["entries"]] == ["campaign Gone"]
    assert "campaign Gone" in client.get("/desk/trail.csv?deed=deleted").content.decode()
    assert client.get("/desk/trail.xml").status_code == 404
    client.force_login(world.organiser)
    assert client.get("/desk/trail.json").status_code == 404
