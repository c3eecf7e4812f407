"""Light or dark: a cookie that only the stylesheet reads, and pages that are the same for everybody."""

import re

import pytest
from django.test import Client

from campaign.models import Campaign
from tests.folders import ROOT


def choose(client, theme, **headers):
    return client.post("/theme/", {"theme": theme}, headers=headers)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_choice_is_kept_for_a_year_and_read_by_the_stylesheet_alone(db, client, theme):
    chosen = choose(client, theme)

    cookie = chosen.cookies["theme"]
    assert (cookie.value, cookie["max-age"], cookie["samesite"], cookie["path"]) == (theme, 31_536_000, "Lax", "/")
    assert cookie["httponly"] == ""  # the script reads it before the page is painted
    sheet = client.get("/theme.css")
    assert sheet.content.decode() == f":root {{ color-scheme: {theme}; }}\n"
    assert (sheet["Content-Type"], sheet["Cache-Control"], sheet["Vary"]) == ("text/css", "private, no-cache", "Cookie")


def test_back_to_the_system_takes_the_cookie_away(db, client):
    choose(client, "dark")

    assert choose(client, "system").cookies["theme"]["max-age"] == 0
    assert client.get("/theme.css").content == b""


def test_pages_are_the_same_whatever_was_chosen(world, client):
    pages = ["/", f"{world.task.get_absolute_url()}", "/campaigns/small/", "/nowhere/"]
    before = [client.get(page).content for page in pages]

    choose(client, "dark")

    for page, content in zip(pages, before, strict=True):
        answer = client.get(page)
        assert answer.content == content


@pytest.mark.parametrize(
    ("referer", "back"),
    [
        ("http://testserver/campaigns/small/?sort=iMAP#x", "/campaigns/small/?sort=iMAP"),
        ("http://evil.example/campaigns/", "/"),
        ("http://testserver//evil.example/", "/"),
        ("javascript:alert(1)", "/"),
        ("", "/"),
    ],
)
def test_the_way_back_stays_on_this_site(db, client, referer, back):
    answer = choose(client, "dark", referer=referer)

    assert (answer.status_code, answer.url) == (302, back)


@pytest.mark.parametrize("theme", ["", "sepia", "dark; }</style>", "\x00"])
def test_another_theme_is_refused(db, client, theme):
    answer = choose(client, theme)

    assert answer.status_code == 400
    assert answer.content.decode() == "The theme is one of: system, light, dark.\n"
    assert not answer.cookies
    client.cookies["theme"] = "url(evil)"
    assert client.get("/theme.css").content == b""


def test_pages_of_faults_keep_the_choice_too():
    for page in ("base.html", "500.html", "fault.html"):
        source = (ROOT / "templates" / page).read_text()
        sheet, script = source.index("css/limelight.css"), source.index("js/theme.js")
        assert sheet < script < source.index("</head>")
        assert "defer" not in source[script : source.index("</script>", script)]


def test_the_form_needs_no_token_and_stands_on_every_page(db):
    Campaign.objects.all().delete()
    browser = Client(enforce_csrf_checks=True)

    page = browser.get("/").content.decode()

    [form] = re.findall(r'<form class="theme".*?</form>', page, re.DOTALL)
    assert "csrf" not in form
    assert re.findall('value="(.*?)"', form) == ["system", "light", "dark"]
    assert '<link rel="stylesheet" href="/theme.css">' in re.search("<noscript>(.*?)</noscript>", page, re.DOTALL)[1]
    assert choose(browser, "dark").status_code == 302
