"""The board: a chart and a table that agree with each other, with and without JavaScript."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from limelight.moments import distance
from tests.browser.conftest import Watch, open_watched

pytestmark = pytest.mark.browser

TRACK = "/campaigns/demo/ad-hoc"
CURVES = "#chart .scatterlayer .trace"


@pytest.fixture(scope="module")
def open_once(site, chromium):
    watch = Watch()
    page = open_board(open_watched(chromium, watch, site.address))
    yield page, watch
    page.context.close()


@pytest.fixture
def board(open_once):
    """Return the Focused board, opened once for this file; each test leaves all its ticks as they were."""
    page, watch = open_once
    yield page
    assert watch.problems == []


def open_board(page, kind="focused"):
    page.goto(f"{TRACK}/{kind}/")
    page.locator(CURVES).first.wait_for(state="attached")
    return page


def ticks(page):
    return page.locator("table.board [data-curve]")


def ticked(page):
    return page.locator("table.board [data-curve]:checked").count()


def drawn(page):
    """Return the keys of the runs whose curves are on the paper."""
    return page.evaluate(
        "[...document.querySelectorAll('#chart .scatterlayer .trace')].map((curve) => curve.__data__[0].trace.meta)"
    )


def test_there_is_a_curve_for_each_ticked_run(board):
    runs = board.locator("table.board tbody tr").count()

    assert runs >= 9
    assert ticked(board) == min(runs, 10)
    expect(board.locator(CURVES)).to_have_count(ticked(board))
    shapes = board.locator(f"{CURVES} path.js-line").evaluate_all(
        "lines => lines.map((line) => line.getAttribute('d'))"
    )
    assert all(len(shape) > 100 for shape in shapes)
    expect(board.locator("#chart .xtitle")).to_have_text("Recall")
    expect(board.locator("#chart .ytitle")).to_have_text("Interpolated precision")


def test_unticking_a_run_takes_its_curve_away_and_ticking_brings_it_back(board):
    tick = ticks(board).nth(2)
    key, before = tick.get_attribute("data-curve"), ticked(board)

    tick.uncheck()
    expect(board.locator(CURVES)).to_have_count(before - 1)
    assert key not in drawn(board)

    tick.check()
    expect(board.locator(CURVES)).to_have_count(before)
    assert key in drawn(board)


def test_a_click_in_the_legend_unticks_the_run_in_the_table(board):
    first = board.locator("#chart .legend .traces").first
    name = first.locator(".legendtext").text_content().split(" ")[0]
    tick = board.get_by_role("checkbox", name=f"Show {name} in the chart")
    expect(tick).to_be_checked()

    first.locator(".legendtoggle").click()

    expect(tick).not_to_be_checked()
    assert tick.get_attribute("data-curve") not in drawn(board)
    tick.check()
    expect(board.locator(CURVES)).to_have_count(ticked(board))


def test_a_reload_shows_what_the_chart_shows(page):
    board = open_board(page())
    ticks(board).first.uncheck()

    board.reload()
    board.locator(CURVES).first.wait_for(state="attached")

    expect(ticks(board).first).to_be_checked()
    expect(board.locator(CURVES)).to_have_count(ticked(board))


def test_a_header_sorts_by_its_measure_and_leaves_the_ranks_alone(page):
    board = page()
    board.goto(f"{TRACK}/focused/", wait_until="commit")
    official = board.locator("th[aria-sort] a")
    expect(official).to_have_text("iMAP")

    board.get_by_role("link", name="iP[0.01]").click()

    expect(official).to_have_text("iP[0.01]")
    assert re.search(r"\?sort=iP%5B0\.01%5D$", board.url)
    expect(board.locator("th[aria-sort]")).to_have_attribute("aria-sort", "descending")
    column = board.locator("table.board thead th").all_inner_texts()
    position = next(number for number, name in enumerate(column, start=1) if "iP[0.01]" in name)
    cells = board.locator(f"table.board tbody tr > :nth-child({position})").all_inner_texts()
    assert [float(cell) for cell in cells] == sorted(map(float, cells), reverse=True)
    ranks = [int(rank) for rank in board.locator("table.board tbody tr > :nth-child(2)").all_inner_texts()]
    assert ranks != sorted(ranks)
    assert min(ranks) == 1


def colours(page):
    return page.evaluate(
        """() => ({
          text: getComputedStyle(document.querySelector("#chart .xtick text")).fill,
          ink: getComputedStyle(document.documentElement).color,
          paper: getComputedStyle(document.documentElement).backgroundColor,
        })"""
    )


def test_the_chart_follows_a_switch_to_dark_and_keeps_its_curves(board):
    ticks(board).nth(1).uncheck()
    light, shown = colours(board), sorted(drawn(board))
    assert light["text"] == light["ink"]

    board.emulate_media(color_scheme="dark")
    board.wait_for_function(
        "before => getComputedStyle(document.querySelector('#chart .xtick text')).fill !== before", arg=light["text"]
    )

    dark = colours(board)
    assert dark["text"] == dark["ink"] != light["ink"]
    assert dark["paper"] != light["paper"]
    assert sorted(drawn(board)) == shown
    board.emulate_media(color_scheme="light")
    ticks(board).nth(1).check()


@pytest.mark.parametrize("kind", ["relevant-in-context", "best-in-context"])
def test_boards_in_context_draw_generalised_precision(page, kind):
    board = open_board(page(), kind)

    runs = board.locator("table.board tbody tr").count()

    assert runs >= 4
    expect(board.locator(CURVES)).to_have_count(runs)
    expect(board.locator("#chart .ytitle")).to_have_text("Generalised precision")
    expect(board.locator("th.official")).to_have_text("MAgP")


def test_no_button_of_the_chart_sends_it_to_another_host(board):
    buttons = board.locator("#chart .modebar-btn").evaluate_all("all => all.map((button) => button.dataset.title)")

    assert buttons == ["Download plot as a PNG", "Zoom", "Pan", "Zoom in", "Zoom out", "Reset axes"]
    with board.expect_download() as download:
        board.locator("#chart .modebar-btn").first.click()
    assert download.value.suggested_filename == "limelight.png"


def test_the_chart_fits_on_a_phone(page):
    board = open_board(page(look="phone"))

    box = board.locator("#chart .main-svg").first.bounding_box()

    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 375
    expect(board.locator("#chart .legend")).to_have_count(0)


def test_without_javascript_the_table_is_there_and_a_sentence_stands_for_the_chart(page):
    board = page(java_script_enabled=False)

    board.goto(f"{TRACK}/focused/")

    assert board.locator("table.board tbody tr").count() >= 9
    sentence = board.locator("figure noscript p")
    expect(sentence).to_have_text("The chart needs JavaScript; the table below has the numbers.")
    expect(sentence).to_be_visible()
    best = board.locator("table.board tbody tr").first.locator("td.score").first
    expect(best).to_have_text(re.compile(r"0\.\d{4}"))


def test_a_countdown_has_the_words_of_the_page(page):
    tab = page()
    tab.goto("/")
    now = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
    lengths = [1, 59, 60, 61, 3599, 3600, 3660, 86_399, 86_400, 90_000, 172_800, 180_000, 604_800, 612_000]

    counted_down = tab.evaluate("(lengths) => lengths.map((seconds) => left(seconds * 1000))", lengths)

    assert counted_down == [distance(now + timedelta(seconds=seconds), now) for seconds in lengths]
