"""The administration: tables for superusers, to read what the desk rules, with a trail of what can be changed."""

import re

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import RequestFactory

from campaign.models import ApiToken, Campaign, Run, Task, Team, TrailEntry, User
from campaign.services.people.tokens import create_token
from campaign.services.runs.checks import check_run

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


def test_nothing_that_has_rules_can_be_added(root, world):
    tables = admin.site._registry.items()

    addable = [model.__name__ for model, table in tables if table.has_add_permission(request_of(world.root))]

    assert addable == []
    for model in admin.site._registry:
        address = f"/admin/{model._meta.app_label}/{model._meta.model_name}/add/"
        assert root.get(address).status_code == 403
        assert root.post(address, {"name": "x"}).status_code == 403
        assert "addlink" not in root.get("/admin/").content.decode()


def test_no_row_that_belongs_to_another_can_be_added(root, world):
    page = root.get(f"/admin/campaign/team/{world.alices.pk}/change/").content.decode()

    assert "alice" in page
    assert 'name="memberships-0-role"' not in page and 'name="_save"' not in page


def test_only_our_own_tables_are_shown(root, world):
    assert {model._meta.app_label for model in admin.site._registry} == {"campaign", "assessments", "evaluation"}


def test_the_front_page_says_where_imports_live(root, world):
    page = root.get("/admin/").content.decode()

    assert "<b>imported on the desk</b>" in page
    for address in ("material/", "assessments/", "boards/", "runs/", ""):
        assert f'href="/desk/campaigns/small/{address}"' in page
    Campaign.objects.all().delete()
    assert 'href="/desk/campaigns/new/"' in root.get("/admin/").content.decode()


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ("campaign/topic", "Topics are imported on the desk"),
        ("campaign/collection", "Collections are imported on the desk"),
        ("campaign/document", "Documents are imported on the desk"),
        ("assessments/assessmentset", "Assessments are imported on the desk"),
        ("assessments/judgement", "Assessments are imported on the desk"),
        ("evaluation/edition", "Boards are built, paused and switched on the desk"),
        ("campaign/team", "A team is changed on its own page"),
    ],
)
def test_each_table_says_where_it_is_filled(root, world, table, sentence):
    page = root.get(f"/admin/{table}/").content.decode()

    assert sentence in page and 'href="/desk/"' in page


def test_no_table_does_to_many_rows_what_nobody_asked_about(root, world):
    acting = {
        model.__name__: sorted(set(table.get_actions(request_of(world.root))) - {"delete_selected"})
        for model, table in admin.site._registry.items()
    }

    assert {name: actions for name, actions in acting.items() if actions} == {
        "ApiToken": ["revoke"],
        "Notification": ["mail_again"],
    }


def test_an_action_on_many_rows_asks_first(root, world):
    tokens = [create_token(world.alice, name)[0] for name in ("laptop", "script")]
    fields = {"action": "revoke", "_selected_action": [token.pk for token in tokens]}

    question = root.post("/admin/campaign/apitoken/", fields).content.decode()

    assert "Revoke 2 tokens?" in question and "laptop" in question
    assert not ApiToken.objects.exclude(revoked_at=None).exists()
    answer = re.search(r'name="sure" value="(\w+)"', question)[1]
    others = root.post("/admin/campaign/apitoken/", fields | {"_selected_action": [tokens[0].pk], "sure": answer})
    assert "The selection changed after you were asked" in others.content.decode()
    root.post("/admin/campaign/apitoken/", fields | {"sure": answer})
    assert ApiToken.objects.exclude(revoked_at=None).count() == 2


def request_of(user):
    request = RequestFactory().get("/admin/")
    request.user = user
    return request


def test_a_superuser_changes_a_team_on_its_page_and_the_trail_tells(root, world):
    root.post("/teams/lund/", {"name": "Lund University"})

    assert Team.objects.get(pk=world.alices.pk).name == "Lund University"
    assert newest() == ("changed", "team Lund", world.root, "site", None)
    root.force_login(world.alice)
    root.post("/teams/lund/", {"name": "Lund"})
    assert TrailEntry.objects.count() == 1, "what a team does about itself is its own"


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
