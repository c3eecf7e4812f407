"""A campaign from an empty database to a published board, in the browser."""

import io
import zipfile
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.browser.driving import file
from tests.services.prepared import site_without_demo
from tests.services.site import Visitor, wait_until

pytestmark = pytest.mark.browser

TOPICS = b"""<inex-topic-file>
<topic id="1"><title>lamps in lighthouses</title></topic>
<topic id="2"><title>oil for lamps</title></topic>
</inex-topic-file>"""
TEXT = "A lamp shines from the tower all night, and the keeper trims its wick. The oil comes by boat. "
ASSESSMENTS = b"1 Q0 tower 70 282 0 0:70\n1 Q0 boat 0 282\n2 Q0 boat 22 282 71 71:22\n"
RUN = b"1 Q0 tower 1 2.0 first 0 70\n1 Q0 boat 2 1.0 first 0 20\n2 Q0 boat 1 2.0 first 71 30\n"
PEOPLE = """
from allauth.account.models import EmailAddress
from campaign.models import Campaign, User
from campaign.services.acting import By
from campaign.services.people.registrations import register
from campaign.services.people.teams import create_team
User.objects.create_superuser("chief", "chief@example.org", "lamp-and-lens-7")
ada = User.objects.create_user("ada", "ada@example.org", "lamp-and-lens-7")
EmailAddress.objects.create(user=ada, email=ada.email, verified=True, primary=True)
create_team(by=By(ada), name="Lens")
"""
REGISTER = """
from campaign.models import Campaign, Team, User
from campaign.services.acting import By
from campaign.services.people.registrations import register
ada = User.objects.get(username="ada")
register(Campaign.objects.get(), by=By(ada), team=Team.objects.get(), accepted=True)
"""


@pytest.fixture(scope="module")
def empty_site(tmp_path_factory):
    """Start a site without the demo, with one account that may set things up and one team."""
    site = site_without_demo(tmp_path_factory.mktemp("whole")).start("--no-demo")
    site.python(PEOPLE)
    yield site
    site.end()


def documents():
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as packed:
        for name in ("tower", "boat"):
            packed.writestr(f"{name}.xml", f"<article><p>{TEXT * 3}</p></article>")
    return target.getvalue()


def local(moment):
    return moment.strftime("%Y-%m-%dT%H:%M")


def test_a_campaign_goes_from_an_empty_database_to_a_published_board(empty_site, new_page):
    desk, visitor = new_page(empty_site.address), new_page(empty_site.address)
    visitor.goto("/")
    expect(visitor.locator("main")).to_contain_text("No campaign is listed yet.")
    desk.goto("/sign-in/?next=/desk/")
    desk.get_by_label("Username").fill("chief")
    desk.get_by_label("Password").fill("lamp-and-lens-7")
    desk.get_by_role("button", name="Sign in").click()

    # campaign, track, task, topics, documents
    desk.get_by_role("link", name="Create a campaign").first.click()
    desk.get_by_label("Name").fill("Glow")
    desk.get_by_label("Year").fill("2026")
    desk.get_by_label("Agreement").fill("Be fair.")
    desk.get_by_label("Listed for everyone").check()
    desk.get_by_role("button", name="Create the campaign").click()
    desk.get_by_role("link", name="The campaign has no track. Create one.").click()
    desk.get_by_label("Name").fill("Ad hoc")
    desk.get_by_label("Or a new collection").fill("Pages")
    desk.get_by_role("button", name="Add the track").click()
    desk.get_by_role("link", name="Ad hoc has no task. Create one.").click()
    desk.get_by_role("link", name="Focused, 2007–2008").click()
    now = datetime.now(UTC)
    desk.get_by_label("Opens").fill(local(now - timedelta(days=3)))
    desk.get_by_label("Closes").fill(local(now + timedelta(days=9)))
    desk.get_by_role("button", name="Add the task").click()
    desk.get_by_role("link", name="Ad hoc has no topics. Upload them.").click()
    desk.get_by_label("File with topics").set_input_files(file("topics.xml", TOPICS))
    desk.get_by_role("button", name="Look at the topics").click()
    desk.get_by_role("button", name="Import the topics").click()
    desk.get_by_label("File with documents").set_input_files(file("pages.zip", documents()))
    desk.get_by_role("button", name="Upload the documents").click()
    expect(desk.get_by_text("2 documents in the file: 2 new")).to_be_visible()
    desk.get_by_role("link", name="Set-up").first.click()
    expect(desk.get_by_text("Nothing is missing: Glow can open.")).to_be_visible()

    # a team takes part
    empty_site.python(REGISTER)
    ada = Visitor(empty_site).sign_in("ada", "lamp-and-lens-7")
    task = desk.get_by_role("link", name="Focused").first.get_attribute("href").split("/tasks/")[1].strip("/")
    board = f"/campaigns/glow/ad-hoc/{task}/"
    run = ada.submit(board, RUN, "first")
    wait_until(lambda: ada.state(run) == "valid", message="the check")

    # assessments: uploaded, looked at, accepted, activated
    desk.goto("/desk/campaigns/glow/assessments/")
    upload = desk.get_by_text("Upload the", exact=False).first
    if not desk.get_by_label("File").is_visible():
        upload.click()
    desk.get_by_label("File").set_input_files(file("first.qrels", ASSESSMENTS))
    desk.get_by_role("button", name="Upload").click()
    desk.get_by_role("button", name="Accept").click()
    desk.goto("/desk/campaigns/glow/assessments/")
    desk.get_by_role("button", name="Activate").click()
    wait_until(lambda: ada.state(run) == "scored", message="the score")
    visitor.goto(board)
    expect(visitor.locator("table.board")).to_have_count(0)  # not yet published

    desk.goto("/desk/campaigns/glow/publication/")
    desk.get_by_role("button", name="Publish now").click()
    desk.get_by_role("button", name="Publish the results of").click()
    expect(desk.get_by_role("status").first).to_contain_text("published.")
    # What visitors see is at most a second behind.
    wait_until(lambda: visitor.goto(board) and visitor.locator("table.board").count() == 1)

    line = visitor.locator("table.board tbody tr")
    expect(line).to_have_count(1)
    expect(line).to_contain_text("first")
    expect(line).to_contain_text("Lens")
    assert all(0 < float(score) <= 1 for score in line.locator("td.score span").all_inner_texts())
    desk.goto("/desk/campaigns/glow/trail/")
    for deed in ("created", "imported", "activated", "went live", "published"):
        expect(desk.locator(".trail")).to_contain_text(deed)
