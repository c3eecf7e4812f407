"""Pages of results in a browser: drawings to take away, and lists that fit a phone and a printer."""

import re

import pytest

pytestmark = pytest.mark.browser

TRACK = "/campaigns/demo/ad-hoc"
SIDEWAYS = "() => [...document.querySelectorAll('.wide')].filter((one) => one.scrollWidth > one.clientWidth + 1).length"
OVER_THE_FOOT = """() => {
  const foot = document.querySelector(".chart figcaption").getBoundingClientRect().top;
  const texts = [...document.querySelectorAll(".curves text")];
  return texts.filter((one) => one.getBoundingClientRect().bottom > foot).length;
}"""


@pytest.mark.parametrize("part", ["topics", "measures", "ranks"])
def test_drawings_of_comparisons_are_taken_away_as_pictures(page, part):
    tab = page()
    tab.goto(f"{TRACK}/focused/comparisons/")

    with tab.expect_download() as download:
        tab.locator(f"#{part} [data-picture]").click()

    assert re.fullmatch(rf"demo-focused-edition-\d+-{part}\.png", download.value.suggested_filename)
    assert download.value.path().read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("address", ["topics/", "focused/editions/2/moved/"])
def test_lists_fold_on_a_phone_instead_of_scrolling_sideways(page, address):
    tab = page(look="phone")
    tab.goto(f"{TRACK}/{address}")

    assert tab.evaluate(SIDEWAYS) == 0


def test_a_printed_curve_keeps_clear_of_its_caption(page):
    tab = page()
    tab.goto(f"{TRACK}/focused/")
    tab.locator(".plot.taken").wait_for()
    tab.emulate_media(media="print")

    assert tab.evaluate(OVER_THE_FOOT) == 0
