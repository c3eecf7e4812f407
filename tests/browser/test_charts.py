"""Curves in a page: drawn before any script, then by Plotly in the same place, tied to rows, ticks and the address."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LOOKS, Watch, open_watched
from tests.folders import ROOT

pytestmark = pytest.mark.browser

TRACK = "/campaigns/demo/ad-hoc"
BOARD = f"{TRACK}/focused/?show=all"
PLOTLY = ROOT / "static" / "vendor" / "plotly" / "plotly-cartesian.min.js"
PLOTTED = """() => [...document.querySelectorAll(".drawn .scatterlayer .trace")]
  .map((curve) => curve.__data__[0].trace).filter((trace) => trace.meta && trace.xaxis !== "x2")
  .map((trace) => trace.meta).sort()"""
PLOTTED_COLOURS = "() => [...document.querySelectorAll('.drawn .trace path.js-line')].map((line) => line.style.stroke)"
BOX = """() => {
  const box = document.querySelector(".plot").getBoundingClientRect();
  return [box.y, box.width, box.height];
}"""


@pytest.fixture(scope="module")
def open_once(site, chromium):
    watch = Watch()
    page = open_board(open_watched(chromium, watch, site.address))
    yield page, watch
    page.context.close()


@pytest.fixture
def board(open_once):
    """Return the Focused board as it opens, in a window that all tests of this file share."""
    page, watch = open_once
    yield open_board(page)
    assert watch.problems == []


def open_board(page, address=BOARD):
    page.goto(address)
    page.locator(".plot.taken").wait_for()
    return page


def ticked(page):
    return sorted(
        page.locator("input[data-curve]:checked").evaluate_all("all => all.map((tick) => tick.dataset.curve)")
    )


def drawn(page):
    """Return the codes of the runs in the drawing."""
    return sorted(
        page.locator(".curves > svg:first-of-type .run").evaluate_all("all => all.map((one) => one.dataset.run)")
    )


def in_the_address(page):
    """Return what the address says of the chart."""
    asked = parse_qs(urlsplit(page.url).query)
    return {name: values[0] for name, values in asked.items() if name in ("curves", "zoom")}


def centre(page):
    box = page.locator(".plot .curves").bounding_box()
    return box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2


def test_the_best_run_of_each_team_is_drawn_twice_over_and_ticked(board):
    assert len(ticked(board)) == 4
    assert drawn(board) == board.evaluate(PLOTTED) == ticked(board)
    assert board.locator(".curves .label").count() == 4
    expect(board.locator(".curves > :not(.ends)").first).to_have_css("visibility", "hidden")


def test_plotly_takes_the_place_of_the_drawing_without_a_jump(page):
    tab = page()
    held = []
    tab.route("**/plotly-cartesian*", lambda route: held.append(route))
    tab.goto(BOARD)
    expect(tab.locator(".curves .run").first).to_be_visible()
    before = tab.evaluate(BOX)

    tab.wait_for_function("() => document.querySelector('script[src*=plotly-cartesian]')")
    while not held:
        tab.wait_for_timeout(50)
    held[0].continue_()
    tab.locator(".plot.taken").wait_for()

    assert tab.evaluate(BOX) == before
    assert tab.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize("blocked", ["**/plotly-cartesian*", "**/plots*.js", "**/figure.json*", "**/charts*.js"])
def test_without_a_script_or_its_figure_drawing_and_table_remain(chromium, site, blocked):
    tab, said = chromium.new_page(base_url=site.address, **LOOKS["wide"]), []
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.on("console", lambda message: said.append(message.text))
    tab.route(blocked, lambda route: route.abort())

    tab.goto(BOARD, wait_until="networkidle")

    expect(tab.locator(".curves .run").first).to_be_visible()
    assert tab.locator("table.board tbody tr").count() >= 4
    assert not tab.locator(".plot.taken").count()
    assert [text for text in said if not text.startswith("Failed to load resource")] == []  # the browser's own note
    tab.close()


def test_without_javascript_there_are_drawing_numbers_stretches_and_files(page):
    tab = page(java_script_enabled=False)

    tab.goto(f"{TRACK}/relevant-in-context/")
    expect(tab.locator(".curves .run").first).to_be_visible()
    expect(tab.locator("[data-png]")).to_be_hidden()
    tab.get_by_text("The curves in numbers").click()
    expect(tab.locator(".numbers tbody tr").first).to_be_visible()
    tab.get_by_role("link", name="all 50").click()

    assert in_the_address(tab) == {"zoom": "1-50"}
    expect(tab.locator(".zooms [aria-current]")).to_have_text("all 50")
    expect(tab.locator(".curves .tick", has_text=re.compile("^50$"))).to_be_visible()


def test_ticks_add_and_take_away_curves_and_are_kept_in_the_address(board):
    at_first = ticked(board)
    more = board.locator("input[data-curve]:not(:checked)").first
    code = more.get_attribute("data-curve")

    more.check()
    board.wait_for_function(f"() => ({PLOTTED})().includes('{code}')")
    assert drawn(board) == board.evaluate(PLOTTED) == sorted([*at_first, code])
    assert sorted(in_the_address(board)["curves"].split(",")) == sorted([*at_first, code])
    open_board(board, board.url)
    assert ticked(board) == drawn(board) == sorted([*at_first, code])

    board.locator(f"input[data-curve='{at_first[0]}']").uncheck()
    board.wait_for_function(f"() => !({PLOTTED})().includes('{at_first[0]}')")
    assert at_first[0] not in in_the_address(board)["curves"]


def test_the_curves_as_they_opened_need_no_word_in_the_address(board):
    tick = board.locator(f"input[data-curve='{ticked(board)[0]}']")

    tick.uncheck()
    expect(board).to_have_url(re.compile("curves="))
    tick.check()

    expect(board).to_have_url(re.compile(r"/focused/\?show=all$"))


def test_a_sorted_board_keeps_its_curves(board):
    board.locator("input[data-curve]:checked").first.uncheck()
    expect(board).to_have_url(re.compile("curves="))
    kept = ticked(board)

    board.locator("table.board thead").get_by_role("link", name="run").first.click()
    board.wait_for_url(re.compile("sort="))
    board.locator(".plot.taken").wait_for()

    assert ticked(board) == kept


def test_pointing_at_a_row_lights_its_curve_and_at_a_curve_its_row(board):
    row = board.locator("table.board tr[data-run]:has(input:checked)").first
    code = row.get_attribute("data-run")

    row.hover()
    expect(board.locator(".drawn .trace.lit").first).to_be_attached()
    assert board.locator(".curves .lit").first.get_attribute("data-run") == code
    assert board.locator(".plot.lighting").count() == 1

    board.mouse.move(*centre(board))
    box = board.locator(".plot .curves").bounding_box()
    places = [box["y"] + box["height"] * share / 40 for share in range(41)]
    for y in places:
        board.mouse.move(box["x"] + box["width"] * 0.3, y)
        if board.locator("table.board tr.lit").count():
            break
    lit = board.locator("table.board tr.lit").get_attribute("data-run")
    assert board.locator(".curves .run.lit").first.get_attribute("data-run") == lit


def test_focusing_a_row_lights_its_curve(board):
    tick = board.locator("table.board input[data-curve]:checked").nth(1)

    tick.focus()

    expect(board.locator(f".curves .run.lit[data-run='{tick.get_attribute('data-curve')}']").first).to_be_attached()
    tick.blur()
    expect(board.locator(".curves .lit")).to_have_count(0)


def test_a_reading_line_tells_all_values_at_one_recall(board):
    board.mouse.move(*centre(board))

    expect(board.locator(".read-out")).to_contain_text(re.compile(r"^At recall 0\.30: \S+ 0\.\d{4} · "))
    expect(board.locator(".read-out")).to_contain_text(re.compile(r"median of all \d+ runs 0\.\d{4}$"))
    assert board.locator(".reading-line circle").count() == 4
    board.mouse.move(5, 5)
    expect(board.locator(".reading-line line")).to_have_count(0)


def test_the_keyboard_reads_and_lights_too(board):
    plot = board.locator(".plot")
    plot.focus()

    for key, place in (
        ("ArrowRight", "0.00"),
        ("ArrowRight", "0.01"),
        ("PageUp", "0.11"),
        ("End", "1.00"),
        ("Home", "0.00"),
    ):
        board.keyboard.press(key)
        expect(board.locator(".read-out")).to_contain_text(f"At recall {place}: ")
    board.keyboard.press("ArrowDown")
    first = board.locator(".curves .run.lit").first.get_attribute("data-run")
    board.keyboard.press("ArrowDown")

    assert board.locator(".curves .run.lit").first.get_attribute("data-run") != first
    board.keyboard.press("Escape")
    expect(board.locator(".curves .lit, .reading-line line")).to_have_count(0)
    assert board.locator("output.read-out").count() == 1  # what changes in it is announced politely


def test_a_stretch_is_chosen_by_link_and_by_dragging_and_kept_in_the_address(board):
    board.get_by_role("link", name="recall 0 to 0.1").click()
    expect(board.locator(".zooms [aria-current]")).to_have_text("recall 0 to 0.1")
    assert in_the_address(board) == {"zoom": "0-0.1"}
    board.wait_for_function("() => document.querySelector('.drawn').layout.xaxis.range[1] === 0.1")
    board.get_by_role("link", name="all recall levels").click()
    expect(board.locator(".zooms [aria-current]")).to_have_text("all recall levels")
    assert in_the_address(board) == {}

    box = board.locator(".plot .curves").bounding_box()
    board.mouse.move(box["x"] + box["width"] * 0.1, box["y"] + 200)
    board.mouse.down()
    board.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + 210, steps=8)
    board.mouse.up()

    expect(board.locator(".zooms [aria-current]")).to_have_text(re.compile(r"recall 0\.\d+ to 0\.\d+"))
    begin, end = map(float, in_the_address(board)["zoom"].split("-"))
    assert (begin, end) == (pytest.approx(0.1, abs=0.02), pytest.approx(0.4, abs=0.02))


@pytest.mark.parametrize("kind", ["relevant-in-context", "best-in-context"])
def test_ranks_open_on_the_first_ten(page, kind):
    tab = open_board(page(), f"{TRACK}/{kind}/")

    assert tab.evaluate("() => document.querySelector('.drawn').layout.xaxis.range") == [1, 10]
    expect(tab.locator(".zooms")).to_have_text(re.compile(r"ranks 1 to 10\s+·\s+all 50"))
    expect(tab.locator("th.official")).to_contain_text("MAgP")


def test_curves_are_taken_away_under_names_that_say_what_they_are(board):
    for name in ("SVG", "PNG", "CSV"):
        with board.expect_download() as download:
            board.locator(".files").get_by_text(name, exact=True).click()
        expected = rf"demo-ad-hoc-focused-edition-\d+-iP-curves\.{name.lower()}"
        assert re.fullmatch(expected, download.value.suggested_filename)
        assert download.value.path().stat().st_size > 2_000


def test_the_files_are_of_what_is_drawn(board):
    board.locator("input[data-curve]:checked").first.uncheck()
    expect(board).to_have_url(re.compile("curves="))

    with board.expect_download() as download:
        board.locator(".files").get_by_text("CSV", exact=True).click()

    codes = {line.split(",")[4] for line in download.value.path().read_text().splitlines()[1:]}
    assert sorted(codes - {""}) == ticked(board)


def colours(page):
    return page.evaluate(
        """() => ({
          drawn: getComputedStyle(document.querySelector(".curves .run")).stroke,
          plotted: [...document.querySelectorAll(".drawn .trace path.js-line")].map((line) => line.style.stroke),
          paper: getComputedStyle(document.documentElement).backgroundColor,
        })"""
    )


def test_the_chart_follows_a_switch_to_dark_and_keeps_its_curves(board):
    light, shown = colours(board), board.evaluate(PLOTTED)

    board.emulate_media(color_scheme="dark")
    board.wait_for_function(f"before => !({PLOTTED_COLOURS})().includes(before)", arg=light["plotted"][-1])

    dark = colours(board)
    assert dark["drawn"] != light["drawn"]
    assert dark["drawn"] in dark["plotted"]
    assert board.evaluate(PLOTTED) == shown
    board.emulate_media(color_scheme="light")


def test_the_drawing_is_what_is_printed_in_the_colours_of_paper(page):
    tab = open_board(page(look="dark"))
    expect(tab.locator(".drawn")).to_be_visible()

    tab.emulate_media(media="print", color_scheme="light")

    expect(tab.locator(".drawn")).to_be_hidden()
    expect(tab.locator(".curves .run").first).to_be_visible()
    expect(tab.locator(".curves .rule").first).to_have_css("visibility", "visible")


def test_a_finger_reads_the_drawing_and_plotly_stays_away(chromium, site, watch):
    phone = chromium.new_context(base_url=site.address, has_touch=True, is_mobile=True, **LOOKS["phone"])
    watch.follow(phone, site.address)
    tab, asked = phone.new_page(), []
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(BOARD, wait_until="networkidle")
    box = tab.locator(".plot .curves").bounding_box()

    tab.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + 60)

    expect(tab.locator(".read-out")).to_contain_text(re.compile(r"^At recall 0\.(49|50|51): "))
    assert not [url for url in asked if "plotly" in url]
    assert box["x"] + box["width"] <= 375
    phone.close()


def test_an_unknown_run_in_the_address_is_told_and_the_others_are_drawn(page):
    tab = page()
    known = ticked(open_board(tab))[0]

    open_board(tab, f"{BOARD}&curves={known},nope&zoom=far")

    expect(tab.locator("figure .notice")).to_have_text(
        [
            "There is no run “nope” among those you see on this board.",
            "“far” is no stretch of the curves: it is written as 0-0.1 or 0-1.",
        ]
    )
    assert drawn(tab) == [known]


def test_plotly_asks_for_no_style_elements_that_the_script_does_not_know():
    guards = set(re.findall(r'getElementById\("([0-9a-f]{60,64})"\)', PLOTLY.read_text()))

    assert guards == set(re.findall(r'"([0-9a-f]{60,64})"', (ROOT / "static" / "js" / "plots.js").read_text()))
