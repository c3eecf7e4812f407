"""A site as it is deployed: DEBUG off, static files collected, no demo."""

import re
import time
import urllib.error
import urllib.request

import pytest

from tests.services.site import Site, Visitor

pytestmark = pytest.mark.services


@pytest.fixture(scope="module")
def deployed(tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("deployed"), "grown-up")
    site.environment |= {"DEBUG": "false", "HTTPS": "false", "ALLOWED_HOSTS": "127.0.0.1"}
    site.start()
    yield site
    site.end()


def test_an_empty_site_has_no_demo_and_says_what_will_appear(deployed):
    page = Visitor(deployed).get("/")

    assert "No campaign is listed yet." in page
    assert deployed.query("SELECT count(*) FROM campaign_user") == [(0,)]
    assert "Demo accounts" not in deployed.output()


def test_static_files_are_named_by_content_compressed_and_kept_for_ever(deployed):
    stylesheet = re.search(r'href="(/static/css/limelight\.[0-9a-f]{12}\.css)"', Visitor(deployed).get("/"))[1]
    request = urllib.request.Request(deployed.address + stylesheet, headers={"Accept-Encoding": "br"})

    with urllib.request.urlopen(request, timeout=10) as response:
        assert response.headers["Content-Encoding"] == "br"
        assert "immutable" in response.headers["Cache-Control"]


def test_a_missing_page_is_ours_and_tells_nothing_about_the_code(deployed):
    with pytest.raises(urllib.error.HTTPError) as error:
        Visitor(deployed).get("/nowhere/")

    page = error.value.read().decode()
    assert error.value.code == 404
    assert "There is nothing at this address" in page
    assert "urlpatterns" not in page


def test_a_host_that_is_not_ours_gets_a_plain_answer(deployed):
    request = urllib.request.Request(deployed.address, headers={"Host": "elsewhere.example"})

    with pytest.raises(urllib.error.HTTPError) as error:
        urllib.request.urlopen(request, timeout=10)

    assert error.value.code == 400
    assert "This request makes no sense to us" in error.value.read().decode()


def test_a_second_start_takes_a_few_seconds(deployed):
    """Stands last in this file: it starts the site again."""
    deployed.stop()
    deployed.log.unlink()
    started = time.monotonic()

    deployed.start()

    assert time.monotonic() - started < 60  # five on a quiet machine
