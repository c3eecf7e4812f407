"""Submitting by hand: what was typed outlives a reload, leaving asks first, and the scored run's page is all new."""

import pytest
from playwright.sync_api import expect

from evaluation.demo.loader import FOLDER
from tests.services.site import wait_until

pytestmark = pytest.mark.browser

SUBMIT = "/campaigns/demo/ad-hoc/focused/submit/"
RUN = FOLDER / "runs" / "argand_par-bm25.txt"


@pytest.fixture
def form(site, participant_page):
    participant_page.goto(site.address + SUBMIT)
    return participant_page


def test_what_was_typed_outlives_a_reload_and_ends_with_the_submission(form, site):
    form.locator("[name=name]").fill("typed-before-reload")
    form.locator("textarea[name=description]").fill("Two lines\nof description")
    form.locator("[name=query]").select_option("manual")
    form.locator("[name=topic_fields][value=title]").check()

    form.reload()

    expect(form.locator("[name=name]")).to_have_value("typed-before-reload")
    expect(form.locator("textarea[name=description]")).to_have_value("Two lines\nof description")
    expect(form.locator("[name=query]")).to_have_value("manual")
    expect(form.locator("[name=topic_fields][value=title]")).to_be_checked()
    form.locator("[name=file]").set_input_files(RUN)
    form.get_by_role("button", name="Submit", exact=True).click()
    expect(form.get_by_role("heading", name="typed-before-reload")).to_be_visible()
    form.goto(site.address + SUBMIT)
    expect(form.locator("[name=name]")).to_have_value("")


def test_leaving_during_an_upload_asks_first(form, site):
    form.locator("[name=name]").fill("never-arrives")
    form.locator("[name=file]").set_input_files(RUN)
    form.route("**/submit/", lambda route: None)  # an upload that takes for ever
    asked = []

    def stay(dialog):
        asked.append(dialog.type)
        dialog.dismiss()

    form.get_by_role("button", name="Submit", exact=True).click()
    expect(form.locator("#sending")).to_be_visible()
    form.on("dialog", stay)
    form.evaluate("window.location.assign('/')")
    wait_until(lambda: form.wait_for_timeout(50) or asked, message="the question")
    expect(form.locator("#sending")).to_be_visible()

    assert asked == ["beforeunload"]
    assert form.url == site.address + SUBMIT
    form.remove_listener("dialog", stay)
    form.on("dialog", lambda dialog: dialog.accept())


def test_when_a_run_is_scored_the_whole_page_is_new(form):
    form.locator("[name=name]").fill("whole-page")
    form.locator("[name=file]").set_input_files(RUN)
    form.get_by_role("button", name="Submit", exact=True).click()

    expect(form.get_by_role("status").get_by_text("scored", exact=True)).to_be_visible()

    expect(form.get_by_text("passage results")).to_be_visible()
    expect(form.get_by_role("link", name="XML", exact=True)).to_be_visible()
