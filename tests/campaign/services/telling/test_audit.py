"""Two people in front of the same form: who is late is refused, reads what the other one saved, and loses nothing."""

from dataclasses import dataclass, field

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from lxml import html

from campaign.models import Campaign, Grant, Membership, Registration, Task, Team, Topic, Track
from campaign.services.acting import By
from campaign.services.people.teams import invite
from campaign.services.visibility.grants import grant
from tests.role_table import SEALED
from tests.stage import addresses

DESK = "/desk/campaigns/small/"
TASK = f"{DESK}tracks/ad-hoc/tasks/focused/"


@dataclass(frozen=True)
class Case:
    """A page with a form, what I type into it, and what the other one saves through the same form meanwhile."""

    page: str
    mine: dict
    theirs: dict
    shown: str
    """What of theirs the refusal tells."""

    action: str = ""
    typed: str = ""
    """What of mine still stands in the form."""

    saved: object = None
    """Returns what is saved, to be as the other one left it."""

    who: str = "organiser"
    prepare: object = field(default=lambda world: None)


CASES = {
    "desk-settings": Case(
        f"{DESK}settings/",
        {"description": "typed for an hour"},
        {"summary": "their line"},
        "summary is now “their line”",
        typed="typed for an hour",
        saved=lambda world: Campaign.objects.get().summary,
    ),
    "track-edit": Case(
        f"{DESK}tracks/ad-hoc/",
        {"description": "typed for an hour"},
        {"name": "Ad hoc anew", "assessors": ""},
        "name is now “Ad hoc anew”; assessors is now empty",
        typed="typed for an hour",
        saved=lambda world: Track.objects.get().name,
    ),
    "task-edit": Case(
        TASK,
        {"description": "typed for an hour"},
        {"quota": "7"},
        "runs a team is now 7",
        typed="typed for an hour",
        saved=lambda world: Task.objects.get().quota,
    ),
    "desk-switches": Case(
        f"{DESK}publication/",
        {"task-{task}-own_scores_visible": "never"},
        {"task-{task}-names_visible": "never"},
        "names visible is now “never”",
        action=f"{DESK}publication/ad-hoc/focused/switches/",
        typed='<option value="never" selected>',
        saved=lambda world: Task.objects.get().names_visible,
    ),
    "desk-version-notes": Case(
        f"{DESK}assessments/",
        {"notes": "typed for an hour"},
        {"notes": "their notes"},
        "notes is now “their notes”",
        action=f"{DESK}ad-hoc/assessments/v1/notes/",
        typed="typed for an hour",
        saved=lambda world: world.track.assessment_sets.get().notes,
        prepare=lambda world: world.import_assessments(),
    ),
    "desk-measures": Case(
        f"{DESK}boards/ad-hoc/focused/measures/",
        {"notes": "typed for an hour"},
        {"profile": "inex-2009"},
        "profile is now “inex-2009”",
        typed="typed for an hour",
        saved=lambda world: Task.objects.get().profile,
    ),
    "team": Case(
        "/teams/lund/",
        {"affiliation": "typed for an hour"},
        {"name": "Lund anew"},
        "name is now “Lund anew”",
        typed="typed for an hour",
        saved=lambda world: Team.objects.get(slug="lund").name,
        who="alice",
    ),
    "task-move": Case(
        f"{DESK}setup/",
        {"way": "down"},
        {"way": "down"},
        "order is now “Thorough”, “Focused”",
        action=f"{TASK}move/",
        saved=lambda world: [task.name for task in Task.objects.order_by("position")],
        prepare=lambda world: world.new_task("thorough", closes_at=world.task.closes_at, position=1),
    ),
    "track-move": Case(
        f"{DESK}setup/",
        {"way": "down"},
        {"way": "down"},
        "order is now “Other”, “Ad hoc”",
        action=f"{DESK}tracks/ad-hoc/move/",
        saved=lambda world: [track.name for track in Track.objects.order_by("position")],
        prepare=lambda world: Track.objects.create(campaign=world.campaign, slug="other", name="Other", position=1),
    ),
    "team-invite": Case(
        "/teams/lund/",
        {},
        {},
        "After you opened this page, somebody made a new link",
        saved=lambda world: world.alices.invitations.open().get().token,
        who="alice",
        action="/teams/lund/invite/",
    ),
    "desk-grants": Case(
        f"{DESK}runs/grants/",
        {"extra_runs": "2", "reason": "typed for an hour"},
        {"extra_runs": "3", "reason": "late train"},
        "After you opened this page, somebody granted Delft 3 more runs in Focused",
        typed="typed for an hour",
        saved=lambda world: list(Grant.objects.values_list("extra_runs", flat=True)),
        prepare=lambda world: Task.objects.update(quota=5),
    ),
}
"""By the address that the form is sent to."""

ELSEWHERE = {
    "topics-confirm": "test_topics_that_changed_after_the_preview_are_shown_again",
    "topics-remove": "test_bulk_questions: asks, with numbers",
    "task-delete": "test_what_was_filled_meanwhile_is_not_deleted_unseen",
    "track-delete": "test_what_was_filled_meanwhile_is_not_deleted_unseen",
    "campaign-delete": "test_what_was_filled_meanwhile_is_not_deleted_unseen",
    "registration-decide": "test_registrations: refuses a state that was not seen",
    "desk-runs-deed": "test_bulk_deeds: asks again where the runs changed",
    "desk-rejection-undo": "test_bulk_deeds: asks again where the runs changed",
    "desk-publish": "test_publication_questions: asks again where something changed",
    "desk-unpublish": "test_publication_questions: asks again where something changed",
    "desk-checklist": "test_checklist: a reason that somebody gave is not replaced unseen",
    "desk-pool-new": "test_pools: runs that came meanwhile are told",
    **dict.fromkeys(
        ("desk-activate", "desk-rebuild", "desk-roll-back", "desk-building-deed"), "test_desk_boards: editions seen"
    ),
    **dict.fromkeys(
        ("collection-import-accept", "collection-import-discard", "collection-version"),
        "test_collection_versions: asks again where the collection changed",
    ),
    **dict.fromkeys(("desk-import-accept", "desk-import-discard", "desk-import-again"), "test_previews: once a file"),
}
NOTHING_TO_LOSE = {
    "makes a new thing": (
        "campaign-new", "desk-copy", "track-new", "task-new", "team-new", "desk-reviewer-link", "collection-upload",
        "topics-upload", "desk-upload-assessments",
    ),
    "does one thing to one thing, twice as well as once": (
        "organiser-add", "organiser-remove", "desk-revoke-link", "desk-grant-revoke", "desk-pool-delete",
        "collection-import-again", "confirm-account", "team-role", "team-remove", "team-revoke", "team-leave",
        "team-join", "registration-withdraw",
    ),
}  # fmt: skip


def form_of(response, action):
    """Return what a browser would send for the form with an action, as it stands on a page."""
    page = html.fromstring(response.content.decode())
    for form in page.forms:
        if form.get("action", response.request["PATH_INFO"]) == action and form.get("method") == "post":
            return {name: value for name, value in form.form_values() if name != "csrfmiddlewaretoken"}
    raise AssertionError(f"{response.request['PATH_INFO']} has no form for {action}")


def named(world, fields):
    """Return fields by the names they have on the page of this world."""
    return {name.replace("{task}", str(world.task.pk)): value for name, value in fields.items()}


@pytest.fixture
def people(world):
    """Return two signed-in people of each kind, in browsers of their own."""
    second = world.person("second")
    world.campaign.organisers.add(second)
    Membership.objects.create(team=world.alices, user=second, role=Membership.Role.LEADER)
    clients = {}
    for name, user in (("organiser", world.organiser), ("alice", world.alice), ("second", second)):
        clients[name] = Client()
        clients[name].force_login(user)
    return clients


@pytest.mark.parametrize("name", CASES)
def test_a_stale_form_is_refused_told_and_kept(world, people, name):
    case = CASES[name]
    case.prepare(world)
    action = case.action or case.page
    me, other = people[case.who], people["second"]
    form = form_of(me.get(case.page), action)
    saved = other.post(action, form_of(other.get(case.page), action) | named(world, case.theirs), follow=True)
    assert saved.status_code == 200, saved.content.decode()
    theirs = case.saved(world)

    late = me.post(action, form | named(world, case.mine), follow=True)

    page = " ".join(html.fromstring(late.content.decode()).text_content().split())
    assert case.shown in page
    assert case.typed in late.content.decode()
    assert case.saved(world) == theirs
    again = me.post(action, form_of(late, action) | named(world, case.mine), follow=True)
    assert again.status_code == 200
    assert "fter you opened this page" not in again.content.decode()


@pytest.mark.parametrize("name", ["desk-settings", "track-edit", "task-edit", "team"])
def test_a_stale_form_with_another_fault_is_told_of_both(world, people, name):
    case = CASES[name]
    me, other = people[case.who], people["second"]
    form = form_of(me.get(case.page), case.page)
    other.post(case.page, form_of(other.get(case.page), case.page) | case.theirs)

    late = me.post(case.page, form | {"name": ""})

    page = late.content.decode()
    assert late.status_code == 422
    assert case.shown in html.fromstring(page).text_content()
    assert "Give the" in page


def test_a_form_sent_twice_unchanged_is_no_conflict(world, people):
    form = form_of(people["organiser"].get(TASK), TASK)

    assert people["organiser"].post(TASK, form).status_code == 302
    assert people["second"].post(TASK, form).status_code == 302


def test_topics_that_changed_after_the_preview_are_shown_again(world, people):
    organiser, upload = people["organiser"], f"{DESK}tracks/ad-hoc/topics/"
    confirm = f"{upload}confirm/"
    file = b"<topics><topic id='1'><title>mine</title></topic></topics>"
    form = form_of(organiser.post(upload, {"file": SimpleUploadedFile("t.xml", file)}), confirm)
    Topic.objects.filter(number="1").update(title="theirs")

    late = organiser.post(confirm, form)

    assert late.status_code == 422
    assert "The topics of Ad hoc changed after this was shown to you." in " ".join(
        html.fromstring(late.content.decode()).text_content().split()
    )
    assert Topic.objects.get(number="1").title == "theirs"
    assert organiser.post(confirm, form_of(late, confirm)).status_code == 302
    assert Topic.objects.get(number="1").title == "mine"


@pytest.mark.parametrize(
    ("page", "action"),
    [
        (f"{DESK}settings/", f"{DESK}delete/"),
        (f"{DESK}tracks/ad-hoc/", f"{DESK}tracks/ad-hoc/delete/"),
        (TASK, f"{TASK}delete/"),
    ],
)
def test_what_was_filled_meanwhile_is_not_deleted_unseen(world, people, page, action):
    organiser = people["organiser"]
    form = form_of(organiser.get(page), action) | {"typed": "small"}
    Task.objects.update(description="weeks of work")

    late = organiser.post(action, form, follow=True)

    assert "after you opened this page" in late.content.decode()
    assert Task.objects.exists()
    organiser.post(action, form_of(organiser.get(page), action) | {"typed": "small"})
    assert not Task.objects.exists()


def test_a_decision_in_front_of_another_state_is_refused(world, people):
    Registration.objects.filter(team=world.bobs).update(state="refused")
    decide = reverse("registration-decide", args=[world.bobs.registrations.get().pk])

    late = people["organiser"].post(decide, {"approve": "yes", "seen": "pending"}, follow=True)

    assert "The registration of Delft is refused by now." in late.content.decode()


def test_an_invitation_of_a_second_leader_does_not_void_the_first_unseen(world, people):
    form = form_of(people["alice"].get("/teams/lund/"), "/teams/lund/invite/")
    theirs = invite(world.alices, by=By(world.alice))

    people["alice"].post("/teams/lund/invite/", form)

    assert world.alices.invitations.open().get() == theirs


def test_grants_to_others_are_in_nobody_s_way(world, people):
    Task.objects.update(quota=5)
    form = form_of(people["organiser"].get(f"{DESK}runs/grants/"), f"{DESK}runs/grants/")
    world.task.refresh_from_db()
    grant(world.task, by=By(world.organiser), team=world.bobs, reason="late train", extra_runs=1)

    mine = form | {"team": world.alices.pk, "extra_runs": "2", "reason": "late bus"}
    assert people["organiser"].post(f"{DESK}runs/grants/", mine).status_code == 302


def test_every_form_of_the_desk_and_of_teams_is_walked_or_has_nothing_to_lose():
    settled = {*CASES, *ELSEWHERE, *(name for names in NOTHING_TO_LOSE.values() for name in names)}
    posted = {name for method, name in SEALED if method == "POST"}
    of_desk = {
        name for name, route, _ in addresses() if name in posted and route.startswith(("desk/", "teams/", "registr"))
    }

    assert of_desk - settled == set(), "Say of these forms what happens in a stale tab."
    assert settled <= of_desk
