"""The board: its table; test_charts.py has its curves."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from limelight.moments import distance

pytestmark = pytest.mark.browser

TRACK = "/campaigns/demo/ad-hoc"


def test_a_header_sorts_and_ranks_by_its_measure(page):
    board = page()
    board.goto(f"{TRACK}/focused/", wait_until="commit")
    official = board.locator("th[aria-sort] a")
    expect(official).to_have_text("iMAP")

    board.get_by_role("link", name="iP[0.01]").click()

    expect(official).to_have_text("iP[0.01]")
    assert re.search(r"\?sort=iP%5B0\.01%5D$", board.url)
    expect(board.locator("th[aria-sort]")).to_have_attribute("aria-sort", "descending")
    column = board.locator("table.board thead th").all_inner_texts()
    position = next(number for number, name in enumerate(column, start=1) if name.startswith("iP[0.01]"))
    cells = board.locator(f"table.board tbody tr > :nth-child({position})").all_inner_texts()
    assert [float(cell) for cell in cells] == sorted(map(float, cells), reverse=True)
    expect(board.locator("table.board thead th.rank")).to_have_text(re.compile(r"rank\s*by iP\[0\.01\]"))
    places = [int(place) for place in board.locator("table.board td.rank b").all_inner_texts()]
    assert places == sorted(places)


def test_a_countdown_has_the_words_of_the_page(page):
    tab = page()
    tab.goto("/")
    now = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
    lengths = [1, 59, 60, 61, 3599, 3600, 3660, 86_399, 86_400, 90_000, 172_800, 180_000, 604_800, 612_000]

    counted_down = tab.evaluate("(lengths) => lengths.map((seconds) => left(seconds * 1000))", lengths)

    assert counted_down == [distance(now + timedelta(seconds=seconds), now) for seconds in lengths]
