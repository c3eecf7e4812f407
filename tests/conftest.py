"""What tests of all apps start from."""

import logging

import pytest
from django.conf import settings
from django.test import Client, override_settings

from campaign import shared_pages
from campaign.machinery.page_store import PageStore
from campaign.services.people.tokens import create_token
from tests.stage import Stage
from tests.world import World


@pytest.fixture(autouse=True, scope="session")
def quick_settings():
    """Hash passwords quickly and leave static files uncollected: no test inside this process is about either."""
    plain_files = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
    quick = {
        "PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"],
        "STORAGES": settings.STORAGES | plain_files,
    }
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
    with override_settings(**quick):
        yield


@pytest.fixture(autouse=True)
def no_shared_pages(monkeypatch):
    """Keep no page from one test, or one moment of it, to the next; the tests of shared pages keep some."""
    monkeypatch.setattr(shared_pages, "pages", PageStore(most_pages=0))
    monkeypatch.setattr(shared_pages, "FRESH", 0.0)


@pytest.fixture
def world(db, settings, tmp_path):
    """Return a small campaign with one open Focused task, two teams and their people."""
    settings.MEDIA_ROOT = tmp_path / "files"
    return World()


@pytest.fixture
def stage(db, settings, tmp_path, caplog):
    """Return a function that sets up a campaign with people in all roles."""
    settings.MEDIA_ROOT = tmp_path / "files"
    caplog.set_level(logging.CRITICAL, "django.request")
    return Stage


class ApiClient(Client):
    """A program that calls the API, with the token of a person or none."""

    def __init__(self, user=None, **options):
        headers = {"Authorization": f"Bearer {create_token(user, 'a program')[1]}"} if user else None
        super().__init__(headers=headers, **options)

    def generic(self, method, path, *arguments, **options):
        return super().generic(method, f"/api/v1{path}", *arguments, **options)


@pytest.fixture
def api(db):
    """Return a function that gives the client of a person's program, or of one without a token."""
    known = {}

    def client_of(user=None):
        if user not in known:
            known[user] = ApiClient(user)
        return known[user]

    return client_of
