"""A newcomer's first quarter of an hour: sign in, upload, watch, read the report, withdraw."""

import os
import re
import signal
import time
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from evaluation.demo.loader import FOLDER

pytestmark = pytest.mark.browser

BOARD = "/campaigns/demo/ad-hoc/focused/"
DEMO_RUN = FOLDER / "runs" / "argand_par-bm25.txt"
OTHER_RUN = FOLDER / "runs" / "argand_par-article.txt"


@contextmanager
def sleeping_worker(site):
    """Hold the site's worker still, so that states that pass in a blink can be seen."""
    group = site.stop_worker()
    try:
        yield
    finally:
        os.killpg(group, signal.SIGCONT)


def fill_in(page, file, name):
    page.goto(f"{BOARD}submit/")
    page.get_by_label("Run file").set_input_files(file)
    page.get_by_label("Run name").fill(name)


def submit(page, file, name):
    fill_in(page, file, name)
    page.get_by_role("button", name="Submit").click()
    page.wait_for_url(re.compile(r"/runs/\d+/$"))


def state_of(page):
    return page.locator(".big-state")


def scores_in(row):
    return row.locator("td.score span").all_inner_texts()


def test_a_newcomer_uploads_a_demo_run_watches_it_being_scored_and_finds_it_on_the_board(site, page):
    newcomer = page()
    newcomer.goto("/")
    newcomer.locator(f"a[href='{BOARD}']").first.click()
    newcomer.get_by_role("link", name="Sign in").click()
    newcomer.get_by_label("Username").fill("participant")
    newcomer.get_by_label("Password").fill("limelight")
    newcomer.get_by_role("button", name="Sign in").click()
    newcomer.wait_for_url(re.compile(rf":\d+{BOARD}$"))
    newcomer.get_by_role("link", name="Submit a run").click()
    newcomer.get_by_label("Run file").set_input_files(DEMO_RUN)
    newcomer.get_by_label("Run name").fill("my-first-run")

    with sleeping_worker(site):
        newcomer.get_by_role("button", name="Submit").click()
        expect(state_of(newcomer)).to_have_text("received")
        newcomer.evaluate("window.neverReloaded = true")
        started = time.monotonic()
    expect(state_of(newcomer)).to_have_text("scored")
    seconds = time.monotonic() - started

    assert seconds < 8  # under two on a quiet machine; room for a loaded one
    assert newcomer.evaluate("window.neverReloaded") is True
    expect(newcomer.locator(".steps .done")).to_have_count(5)
    expect(newcomer.locator("#state")).to_contain_text("Your run is valid: 900 results for 15 of 15 topics.")
    assert newcomer.locator("#state").get_attribute("hx-get") is None  # nothing is asked for any more
    newcomer.get_by_role("link", name="See it on the board").click()
    own = newcomer.locator("table.board tbody tr", has_text="my-first-run")
    original = newcomer.locator("table.board tbody tr", has=newcomer.get_by_text("par-bm25", exact=True))
    expect(own).to_have_class("own")
    assert scores_in(own) == scores_in(original)
    assert len(scores_in(own)) == 5


def test_the_state_shows_each_step_in_turn_without_asking_more_often_than_twice_a_second(site, participant_page):
    asked = []
    participant_page.on("request", lambda request: asked.append(request.url) if "/state/" in request.url else None)
    started = time.monotonic()

    with sleeping_worker(site):
        submit(participant_page, DEMO_RUN, "slow-motion")
        participant_page.wait_for_timeout(1600)
        expect(state_of(participant_page)).to_have_text("received")
        expect(participant_page.locator("[aria-current=step]")).to_have_text("received")
        expect(participant_page.locator("#state")).to_contain_text("The check begins in a moment.")
    expect(state_of(participant_page)).to_have_text("scored")

    assert 1 <= len(asked) <= 2 * (time.monotonic() - started)


def test_a_broken_file_comes_back_with_its_line_numbers(participant_page, tmp_path):
    broken = tmp_path / "broken.fol"
    broken.write_text(
        "101 Q0 candle 1 3.0 r 0 10\n101 Q0 candle 2 2.0 r 5 x\n101 Q0 wick 3 1.0 r 0 10\n101 Q0 candle\n"
    )

    submit(participant_page, broken, "broken")

    expect(state_of(participant_page)).to_have_text("rejected")
    report = participant_page.locator(".report")
    expect(report.locator("li", has_text="Line 2:")).to_have_count(1)
    expect(report.locator("li", has_text="Line 4:")).to_have_count(1)
    expect(participant_page.locator("#state")).to_contain_text("A rejected run uses up none of your quota")
    with participant_page.expect_download() as download:
        participant_page.locator("#state").get_by_role("link", name="text").click()
    lines = download.value.path().read_text().splitlines()
    assert [line.split(" ")[0] for line in lines] == ["broken.fol:2:", "broken.fol:4:"]
    assert "broken" not in board_names(participant_page)


def board_names(page):
    page.goto(BOARD, wait_until="commit")  # the chart isn't waited for
    page.locator(".provenance").first.wait_for()
    return page.locator("table.board tbody th a, table.board tbody th:not(:has(a))").all_inner_texts()


def test_a_withdrawn_run_is_gone_from_the_board(participant_page):
    submit(participant_page, DEMO_RUN, "regretted")
    expect(state_of(participant_page)).to_have_text("scored")
    address = participant_page.url
    assert "regretted" in board_names(participant_page)

    participant_page.goto(address)
    participant_page.get_by_text("Withdraw this run").click()
    participant_page.get_by_role("button", name="Withdraw regretted").click()

    expect(participant_page.get_by_role("status").first).to_contain_text("Run regretted is withdrawn.")
    expect(state_of(participant_page)).to_have_text("withdrawn")
    expect(participant_page.get_by_text("Withdraw this run")).to_have_count(0)
    assert "regretted" not in board_names(participant_page)


def test_a_field_that_somebody_is_in_is_not_filled_in_from_the_file(participant_page):
    """The answer about the file comes while the cursor stands in the empty name: the description alone is filled in."""
    held_back = []
    participant_page.route("**/beginning/", lambda route: held_back.append(route))
    participant_page.goto(f"{BOARD}submit/")
    participant_page.get_by_label("Run file").set_input_files(DEMO_RUN)
    participant_page.get_by_label("Run name").focus()

    held_back[0].fulfill(json={"name": "from-the-file", "description": "From the file."})
    expect(participant_page.get_by_role("textbox", name="Description")).to_have_value("From the file.")
    participant_page.keyboard.type("typed")

    expect(participant_page.get_by_label("Run name")).to_have_value("typed")


def test_a_second_click_makes_no_second_run(site, participant_page):
    fill_in(participant_page, DEMO_RUN, "clicked-twice")

    participant_page.get_by_role("button", name="Submit").dblclick()

    participant_page.wait_for_url(re.compile(r"/runs/\d+/$"))
    expect(state_of(participant_page)).to_have_text("scored")
    assert site.query("SELECT count(*) FROM campaign_run WHERE name = 'clicked-twice'") == [(1,)]


def test_the_same_file_and_name_once_more_lead_to_the_same_run(site, participant_page):
    submit(participant_page, DEMO_RUN, "sent-again")
    first = participant_page.url

    submit(participant_page, DEMO_RUN, "sent-again")

    assert participant_page.url == first
    assert site.query("SELECT count(*) FROM campaign_run WHERE name = 'sent-again'") == [(1,)]


def test_a_name_that_is_taken_is_refused_in_a_sentence_that_keeps_what_was_typed(site, participant_page, watch):
    submit(participant_page, DEMO_RUN, "taken")
    watch.expect_refusal(f"{BOARD}submit/")

    fill_in(participant_page, OTHER_RUN, "taken")
    participant_page.get_by_role("textbox", name="Description").fill("The same again.")
    participant_page.get_by_role("button", name="Submit").click()

    sentence = "Argand already has a run named taken in this task. Choose another name."
    expect(participant_page.locator(".field.wrong")).to_contain_text(sentence)
    expect(participant_page.get_by_label("Run name")).to_have_value("taken")
    expect(participant_page.get_by_role("textbox", name="Description")).to_have_value("The same again.")
    assert site.query("SELECT count(*) FROM campaign_run WHERE name = 'taken'") == [(1,)]
