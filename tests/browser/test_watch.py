"""The watch that every page is under sees what it is there to see."""

import pytest

from tests.browser.conftest import Watch, open_watched
from tests.services.site import wait_until

pytestmark = pytest.mark.browser

OFFENCES = {
    "an error in the console": ("console.error('on purpose')", "console: on purpose"),
    "an uncaught error": ("setTimeout(() => { throw new Error('on purpose'); })", "uncaught: on purpose"),
    "an inline script": (
        "document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.ran = true'}))",
        "console: policy violation: script-src-elem stopped inline",
    ),
    "a picture from another host": (
        "new Image().src = 'http://elsewhere.invalid/picture.png'",
        "console: policy violation: img-src stopped http://elsewhere.invalid/picture.png",
    ),
    "a link to another host": (
        "location.href = 'http://elsewhere.invalid/'",
        "request to another host: http://elsewhere.invalid/",
    ),
    "a page that does not come": (
        "location.href = 'http://127.0.0.1:1/'",
        "no page: http://127.0.0.1:1/, net::ERR_",
    ),
    "a missing file": ("fetch('/static/missing.js')", "console: Failed to load resource: the server responded"),
}


@pytest.mark.parametrize(("script", "problem"), OFFENCES.values(), ids=OFFENCES)
def test_an_offence_is_seen(site, chromium, script, problem):
    watch = Watch()
    page = open_watched(chromium, watch, site.address)
    page.goto("/sign-in/")

    page.evaluate(f"() => {{ {script} }}")
    wait_until(lambda: page.wait_for_timeout(50) or watch.problems, message="the offence")
    page.wait_for_timeout(50)
    page.context.close()

    assert any(seen.startswith(problem) for seen in watch.problems), watch.problems
