"""Sites that service tests visit: one embedded and one grown-up, each started once a module."""

import os

import pytest

from tests.services.site import Site


@pytest.fixture(scope="module", params=["embedded", "grown-up"])
def site(request, tmp_path_factory):
    if request.param == "grown-up":
        assert "LIMELIGHT_TEST_POSTGRES" in os.environ, "script/test starts the PostgreSQL and Redis this needs"
    site = Site(tmp_path_factory.mktemp(request.param), request.param).start()
    yield site
    site.stop()
