"""Light, dark and paper: the reader's choice, with and without JavaScript, and what a printer gets."""

import pytest

pytestmark = pytest.mark.browser

BOARD = "/campaigns/demo/ad-hoc/focused/"
LIGHT, DARK, WHITE = "rgb(255, 253, 248)", "rgb(15, 23, 41)", "rgb(255, 255, 255)"
PAPER = "getComputedStyle(document.documentElement).backgroundColor"


def paper(page):
    return page.evaluate(PAPER)


def press(page, theme):
    page.locator(f"form.theme button[value={theme}]").click()


def test_a_choice_is_seen_at_once_told_to_scripts_and_kept(page):
    page = page()
    page.goto(BOARD)
    page.evaluate("window.told = 0; document.addEventListener('themechange', () => { window.told += 1; })")

    press(page, "dark")

    assert (paper(page), page.evaluate("window.told")) == (DARK, 1)
    assert page.locator("form.theme [aria-pressed=true]").inner_text() == "dark"
    page.goto("/")
    assert paper(page) == DARK
    press(page, "system")
    assert paper(page) == LIGHT
    assert page.context.cookies() == []


def test_light_is_light_where_the_system_is_dark_and_the_system_is_followed_otherwise(page):
    page = page()
    page.emulate_media(color_scheme="dark")
    page.goto("/")

    assert paper(page) == DARK
    press(page, "light")
    assert paper(page) == LIGHT


def test_without_scripts_the_choice_is_sent(site, chromium):
    context = chromium.new_context(base_url=site.address, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{BOARD}?sort=iMAP")

    press(page, "dark")

    assert page.url == f"{site.address}{BOARD}?sort=iMAP"
    assert page.locator("html").evaluate("(root) => getComputedStyle(root).backgroundColor") == DARK
    context.close()


def test_printed_a_board_is_a_table_on_white_paper(page):
    page = page()
    page.goto(BOARD)
    press(page, "dark")

    page.emulate_media(media="print")

    assert paper(page) == WHITE
    assert page.evaluate("getComputedStyle(document.querySelector('table.board tbody th')).color") == "rgb(0, 0, 0)"
    assert (
        page.evaluate("getComputedStyle(document.querySelector('table.board thead')).display") == "table-header-group"
    )
    for hidden in ("header.site", "footer.site", "form", "button", "table.board input"):
        assert not any(found.is_visible() for found in page.locator(hidden).all()), hidden
    assert page.evaluate("getComputedStyle(document.querySelector('table.board thead a')).textDecorationLine") == "none"
