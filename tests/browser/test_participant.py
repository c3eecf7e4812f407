"""The whole way of a participant: sign up, confirm, make a team, register, submit, read, mend, be scored, withdraw."""

import re

import pytest
from playwright.sync_api import expect

from evaluation.demo.loader import FOLDER
from tests.browser.driving import tab_to
from tests.post_office import PostOffice
from tests.services.prepared import site_with_demo
from tests.services.site import free_port, wait_until

pytestmark = pytest.mark.browser

GOOD_RUN = FOLDER / "runs" / "argand_par-bm25.txt"
BROKEN = "101 Q0 candle 1 3.0 lens-1 0 10\n101 Q0 candle 2 2.0 lens-1 5 x\n101 Q0 wick 3 1.0 lens-1 0 10\n"
BOARD = "/campaigns/demo/ad-hoc/focused/"


@pytest.fixture(scope="module")
def office():
    with PostOffice(free_port()) as office:
        yield office


@pytest.fixture(scope="module")
def mailing_site(tmp_path_factory, office):
    """Start a site that sends its mail to the office."""
    site = site_with_demo(tmp_path_factory.mktemp("participants"), "embedded")
    site.environment["EMAIL_URL"] = f"smtp://127.0.0.1:{office.port}"
    site.start()
    yield site
    site.end()


class Mouse:
    """Somebody who points, clicks and types."""

    def __init__(self, page):
        self.page = page

    def press(self, name, role="button"):
        self.page.get_by_role(role, name=name, exact=True).first.click()

    def follow(self, name):
        self.press(name, "link")

    def open(self, name):
        self.page.get_by_text(name, exact=True).click()

    def fill(self, field, text):
        self.page.locator(f"main [name={field}]").fill(text)

    def tick(self, field):
        self.page.locator(f"main [name={field}]").check()

    def choose(self, file):
        self.page.locator("[name=file]").set_input_files(file)


class Keyboard(Mouse):
    """Somebody who has a keyboard and nothing else."""

    def __init__(self, page):
        super().__init__(page)
        self.file, self.chosen = None, 0
        page.on("filechooser", self._choose)

    def _choose(self, chooser):
        chooser.set_files(self.file)
        self.chosen += 1

    def press(self, name, role="button"):
        tab_to(self.page, name)
        self.page.keyboard.press("Enter")

    def open(self, name):
        self.press(name)

    def fill(self, field, text):
        tab_to(self.page, field=field)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def tick(self, field):
        tab_to(self.page, field=field)
        self.page.keyboard.press("Space")

    def choose(self, file):
        before, self.file = self.chosen, file
        tab_to(self.page, field="file")
        self.page.keyboard.press("Enter")
        wait_until(lambda: self.page.wait_for_timeout(50) or self.chosen > before, message="the chosen file")


def arrive(page, text):
    """Wait for the page with this heading, and begin at its top."""
    expect(page.get_by_role("heading", level=1)).to_have_text(text)
    page.wait_for_load_state()


@pytest.mark.parametrize(
    ("look", "hands", "name"), [("wide", Mouse, "ada"), ("phone", Mouse, "grace"), ("wide", Keyboard, "kay")]
)
def test_a_participant_comes_takes_part_and_withdraws(mailing_site, office, new_page, axe, tmp_path, look, hands, name):
    page = new_page(mailing_site.address, look)
    person, address, team = hands(page), f"{name}@example.org", f"Lens {name}"

    # sign up and confirm
    page.goto("/")
    person.follow("Sign up")
    arrive(page, "Sign up")
    person.fill("email", address)
    person.fill("username", name)
    person.fill("password1", "lamp-and-lens-7")
    person.press("Sign up")
    arrive(page, "One more step: confirm your e-mail address")
    (letter,) = wait_until(lambda: office.letters_to(address), message="the mail")
    page.goto(re.search(r"http://\S+", letter.get_content())[0])
    arrive(page, "Confirm your e-mail address")
    person.press("Yes, that is me")
    expect(page.get_by_role("button", name="Sign out")).to_have_count(1)

    # make a team and register it
    page.goto("/campaigns/demo/")
    person.follow("Register your team")
    arrive(page, "Register for Lamps and Lighthouses")
    person.follow("Create a team")
    arrive(page, "Create a team")
    person.fill("name", team)
    person.press("Create the team")
    arrive(page, "Register for Lamps and Lighthouses")  # led back to where the team was missing
    person.tick("accepted")
    person.press("Register the team")
    expect(page.locator("main")).to_contain_text(f"{team} is registered")

    # a broken run: dry, then in earnest
    broken = tmp_path / "broken.fol"
    broken.write_text(BROKEN)
    page.goto(f"{BOARD}submit/")
    person.choose(broken)
    expect(page.get_by_label("Run name")).to_have_value("lens-1")  # filled in from the file
    expect(page.locator("#filled-in")).to_have_text("Filled in from the file: run name. Change what you like.")
    person.press("Dry run")
    expect(page.locator("#dry-run .big-state")).to_have_text("would be rejected")
    expect(page.locator("#dry-run li", has_text="Line 2:")).to_have_count(1)
    assert axe(page) == []
    page.goto(f"{BOARD}submit/")
    person.choose(broken)
    expect(page.get_by_label("Run name")).to_have_value("lens-1")
    person.press("Submit")
    expect(page.locator("#state .big-state")).to_have_text("rejected")
    expect(page.locator(".report li", has_text="Line 2:")).to_have_count(1)

    # a good one: scored, told, official, withdrawn
    page.goto(f"{BOARD}submit/")
    person.choose(GOOD_RUN)
    expect(page.get_by_label("Run name")).not_to_have_value("")
    person.fill("name", f"{name}-run")
    person.press("Submit")
    expect(page.locator("#state .big-state")).to_have_text("scored")
    own = page.url
    expect(page.locator("#state")).to_contain_text("Your run is valid: 900 results for 15 of 15 topics.")
    assert axe(page) == []
    person.press("Make it the team’s official run")
    expect(page.get_by_role("status").first).to_contain_text(f"{name}-run is now the official run of {team}.")
    wait_until(lambda: len(office.letters_to(address)) == 3, seconds=60, message="the mails on rejected and scored")
    page.goto(own)
    person.open("Withdraw this run")
    person.press(f"Withdraw {name}-run")
    expect(page.locator("#state .big-state")).to_have_text("withdrawn")
    page.goto(BOARD, wait_until="commit")
    page.locator(".provenance").first.wait_for()
    expect(page.locator("table.board")).not_to_contain_text(f"{name}-run")
