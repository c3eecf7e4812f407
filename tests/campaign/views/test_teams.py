"""Pages of teams and registrations: who gets in, what they say, and what happens with rubbish."""

import pytest
from django.utils import timezone
from django.utils.html import escape

from campaign.machinery.limits import RateLimit
from campaign.models import Campaign, Invitation, Membership, Registration, Team
from campaign.services.acting import By
from campaign.services.people.teams import invite

NASTY = "<script>alert(1)</script> =cmd|'/C calc' \u202eevil 🔦 فريق " + "x" * 400


def page_of(response):
    return response.content.decode()


@pytest.mark.parametrize(
    ("path", "statuses"),
    [
        ("/teams/", {"visitor": 302, "bystander": 200, "leader": 200, "organiser": 200}),
        ("/teams/new/", {"visitor": 302, "bystander": 200, "leader": 200}),
        (
            "/teams/lund/",
            {
                "visitor": 302,
                "bystander": 404,
                "leader": 200,
                "member": 200,
                "other": 404,
                "organiser": 404,
                "superuser": 200,
            },
        ),
        ("/teams/nothing/", {"visitor": 302, "leader": 404, "superuser": 404}),
        ("/teams/join/{token}/", {"visitor": 302, "bystander": 200, "leader": 302, "member": 302, "superuser": 200}),
        ("/teams/join/unknown/", {"visitor": 302, "bystander": 404}),
        ("/teams/join/%00/", {"bystander": 404}),
        ("/campaigns/small/register/", {"visitor": 302, "bystander": 200, "leader": 200, "organiser": 200}),
        ("/campaigns/nothing/register/", {"visitor": 302, "leader": 404}),
    ],
)
def test_who_gets_in(world, as_role, path, statuses):
    path = path.format(token=invite(world.alices, by=By(world.alice)).token)
    for role, status in statuses.items():
        assert as_role(role).get(path).status_code == status, role


POSTS = {
    "/teams/lund/invite/": {},
    "/teams/lund/revoke/": {},
    "/teams/lund/leave/": {},
    "/teams/lund/members/{member}/role/": {"role": "leader"},
    "/teams/lund/members/{member}/remove/": {},
    "/registrations/{registration}/withdraw/": {},
}


@pytest.mark.parametrize("path", [*POSTS, "/registrations/{registration}/decide/"])
def test_what_changes_something_takes_a_post(as_role, fill, path):
    assert as_role("superuser").get(fill(path)).status_code == 405


@pytest.mark.parametrize("path", POSTS)
def test_outsiders_change_nothing(world, as_role, fill, path):
    before = list(Membership.objects.values()), list(Registration.objects.values())

    for role in ("bystander", "other", "organiser", "assessor"):
        assert as_role(role).post(fill(path), POSTS[path]).status_code == 404, role
    assert as_role("visitor").post(fill(path)).url.startswith("/sign-in/?next=/")

    assert (list(Membership.objects.values()), list(Registration.objects.values())) == before
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("path", [path for path in POSTS if "leave" not in path])
def test_a_member_is_told_that_leaders_do_this(world, as_role, fill, path, people):
    if "remove" in path:
        path = f"/teams/lund/members/{world.alice.pk}/remove/"

    page = page_of(as_role("member").post(fill(path), POSTS.get(path, {}), follow=True))

    assert "Only leaders of Lund" in page
    assert "Ask alice." in page


@pytest.mark.parametrize("person", [0, 999_999, 10**25])
def test_who_is_not_in_the_team_cannot_be_changed_in_it(world, as_role, person):
    for deed in ("role", "remove"):
        assert as_role("leader").post(f"/teams/lund/members/{person}/{deed}/", {"role": "leader"}).status_code == 404
        assert as_role("leader").post(f"/teams/lund/members/{world.bob.pk}/{deed}/").status_code == 404


def test_a_campaign_out_of_sight_has_no_registration_page(as_role):
    Campaign.objects.update(is_public=False)
    for role, status in {"bystander": 404, "leader": 200, "organiser": 200}.items():
        assert as_role(role).get("/campaigns/small/register/").status_code == status
    Registration.objects.update(state="pending")
    assert as_role("leader").get("/campaigns/small/register/").status_code == 404
    assert "Small" in page_of(as_role("leader").get("/teams/lund/"))


def test_a_hidden_campaign_is_listed_for_its_teams(as_role):
    Campaign.objects.update(is_public=False)
    assert "Small" in page_of(as_role("member").get("/"))
    assert "Small" not in page_of(as_role("bystander").get("/"))
    Registration.objects.update(state="withdrawn")
    assert "Small" not in page_of(as_role("member").get("/"))


def test_an_empty_list_teaches(as_role):
    page = page_of(as_role("bystander").get("/teams/"))

    assert "You are not in a team yet. Runs belong to teams, even to a team of one" in page
    assert 'href="/teams/new/"' in page
    assert '<a href="/teams/new/">Create a team</a>' in page_of(as_role("bystander").get("/runs/"))


def test_a_team_is_made_and_shown(as_role, people):
    client = as_role("bystander")

    response = client.post("/teams/new/", {"name": "Argand", "affiliation": "Genève", "participant_number": "42"})

    assert response.url == "/teams/argand/"
    page = page_of(client.get("/teams/argand/"))
    assert "The team <bdi>Argand</bdi> is made, and you lead it." in page
    assert "INEX participant 42" in page
    assert "<bdi>Argand</bdi>" in page_of(client.get("/teams/"))


@pytest.mark.parametrize(
    ("next_page", "expected"),
    [
        ("/campaigns/small/register/", "/campaigns/small/register/"),
        ("https://elsewhere.example/", "/teams/argand/"),
        ("//elsewhere.example/", "/teams/argand/"),
        ("javascript:alert(1)", "/teams/argand/"),
    ],
)
def test_one_is_led_back_to_where_a_team_was_needed_on_this_site_only(as_role, next_page, expected):
    client = as_role("bystander")
    shown = page_of(client.get("/teams/new/", {"next": next_page}))
    assert ('name="next"' in shown) == (expected == next_page)

    assert client.post("/teams/new/", {"name": "Argand", "next": next_page}).url == expected


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"name": ""}, "Give the team a name."),
        ({"name": "  \u200b "}, "Give the team a name that can be seen."),
        ({"name": "a\x00b"}, "Null characters are not allowed."),
        ({"name": "a\x07b"}, "This holds a control character, which no page can show. Type it anew."),
        ({"name": "x" * 501}, "Ensure this value has at most 500 characters (it has 501)."),
        ({"affiliation": "x" * 501}, "Ensure this value has at most 500 characters (it has 501)."),
        ({"participant_number": "-1"}, "A participant number has digits only."),
        ({"participant_number": "٣"}, "A participant number has digits only."),
        ({"name": "DELFT"}, "There is already a team named Delft."),
    ],
)
def test_a_wrong_form_comes_back_with_a_sentence(world, as_role, fields, message):
    entered = {"name": "Fine", "affiliation": "", "participant_number": ""} | fields
    for path in ("/teams/new/", "/teams/lund/"):
        response = as_role("leader").post(path, entered)

        assert response.status_code == 422
        assert message in page_of(response)
    assert set(Team.objects.values_list("name", flat=True)) == {"Lund", "Delft"}


def test_five_hundred_characters_are_taken(as_role):
    response = as_role("bystander").post("/teams/new/", {"name": "🔦" * 500})

    assert as_role("bystander").get(response.url).status_code == 200
    assert Team.objects.get(slug="team").name == "🔦" * 500


def test_many_teams_in_a_short_time_are_too_many(as_role, monkeypatch):
    monkeypatch.setattr("campaign.views.teams.NEW_TEAMS", RateLimit("new-team-test", most=1, seconds=3600))
    client = as_role("bystander")
    client.post("/teams/new/", {"name": "One"})

    response = client.post("/teams/new/", {"name": "Two"})

    assert response.status_code == 429
    assert "You have made many teams in a short time. Come back in " in page_of(response)
    assert not Team.objects.filter(name="Two").exists()


def test_leaders_edit_and_members_do_not(world, as_role):
    assert "Change name, affiliation or number" not in page_of(as_role("member").get("/teams/lund/"))
    refused = as_role("member").post("/teams/lund/", {"name": "Mine"})
    assert refused.status_code == 422
    assert "Only leaders of Lund can do this. Ask alice." in page_of(refused)

    page = page_of(as_role("leader").post("/teams/lund/", {"name": "Malmö", "affiliation": "Skåne"}, follow=True))

    assert "The changes are saved." in page
    assert "<h1><bdi>Malmö</bdi></h1>" in page


def test_the_link_is_made_renewed_and_revoked_by_leaders_and_hidden_from_members(as_role):
    client = as_role("leader")
    page = page_of(client.post("/teams/lund/invite/", follow=True))
    first = Invitation.objects.get()
    assert f'value="http://testserver/teams/join/{first.token}/"' in page
    assert "The link below lets people join for two weeks. Older links are void." in page
    assert first.token not in page_of(as_role("member").get("/teams/lund/"))
    assert first.token in page_of(as_role("superuser").get("/teams/lund/"))

    page = page_of(as_role("leader").post("/teams/lund/invite/", follow=True))
    second = Invitation.objects.get(revoked_at=None)
    assert second.token in page
    assert first.token not in page

    page = page_of(as_role("leader").post("/teams/lund/revoke/", follow=True))
    assert "The link is revoked. Nobody can join by it any more." in page
    assert second.token not in page


def test_a_visitor_is_asked_to_sign_in_and_led_back_to_the_invitation(world, as_role):
    address = f"/teams/join/{invite(world.alices, by=By(world.alice)).token}/"

    assert as_role("visitor").get(address).url == f"/sign-in/?next={address}"


def test_following_the_link_joins_nobody_and_the_button_does(world, as_role, people):
    address = f"/teams/join/{invite(world.alices, by=By(world.alice)).token}/"
    client = as_role("bystander")

    page = page_of(client.get(address))
    assert "<h1>Join <bdi>Lund</bdi>?</h1>" in page
    assert not Membership.objects.filter(user=people["bystander"]).exists()

    page = page_of(client.post(address, follow=True))
    assert "You are in <bdi>Lund</bdi> now." in page
    assert Membership.objects.get(user=people["bystander"]).role == "member"
    page = page_of(client.post(address, follow=True))
    assert "You are already in <bdi>Lund</bdi>." in page
    assert Membership.objects.filter(user=people["bystander"]).count() == 1


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (
            {"revoked_at": timezone.now()},
            "This invitation to Lund was revoked. Ask a leader of the team for a new link.",
        ),
        (
            {"expires_at": "2026-03-03 12:00Z"},
            "This invitation to Lund expired on 3 March 2026, 00:00 AoE (3 March 2026, 12:00 UTC).",
        ),
    ],
)
def test_a_link_that_is_over_says_so(world, as_role, people, fields, sentence):
    address = f"/teams/join/{invite(world.alices, by=By(world.alice)).token}/"
    Invitation.objects.update(**fields)

    for response in (as_role("bystander").get(address), as_role("bystander").post(address)):
        assert response.status_code == 410
        assert sentence in page_of(response)
    assert not Membership.objects.filter(user=people["bystander"]).exists()


@pytest.mark.parametrize("debug", [True, False])
def test_an_unknown_link_says_what_may_have_happened_to_it(as_role, settings, debug):
    settings.DEBUG = debug

    response = as_role("bystander").get("/teams/join/abc/")

    assert response.status_code == 404
    assert "Perhaps the link was cut off when it was copied" in page_of(response)


def test_roles_change_people_go_and_the_page_says_so(world, as_role, people, fill):
    client, member = as_role("leader"), people["member"]

    page = page_of(client.post(fill("/teams/lund/members/{member}/role/"), {"role": "leader"}, follow=True))
    assert "<bdi>Mary Member</bdi> is a leader now." in page
    page = page_of(client.post(fill("/teams/lund/members/{member}/role/"), {"role": "<b>"}, follow=True))
    assert "In a team one is a leader or a member." in page
    page = page_of(client.post(fill("/teams/lund/members/{member}/remove/"), follow=True))
    assert "<bdi>Mary Member</bdi> is no longer in the team. The invitation link is void, too" in page
    assert not Membership.objects.filter(user=member).exists()
    assert client.post(fill("/teams/lund/members/{member}/remove/")).status_code == 404  # a second click


def test_leaving(world, as_role):
    page = page_of(as_role("leader").post("/teams/lund/leave/", follow=True))
    assert "You are the only leader of Lund. Make somebody else leader first, then leave." in page
    page = page_of(as_role("member").post("/teams/lund/leave/", follow=True))
    assert "You have left <bdi>Lund</bdi>." in page
    client = as_role("bystander")
    client.post("/teams/new/", {"name": "Short"})
    page = page_of(client.post("/teams/short/leave/", follow=True))
    assert "You have left <bdi>Short</bdi>. Nobody else was in it and it had no history, so it is gone." in page


def test_names_appear_as_text_everywhere(world, as_role, people):
    Team.objects.filter(pk=world.alices.pk).update(name=NASTY, affiliation=NASTY)
    people["member"].first_name = "<img src=x onerror=alert(1)>"
    people["member"].save()
    Campaign.objects.update(gates_topics=True)
    address = f"/teams/join/{invite(world.alices, by=By(world.alice)).token}/"
    topics = "/campaigns/small/ad-hoc/topics/"
    shown = [("leader", "/teams/"), ("leader", "/teams/lund/"), ("bystander", address), ("organiser", "/desk/")]
    shown += [("leader", "/campaigns/small/"), ("leader", "/campaigns/small/register/"), ("leader", "/runs/")]

    for state in Registration.State.values:
        Registration.objects.update(state=state, reason=NASTY)
        for role, path in [*shown, *([("leader", topics)] if state != "approved" else [])]:
            page = page_of(as_role(role).get(path))
            assert "<script>alert" not in page, path
            assert "<img src=x" not in page, path
            asks_for_any_team = state == "withdrawn" and path in ("/campaigns/small/", topics)
            assert (escape(NASTY) in page) != asks_for_any_team, path
