"""What a participant is told: the count in the head, the list, and what is read when."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import show
from tests.services.site import Visitor

pytestmark = pytest.mark.browser

TELL = """
from campaign.models import Notification, User
from campaign.services.telling.notifications import notify
told = User.objects.get(username="rival")
Notification.objects.filter(user=told).delete()
for number in range({count}):
    notify([told], Notification.Kind.SCORED, f"thing {{number}}",
           f"Your run sections-{{number}} is scored: iMAP 0.3{{number:03}} (Focused).", "/runs/")
"""


@pytest.fixture
def told(site, page):
    """Return a function that tells the rival so many things, and gives their page of notifications."""

    def told(count, look="wide"):
        site.python(TELL.format(count=count))
        tab = page("rival", look)
        tab.goto("/notifications/")
        return tab

    return told


def in_the_head(tab):
    return tab.get_by_role("banner").get_by_role("link", name=re.compile("^Notifications"))


def entries(tab):
    return tab.locator("ul.notifications li")


def test_the_head_counts_what_is_unread_on_every_page(told):
    tab = told(3)

    tab.goto("/")

    expect(in_the_head(tab)).to_have_accessible_name("Notifications (3) unread")
    in_the_head(tab).click()
    expect(tab.get_by_role("heading", level=1)).to_have_text("Notifications")


def test_nobody_signed_in_sees_no_notifications(page):
    tab = page()

    tab.goto("/")

    expect(in_the_head(tab)).to_have_count(0)


def test_opening_one_leads_on_and_marks_it_as_read(told):
    tab = told(2)
    expect(entries(tab)).to_have_count(2)
    expect(entries(tab).first).to_contain_text("sections-1 is scored: iMAP 0.3001")
    expect(tab.locator("li.unread")).to_have_count(2)

    tab.get_by_role("link", name="sections-1").click()

    tab.wait_for_url("**/runs/")
    expect(in_the_head(tab)).to_have_accessible_name("Notifications (1) unread")
    tab.go_back()
    tab.reload()
    expect(entries(tab).first).not_to_contain_text("new")
    expect(tab.locator("li.unread")).to_have_count(1)


def test_all_are_marked_as_read_with_one_button_by_keyboard(told):
    tab = told(3)
    button = tab.get_by_role("button", name="Mark all as read")

    button.focus()
    tab.keyboard.press("Enter")

    expect(tab.locator("li.unread")).to_have_count(0)
    expect(entries(tab)).to_have_count(3)
    expect(button).to_have_count(0)
    expect(in_the_head(tab)).to_have_accessible_name("Notifications")


def test_pages_lead_to_what_is_older(told):
    tab = told(31)
    expect(tab.get_by_text("31 unread of 31, page 1 of 2")).to_be_visible()

    tab.get_by_role("link", name="older →").click()

    expect(entries(tab)).to_have_count(1)
    expect(entries(tab)).to_contain_text("sections-0 ")
    tab.get_by_role("link", name="← newer").click()
    expect(entries(tab)).to_have_count(30)


@pytest.mark.parametrize("count", [0, 31])
def test_the_list_fits_a_phone_and_axe_finds_nothing_grave(told, axe, count):
    tab = told(count, "phone")

    for look in ("phone", "dark", "wide"):
        show(tab, look)
        assert tab.evaluate("document.scrollingElement.scrollWidth <= window.innerWidth"), look
        assert axe(tab) == [], look


def test_a_person_chooses_what_is_mailed(site, page):
    tab = page("rival", "phone")
    tab.goto("/notifications/")

    tab.get_by_role("link", name="Choose what is mailed to you").click()
    tab.get_by_label("a deadline is near").uncheck()
    tab.get_by_role("button", name="Save").click()

    expect(tab.get_by_role("status")).to_have_text("Saved. On the site you are told of everything all the same.")
    expect(tab.get_by_label("a deadline is near")).not_to_be_checked()
    expect(tab.get_by_label("a run was scored")).to_be_checked()
    assert '"deadline"' in str(site.query("SELECT unmailed FROM campaign_user WHERE username = 'rival'")[0][0])


def test_a_scored_run_is_told_while_one_looks_at_another_page(site, page):
    site.python(TELL.format(count=0))
    rival = Visitor(site).sign_in("rival")
    tab = page("rival")

    run = rival.submit("/campaigns/demo/ad-hoc/focused/", b"101 Q0 candle 1 1.0 r 0 x\n", "refused")
    tab.goto(f"/runs/{run}/")
    expect(tab.locator(".big-state")).to_have_text("rejected")
    tab.reload()

    in_the_head(tab).click()
    expect(entries(tab)).to_have_count(1)
    expect(entries(tab)).to_contain_text("Your run refused was rejected: 1 problem to mend (Focused).")
