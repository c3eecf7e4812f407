"""The API in the browser: a token is made and tried on the page of endpoints, within the site's policy."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_a_token_is_made_tried_out_and_revoked(participant_page):
    """The watch fails this on any violation of the policy, error in the console or request to another host."""
    page = participant_page
    page.goto("/api/")
    page.get_by_role("link", name="Your API tokens").click()
    page.get_by_label("Name").fill("a browser test")
    page.get_by_role("button", name="Make a token").click()
    secret = page.locator(".notice pre").first.inner_text()
    assert re.fullmatch(r"lml_[A-Za-z0-9]{40}", secret)
    assert secret not in page.url

    page.goto("/api/v1/docs")
    page.get_by_role("button", name="Authorize").click()
    page.locator(".auth-container input").fill(secret)
    page.locator(".auth-btn-wrapper .authorize").click()
    page.get_by_role("button", name="Close").click()
    listed = page.locator("#operations-runs-list_runs")
    listed.locator(".opblock-summary-control").click()
    listed.get_by_role("button", name="Try it out").click()
    listed.get_by_role("button", name="Execute").click()
    answer = listed.locator(".live-responses-table tbody tr").first
    expect(answer.locator(".response-col_status")).to_have_text("200")
    expect(answer.locator(".response-col_description")).to_contain_text("par-bm25")

    page.goto("/account/tokens/")
    row = page.get_by_role("row", name="a browser test")
    expect(row).to_contain_text(secret[:12])
    expect(row).not_to_contain_text("never")
    row.get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("Token a browser test is revoked.")).to_be_visible()
    expect(page.get_by_role("row", name="a browser test")).to_have_count(0)


def test_the_page_of_endpoints_fits_a_phone(page):
    tab = page(None, "phone")

    tab.goto("/api/v1/docs")
    tab.locator(".opblock").first.wait_for()

    assert tab.evaluate("document.scrollingElement.scrollWidth") <= 375
    expect(tab.get_by_role("link", name="Guide to the API")).to_be_visible()
