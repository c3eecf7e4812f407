"""Texts that could turn, stretch or script a page, in a real browser: they are read, and that is all."""

import pytest
from playwright.sync_api import expect

from campaign.models import Team
from limelight.wording import one_line
from tests.browser.conftest import show
from tests.hostile_texts import MIXTURES, TEXTS, marked
from tests.services.prepared import site_without_demo
from tests.services.site import Visitor, wait_until

pytestmark = pytest.mark.browser

TRACK = "/campaigns/small/ad-hoc"
BOARD = f"{TRACK}/focused/"
RUN, REJECTED, INVITATION = "the scored run", "the rejected run", "the invitation"
PAGES = {
    "alice": (
        "/",
        "/campaigns/small/",
        "/campaigns/small/register/",
        f"{TRACK}/topics/",
        f"{TRACK}/topics/1/",
        "/collections/letters/",
        "/collections/letters/told/",
        BOARD,
        f"{BOARD}submit/",
        "/runs/",
        RUN,
        REJECTED,
        "/teams/",
        "/teams/lund/",
        "/teams/refused/",
        "/account/",
        "/account/tokens/",
        "/notifications/",
    ),
    "organiser": ("/desk/", BOARD, RUN),
    "assessor": ("/assessing/", INVITATION),
}
SETTING = """
from allauth.account.models import EmailAddress
from campaign.models import User
from tests.hostile_texts import MIXTURES, HostileWorld
world = HostileWorld(MIXTURES["long"])
for user in User.objects.all():
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
print(json.dumps([world.run.pk, world.rejected.pk, world.invitation.token]))
"""
RAISED = """
from campaign.models import Task
from campaign.services.generations import raise_generations
raise_generations(Task.objects.all())
"""
"""What writes texts into tables past every service says itself that boards are others now."""

TURNED_ROUND = """() => {
  const turned = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const place = (text, index) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + 1);
    return range.getBoundingClientRect();
  };
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (text.parentElement.closest("bdi, [dir=auto], script, noscript, svg")) continue;
    for (const pair of text.data.matchAll(/[a-z](?=[a-z])/gi)) {
      const [first, second] = [place(text, pair.index), place(text, pair.index + 1)];
      if (first.width && first.top === second.top && second.left < first.left) {
        turned.push(text.data.trim().slice(0, 60));
        break;
      }
    }
  }
  return turned;
}"""
"""Finds text of ours whose letters run from right to left."""

OUT_OF_PLACE = """() => [...document.querySelectorAll("main bdi")].flatMap((name) => {
  const after = name.nextSibling;
  if (!after || after.nodeType !== Node.TEXT_NODE || !after.data.trim()) return [];
  const range = document.createRange();
  range.selectNodeContents(after);
  const [next, own] = [range.getClientRects()[0], [...name.getClientRects()].pop()];
  if (!next || !own || Math.abs(next.top - own.top) > 3) return [];
  return next.left < own.right - 1 ? [name.parentElement.textContent.trim().slice(0, 80)] : [];
})"""
"""Finds names after which the line does not go on to the right."""


@pytest.fixture(scope="module")
def hostile_site(tmp_path_factory):
    site = site_without_demo(tmp_path_factory.mktemp("texts")).start("--no-demo")
    yield site
    site.end()


@pytest.fixture(scope="module")
def addresses(hostile_site):
    """Make the campaign, wait for its runs, and return the addresses that nobody could guess."""
    run, rejected, token = hostile_site.python(SETTING)
    done = "SELECT count(*) FROM evaluation_evaluation WHERE state = 'done'"
    checked = f"SELECT state FROM campaign_run WHERE id = {rejected}"
    wait_until(lambda: hostile_site.query(done)[0][0] >= 2 and hostile_site.query(checked) == [("rejected",)])
    return {RUN: f"/runs/{run}/", REJECTED: f"/runs/{rejected}/", INVITATION: f"/teams/join/{token}/"}


@pytest.fixture(scope="module")
def cookies(hostile_site, addresses):
    known = {}
    for person in PAGES:
        visitor = Visitor(hostile_site).sign_in(person, "secret-words")
        known[person] = [{"name": c.name, "value": c.value, "url": hostile_site.address} for c in visitor.cookies]
    return known


@pytest.fixture
def tab_of(hostile_site, cookies, new_page):
    """Return a function that opens a tab for a person, with the texts of the whole site changed to one."""

    def tab_of(person, text, look="wide"):
        hostile_site.python(f"from tests.hostile_texts import fill\nfill({text!r})\n{RAISED}")
        tab = new_page(hostile_site.address, look, cookies[person])
        tab.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        return tab

    dialogs = []
    yield tab_of
    assert dialogs == []


def opened(tab, person, addresses):
    """Open the pages of a person one after the other, each with its chart drawn and its folds open."""
    for path in PAGES[person]:
        response = tab.goto(addresses.get(path, path))
        assert response.status == 200, path
        if tab.locator("[data-chart]").count():
            tab.locator(".plot.taken").wait_for()
        tab.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
        yield path


@pytest.mark.parametrize("mixture", ["formula-html", "plus-attributes", "at-template-label", "scripts-controls"])
def test_texts_are_read_and_do_nothing(tab_of, addresses, mixture):
    text = MIXTURES[mixture]
    tab = tab_of("alice", text)

    for path in opened(tab, "alice", addresses):
        tab.mouse.move(300, 300)
        assert tab.locator("main script:not([src], [type='application/json']), main img").count() == 0, path
        assert tab.locator("[onfocus], [onerror], [onmouseover], [href^='javascript']").count() == 0, path
    tab.goto("/teams/lund/")
    assert one_line(tab.locator("h1").text_content()) == one_line(marked(text, Team, "name"))


@pytest.mark.parametrize("person", PAGES)
def test_500_letters_without_a_blank_fit_on_every_page(tab_of, addresses, person):
    tab, faults = tab_of(person, TEXTS["long"], "phone"), []

    for path in opened(tab, person, addresses):
        for look in ("phone", "wide"):
            show(tab, look)
            width, room = tab.evaluate("[document.scrollingElement.scrollWidth, window.innerWidth]")
            faults += [f"{path}: {width} px wide in a window of {room} px"] if width > room else []
        show(tab, "phone")

    assert faults == []


@pytest.mark.parametrize("person", PAGES)
def test_text_that_runs_from_right_to_left_turns_nothing_round(tab_of, addresses, person):
    tab, faults = tab_of(person, TEXTS["right-to-left"]), []

    for path in opened(tab, person, addresses):
        faults += [f"{path} turns round: {text}" for text in tab.evaluate(TURNED_ROUND)]
        faults += [f"{path} goes on in the wrong place: {text}" for text in tab.evaluate(OUT_OF_PLACE)]
        faults += [f"{path}: {tab.title()!r}"] if "\u202e" in tab.title() else []

    assert faults == []


def test_what_is_said_of_a_team_keeps_its_direction(tab_of, addresses):
    tab = tab_of("alice", TEXTS["right-to-left"])
    tab.goto(addresses[RUN])

    tab.get_by_role("button", name="Make it the team’s official run").click()

    said = tab.locator(".messages li")
    expect(said).to_contain_text("is now the official run of فريق")
    assert tab.evaluate(TURNED_ROUND) == []
    tab.get_by_role("button", name="No longer the official run").click()
    expect(said).to_contain_text("is no longer the official run of فريق")
    assert tab.evaluate(TURNED_ROUND) == []


@pytest.mark.parametrize("name", ["plotly", "html", "control", "right-to-left", "long"])
def test_a_chart_shows_names_letter_by_letter(tab_of, name):
    tab = tab_of("alice", TEXTS[name])
    tab.goto(BOARD)
    tab.locator(".plot.taken").wait_for()
    team = one_line(marked(TEXTS[name], Team, "name"))

    labels = tab.locator(".curves .label text")
    shown = [label.split(" ", 1) for label in labels.evaluate_all("all => all.map((one) => one.textContent)")]
    tab.locator(".plot").focus()
    tab.keyboard.press("ArrowRight")

    assert sorted(name for name, _ in shown) == ["good", "other"]
    for _, label in shown:
        cut = label.removesuffix("…")
        assert team.startswith(cut) if cut != label else team == label
    assert tab.locator(".chart .plot :is(a, sub, b, img, script)").count() == 0
    for right in labels.evaluate_all("all => all.map((one) => one.getBoundingClientRect().right)"):
        assert right <= 1280
    expect(tab.locator(".read-out")).to_contain_text("good 0.")
    with tab.expect_download() as download:
        tab.locator("[data-png]").click()
    assert download.value.suggested_filename == "small-ad-hoc-focused-edition-1-iP-curves.png"


def test_a_run_name_that_is_none_is_refused_in_words(tab_of, addresses):
    tab = tab_of("alice", TEXTS["html"])
    tab.goto(addresses[RUN])
    tab.get_by_text("Rename this run").click()
    tab.get_by_label("New name").fill("<img src=x>")

    tab.get_by_role("button", name="Rename").click()

    expect(tab.locator(".messages")).to_have_text(
        "A run name has 1 to 64 letters, digits and . _ + - , and begins with a letter or digit."
    )
    expect(tab.get_by_role("heading", level=1)).to_have_text("good")
