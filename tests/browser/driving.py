"""What several tests of pages do in Chromium."""

import re


def faults_of(page, axe, rules="all"):
    """Return what is wrong with the page in front of us, a sentence each."""
    width, room = page.evaluate("[document.scrollingElement.scrollWidth, window.innerWidth]")
    headings = page.locator("h1").count()
    if width > room:
        yield f"{width} px wide in a window of {room} px"
    if headings != 1:
        yield f"{headings} first-level headings"
    if not re.fullmatch(r".+", page.title()):
        yield "no title"
    yield from axe(page, rules)


def file(name, content):
    return {"name": name, "mimeType": "application/octet-stream", "buffer": content}


FOCUSED = """() => {
  const here = document.activeElement, style = getComputedStyle(here), box = here.getBoundingClientRect();
  return {
    name: here.getAttribute("aria-label") || here.innerText?.trim() || here.name || here.tagName,
    id: here.id,
    field: here.name || "",
    isPage: here === document.body,
    outline: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    onScreen: box.width > 0 && box.right > 0 && box.left < innerWidth && box.bottom > 0 && box.top < innerHeight,
  };
}"""


def tab(page):
    """Go one stop further and tell where that is."""
    page.keyboard.press("Tab")
    return page.evaluate(FOCUSED)


def tab_to(page, name="", field=""):
    """Press Tab until the stop with this name or field is reached."""
    for _ in range(60):
        here = tab(page)
        if (name and here["name"] == name) or (field and here["field"] == field):
            return
    raise AssertionError(f"The keyboard does not reach {name or field}.")
