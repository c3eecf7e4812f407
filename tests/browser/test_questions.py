"""Questions of the desk in the browser: what they say, how they look, and that yes and no are what they seem."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LOOKS, show
from tests.browser.driving import faults_of

pytestmark = pytest.mark.browser

DESK = "/desk/campaigns/demo"


@pytest.fixture
def desk(page):
    """Return an organiser's browser."""
    return page("organiser")


def ask_to_reject(tab):
    tab.goto(f"{DESK}/runs/")
    tab.get_by_label("all ", exact=False).last.check()
    tab.get_by_text("Reject, or take a rejection back").click()
    tab.get_by_label("Why").fill("Copies of the baseline")
    tab.get_by_role("button", name="Reject", exact=True).click()
    expect(tab.get_by_role("heading", level=1)).to_have_text(re.compile(r"^Reject \d+ runs\?$"))


def ask_to_publish(tab):
    tab.goto(f"{DESK}/publication/")
    tab.get_by_role("button", name="Publish all").click()
    expect(tab.get_by_role("heading", level=1)).to_contain_text("?")


@pytest.mark.parametrize("ask", [ask_to_reject, ask_to_publish])
def test_a_question_fits_every_window_and_says_nothing_grave_to_axe(desk, axe, ask):
    ask(desk)

    faults = []
    for look in LOOKS:
        show(desk, look)
        faults += [f"{look}: {fault}" for fault in faults_of(desk, axe)]
    assert faults == []


def test_all_runs_are_rejected_after_a_question_and_come_back_as_one(desk):
    ask_to_reject(desk)
    heading = desk.get_by_role("heading", level=1).inner_text()

    desk.get_by_role("link", name="No, leave it as it is").click()
    expect(desk.get_by_role("heading", name="Rejections that can be taken back")).to_have_count(0)
    ask_to_reject(desk)
    desk.get_by_role("button", name=heading.removesuffix("?")).click()
    expect(desk.get_by_role("status").first).to_contain_text("rejected. Their teams have been told.")
    desk.get_by_role("button", name="Take back").click()
    desk.get_by_role("button", name="Reinstate").click()

    expect(desk.get_by_role("status").first).to_contain_text("reinstated.")
    desk.goto("/campaigns/demo/ad-hoc/focused/")
    expect(desk.locator("table.board tbody tr")).not_to_have_count(0)
