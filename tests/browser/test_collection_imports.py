"""An organiser uploads documents that would change others, looks at what they would do, and decides against it."""

import io
import zipfile

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

DESK = "/desk/campaigns/demo"


def packed(**documents):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in documents.items():
            archive.writestr(f"{name}.xml", content)
    return target.getvalue()


@pytest.mark.parametrize("look", ["wide", "phone"])
def test_what_would_change_is_shown_and_nothing_changes_unasked(page, look):
    tab = page("organiser", look)
    tab.goto(f"{DESK}/material/")
    content = packed(
        candle=f"<article><p>Another text, {look}.</p></article>", wick="", brand_new="<article>x</article>"
    )
    field = tab.get_by_label("File with documents")
    field.set_input_files({"name": "plays.zip", "mimeType": "application/zip", "buffer": content})
    tab.get_by_role("button", name="Upload the documents").click()

    expect(tab.locator(".big-state")).to_have_text("waiting for your decision")
    expect(tab.get_by_text("3 documents in the file: 1 new, 1 changed, 0 unchanged, 1 damaged.")).to_be_visible()
    expect(tab.get_by_role("link", name="candle", exact=True)).to_be_visible()
    expect(tab.get_by_text("Assessments refer to the old text of changed documents:")).to_be_visible()
    expect(tab.get_by_role("button", name="Accept as a new version")).to_be_visible()
    tab.get_by_role("button", name="Discard").click()

    expect(tab.get_by_text("plays.zip is discarded.")).to_be_visible()
    tab.goto("/collections/lamps/candle/")
    expect(tab.get_by_text("Another text")).to_have_count(0)
