"""A team comes together: made, joined by a link, registered, approved."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LOOKS, show
from tests.browser.driving import tab_to

pytestmark = pytest.mark.browser

CAMPAIGN = "/campaigns/second-light/"
NASTY = "<b>bold</b> =cmd|'/C calc' \\u202eevil 🔦 فريق " + "x" * 440
SETTING = """
from datetime import timedelta
from django.utils import timezone
from campaign.models import Campaign, Task, Topic, Track, User
now = timezone.now()
for name in ("ada", "grace", "kay", "mina"):
    User.objects.create_user(name, f"{name}@example.org", "limelight", first_name=name.title(), is_demo=True)
campaign = Campaign.objects.create(
    slug="second-light", name="Second Light", year=2026, is_public=True, needs_approval=True, gates_topics=True,
    agreement="Use the documents for research." + chr(10) * 2 + "Cite the collection.",
)
campaign.organisers.add(User.objects.get(username="organiser"))
track = Track.objects.create(campaign=campaign, slug="glow", name="Glow track")
Topic.objects.create(track=track, number="1", position=1, title="a secret question")
Task.objects.create(
    track=track, slug="glow", name="Glow", kind="focused", opens_at=now, closes_at=now + timedelta(days=9)
)
"""


@pytest.fixture(scope="module", autouse=True)
def second_light(site):
    """Add a campaign that approves its teams, and people who are in none."""
    site.python(SETTING)


def heading(page):
    return page.get_by_role("heading", level=1)


def told(page):
    return page.get_by_role("status").first


def make_team(site, username, name):
    """Make a team behind the scenes and return its page's address."""
    return site.python(
        "from campaign.models import User\nfrom campaign.services.acting import By\n"
        "from campaign.services.people.teams import create_team\n"
        f"team = create_team(by=By(User.objects.get(username='{username}')), name=\"{name}\")\n"
        "print(json.dumps(team.get_absolute_url()))"
    )


def invitation_to(page, address):
    """Make an invitation link on a team's page and return it."""
    page.goto(address)
    page.get_by_role("button", name=re.compile("Make an invitation link|Renew the link")).click()
    expect(told(page)).to_contain_text("lets people join for two weeks")
    return page.get_by_label("Send this link to whoever should join").input_value()


def sign_in(page, username):
    page.get_by_label("Username").fill(username)
    page.get_by_label("Password").fill("limelight")
    page.get_by_role("button", name="Sign in").click()


def test_a_team_is_made_joined_registered_and_approved(site, page, watch):
    topics = f"{CAMPAIGN}glow/topics/"
    watch.expect_refusal(topics)
    ada = page("ada", permissions=["clipboard-read", "clipboard-write"])
    assert ada.goto(topics).status == 403
    expect(heading(ada)).to_have_text("Topics are for registered teams")
    expect(ada.locator("main")).not_to_contain_text("a secret question")
    ada.get_by_role("link", name="Register your team").click()
    ada.get_by_role("link", name="Create a team").click()
    ada.get_by_label("Team name").fill("Tallow")
    ada.get_by_label("Affiliation").fill("Chandlers’ Hall")
    ada.get_by_role("button", name="Create the team").dblclick()

    expect(told(ada)).to_have_text("The team Tallow is made, and you lead it.")
    expect(heading(ada)).to_have_text("Register for Second Light")
    ada.get_by_label("Tallow accepts version 1 of the agreement").check()
    ada.get_by_role("button", name="Register the team").dblclick()
    expect(told(ada)).to_contain_text("Tallow has asked to take part in Second Light.")
    ada.goto(CAMPAIGN)
    expect(ada.locator(".way-in")).to_contain_text("Tallow is waiting for approval")
    assert site.query("SELECT count(*) FROM campaign_team WHERE name = 'Tallow'") == [(1,)]

    link = invitation_to(ada, "/teams/tallow/")
    ada.get_by_role("button", name="Copy").click()
    expect(ada.get_by_role("button", name="Copied")).to_be_visible()
    assert ada.evaluate("navigator.clipboard.readText()") == link

    grace = page(look="phone")
    grace.goto(link)
    sign_in(grace, "grace")
    expect(heading(grace)).to_have_text("Join Tallow?")
    assert site.query(
        "SELECT count(*) FROM campaign_membership m JOIN campaign_user u ON u.id = m.user_id WHERE u.username = 'grace'"
    ) == [(0,)]
    grace.get_by_role("button", name="Join the team").dblclick()
    expect(told(grace)).to_have_text("You are in Tallow now.")
    expect(grace.locator(".rows").first).to_contain_text("Grace (you), member")
    expect(grace.locator("main")).to_contain_text("Ada can invite people to the team and register it for campaigns.")

    organiser = page("organiser")
    organiser.goto("/desk/")
    waiting = organiser.locator("li", has_text="Tallow, Chandlers’ Hall: waiting for approval")
    waiting.get_by_role("button", name="Approve").click()
    expect(told(organiser)).to_have_text("The registration of Tallow for Second Light is approved.")
    expect(organiser.get_by_text("Teams waiting for your decision")).to_have_count(0)

    assert grace.goto(topics).status == 200
    expect(grace.locator("main")).to_contain_text("a secret question")
    grace.goto(CAMPAIGN)
    expect(grace.locator(".way-in")).to_contain_text("Tallow is registered for Second Light.")
    expect(grace.get_by_role("link", name="Submit a run")).to_be_visible()


def test_a_refused_team_reads_why_and_asks_again(site, page):
    make_team(site, "kay", "Kerosene")
    kay, organiser = page("kay", "phone"), page("organiser", "phone")
    kay.goto(f"{CAMPAIGN}register/")
    kay.get_by_label("Kerosene accepts").check()
    kay.get_by_role("button", name="Register the team").click()
    expect(told(kay)).to_contain_text("Kerosene has asked")

    organiser.goto("/desk/")
    waiting = organiser.locator("li", has_text="Kerosene: waiting for approval")
    waiting.locator("summary").click()
    waiting.get_by_label("What the team is told").fill("Please tell us your affiliation first.")
    waiting.get_by_role("button", name="Refuse Kerosene").click()
    expect(told(organiser)).to_have_text("The registration of Kerosene for Second Light is refused.")

    kay.goto(CAMPAIGN)
    expect(kay.locator(".way-in")).to_contain_text("Please tell us your affiliation first.")
    kay.get_by_role("link", name="Ask again").click()
    kay.get_by_label("Kerosene accepts").check()
    kay.get_by_role("button", name="Register the team").click()
    expect(told(kay)).to_contain_text("Kerosene has asked")
    organiser.goto("/desk/")
    expect(organiser.locator("li", has_text="Kerosene: waiting for approval")).to_contain_text("Refused before")


def test_a_registration_without_the_tick_comes_back_with_a_sentence(site, page, watch):
    make_team(site, "mina", "Mineral")
    mina = page("mina", "phone")
    watch.expect_refusal(f"{CAMPAIGN}register/")

    mina.goto(f"{CAMPAIGN}register/")
    mina.get_by_role("button", name="Register the team").click()

    expect(mina.locator(".field.wrong")).to_contain_text("Tick the box to accept the agreement for Mineral.")


def test_a_revoked_link_is_over_and_an_unknown_one_never_was(site, page, watch):
    address = make_team(site, "ada", "Revokers")
    ada, grace = page("ada"), page("grace", "phone")
    link = invitation_to(ada, address)
    ada.get_by_role("button", name="Revoke the link").click()
    expect(told(ada)).to_contain_text("The link is revoked.")
    watch.expect_refusal(link.removeprefix(site.address))
    watch.expect_refusal("/teams/join/cut-off/")

    assert grace.goto(link).status == 410
    expect(heading(grace)).to_have_text("This invitation is over")
    expect(grace.locator("main")).to_contain_text("This invitation to Revokers was revoked.")
    assert grace.goto("/teams/join/cut-off/").status == 404
    expect(heading(grace)).to_have_text("There is no such invitation")


def test_leadership_is_handed_over_by_keyboard_and_the_old_leader_leaves(site, page):
    address = make_team(site, "ada", "Relay")
    ada, grace = page("ada"), page("grace")
    grace.goto(invitation_to(ada, address))
    tab_to(grace, "Join the team")
    grace.keyboard.press("Enter")
    expect(told(grace)).to_have_text("You are in Relay now.")

    ada.goto(address)
    expect(ada.locator("body")).to_contain_text("You are its only leader. Make somebody else leader first, then leave.")
    tab_to(ada, "Make leader: Grace")
    ada.keyboard.press("Enter")
    expect(told(ada)).to_have_text("Grace is a leader now.")
    tab_to(ada, "Leave this team")
    ada.keyboard.press("Enter")
    tab_to(ada, "Leave Relay")
    ada.keyboard.press("Enter")

    expect(told(ada)).to_have_text("You have left Relay.")
    expect(heading(ada)).to_have_text("My teams")
    grace.goto(address)
    expect(grace.locator(".rows").first.locator("li")).to_have_count(1)


def test_without_scripts_the_link_can_be_copied_by_hand(site, page):
    address = make_team(site, "ada", "Scriptless")
    ada = page("ada", java_script_enabled=False)

    link = invitation_to(ada, address)

    assert link.startswith(f"{site.address}/teams/join/")
    expect(ada.get_by_role("button", name="Copy")).to_have_count(0)


def test_a_name_of_five_hundred_characters_is_text_and_breaks_no_page(site, page, axe):
    address = make_team(site, "ada", NASTY)
    ada, organiser, faults = page("ada"), page("organiser"), []
    link = invitation_to(ada, address)
    ada.goto(f"{CAMPAIGN}register/")
    ada.get_by_label("Team", exact=True).select_option(index=0)
    grace = page("grace")

    for tab, path in [
        (ada, address),
        (ada, "/teams/"),
        (ada, f"{CAMPAIGN}register/"),
        (grace, link),
        (organiser, "/desk/"),
    ]:
        tab.goto(path)
        for look in LOOKS:
            show(tab, look)
            width, room = tab.evaluate("[document.scrollingElement.scrollWidth, window.innerWidth]")
            faults += [f"{path}, {look}: {width} px wide"] if width > room else []
            faults += [f"{path}, {look}: {fault}" for fault in axe(tab)]
        assert tab.locator("main b:not(.countdown)").count() == 0

    assert faults == []
