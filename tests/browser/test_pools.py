"""An organiser makes a pool after a look at its sizes, reads about it, takes it away, and deletes it."""

import io
from pathlib import Path

import pytest
from playwright.sync_api import expect

from limelight.formats.pools import read_pools

pytestmark = pytest.mark.browser


def test_an_organiser_makes_a_pool_and_takes_it_away(page):
    tab = page("organiser")
    tab.goto("/desk/campaigns/demo/")
    tab.get_by_role("navigation", name="Desk of").get_by_role("link", name="Pools").click()
    tab.get_by_role("link", name="Make a pool").click()

    tab.get_by_role("link", name="Best in Context").click()
    tab.get_by_label("Depth").fill("3")
    tab.get_by_label("Runs a team at most").fill("1")
    tab.get_by_role("button", name="Show the sizes").click()
    expect(tab.locator("#preview")).to_contain_text("4 runs of 4 teams, depth 3")
    tab.get_by_role("button", name="Make this pool").click()

    expect(tab.locator(".messages")).to_contain_text("is made")
    expect(tab.get_by_role("heading", name="Overlap between teams")).to_be_visible()
    with tab.expect_download() as download:
        tab.get_by_role("link", name="INEX pool (XML)").click()
    pooled = read_pools(io.BytesIO(Path(download.value.path()).read_bytes()))
    assert len({document.topic for document in pooled}) == 15
    tab.get_by_text("Delete this pool").click()
    tab.get_by_role("button", name="Delete pool").click()
    expect(tab.locator(".messages")).to_contain_text("is deleted")


def test_an_organiser_asks_what_a_team_brought(page):
    tab = page("organiser")
    tab.goto("/desk/campaigns/demo/pools/")

    tab.get_by_role("link", name="what if a team had not taken part").click()
    tab.get_by_label("Depth").fill("5")
    tab.get_by_role("button", name="Show").click()

    rows = tab.get_by_role("table").get_by_role("row")
    expect(rows).to_have_count(5)
    expect(rows.nth(1)).to_contain_text("Fresnel")
