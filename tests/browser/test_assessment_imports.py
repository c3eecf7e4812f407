"""An organiser imports assessments: uploads, watches, reads the preview, accepts, and sees what changed."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

DESK = "/desk/campaigns/demo"
FILE = b"101 Q0 candle 10 5000 0 0:10\n101 Q0 wick 0 5000\n9001 Q0 candle 20 5000 0 0:20\n"


TAKE_BACK = """
from assessments.models import AssessmentImport, AssessmentSet
from campaign.models import Topic
AssessmentImport.objects.filter(file_name="next.qrels", track__campaign__slug="demo").delete()
AssessmentSet.objects.filter(file_name="next.qrels", track__campaign__slug="demo").delete()
Topic.objects.filter(number="9001", track__campaign__slug="demo").delete()
"""


@pytest.fixture(scope="module", autouse=True)
def nothing_stays(site):
    """Leave the demo's topics and assessments as the tests of other pages expect them."""
    yield
    site.python(TAKE_BACK)


def choose(tab, name, content):
    tab.goto(f"{DESK}/assessments/")
    tab.get_by_text("Upload the next version").click()
    tab.get_by_label("File").set_input_files({"name": name, "mimeType": "text/plain", "buffer": content})


def test_from_upload_over_the_preview_to_a_version(page):
    tab = page("organiser")
    choose(tab, "next.qrels", FILE)
    tab.get_by_label("Notes", exact=False).last.fill("by browser")
    tab.get_by_role("button", name="Upload and look at it").click()

    expect(tab.locator(".big-state")).to_have_text("has problems")
    expect(tab.get_by_text("Topic 9001 is not a topic of")).to_be_visible()
    tab.get_by_role("button", name="Make the missing topics and read it again").click()

    expect(tab.locator(".big-state")).to_have_text("waiting for your decision")
    expect(tab.get_by_text("Topics that will be made: 9001.")).to_be_visible()
    expect(tab.get_by_text("14 topics lose all their judgements").first).to_be_visible()
    tab.get_by_label("Merged into").check()
    tab.get_by_role("button", name="Accept as the next version").click()

    expect(tab.get_by_text("next.qrels is now v")).to_be_visible()
    expect(tab.get_by_text("by browser").first).to_be_visible()
    tab.get_by_role("link", name="What changed since v").first.click()
    expect(tab.get_by_role("heading", level=1)).to_contain_text("What changed from v")
    expect(tab.get_by_role("link", name="All documents as CSV")).to_be_visible()


def test_a_broken_file_is_discarded(page):
    tab = page("organiser", "phone")
    choose(tab, "broken.qrels", FILE + b"101 Q0 candle ten 5000\n")
    tab.get_by_role("button", name="Upload and look at it").click()

    expect(tab.locator(".big-state")).to_have_text("has problems")
    expect(tab.get_by_text("Line 4:")).to_be_visible()
    tab.get_by_role("button", name="Discard").click()

    expect(tab.get_by_text("broken.qrels is discarded. Nothing of it was imported.")).to_be_visible()
