"""What a site writes is for its own account alone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from config.private import tighten
from tests.config.commands import manage
from tests.folders import ROOT


def mode(path):
    return path.stat().st_mode & 0o777


def test_what_earlier_versions_left_open_is_closed(tmp_path):
    folder = tmp_path / "var"
    (folder / "files").mkdir(parents=True)
    database = tmp_path / "elsewhere.sqlite3"
    for place in (folder / "limelight.sqlite3", folder / "log", database, Path(f"{database}-wal")):
        place.write_text("")
        place.chmod(0o644)
    for place in (folder, folder / "files"):
        place.chmod(0o755)

    assert tighten(folder, database) == []

    assert [mode(place) for place in (folder, folder / "files")] == [0o700] * 2
    assert {mode(place) for place in (folder / "limelight.sqlite3", folder / "log", database)} == {0o600}
    assert mode(Path(f"{database}-wal")) == 0o600


def test_links_lead_to_what_is_not_ours(tmp_path):
    (tmp_path / "shared").write_text("")
    (tmp_path / "shared").chmod(0o644)
    folder = tmp_path / "var"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path / "shared")

    tighten(folder)

    assert mode(tmp_path / "shared") == 0o644


@pytest.mark.slow
def test_a_command_makes_its_database_for_us_alone(tmp_path):
    address = f"sqlite:///{tmp_path}/limelight.sqlite3"

    done = manage("migrate", "--verbosity", "0", DATA_DIR=str(tmp_path), DATABASE_URL=address)

    assert done.returncode == 0, done.stderr
    assert mode(tmp_path / "limelight.sqlite3") == 0o600


@pytest.mark.slow
def test_web_and_worker_started_by_hand_write_for_us_alone():
    for module in ("config.wsgi", "config.celery"):
        code = f"import {module}, os\nfrom celery.signals import worker_init\n"
        code += "worker_init.send(sender=None)\nprint(oct(os.umask(0)))"
        environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == "0o77"
