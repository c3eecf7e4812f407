"""`manage.py serve` and the scripts around it: one clear sentence for everything that stands in the way."""

import os
import shutil
import socket
import subprocess
import sys

import pytest

from tests.config.commands import manage
from tests.folders import ROOT

pytestmark = pytest.mark.slow


def test_a_taken_port_gets_one_sentence(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        done = manage("serve", "--port", str(port), DATA_DIR=str(tmp_path))

    assert done.returncode == 1
    assert done.stderr.strip() == (
        f"CommandError: Port {port} on 127.0.0.1 cannot be used (Address already in use). "
        "Stop what listens there, or choose another: PORT=8001 script/server"
    )


def test_debug_is_not_shown_to_other_machines(tmp_path):
    done = manage("serve", "--host", "0.0.0.0", DEBUG="true", DATA_DIR=str(tmp_path))

    assert done.returncode == 1
    assert done.stderr.strip() == (
        "CommandError: DEBUG is on, and 0.0.0.0 can be reached from other machines. Set DEBUG=false (and SECRET_KEY, "
        "ALLOWED_HOSTS), or bind to 127.0.0.1."
    )


@pytest.fixture
def clone(tmp_path):
    """Return a folder with the scripts alone, as on a machine where nothing is installed."""
    folder = tmp_path / "clone"
    (folder / "script").mkdir(parents=True)
    for name in ("setup", "server"):
        shutil.copy(ROOT / "script" / name, folder / "script" / name)
    (folder / "requirements.txt").write_text("")
    return folder


def fake_python(folder, body):
    """Put a python3 on a PATH of its own that answers as the body says."""
    programs = folder / "bin"
    programs.mkdir()
    (programs / "python3").write_text(f"#!/bin/bash\n{body}\n")
    (programs / "python3").chmod(0o755)
    for name in ("bash", "env", "dirname", "cmp", "cp", "rm", "echo"):
        (programs / name).symlink_to(shutil.which(name))
    return {**os.environ, "PATH": str(programs)}


def run_setup(clone, environment):
    return subprocess.run(["script/setup"], cwd=clone, env=environment, capture_output=True, text=True, check=False)


def test_an_old_python_gets_one_sentence(clone):
    environment = fake_python(clone, '[ "$1" = --version ] && echo "Python 3.9.2" && exit 0; exit 1')

    done = run_setup(clone, environment)

    assert done.returncode == 1
    assert done.stderr.strip() == (
        "Limelight needs Python 3.11 or newer; this machine has Python 3.9.2. Install a newer one, or name it: "
        "PYTHON=/path/to/python3.11 script/setup"
    )


def test_a_missing_venv_module_gets_one_sentence(clone):
    environment = fake_python(clone, f'case "$*" in *venv*) exit 1 ;; *) exec {sys.executable} "$@" ;; esac')

    done = run_setup(clone, environment)

    assert done.returncode == 1
    assert done.stderr.strip() == (
        "Python's venv module is missing. On Debian and Ubuntu: apt-get install python3-venv"
    )
    assert not (clone / ".venv").exists()


def test_setup_twice_installs_once(clone):
    first = run_setup(clone, {**os.environ, "PYTHON": sys.executable})
    second = run_setup(clone, {**os.environ, "PYTHON": sys.executable})

    assert (first.returncode, second.returncode) == (0, 0), first.stderr
    assert "Making .venv" in first.stdout
    assert second.stdout == ""


def test_what_is_read_before_web_processes_part_opens_no_connection_and_starts_no_thread():
    code = (
        "import sys, threading, config.wsgi\nfrom django.db import connections\n"
        "print([one.connection for one in connections.all()], threading.active_count(), 'config.urls' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[None] 1 True"
