"""Runs ticked on the board and compared: with a script and without, topic by topic, and what a worker computes."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

BOARD = "/campaigns/demo/ad-hoc/focused/?show=all"
PRINTED = re.compile(r"[+−]\d\.\d{4}")


def codes_of(site, *names):
    """Return the codes of runs on the demo's Focused board."""
    listed = ", ".join(f"'{name}'" for name in names)
    joins = "JOIN campaign_task t ON t.id = r.task_id JOIN campaign_track k ON k.id = t.track_id"
    of_demo = "k.campaign_id = (SELECT id FROM campaign_campaign WHERE slug = 'demo') AND t.slug = 'focused'"
    rows = site.query(f"SELECT r.code FROM campaign_run r {joins} WHERE {of_demo} AND r.name IN ({listed})")
    return [code for (code,) in rows]


def tick(board, *names):
    for name in names:
        board.get_by_role("checkbox", name=f"Show {name} in the chart").check()


def number(text):
    return float(text.replace("−", "-"))


def test_ticked_runs_are_counted_on_the_button_and_compared(page):
    board = page()
    board.goto(BOARD)
    board.locator(".plot.taken").wait_for()
    board.get_by_role("link", name="untick all").click()
    button = board.locator("#compare button")
    expect(button).to_have_text("Compare (0)")

    tick(board, "sec-bm25", "win60-bm25")
    expect(button).to_have_text("Compare (2)")
    button.click()

    expect(board.get_by_role("heading", level=1)).to_have_text("sec-bm25 and win60-bm25")
    assert re.search(r"/compare/\?runs=\w{10}(,|%2C)\w{10}$", board.url)
    expect(board.locator(".answer")).to_contain_text(
        "They differ. sec-bm25 scores 0.1342 more than win60-bm25 (95 % interval +0.0661 to +0.2023, 15 topics, "
        "paired t, p < 0.001)."
    )
    names = board.locator(".columns .name").all_text_contents()
    assert names[:3] == ["103", "102", "106"]
    assert names[-1] == "104"


def test_without_a_script_the_ticks_are_sent_as_a_form(page):
    board = page(java_script_enabled=False)
    board.goto(f"{BOARD}&curves=")

    tick(board, "sec-bm25", "win60-bm25", "cas-mild")
    board.get_by_role("button", name="Compare the ticked runs").click()

    expect(board.get_by_role("heading", level=1)).to_contain_text("win60-bm25")
    expect(board.locator(".verdicts li")).to_have_count(3)
    expect(board.locator("svg.curves").first).to_be_visible()
    board.get_by_label("Held against").select_option(label="cas-mild")
    board.get_by_role("button", name="Show").click()
    expect(board.locator("table.compared tr", has_text="cas-mild")).to_contain_text("reference")


def test_too_many_ticks_lead_to_a_choice_that_leads_back(page):
    board = page()
    board.goto(BOARD)
    board.locator(".plot.taken").wait_for()
    for box in board.locator("table.board [data-curve]").all():
        box.check()

    board.locator("#compare button").click()

    expect(board.locator(".saying")).to_contain_text("runs; at most six fit side by side. Leave some out.")
    for box in board.locator("table.board tbody input").all()[2:]:
        box.uncheck()
    board.get_by_role("button", name="Compare").click()
    expect(board.locator(".columns")).to_have_count(1)


def test_a_run_is_compared_with_others_from_its_page(page, site):
    [code] = codes_of(site, "sec-bm25")
    tab = page()
    tab.goto(f"/campaigns/demo/ad-hoc/focused/runs/{code}/")

    tab.get_by_role("link", name="Compare it with other runs").click()

    expect(tab.locator(".saying")).to_have_text("Tick one to five more runs to compare sec-bm25 with.")
    expect(tab.get_by_label("sec-bm25")).to_be_checked()
    tab.get_by_label("par-bm25").check()
    tab.get_by_role("button", name="Compare").click()
    expect(tab.get_by_role("heading", level=1)).to_contain_text("sec-bm25")


def test_what_a_worker_computes_appears_by_itself_and_adds_up_to_the_last_digit(page, site):
    codes = codes_of(site, "sec-bm25", "win60-bm25")
    tab = page("organiser")
    tab.goto(f"/campaigns/demo/ad-hoc/focused/compare/?runs={','.join(codes)}")

    tab.get_by_role("button", name="Compute it").click()

    parts = tab.locator("#parts table.parts").first
    expect(parts.locator("tbody tr")).to_have_count(3)
    printed = [number(PRINTED.search(row)[0]) for row in parts.locator("tbody tr").all_inner_texts()]
    assert round(sum(printed), 4) == 0.1342
    tab.locator("#parts details summary", has_text="more topic").click()
    for row in tab.locator("#parts table.topics tbody tr").all_inner_texts():
        difference, *made_of = map(number, PRINTED.findall(row))
        assert round(sum(made_of), 4) == difference, row


def test_a_topic_is_a_click_away_and_leads_to_the_lists(page, site):
    codes = codes_of(site, "sec-bm25", "win60-bm25")
    tab = page("organiser")
    tab.goto(f"/campaigns/demo/ad-hoc/focused/compare/?runs={','.join(codes)}")

    tab.locator(".columns a").first.click()

    look = tab.locator("#topic")
    expect(look.get_by_role("heading", level=2)).to_contain_text("Topic 103")
    assert tab.url.endswith("&topic=103#topic")
    texts = look.locator("table.texts tbody tr")
    expect(texts.first).to_contain_text("lighthouse-keeper")
    look.locator(".facts").get_by_role("link", name="0.5528").click()
    expect(tab.locator("table.ranked")).to_contain_text("lighthouse-keeper")
