"""Pages of registration: accepting, waiting, deciding, and what happens with rubbish."""

import pytest
from django.utils import timezone

from campaign.models import Campaign, Registration, Team


def page_of(response):
    return response.content.decode()


def test_without_a_team_one_is_led_to_making_one_and_back(as_role):
    page = page_of(as_role("bystander").get("/campaigns/small/register/"))

    assert "Teams register, and you are not in one yet" in page
    assert 'href="/teams/new/?next=/campaigns/small/register/"' in page
    assert "<button>Register" not in page


def test_a_leader_registers_a_team(world, as_role, people):
    Campaign.objects.update(agreement="Be <kind>.\n\nSee https://example.org/", agreement_version=2)
    client = as_role("bystander")
    client.post("/teams/new/", {"name": "Argand"})
    team = Team.objects.get(name="Argand")
    page = page_of(client.get("/campaigns/small/register/"))
    assert "Be &lt;kind&gt;." in page
    assert '<a href="https://example.org/" rel="nofollow">' in page

    unticked = client.post("/campaigns/small/register/", {"team": team.pk, "version": 2})
    assert unticked.status_code == 422
    assert "Tick the box to accept the agreement for Argand." in page_of(unticked)
    fields = {"team": team.pk, "version": 2, "accepted": "yes"}
    page = page_of(client.post("/campaigns/small/register/", fields, follow=True))
    assert "<bdi>Argand</bdi> is registered for Small." in page
    again = page_of(client.post("/campaigns/small/register/", fields, follow=True))

    assert "<bdi>Argand</bdi> is registered for Small." in again
    registration = Registration.objects.get(team=team)
    assert (registration.state, registration.agreement_version) == ("approved", 2)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"team": "99"}, "Choose one of the teams that you lead."),
        ({"team": "x"}, "Choose one of the teams that you lead."),
        ({"team": ""}, "Choose one of the teams that you lead."),
        ({"team": "{bobs}"}, "Choose one of the teams that you lead."),
        ({"version": "1"}, "The agreement changed while you were reading it. This is version 2 now."),
        ({"version": "x"}, "Something in this form needs another look."),
        ({"team": "a\x00"}, "Null characters are not allowed."),
    ],
)
def test_a_wrong_registration_comes_back_with_a_sentence(world, as_role, fields, message):
    Campaign.objects.update(agreement="Be kind.", agreement_version=2)
    Registration.objects.filter(team=world.alices).delete()
    fields = {"team": world.alices.pk, "version": "2", "accepted": "yes"} | fields
    fields["team"] = str(fields["team"]).replace("{bobs}", str(world.bobs.pk))

    response = as_role("leader").post("/campaigns/small/register/", fields)

    assert response.status_code == 422
    assert message in page_of(response)
    assert 'name="version" value="2"' in page_of(response)
    assert not Registration.objects.filter(team=world.alices).exists()


def test_members_see_who_can_register(world, as_role):
    Registration.objects.filter(team=world.alices).delete()

    page = page_of(as_role("member").get("/campaigns/small/register/"))

    assert "Only leaders accept the agreement for <bdi>Lund</bdi>. Ask alice." in page
    assert "<button>Register" not in page
    response = as_role("member").post(
        "/campaigns/small/register/", {"team": world.alices.pk, "version": 1, "accepted": "yes"}
    )
    assert response.status_code == 422


def test_a_new_version_is_asked_for_where_one_submits_and_where_one_accepts(world, as_role):
    Campaign.objects.update(agreement="Be kinder.", agreement_version=2)
    submit = page_of(as_role("leader").get("/campaigns/small/ad-hoc/focused/submit/"))
    assert "The agreement of Small has a new version. A leader of Lund has to accept it before the next run." in submit
    assert '<a href="/campaigns/small/register/">Read it</a>' in submit
    assert "read and accept it</a> before the next run" in page_of(as_role("leader").get("/campaigns/small/"))
    assert "a leader of the team has to accept it" in page_of(as_role("member").get("/campaigns/small/"))
    page = page_of(as_role("leader").get("/campaigns/small/register/"))
    assert "The agreement is at version 2 now." in page
    assert "<button>Accept version 2</button>" in page

    fields = {"team": world.alices.pk, "version": 2, "accepted": "yes"}
    as_role("leader").post("/campaigns/small/register/", fields)

    submit = page_of(as_role("leader").get("/campaigns/small/ad-hoc/focused/submit/"))
    assert "has a new version" not in submit
    assert "Run file" in submit


def test_the_campaign_page_shows_each_the_way_in(world, as_role):
    def page(role):
        return page_of(as_role(role).get("/campaigns/small/"))

    assert 'href="/sign-in/?next=/campaigns/small/register/">Sign in or sign up to take part</a>' in page("visitor")
    assert '<a class="action" href="/campaigns/small/register/">Register your team</a>' in page("bystander")
    assert "<bdi>Lund</bdi> is registered</span> for <bdi>Small</bdi>." in page("member")
    assert "Register your team" not in page("leader") + page("organiser")
    Registration.objects.update(state="pending")
    assert "<bdi>Lund</bdi> is <strong>waiting for approval</strong>" in page("leader")
    Registration.objects.update(state="refused", reason="No cake.\nNone.")
    assert "No cake.<br>None." in page("member")
    assert "Ask again" in page("leader")
    assert "Ask again" not in page("member")
    Registration.objects.update(state="withdrawn")
    assert "Register your team" in page("leader")


def test_a_campaign_that_is_over_invites_nobody(world, as_role):
    world.task.closes_at = timezone.now()
    world.task.save()
    assert "to take part" not in page_of(as_role("visitor").get("/campaigns/small/"))
    Campaign.objects.update(gates_collection=True)
    assert "to take part" in page_of(as_role("visitor").get("/campaigns/small/"))


def test_the_submit_page_leads_to_registration(as_role):
    page = page_of(as_role("bystander").get("/campaigns/small/ad-hoc/focused/submit/"))

    assert "You are not in a team that takes part in <bdi>Small</bdi>." in page
    assert '<a class="action" href="/campaigns/small/register/">Register your team</a>' in page


def test_withdrawing_a_registration(world, as_role, fill):
    world.submit()
    client = as_role("leader")
    page = page_of(client.post(fill("/registrations/{registration}/withdraw/"), follow=True))
    assert "Lund has 1 run in Small. Withdraw it first, then the registration." in page
    world.alices.runs.update(withdrawn_at=timezone.now())
    page = page_of(client.post(fill("/registrations/{registration}/withdraw/"), follow=True))
    assert "<bdi>Lund</bdi> is no longer registered for Small. It can register again at any time." in page
    assert "Register again" in page


def test_the_desk_decides(world, as_role, fill):
    Registration.objects.filter(team=world.alices).update(state="pending")
    decide = fill("/registrations/{registration}/decide/")
    page = page_of(as_role("organiser").get("/desk/"))
    assert "Teams waiting for your decision" in page
    assert '<a href="mailto:alice@example.org"><bdi>alice</bdi></a>' in page
    for role, status in {"leader": 404, "other": 404, "assessor": 404, "visitor": 302}.items():
        assert as_role(role).post(decide, {"approve": "yes"}).status_code == status

    client = as_role("organiser")
    page = page_of(client.post(decide, {"approve": "no", "reason": " ", "seen": "pending"}, follow=True))
    assert "Tell Lund why it cannot take part." in page
    page = page_of(client.post(decide, {"approve": "no", "reason": "No <b>cake</b>.", "seen": "pending"}, follow=True))
    assert "The registration of <bdi>Lund</bdi> for Small is refused." in page
    assert "No &lt;b&gt;cake&lt;/b&gt;." in page
    assert "No &lt;b&gt;cake&lt;/b&gt;." in page_of(as_role("member").get("/teams/lund/"))
    page = page_of(as_role("organiser").post(decide, {"approve": "yes", "seen": "refused"}, follow=True))
    assert "The registration of <bdi>Lund</bdi> for Small is approved." in page
    assert "Teams waiting for your decision" not in page


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "Approve: This field is required."),
        ({"approve": "perhaps"}, "Approve: Select a valid choice."),
        ({"approve": "no", "reason": "x" * 2001}, "Reason: Ensure this value has at most 2000 characters"),
        ({"approve": "no", "reason": "a\x00"}, "Reason: Null characters are not allowed."),
        ({"approve": "yes", "seen": "<b>"}, "Seen: Select a valid choice."),
        ({"approve": "no", "reason": "r", "seen": "pending"}, "The registration of Lund is approved by now."),
    ],
)
def test_rubbish_decides_nothing(world, as_role, fill, fields, message):
    page = page_of(as_role("organiser").post(fill("/registrations/{registration}/decide/"), fields, follow=True))

    assert message in page
    assert world.alices.registrations.get().state == "approved"
