"""The administration: tables for superusers, to read what the desk rules, with a trail of what can be changed."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission

from campaign.models import Campaign, Run, Task, Team, TrailEntry, User
from campaign.services.checks import check_run

READ_HERE_CHANGED_AT_THE_DESK = ("campaign", "track", "task", "topic", "collection", "document", "registration")


@pytest.fixture
def root(client, world):
    """Return the browser of a superuser."""
    world.root = world.person("root", is_superuser=True, is_staff=True)
    client.force_login(world.root)
    return client


def first_of(client, table):
    return next(iter(client.get(f"/admin/campaign/{table}/").context["cl"].queryset)).pk


def newest():
    entry = TrailEntry.objects.first()
    return entry.deed, entry.subject, entry.actor, entry.through, entry.campaign


def test_an_organiser_has_the_desk_and_stays_out_whatever_tables_were_opened_to_them(client, world):
    organiser = world.organiser
    organiser.is_staff = True
    organiser.save()
    organiser.user_permissions.set(Permission.objects.filter(content_type__app_label="campaign"))
    client.force_login(organiser)

    assert client.get("/admin/").status_code == 302
    assert client.get("/admin/campaign/campaign/").status_code == 302


@pytest.mark.parametrize("table", READ_HERE_CHANGED_AT_THE_DESK)
def test_what_has_rules_is_read_here_and_changed_at_the_desk(root, world, table):
    key = first_of(root, table)
    page = f"/admin/campaign/{table}/{key}"

    assert root.get(f"{page}/change/").status_code == 200
    assert root.post(f"{page}/change/", {"name": "other"}).status_code == 403
    assert root.post(f"{page}/delete/", {"post": "yes"}).status_code == 403
    assert root.get(f"/admin/campaign/{table}/add/").status_code == 403
    assert not TrailEntry.objects.exists()


def test_nothing_is_deleted_in_bulk(root, world):
    for table in READ_HERE_CHANGED_AT_THE_DESK:
        fields = {"action": "delete_selected", "_selected_action": [first_of(root, table)], "post": "yes"}
        root.post(f"/admin/campaign/{table}/", fields)
    root.post("/admin/campaign/user/", {"action": "delete_selected", "_selected_action": [world.bob.pk], "post": "yes"})

    assert (Campaign.objects.count(), Task.objects.count()) == (1, 1)
    assert User.objects.filter(pk=world.bob.pk).exists()


def test_a_changed_team_is_in_the_trail(root, world):
    management = {f"memberships-{name}_FORMS": count for name, count in (("TOTAL", 0), ("INITIAL", 0))}
    fields = {"name": "Lund University", "slug": "lund", "affiliation": "", **management}

    root.post(f"/admin/campaign/team/{world.alices.pk}/change/", fields)

    assert Team.objects.get(pk=world.alices.pk).name == "Lund University"
    assert newest() == ("changed", "team Lund University", world.root, "admin", None)
    assert TrailEntry.objects.first().details == {"fields": ["Name"]}


def test_a_place_given_back_is_in_the_campaign_s_trail(root, world):
    run = world.submit()
    check_run(run.pk)

    root.post(f"/admin/campaign/run/{run.pk}/change/", {"description": "", "quota_waived": "on"})

    assert Run.objects.get(pk=run.pk).quota_waived
    assert newest() == ("changed", f"run {run}", world.root, "admin", world.campaign)


def test_an_account_is_erased_as_its_owner_would_and_leaves_no_name(root, world):
    key = world.bob.pk
    assert "bob" in root.get(f"/admin/campaign/user/{key}/delete/").content.decode()

    root.post(f"/admin/campaign/user/{key}/delete/", {"post": "yes"})

    assert not User.objects.filter(pk=key).exists()
    assert newest() == ("deleted", f"account {key}", world.root, "admin", None)
    assert not LogEntry.objects.filter(object_repr__contains="bob").exists()


def test_the_only_organiser_of_a_campaign_is_not_erased(root, world):
    answer = root.post(f"/admin/campaign/user/{world.organiser.pk}/delete/", {"post": "yes"}, follow=True)

    assert "This account is the only organiser of Small. Name another one before it is deleted." in (
        answer.content.decode()
    )
    assert User.objects.filter(pk=world.organiser.pk).exists()
    assert not TrailEntry.objects.exists()
