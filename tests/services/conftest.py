"""Sites that service tests visit: one embedded and one grown-up, each made once a module."""

import pytest

from tests.services.prepared import site_with_demo


@pytest.fixture(scope="module", params=["embedded", "grown-up"])
def site(request, tmp_path_factory):
    site = site_with_demo(tmp_path_factory.mktemp(request.param), request.param).start()
    yield site
    site.end()


@pytest.fixture(scope="module", params=["embedded", "grown-up"])
def quiet_site(request, tmp_path_factory):
    """Return a site whose processes were not started: its database, for code that runs in many threads."""
    site = site_with_demo(tmp_path_factory.mktemp(f"quiet-{request.param}"), request.param)
    yield site
    site.end()
