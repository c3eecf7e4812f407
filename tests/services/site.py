"""A whole site in processes of its own: what `script/server` starts, on the embedded or the grown-up set-up."""

import http.cookiejar
import itertools
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.parse
import urllib.request
import uuid
from contextlib import suppress
from pathlib import Path

import psycopg
import redis

from tests.folders import ROOT
from tests.services.interpreter import Interpreter


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(condition, seconds=30, pause=0.02, message="what was waited for"):
    """Return the condition's first true value; fail when it stays false."""
    give_up_at = time.monotonic() + seconds
    while time.monotonic() < give_up_at:
        if value := condition():
            return value
        time.sleep(pause)
    raise AssertionError(f"{message} did not come within {seconds} s")


def redis_numbers():
    """Go round the numbers of Redis's databases that belong to this process of the tests."""
    process = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 4
    return itertools.cycle(range(process * 4, process * 4 + 4))


REDIS_NUMBERS = redis_numbers()


def create_database(name, template="template1"):
    with psycopg.connect(f"{os.environ['LIMELIGHT_TEST_POSTGRES']}/postgres", autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name}")
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")


class Site:
    """One running Limelight; `setting_up` is "embedded" or "grown-up"."""

    def __init__(self, folder, setting_up):
        self.folder, self.port, self.setting_up = folder, free_port(), setting_up
        self.environment = {
            **os.environ,
            "DEBUG": "true",
            "HTTPS": "false",
            "SECRET_KEY": "a-key-for-a-site-that-lives-a-minute-and-is-long-enough-for-production",
            "DATA_DIR": str(folder),
            "PORT": str(self.port),
            "HOST": "127.0.0.1",
            "SITE_URL": self.address,
            "DATABASE_URL": f"sqlite:///{folder}/limelight.sqlite3",
            "REDIS_URL": "",
            "LOG_LEVEL": "WARNING",
            "PYTHONUNBUFFERED": "1",
        }
        if setting_up == "grown-up":
            self._grow_up()
        self.process = self.interpreter = None
        self.log = folder / "server.log"

    def _grow_up(self):
        assert "LIMELIGHT_TEST_POSTGRES" in os.environ, "script/test starts the PostgreSQL and Redis this needs"
        self.database = f"site_{uuid.uuid4().hex[:12]}"
        create_database(self.database)
        self.environment["DATABASE_URL"] = f"{os.environ['LIMELIGHT_TEST_POSTGRES']}/{self.database}"
        self.environment["REDIS_URL"] = f"{os.environ['LIMELIGHT_TEST_REDIS']}/{next(REDIS_NUMBERS)}"
        with redis.Redis.from_url(self.environment["REDIS_URL"]) as queue:
            queue.flushdb()  # of the site that had this number before

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self, *arguments):
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "serve", *arguments],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        wait_until(
            lambda: "Ctrl-C stops everything." in self.output() or self.process.poll() is not None,
            seconds=90,
            message="the site",
        )
        assert self.process.poll() is None, self.output()
        return self

    def output(self):
        return self.log.read_text() if self.log.exists() else ""

    def stop(self, number=signal.SIGINT):
        if self.process and self.process.poll() is None:
            self.process.send_signal(number)
            self.process.wait(timeout=30)
        self._end_interpreter()

    def end(self):
        """Kill all its processes outright: stopping in order takes seconds, and nobody will need this site again."""
        if self.process and self.process.poll() is None:
            groups = children_of(self.process.pid)
            self.process.kill()
            self.process.wait()
            for group in groups:
                with suppress(ProcessLookupError):
                    os.killpg(group, signal.SIGKILL)
        self._end_interpreter()

    def _end_interpreter(self):
        if self.interpreter:
            self.interpreter.end()
            self.interpreter = None

    def python(self, code):
        """Run code inside the site's Django and return what it printed as JSON."""
        if self.interpreter is None:
            self.interpreter = Interpreter(self.environment)
        printed = self.interpreter.run(code)
        return json.loads(printed) if printed.strip() else None

    def connect(self):
        """Open a connection to the site's database, each statement in its own transaction."""
        if self.setting_up == "grown-up":
            return psycopg.connect(self.environment["DATABASE_URL"], autocommit=True)
        return sqlite3.connect(self.folder / "limelight.sqlite3", isolation_level=None, timeout=20)

    def query(self, statement):
        connection = self.connect()
        try:
            return [tuple(row) for row in connection.execute(statement).fetchall()]
        finally:
            connection.close()

    def group_of(self, words):
        """Return the process group of a child of the supervisor, found by words of its command."""
        for child in children_of(self.process.pid):
            command = Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ")
            if words in command:
                return child
        return None

    def stop_worker(self):
        """Make the worker hold still and return its group; not while it has SQLite's only lock, or all would."""
        return wait_until(self._stop_worker, pause=0.5, message="a worker outside a transaction")

    def _stop_worker(self):
        worker = self.group_of("celery")
        os.killpg(worker, signal.SIGSTOP)
        if self.setting_up == "grown-up":
            return worker
        connection = sqlite3.connect(self.folder / "limelight.sqlite3", isolation_level=None, timeout=3)
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
        except sqlite3.OperationalError:
            os.killpg(worker, signal.SIGCONT)
            return None
        finally:
            connection.close()
        return worker


def children_of(parent):
    """Return the processes that a process started."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                after_name = (folder / "stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(after_name[1]) == parent and after_name[0] != "Z":
                found.append(int(folder.name))
    return found


class Visitor:
    """Somebody with a browser: cookies, forms and uploads, without the pictures."""

    def __init__(self, site):
        self.site = site
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def get(self, path):
        with self.opener.open(self.site.address + path, timeout=30) as response:
            return response.read().decode()

    def token(self, path):
        return re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', self.get(path))[1]

    def sign_in(self, username, password="limelight"):
        fields = {"csrfmiddlewaretoken": self.token("/sign-in/"), "login": username, "password": password}
        request = urllib.request.Request(
            f"{self.site.address}/sign-in/", urllib.parse.urlencode(fields).encode(), method="POST"
        )
        with self.opener.open(request, timeout=30) as response:
            assert "Sign out" in response.read().decode()
        return self

    def submit(self, task_path, content, name):
        """Upload a run and return the number of its page."""
        return int(re.search(r"/runs/(\d+)/", self.post_file(f"{task_path}submit/", content, name))[1])

    def post_file(self, path, content, name, fields=()):
        """Send the form of a page with a file; returns the address it leads to."""
        page = self.get(path)
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page)) | dict(fields)
        fields["name"] = name
        boundary = uuid.uuid4().hex
        parts = [
            f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
            for key, value in fields.items()
        ]
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}.fol"\r\n\r\n'
        body = b"".join([*parts, head.encode(), content, f"\r\n--{boundary}--\r\n".encode()])
        request = urllib.request.Request(
            f"{self.site.address}{path}",
            body,
            {"Content-Type": f"multipart/form-data; boundary={boundary}"},
        )
        with self.opener.open(request, timeout=60) as response:
            return response.geturl()

    def state(self, run):
        """Return the state word on a run's page."""
        return re.search(r'class="big-state[^"]*"[^>]*><span>([\w ]+)<', self.get(f"/runs/{run}/state/"))[1]
