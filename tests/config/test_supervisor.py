"""The supervisor starts again what dies and leaves nothing behind."""

import os
import signal
import sys
import time

import pytest

from config.supervisor import Child, Supervisor
from tests.services.site import wait_until

pytestmark = pytest.mark.slow

FOREVER = [sys.executable, "-c", "import time; time.sleep(600)"]
WITH_GRANDCHILD = [
    sys.executable,
    "-c",
    "import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']); "
    "print('ready', flush=True); time.sleep(600)",
]
STUBBORN = [
    sys.executable,
    "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)",
]


@pytest.fixture
def supervise():
    """Return a supervisor for commands, stopped at the end; the signal handlers of the tests stay as they are."""
    started = []

    def start(*commands, **options):
        supervisor = Supervisor([Child(f"child {n}", command) for n, command in enumerate(commands)], **options)
        started.append(supervisor)
        for child in supervisor.children:
            child.start()
        return supervisor

    yield start
    for supervisor in started:
        supervisor.stop(patience=0.1)


def is_gone(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_killed_child_is_started_again_at_once_and_its_death_is_told(supervise):
    said, buried = [], []
    supervisor = supervise(FOREVER, say=said.append, on_death=lambda child: buried.append(child.name))
    child = supervisor.children[0]
    first = child.process.pid

    os.kill(first, signal.SIGKILL)
    wait_until(lambda: supervisor.watch() or (child.process and child.process.pid != first), seconds=10)

    assert said == ["The child 0 ended (code -9); starting it again now."]
    assert buried == ["child 0"]


def test_what_a_dead_child_started_is_ended_before_it_starts_again(supervise):
    supervisor = supervise(WITH_GRANDCHILD, say=lambda sentence: None)
    first = supervisor.children[0].process.pid
    wait_until(lambda: len(os.listdir(f"/proc/{first}/task")) and not is_gone(first), seconds=5)
    time.sleep(0.3)

    os.kill(first, signal.SIGKILL)
    wait_until(lambda: supervisor.watch() or is_gone(first), seconds=10)


def test_a_child_that_keeps_dying_is_started_ever_more_slowly(supervise):
    said = []
    supervisor = supervise([sys.executable, "-c", "raise SystemExit(3)"], say=said.append)

    wait_until(lambda: supervisor.watch() or len(said) == 3, seconds=20)

    assert said == [
        "The child 0 ended (code 3); starting it again now.",
        "The child 0 ended (code 3); starting it again in 1 s.",
        "The child 0 ended (code 3); starting it again in 2 s.",
    ]


def test_stopping_ends_even_what_will_not_listen(supervise):
    supervisor = supervise(FOREVER, WITH_GRANDCHILD, STUBBORN)
    groups = [child.process.pid for child in supervisor.children]
    time.sleep(0.3)  # so that the stubborn one has stopped its ears

    supervisor.stop(patience=0.5)

    assert all(wait_until(lambda g=group: is_gone(g), seconds=5) for group in groups)
