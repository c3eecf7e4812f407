"""A document with what is laid over it: the raw text in the browser, keys, the strip as scrollbar, without a script."""

import json

import pytest
from playwright.sync_api import expect

from limelight.overlay import text_html
from tests.browser.conftest import LOOKS
from tests.browser.driving import faults_of, tab_to
from tests.limelight.overlay.laid import ODD, document, layer, overlay

pytestmark = pytest.mark.browser

TRACK = "/campaigns/demo/ad-hoc"
# What a browser reads, without ranks and entry points; and the places, in code points, that bear each mark.
READ = """(article) => {
  const copy = article.cloneNode(true);
  copy.querySelectorAll("[data-mark]").forEach((mark) => mark.remove());
  const found = {}, walker = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT);
  let place = 0;
  while (walker.nextNode()) {
    const length = [...walker.currentNode.data].length;
    const span = walker.currentNode.parentElement.closest("span:not(.cell)");
    if (span) (found[span.className] ||= []).push([place, place + length]);
    place += length;
  }
  return [copy.textContent, found];
}"""
LAID_TEXT = """
from campaign.models import Document
from campaign.services.documents.files import load_document
row = Document.objects.get(identifier='lighthouse-keeper', collection__slug='lamps')
print(json.dumps(load_document(row.text_file).text))
"""


@pytest.fixture(scope="module")
def address(site):
    [(code,)] = site.query("SELECT code FROM campaign_run WHERE name = 'ric-win60'")
    return f"{TRACK}/relevant-in-context/runs/{code}/topics/103/documents/lighthouse-keeper/"


@pytest.fixture
def laid(page, address):
    """Return the page of a document, for one who knows the assessments, in a low window with something to scroll."""
    tab = page("organiser")
    tab.set_viewport_size({"width": 1280, "height": 500})
    tab.goto(address)
    return tab


def told(page):
    return page.locator("[data-told]").inner_text()


def window(page):
    """Return how many characters the window on the strip begins behind."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return int(page.locator(".window").get_attribute("aria-valuenow"))


@pytest.mark.parametrize("source", ODD)
def test_a_browser_reads_the_raw_text_and_marks_the_right_characters(page, source):
    tab, text = page(), document(source)
    spans = overlay(len(text), layer((1, 4), (7, 3)), highlighted=[(3, 6)], entry_point=3)

    tab.set_content(f"<article>{text_html(text, spans).html}</article>")
    read, found = tab.locator("article").evaluate(READ)

    assert read == text.text
    for name, places in (("waste", {1, 2, 9}), ("hit", {3, 4, 7, 8}), ("miss", {5, 6})):
        marked = {place for begin, end in found.get(name, ()) for place in range(begin, end)}
        assert {place for place in marked ^ places if not (text.text[place : place + 1] or " ").isspace()} == set()


def test_the_page_holds_the_document_character_by_character(laid, site):
    read, found = laid.locator("[data-laid]").evaluate(READ)

    assert read == site.python(LAID_TEXT)
    assert found["hit"] and found["miss"]


def test_keys_lead_from_hit_to_hit_and_back_and_can_be_switched_off(laid):
    count = laid.locator('[data-stop~="hit"]').count()

    laid.keyboard.press("n")
    assert told(laid) == f"hit 1 of {count}"
    assert laid.evaluate("document.activeElement.dataset.stop") == "hit"
    laid.keyboard.press("m")
    assert told(laid).startswith("miss 1 of ")
    for words in (f"hit 2 of {count}", f"hit 1 of {count}", "no hit before this"):
        laid.keyboard.press("Shift+N")
        assert told(laid) == words

    laid.get_by_role("button", name="switch the keys off").click()
    laid.keyboard.press("n")
    assert told(laid) == "no hit before this"
    laid.reload()
    laid.get_by_role("button", name="switch the keys on").click()
    laid.keyboard.press("n")
    assert told(laid) == f"hit 1 of {count}"


def test_keys_lead_through_the_documents_of_the_run_but_not_while_somebody_chooses(laid, address):
    following = laid.locator("a[rel=next]").get_attribute("href")
    laid.locator("#with").focus()
    laid.keyboard.press("n")
    assert told(laid) == ""
    laid.locator("h1").click()

    laid.keyboard.press("ArrowRight")
    laid.wait_for_url(f"**{following}")
    laid.keyboard.press("ArrowLeft")

    laid.wait_for_url(f"**{address}")


def test_the_strip_is_a_scrollbar_for_mouse_and_keyboard(laid):
    box = laid.locator(".minimap").bounding_box()
    length = int(laid.locator("[data-laid]").get_attribute("data-length"))

    laid.mouse.move(box["x"] + box["width"] * 0.9, box["y"] + 10)
    laid.mouse.down()
    far = window(laid)
    laid.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + 10, steps=3)
    near = window(laid)
    laid.mouse.up()
    assert length * 0.9 > far > near > 0

    tab_to(laid, "Place in the document")
    laid.keyboard.press("End")
    assert window(laid) > near
    laid.keyboard.press("Home")
    assert window(laid) < 50
    laid.keyboard.press("PageDown")
    assert 50 < window(laid) < far


def test_without_a_script_links_lead_into_the_text(page, address):
    tab = page("organiser", java_script_enabled=False)
    tab.goto(address)
    tab.set_viewport_size({"width": 1280, "height": 500})

    tab.get_by_role("link", name="first miss").click()

    expect(tab.locator('[data-stop~="miss"]').first).to_be_in_viewport()
    assert tab.locator(".minimap a").count() > 5
    assert tab.locator("kbd, .window").count() == 0
    expect(tab.get_by_role("button", name="keys")).to_have_count(0)


def test_a_second_run_is_chosen_and_laid_over(laid, axe):
    laid.locator("#with").select_option(label="ric-par (Argand)")
    laid.get_by_role("button", name="lay over").click()

    expect(laid.locator("[data-laid].two")).to_be_visible()
    assert laid.locator("[class*=above-]").count() and laid.locator("[class*=below-]").count()
    laid.keyboard.press("d")
    assert told(laid).startswith("difference 1 of ")
    for look in ("dark", "phone"):
        laid.set_viewport_size(LOOKS[look]["viewport"])
        laid.emulate_media(color_scheme=LOOKS[look]["color_scheme"])
        assert list(faults_of(laid, axe)) == []


def test_a_visitor_who_may_not_know_the_assessments_goes_from_passage_to_passage(page, address):
    tab = page()
    tab.goto(address)

    tab.keyboard.press("n")

    assert told(tab).startswith("passage 1 of ")
    assert tab.locator("[data-laid] :is(.hit, .miss, .waste, .lit)").count() == 0


def test_on_paper_the_marks_are_there_and_the_ways_around_are_not(laid):
    laid.emulate_media(media="print")

    expect(laid.locator(".strip")).to_be_visible()
    expect(laid.locator(".window")).to_be_hidden()
    expect(laid.locator("[data-jumps]")).to_be_hidden()
    colour = laid.locator("span.hit[data-stop]").first.evaluate("(span) => getComputedStyle(span).backgroundColor")
    assert json.dumps(colour) != '"rgba(0, 0, 0, 0)"'
