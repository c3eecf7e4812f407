"""Pages of campaigns and tracks: what they are, and who leads on their boards as any visitor may know it."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.html import strip_tags

from campaign.models import Campaign, Task
from campaign.services.acting import By
from campaign.services.setup.copying import copy_campaign

TRACK = "/campaigns/small/ad-hoc/"


def words(response):
    """Return what a page says, on one line."""
    return re.sub(r"\s+", " ", strip_tags(response.content.decode()))


@pytest.fixture
def board(world):
    world.activate()
    world.run = world.scored()
    return world


def test_a_track_tells_what_it_is_and_who_leads(board, client):
    board.track.description = "Find the *right* text."
    board.track.save()

    page = client.get(TRACK)

    assert page.status_code == 200
    said = words(page)
    assert "3 topics · Letters: 4 documents" in said
    assert "Find the right text." in said
    assert "good Lund 0.6053 iMAP" in said
    assert "Sign in or sign up to take part" in said


@pytest.mark.parametrize(
    ("switch", "told"),
    [
        ("at-once", "no run is scored yet"),
        ("at-deadline", "from the deadline on"),
        ("at-publication", "when results are published"),
        ("never", "scores are not shown"),
    ],
)
def test_a_track_says_why_nobody_leads(world, client, switch, told):
    Task.objects.update(other_scores_visible=switch)

    assert told in words(client.get(TRACK))


def test_hidden_scores_and_names_stay_hidden_on_a_track(board, client):
    Task.objects.update(names_visible="never")
    said = words(client.get(TRACK))
    assert "0.6053" in said
    assert "Lund" not in said
    assert board.run.code in said

    Task.objects.update(other_scores_visible="never")
    assert "0.6053" not in words(client.get(TRACK))


def test_crumbs_lead_to_the_track(board, client):
    for path in ("focused/", "topics/", "topics/1/"):
        assert f'<a href="{TRACK}"><bdi>Ad hoc</bdi></a>' in client.get(TRACK + path).content.decode(), path


def test_tracks_of_hidden_campaigns_are_not_there(board, client):
    Campaign.objects.update(is_public=False)

    assert client.get(TRACK).status_code == 404
    client.force_login(board.alice)
    assert client.get(TRACK).status_code == 200


CAMPAIGN = "/campaigns/small/"


def test_a_campaign_tells_when_what_happens(board, client):
    now = timezone.now()
    later = board.new_task("thorough", opens_at=board.task.opens_at, closes_at=board.task.closes_at)
    Task.objects.filter(pk=later.pk).update(published_at=now + timedelta(days=9))

    page = client.get(CAMPAIGN)

    said = words(page)
    said = said[said.index("Timeline") :]
    first, second, third = map(
        said.index, ("Thorough opened", "Thorough close", "Thorough will have results published")
    )
    assert first < second < third
    assert [(happening.is_past, happening.is_next) for happening in page.context["timeline"]] == [
        (True, False),
        (False, True),
        (False, False),
    ]


def test_a_campaign_names_leaders_and_teams_as_everybody_may_know_them(board, client):
    board.scored(name="second", user=board.bob, team=board.bobs)
    said = words(client.get(CAMPAIGN))
    assert "0.6053 iMAP" in said
    assert "Teams Delft 1 run Lund 1 run" in said

    Task.objects.update(names_visible="never")
    said = words(client.get(CAMPAIGN))
    assert "0.6053 iMAP" in said
    assert "Delft" not in said
    assert "Lund" not in said

    Task.objects.update(names_visible="at-once", other_scores_visible="never")
    said = words(client.get(CAMPAIGN))
    assert "Lund" not in said
    assert "0.6053" not in said


def test_a_campaign_says_whom_to_ask_and_how_to_cite_it(world, client, settings):
    settings.SITE_URL = "https://lime.example"
    Campaign.objects.update(name="A & B", contact="ask@lime.example", series="Letters")

    page = client.get(CAMPAIGN).content.decode()

    assert '<a href="mailto:ask@lime.example">ask@lime.example</a>' in page
    assert 'href="/campaigns/?series=Letters"' in page
    day = f"{timezone.now().day} {timezone.now():%B %Y}"
    cited = "A &amp; B (2026). Evaluation campaign for focused retrieval. https://lime.example/campaigns/small/"
    assert f"{cited} (read on {day})." in page
    assert "title = {{A \\&amp; B}}" in page


def test_contact_and_series_are_settings_that_a_copy_keeps(world, client):
    client.force_login(world.organiser)
    address = "/desk/campaigns/small/settings/"
    seen = client.get(address).context["seen"]

    entered = {"name": "Small", "year": 2026, "contact": "ask@lime.example", "series": "Letters", "seen": seen}
    client.post(address, entered | {"is_public": "on"})

    world.campaign.refresh_from_db()
    assert (world.campaign.contact, world.campaign.series) == ("ask@lime.example", "Letters")
    copy = copy_campaign(world.campaign, by=By(world.organiser), name="Next", year=2027)
    assert (copy.contact, copy.series) == ("ask@lime.example", "Letters")


def test_campaigns_are_found_by_year_and_series(world, client):
    for year, name, series in ((2024, "Old", "Letters"), (2025, "Other", ""), (2025, "Hidden", "Secret")):
        Campaign.objects.create(slug=name.lower(), name=name, year=year, series=series, is_public=name != "Hidden")

    page = client.get("/campaigns/")
    assert [(year, [one.name for one in rows]) for year, rows in page.context["archive"].years] == [
        (2026, ["Small"]),
        (2025, ["Other"]),
        (2024, ["Old"]),
    ]
    assert "Secret" not in words(page)

    page = client.get("/campaigns/?series=Letters")
    assert [year for year, _ in page.context["archive"].years] == [2024]

    said = words(client.get("/campaigns/?series=Secret"))
    assert "No campaign here belongs to a series “Secret”." in said


TEAM = "/teams/lund/"


def test_everybody_finds_a_teams_runs_where_scores_and_names_are_visible(board, client):
    board.scored(name="second", user=board.bob, team=board.bobs)
    board.alices.affiliation = "University of Lund"
    board.alices.save()

    page = client.get(TEAM)

    assert page.status_code == 200
    assert "Lund University of Lund Small 2026" in words(page)
    assert "Focused iMAP, 2 runs good 0.6053 1" in words(page)
    assert f'href="/campaigns/small/ad-hoc/focused/runs/{board.run.code}/"' in page.content.decode()
    assert "second" not in words(page)
    assert "invite" not in page.content.decode()


@pytest.mark.parametrize("hidden", ["other_scores_visible", "names_visible"])
def test_a_team_of_which_nothing_may_be_known_is_like_one_that_is_not_there(board, client, hidden):
    Task.objects.update(**{hidden: "never"})

    for path in (TEAM, "/teams/nothing/"):
        client.logout()
        assert client.get(path).url == f"/sign-in/?next={path}"
        client.force_login(board.bob)
        assert client.get(path).status_code == 404
    client.force_login(board.organiser)
    assert "good 0.6053 1" in words(client.get(TEAM))
    client.force_login(board.alice)
    page = client.get(TEAM)
    assert "Make an invitation link" in words(page)
    assert "0.6053" not in words(page)


def test_a_team_in_a_hidden_campaign_is_known_to_its_people_alone(board, client):
    Campaign.objects.update(is_public=False)
    assert client.get(TEAM).status_code == 302
    client.force_login(board.visitor_with_account)
    assert client.get(TEAM).status_code == 404
    client.force_login(board.bob)
    assert "good 0.6053 1" in words(client.get(TEAM))


def test_outsiders_cannot_change_a_team_that_they_can_see(board, client):
    assert client.get(TEAM).status_code == 200
    assert client.post(TEAM, {"name": "Mine"}).status_code == 302
    client.force_login(board.bob)
    assert client.post(TEAM, {"name": "Mine"}).status_code == 404
    board.alices.refresh_from_db()
    assert board.alices.name == "Lund"


def test_boards_lead_to_teams_unless_names_are_hidden(board, client):
    link = '<a href="/teams/lund/"><bdi>Lund</bdi></a>'
    assert link in client.get(f"{TRACK}focused/").content.decode()

    Task.objects.update(names_visible="never")
    assert "/teams/" not in client.get(f"{TRACK}focused/").content.decode()
