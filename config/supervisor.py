"""Starts processes, starts again what dies, and leaves nothing behind when it stops."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field

LONGEST_PAUSE = 30
LONG_ENOUGH = 60
PR_SET_PDEATHSIG = 1


def _die_with_parent():
    """Ask Linux to end this process when the supervisor is killed outright; elsewhere, do without."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


@dataclass
class Child:
    """One process, in a session of its own so that its whole group can be ended."""

    name: str
    command: list
    process: subprocess.Popen | None = None
    started: float = 0.0
    start_again_at: float = 0.0
    quick_deaths: int = 0

    def start(self):
        """Start the process."""
        self.process = subprocess.Popen(self.command, start_new_session=True, preexec_fn=_die_with_parent)
        self.started = time.monotonic()

    def has_died(self):
        """Return whether a started process has ended by itself."""
        return self.process is not None and self.process.poll() is not None

    def signal_group(self, number):
        """Send a signal to the process and everything it started."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, number)

    def group_is_gone(self):
        """Return whether neither the process nor anything it started is left."""
        if self.process is None:
            return True
        self.process.poll()
        try:
            os.killpg(self.process.pid, 0)
        except ProcessLookupError:
            return True
        return False


@dataclass
class Supervisor:
    """Keeps children running until it is told to stop."""

    children: list
    on_death: object = None
    say: object = print
    stopping: bool = field(default=False, init=False)

    def start(self):
        """Start all children and listen for the signals that end them."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._stop)
        for child in self.children:
            child.start()

    def _stop(self, number, frame):
        self.stopping = True

    def watch(self):
        """Look after the children once: bury the dead and start them again, more slowly if they keep dying."""
        for child in self.children:
            if child.has_died():
                self._bury(child)
            if child.process is None and time.monotonic() >= child.start_again_at and not self.stopping:
                child.start()

    def _bury(self, child):
        code = child.process.returncode
        child.signal_group(signal.SIGKILL)
        lived = time.monotonic() - child.started
        child.quick_deaths = child.quick_deaths + 1 if lived < LONG_ENOUGH else 1
        pause = 0 if child.quick_deaths == 1 else min(2 ** (child.quick_deaths - 2), LONGEST_PAUSE)
        child.start_again_at = time.monotonic() + pause
        child.process = None
        again = f"in {pause} s" if pause else "now"
        self.say(f"The {child.name} ended (code {code}); starting it again {again}.")
        if self.on_death:
            self.on_death(child)

    def run(self, pause=0.2):
        """Watch until a signal says stop."""
        while not self.stopping:
            self.watch()
            time.sleep(pause)

    def stop(self, patience=10):
        """End every group: ask the process that leads it, which ends the others in order; then end what is left."""
        for child in self.children:
            if child.process is not None and child.process.poll() is None:
                child.process.terminate()
        patient_until = time.monotonic() + patience
        while time.monotonic() < patient_until and not all(child.group_is_gone() for child in self.children):
            time.sleep(0.05)
        for child in self.children:
            child.signal_group(signal.SIGKILL)
            if child.process is not None:
                child.process.wait()
