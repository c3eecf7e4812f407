"""One embedded site and one Chromium for all browser tests; every page is watched for what no page may do."""

import os
import shutil
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect, sync_playwright

from tests.services.prepared import site_with_demo
from tests.services.site import Visitor

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""The one without windows needs two thirds of the processor time; they draw alike."""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PATIENCE = 30_000  # milliseconds; other tests run beside these
LOOKS = {
    "wide": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "phone": {"viewport": {"width": 375, "height": 800}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
}
LEFT = "net::ERR_ABORTED"  # somebody went elsewhere, or the answer was a file
REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy violation: ${event.violatedDirective} stopped ${event.blockedURI}`));
"""


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Remember whether a test failed, so that its open pages are told with the failure."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.fixture(scope="package")
def site(tmp_path_factory):
    """Start the site as `script/server` does, with a small upload limit so that it can be exceeded cheaply."""
    site = site_with_demo(tmp_path_factory.mktemp("browsed"), "embedded")
    site.environment["UPLOAD_LIMIT_MB"] = "1"
    site.start()
    yield site
    site.end()


@pytest.fixture(autouse=True)
def told_with_a_failure(request):
    """Print what the shared site wrote to its log while a test failed."""
    site = request.getfixturevalue("site") if "site" in request.fixturenames else None
    before = len(site.output()) if site else 0
    yield
    if site and request.node.stash.get(FAILED, False):
        print(f"The site wrote:\n{site.output()[before:]}")


@pytest.fixture(scope="package")
def chromium():
    # Playwright's loop runs in this thread: without this, Django refuses the database to all that follows.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture(scope="package")
def cookies_of(site):
    """Return a function that signs a person in, once, and gives their cookies."""
    known = {}

    def cookies_of(person):
        if person not in known:
            visitor = Visitor(site).sign_in(person)
            known[person] = [
                {"name": cookie.name, "value": cookie.value, "url": site.address} for cookie in visitor.cookies
            ]
        return known[person]

    return cookies_of


class Watch:
    """Collects what no page may do: errors in the console, broken policies, pages that do not come, other hosts."""

    def __init__(self):
        self.problems = []
        self.refusals = set()

    def expect_refusal(self, path):
        """Allow the browser to note that the page at this path came with an error status."""
        self.refusals.add(path)

    def follow(self, context, address):
        context.on("console", self._console)
        context.on("weberror", lambda error: self.problems.append(f"uncaught: {error.error}"))
        context.on("request", lambda request: self._request(request.url, address))
        context.on("requestfailed", self._failed)

    def _console(self, message):
        if message.type != "error":
            return
        is_status = message.text.startswith("Failed to load resource: the server responded with a status of")
        if not (is_status and urlsplit(message.location["url"]).path in self.refusals):
            self.problems.append(f"console: {message.text} ({message.location['url']})")

    def _request(self, url, address):
        if not url.startswith((f"{address}/", "data:", "blob:")):
            self.problems.append(f"request to another host: {url}")

    def _failed(self, request):
        if request.is_navigation_request() and request.failure != LEFT:
            self.problems.append(f"no page: {request.url}, {request.failure}")


@pytest.fixture
def watch():
    watch = Watch()
    yield watch
    assert watch.problems == []


def open_watched(chromium, watch, address, look="wide", cookies=(), **options):
    """Open an empty page for the site at an address, in a browser window of its own."""
    context = chromium.new_context(base_url=address, **LOOKS[look], **options)
    context.set_default_timeout(PATIENCE)
    context.add_init_script(REPORT_VIOLATIONS)
    if cookies:
        context.add_cookies(list(cookies))
    watch.follow(context, address)
    return context.new_page()


@pytest.fixture
def new_page(chromium, watch, request):
    """Return a function that opens an empty, watched page for the site at an address."""
    pages = []

    def new_page(address, *arguments, **options):
        pages.append(open_watched(chromium, watch, address, *arguments, **options))
        return pages[-1]

    yield new_page
    for page in pages:
        if request.node.stash.get(FAILED, False):
            print(f"{page.url} showed:\n{page.inner_text('body')}")
        page.context.close()


@pytest.fixture
def page(site, new_page, cookies_of):
    """Return a function that opens a page for a person (nobody signed in by default) with a look of LOOKS."""

    def page(person=None, look="wide", **options):
        return new_page(site.address, look, cookies_of(person) if person else (), **options)

    return page


@pytest.fixture
def participant_page(page):
    return page("participant")


def show(page, look):
    """Give an open page another look, and wait until colours have stopped changing."""
    page.set_viewport_size(LOOKS[look]["viewport"])
    page.emulate_media(color_scheme=LOOKS[look]["color_scheme"])
    page.evaluate("Promise.all(document.getAnimations().map((animation) => animation.finished))")


RULES = {
    "all": {},
    "colours": {"runOnly": ["color-contrast", "link-in-text-block"]},
    "all but colours": {"rules": {"color-contrast": {"enabled": False}}},
}
"""What axe looks for: with the colours of a page nothing else changes, and with its width no colour does."""


def grave_problems(page, rules="all"):
    """Return what axe finds serious or critical on a page, a line each."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    look_for = {"resultTypes": ["violations"]} | RULES[rules]
    violations = page.evaluate("(rules) => axe.run(rules).then((results) => results.violations)", look_for)
    return [
        f"{found['id']} ({found['impact']}): {node['target']} {node['failureSummary']}"
        for found in violations
        if found["impact"] in ("serious", "critical")
        for node in found["nodes"]
    ]


@pytest.fixture(scope="session")
def axe():
    return grave_problems
