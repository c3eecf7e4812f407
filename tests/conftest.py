"""What tests of all apps start from."""

import pytest

from tests.world import World


@pytest.fixture(autouse=True)
def quick_settings(settings):
    """Hash passwords quickly and leave static files uncollected: no unit test is about either."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)


@pytest.fixture
def world(db, settings, tmp_path):
    """Return a small campaign with one open Focused task, two teams and their people."""
    settings.MEDIA_ROOT = tmp_path / "files"
    return World()
