"""Everything can be done without a mouse, and one always sees where one is."""

import re

import pytest
from playwright.sync_api import expect

from evaluation.demo.loader import FOLDER
from tests.browser.driving import tab, tab_to
from tests.services.site import wait_until

pytestmark = pytest.mark.browser

BOARD = "/campaigns/demo/ad-hoc/focused/"


def test_the_skip_link_is_the_first_stop_and_leads_past_the_navigation(page):
    board = page("participant")
    board.goto(BOARD)

    first = tab(board)
    assert first["name"] == "Skip to the content"
    assert first["onScreen"]
    board.keyboard.press("Enter")

    assert board.evaluate("document.activeElement.id") == "content"
    assert tab(board)["name"] == "Lamps and Lighthouses"


def test_one_signs_in_and_submits_a_run_by_keyboard_alone(page):
    newcomer, chosen = page(), []

    def choose(chooser):
        chosen.append(chooser.set_files(FOLDER / "runs" / "argand_par-bm25.txt") or True)

    newcomer.on("filechooser", choose)  # listening from the start: a browser under load is slow to begin
    newcomer.goto(BOARD)
    tab_to(newcomer, "Sign in")
    newcomer.keyboard.press("Enter")
    newcomer.wait_for_url("**/sign-in/**")
    tab_to(newcomer, field="login")
    newcomer.keyboard.type("participant")
    tab_to(newcomer, field="password")
    newcomer.keyboard.type("limelight")
    newcomer.keyboard.press("Enter")
    newcomer.wait_for_url(re.compile(rf":\d+{BOARD}$"))
    tab_to(newcomer, "Submit a run")
    newcomer.keyboard.press("Enter")
    newcomer.wait_for_url(re.compile(rf":\d+{BOARD}submit/$"))

    tab_to(newcomer, field="file")
    newcomer.keyboard.press("Enter")
    wait_until(lambda: newcomer.wait_for_timeout(50) or chosen, message="the window to choose a file")
    tab_to(newcomer, field="name")
    newcomer.keyboard.type("by-keyboard")
    tab_to(newcomer, field="topic_fields")
    newcomer.keyboard.press("Space")
    tab_to(newcomer, "Submit")
    newcomer.keyboard.press("Enter")

    newcomer.wait_for_url(re.compile(r"/runs/\d+/$"))
    expect(newcomer.locator(".big-state")).to_have_text("scored")
    expect(newcomer.locator(".facts").first).to_contain_text("Argand · Focused · title")


def test_a_curve_is_hidden_and_a_run_withdrawn_by_keyboard(page):
    board = page("participant")
    board.goto(BOARD)
    board.locator(".plot.taken").wait_for()
    tick = board.locator("table.board [data-curve]").first
    tab_to(board, tick.get_attribute("aria-label"))
    board.keyboard.press("Space")
    expect(tick).not_to_be_checked()

    board.goto("/runs/")
    tab_to(board, "par-bm25")
    board.keyboard.press("Enter")
    board.wait_for_url(re.compile(r"/runs/\d+/$"))
    tab_to(board, "Withdraw this run")
    board.keyboard.press("Enter")

    expect(board.get_by_role("button", name="Withdraw par-bm25")).to_be_visible()


@pytest.mark.parametrize("look", ["phone", "dark"])
def test_every_stop_of_the_keyboard_is_seen(page, look):
    board, unseen = page("participant", look), []

    for path in ("/", "/campaigns/demo/", BOARD, f"{BOARD}submit/", "/runs/"):
        board.goto(path)
        stops = 0
        for _ in range(80):
            here = tab(board)
            if here["isPage"]:
                break
            stops += 1
            if not (here["outline"] and here["onScreen"]):
                unseen.append(f"{path}: {here['name']}")
        assert stops >= 5

    assert unseen == []
