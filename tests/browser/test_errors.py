"""What is shown when something is wrong: whose fault it is, and where to go from here."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

BOARD = "/campaigns/demo/ad-hoc/focused/"


@pytest.fixture
def serious_site(live_server, world):
    """Serve a small campaign with DEBUG off, as a site in earnest does."""
    return live_server


def fits(page):
    return page.evaluate("document.scrollingElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize(
    ("path", "look"),
    [
        ("/nothing/here/", "wide"),
        ("/campaigns/nowhere/", "phone"),
        (f"{BOARD}editions/99/", "dark"),
        ("/runs/99999/file/", "wide"),
    ],
)
def test_an_address_that_leads_nowhere_gets_a_helpful_page(page, watch, axe, path, look):
    tab = page("participant", look)
    watch.expect_refusal(path)

    response = tab.goto(path)

    assert response.status == 404
    expect(tab.get_by_role("heading", level=1)).to_have_text("There is nothing at this address")
    links = tab.locator("main").get_by_role("link").all_inner_texts()
    assert links == ["All campaigns", "My runs", "My teams"]
    assert fits(tab)
    assert axe(tab) == []


def test_a_site_in_earnest_offers_a_visitor_to_sign_in_and_come_back(serious_site, new_page, watch):
    visitor = new_page(serious_site.url)
    watch.expect_refusal("/nothing/here/")

    response = visitor.goto("/nothing/here/")

    assert response.status == 404
    expect(visitor.get_by_role("heading", level=1)).to_have_text("There is nothing at this address")
    visitor.locator("main").get_by_role("link", name="Sign in").click()
    expect(visitor.get_by_role("heading", level=1)).to_have_text("Sign in")
    assert visitor.url.endswith("/sign-in/?next=/nothing/here/")


@pytest.mark.parametrize("look", ["phone", "dark"])
def test_our_own_fault_is_called_that(serious_site, new_page, watch, axe, monkeypatch, look):
    def break_down(*arguments, **options):
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr("evaluation.views.home.render", break_down)
    watch.expect_refusal("/")
    visitor = new_page(serious_site.url, look)

    response = visitor.goto("/")

    assert response.status == 500
    expect(visitor.get_by_role("heading", level=1)).to_have_text("This one is our fault")
    expect(visitor.get_by_role("link", name="All campaigns")).to_be_visible()
    assert "broken on purpose" not in visitor.content()
    assert fits(visitor)
    assert axe(visitor) == []


def test_the_run_of_another_team_is_not_there(site, page, watch):
    [(run,)] = site.query("SELECT id FROM campaign_run WHERE name = 'par-bm25'")
    rival = page("rival")

    for path in (f"/runs/{run}/state/", f"/runs/{run}/file/", f"/runs/{run}/report.txt"):
        watch.expect_refusal(path)
        assert rival.goto(path).status == 404
        assert "par-bm25" not in rival.content()
    rival.goto(f"/runs/{run}/")  # leads to what everybody may read
    expect(rival).to_have_url(re.compile(r"/campaigns/demo/ad-hoc/focused/runs/[a-z0-9]+/$"))
    expect(rival.get_by_role("heading", level=1)).to_contain_text("par-bm25")
    expect(rival.get_by_role("link", name="the team’s page of this run")).to_have_count(0)


@pytest.mark.parametrize("look", ["phone", "dark"])
def test_a_form_that_was_open_too_long_says_that_nothing_was_sent(page, watch, axe, look):
    visitor = page(look=look)
    visitor.goto("/sign-in/?next=/runs/")
    visitor.get_by_label("Username").fill("participant")
    visitor.get_by_label("Password").fill("limelight")
    visitor.context.clear_cookies()
    watch.expect_refusal("/sign-in/")

    with visitor.expect_response(re.compile("/sign-in/")) as response:
        visitor.get_by_role("button", name="Sign in").click()

    assert response.value.status == 403
    expect(visitor.get_by_role("heading", level=1)).to_have_text("This form was open too long")
    expect(visitor.locator("main")).to_contain_text("Nothing was sent.")
    assert fits(visitor)
    assert axe(visitor) == []


@pytest.mark.parametrize(
    ("look", "path", "sentence"),
    [
        ("phone", "/desk/", "The desk is for organisers. You do not organise a campaign on this site."),
        ("dark", "/assessing/", "This page is for assessors. You do not assess for a track on this site."),
    ],
)
def test_a_page_for_another_role_says_for_whom_it_is(page, watch, axe, path, sentence, look):
    tab = page("participant", look)
    watch.expect_refusal(path)

    response = tab.goto(path)

    assert response.status == 403
    expect(tab.get_by_role("heading", level=1)).to_have_text("This page is not for this account")
    expect(tab.locator("main")).to_contain_text(sentence)
    assert fits(tab)
    assert axe(tab) == []


def test_a_visitor_is_asked_to_sign_in_and_led_back(page):
    visitor = page()

    visitor.goto("/runs/")
    visitor.get_by_label("Username").fill("rival")
    visitor.get_by_label("Password").fill("limelight")
    visitor.get_by_role("button", name="Sign in").click()

    expect(visitor.get_by_role("heading", level=1)).to_have_text("My runs")
    expect(visitor.locator("main")).to_contain_text("Runs of Drummond.")


def test_a_wrong_password_says_what_to_look_at(page):
    visitor = page()

    visitor.goto("/sign-in/")
    visitor.get_by_label("Username").fill("participant")
    visitor.get_by_label("Password").fill("limelicht")
    visitor.get_by_role("button", name="Sign in").click()

    expect(visitor.get_by_role("alert")).to_have_text(
        "This user name and password do not go together. The password is case-sensitive."
    )


@pytest.mark.parametrize("size", [1_050_000, 3_000_000], ids=["a little over the limit", "three times the limit"])
def test_a_file_over_the_limit_is_refused_in_a_sentence(site, page, watch, tmp_path, size):
    large = tmp_path / "large.fol"
    large.write_bytes(b"101 Q0 candle 1 1.0 r 0 10\n" * (size // 27))
    tab = page("participant")
    tab.goto(f"{BOARD}submit/")
    tab.get_by_label("Run file").set_input_files(large)
    tab.get_by_label("Run name").fill("too-large")
    watch.expect_refusal(f"{BOARD}submit/")

    tab.get_by_role("button", name="Submit").click()

    expect(tab.get_by_text("This file is larger than 1 MB. Compress it with gzip and submit that.")).to_be_visible()
    assert site.query("SELECT count(*) FROM campaign_run WHERE name = 'too-large'") == [(0,)]


def test_an_empty_file_and_a_missing_one_are_refused_in_a_sentence(page, watch, tmp_path):
    empty = tmp_path / "empty.fol"
    empty.write_bytes(b"")
    tab = page("participant")
    watch.expect_refusal(f"{BOARD}submit/")

    tab.goto(f"{BOARD}submit/")
    tab.get_by_label("Run file").set_input_files(empty)
    tab.get_by_role("button", name="Submit").click()

    expect(tab.locator(".field.wrong")).to_contain_text("This file is empty.")
