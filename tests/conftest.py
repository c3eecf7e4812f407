"""What tests of all apps start from."""

import pytest

from tests.world import World


@pytest.fixture(autouse=True)
def fast_passwords(settings):
    """Hash passwords quickly: no test is about how hard they are to guess."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def world(db, settings, tmp_path):
    """Return a small campaign with one open Focused task, two teams and their people."""
    settings.MEDIA_ROOT = tmp_path / "files"
    settings.CELERY_BROKER_TRANSPORT_OPTIONS["folder"] = str(tmp_path / "queue")
    return World()
