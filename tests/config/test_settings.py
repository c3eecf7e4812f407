"""Settings come from the environment, and what is unsafe is refused in one sentence."""

import os
import re
import subprocess
import sys

import pytest

from tests.config.commands import manage
from tests.folders import ROOT

pytestmark = pytest.mark.slow


def printed(expression, **environment):
    """Return what an expression over the settings prints under an environment."""
    code = f"from config import settings; print({expression})"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.mark.parametrize("debug", ["true", "false"])
def test_a_missing_secret_key_is_refused(debug):
    done = manage("check", SECRET_KEY="", DEBUG=debug)

    assert done.returncode == 1
    assert done.stderr.strip() == (
        "SECRET_KEY is not set. Put a long random string into the environment or into .env "
        "(script/server writes one for you on a machine that has no .env yet)."
    )


@pytest.mark.parametrize("key", ["short", "x" * 49, "abc" * 30])
def test_a_key_that_can_be_guessed_is_refused_in_production(key):
    done = manage("check", SECRET_KEY=key, DEBUG="false")

    assert done.returncode == 1
    assert done.stderr.strip().startswith("SECRET_KEY can be guessed: with DEBUG=false it needs at least 50 characters")
    assert manage("check", SECRET_KEY=key, DEBUG="true").returncode == 0


@pytest.mark.parametrize(
    ("debug", "host", "expected"),
    [
        ("true", "127.0.0.1", "True"),
        ("true", "::1", "True"),
        ("true", "localhost", "True"),
        ("true", "0.0.0.0", "False"),
        ("true", "192.0.2.7", "False"),
        ("true", "limelight.example", "False"),
        ("false", "127.0.0.1", "False"),
    ],
)
def test_demo_accounts_exist_only_with_debug_on_and_bound_to_loopback(debug, host, expected):
    assert printed("settings.DEMO_ACCOUNTS", DEBUG=debug, HOST=host) == expected


def test_redis_and_postgresql_are_chosen_by_the_environment_alone():
    grown_up = {"REDIS_URL": "redis://localhost:6399/1", "DATABASE_URL": "postgres://someone@localhost/limelight"}
    expression = "settings.CELERY_BROKER_URL, settings.DATABASES['default']['ENGINE']"

    assert printed(expression) == "folder://localhost django.db.backends.sqlite3"
    assert printed(expression, **grown_up) == "redis://localhost:6399/1 django.db.backends.postgresql"


def test_sqlite_takes_two_writing_processes():
    assert "IMMEDIATE" in printed("settings.DATABASES['default']['OPTIONS']")
    assert "journal_mode=WAL" in printed("settings.DATABASES['default']['OPTIONS']")


def test_the_policy_allows_no_inline_script_and_no_eval():
    policy = printed("settings.CONTENT_SECURITY_POLICY")

    assert "unsafe" not in policy
    assert "http" not in policy


def settings_names():
    """Return every variable that the settings read from the environment."""
    source = (ROOT / "config" / "settings.py").read_text()
    return set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', source))


def test_the_settings_are_found_in_the_source():
    assert {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ALLOWED_HOSTS", "PORT", "DEBUG"} <= settings_names()


def test_the_example_lists_every_setting_and_no_other():
    example = (ROOT / ".env.example").read_text()

    assert set(re.findall(r"^#? ?([A-Z_]+)=", example, re.MULTILINE)) == settings_names()


def test_the_operating_manual_lists_every_setting_and_no_other():
    manual = (ROOT / "docs" / "operating.md").read_text()

    assert set(re.findall(r"^\| `([A-Z_]+)` \|", manual, re.MULTILINE)) == settings_names()


def test_the_tests_set_every_setting_so_that_no_env_file_gets_in():
    source = (ROOT / "tests" / "environment.py").read_text()

    assert settings_names() <= set(re.findall(r'"([A-Z_]+)"', source))
