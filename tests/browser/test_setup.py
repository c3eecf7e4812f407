"""An organiser sets a campaign up from nothing in the browser, and copies it for another year."""

import io
import zipfile

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LOOKS, show
from tests.browser.driving import faults_of, file

pytestmark = pytest.mark.browser

TOPICS = b"""<inex-topic-file>
<topic id="2027001"><title>lamps in lighthouses</title></topic>
<topic id="2027002"><title>oil for lamps</title></topic>
</inex-topic-file>"""
DESK = "/desk/campaigns/glow-2027"


def archive():
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as packed:
        for number in range(30):
            packed.writestr(f"pages/{number}.xml", f"<article><title>Lamp {number}</title><p>Light.</p></article>")
        packed.writestr("pages/broken.xml", "<article>")
    return target.getvalue()


def look(tab, axe):
    """Return the faults of the page in front of us in every look."""
    faults = []
    for name in LOOKS:
        show(tab, name)
        faults += [f"{tab.url}, {name}: {fault}" for fault in faults_of(tab, axe)]
    show(tab, "wide")
    return faults


def test_a_campaign_is_set_up_from_nothing_and_copied(page, axe):
    tab = page("organiser")
    tab.goto("/desk/")
    tab.get_by_role("link", name="Create a campaign").click()
    tab.get_by_label("Name").fill("Glow 2027")
    tab.get_by_label("Year").fill("2027")
    tab.get_by_label("Agreement").fill("Be fair.")
    tab.get_by_label("Listed for everyone").check()
    tab.get_by_role("button", name="Create the campaign").click()
    expect(tab.get_by_text("1 thing missing before Glow 2027 can open.")).to_be_visible()

    tab.get_by_role("link", name="The campaign has no track. Create one.").click()
    tab.get_by_label("Name").fill("Ad hoc")
    tab.get_by_label("Or a new collection").fill("Glowing pages")
    tab.get_by_role("button", name="Add the track").click()
    next_step = tab.get_by_role("link", name="Ad hoc has no task. Create one.")
    expect(next_step).to_be_visible()
    faults = look(tab, axe)

    next_step.click()
    tab.get_by_role("link", name="Restricted Focused, 2010").click()
    expect(tab.get_by_label("Characters a topic")).to_have_value("1000")
    tab.get_by_label("Opens").fill("2027-03-01T00:00")
    tab.get_by_label("Closes").fill("2027-03-31T23:59")
    tab.get_by_role("button", name="Add the task").click()
    expect(tab.get_by_text("31 March 2027, 23:59 AoE").first).to_be_visible()

    tab.get_by_role("link", name="Ad hoc has no topics. Upload them.").click()
    tab.get_by_label("File with topics").set_input_files(file("topics.xml", TOPICS))
    tab.get_by_role("button", name="Look at the topics").click()
    expect(tab.get_by_text("2 topics: 2 new, 0 changed, 0 unchanged")).to_be_visible()
    faults += look(tab, axe)
    tab.get_by_role("button", name="Import the topics").click()
    expect(tab.get_by_text("Ad hoc: 2 topics: 2 new, 0 changed, 0 unchanged.")).to_be_visible()

    tab.get_by_label("File with documents").set_input_files(file("pages.zip", archive()))
    tab.get_by_role("button", name="Upload the documents").click()
    expect(tab.get_by_text("31 documents in the file: 30 new, 0 changed, 0 unchanged, 1 damaged.")).to_be_visible()
    faults += look(tab, axe)

    tab.get_by_role("link", name="Set-up").first.click()
    expect(tab.get_by_text("Nothing is missing: Glow 2027 can open.")).to_be_visible()
    tab.get_by_role("link", name="Copy this campaign").click()
    expect(tab.get_by_label("Name")).to_have_value("Glow 2028")
    tab.get_by_role("button", name="Make the copy").click()
    expect(tab.get_by_text("31 March 2028, 23:59 AoE").first).to_be_visible()

    tab.goto(f"{DESK}/trail/")
    expect(tab.get_by_text("topics of Ad hoc")).to_be_visible()
    faults += look(tab, axe)
    tab.get_by_label("Deed").select_option("copied")
    tab.get_by_role("button", name="Show").click()
    expect(tab.locator(".trail > li")).to_have_count(1)
    assert faults == []
