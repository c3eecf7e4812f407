"""A whole site through an operator's eyes: what is away is named, the log stays short, nobody waits for others."""

import json
import os
import signal
import stat
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import psycopg
import pytest

from campaign.machinery.limits import DRY_RUNS
from tests.services.prepared import site_with_demo
from tests.services.site import Visitor, children_of, wait_until

pytestmark = pytest.mark.services

AWAY = 8
"""Seconds for which the database is away."""


def asked(site, path):
    """Return the status and the body of an answer, whatever it is."""
    try:
        with urllib.request.urlopen(site.address + path, timeout=30) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def readiness(site):
    status, body = asked(site, "/readyz")
    return status, json.loads(body)["parts"]


@pytest.fixture
def fresh(tmp_path):
    """Return a function that starts a site of a test's own."""
    started = []

    def start(setting_up):
        site = site_with_demo(tmp_path, setting_up)
        started.append(site)
        return site.start()

    yield start
    for site in started:
        site.end()


def test_a_site_that_runs_is_ready(site):
    assert readiness(site) == (200, {"database": "ok", "queue": "ok", "storage": "ok", "workers": "ok"})
    assert asked(site, "/healthz") == (200, "ok\n")
    assert asked(site, "/status.json")[0] == 200


def test_while_the_database_is_away_the_site_says_so_and_the_log_stays_short(fresh):
    site = fresh("grown-up")
    away = f"{site.database}_away"
    administration = f"{os.environ['LIMELIGHT_TEST_POSTGRES']}/postgres"
    written = len(site.output().splitlines())
    with psycopg.connect(administration, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {site.database} WITH ALLOW_CONNECTIONS false")
        connection.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{site.database}'")
        connection.execute(f"ALTER DATABASE {site.database} RENAME TO {away}")

    wait_until(lambda: readiness(site)[1]["database"] != "ok", seconds=20)
    began, pages = time.monotonic(), []
    while time.monotonic() - began < AWAY:
        pages.append(asked(site, "/")[0])
        status, parts = readiness(site)
        assert (status, parts["database"]) == (503, "does not answer")
        assert (parts["queue"], parts["storage"]) == ("ok", "ok")
        assert asked(site, "/healthz") == (200, "ok\n")
        assert asked(site, "/status.json")[0] == 503
    lines = site.output().splitlines()[written:]

    assert len(pages) > 8
    assert set(pages) == {503}
    assert len(lines) <= 12, "\n".join(lines)
    assert any("The database does not answer" in line for line in lines)
    assert not any("Traceback" in line for line in lines)

    with psycopg.connect(administration, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {away} RENAME TO {site.database}")
        connection.execute(f"ALTER DATABASE {site.database} WITH ALLOW_CONNECTIONS true")
    wait_until(lambda: readiness(site)[0] == 200, seconds=60, pause=0.5, message="a site that is ready again")
    assert asked(site, "/")[0] == 200


def test_silent_workers_and_a_lost_folder_are_named(fresh):
    site = fresh("embedded")
    worker = site.group_of("celery")
    os.killpg(worker, signal.SIGSTOP)
    try:
        with site.connect() as connection:
            connection.execute("UPDATE campaign_heartbeat SET at = '2020-01-01 00:00:00' WHERE name = 'worker'")

        found = wait_until(lambda: (answer := readiness(site))[1]["workers"] != "ok" and answer)
        assert found == (503, {"database": "ok", "queue": "ok", "storage": "ok", "workers": "silent: worker"})
    finally:
        os.killpg(worker, signal.SIGCONT)
    files = site.folder / "files"
    files.rename(site.folder / "files-elsewhere")
    files.write_text("where a folder should be")

    found = wait_until(lambda: (answer := readiness(site))[1]["storage"] != "ok" and answer)
    assert (found[0], found[1]["storage"]) == (503, "does not answer")


def test_nothing_that_a_site_writes_can_be_read_by_others(site):
    visitor = Visitor(site).sign_in("participant")
    run = visitor.submit("/campaigns/demo/ad-hoc/focused/", b"101 Q0 limelight 1 9.5 mine 0 50\n", "mine")
    wait_until(lambda: visitor.state(run) not in ("received", "checking"), seconds=90)

    def is_open(path):
        return stat.S_IMODE(path.stat().st_mode) & 0o077

    assert not is_open(site.folder)
    made_now = [path for path in newer_than_start(site) if is_open(path)]
    assert made_now == []
    assert any("runs" in str(path) for path in newer_than_start(site))


def newer_than_start(site):
    """Return what the site wrote since it was started; the log of the tests is not its own."""
    began = Path(f"/proc/{site.process.pid}").stat().st_mtime
    found = []
    for path in site.folder.rglob("*"):
        try:
            if path.stat().st_mtime >= began and path != site.log:
                found.append(path)
        except FileNotFoundError:
            continue
    return found


def test_one_process_that_hangs_does_not_stop_the_others(site):
    web = children_of(site.group_of("gunicorn"))
    assert len(web) == 2

    os.kill(web[0], signal.SIGSTOP)
    try:
        took = [seconds_for(site, "/healthz") for _ in range(20)]
    finally:
        os.kill(web[0], signal.SIGCONT)

    # A connection that the stopped process had taken already would wait for it; new ones go to the other.
    assert sorted(took)[10] < 5


def seconds_for(site, path):
    began = time.monotonic()
    asked(site, path)
    return time.monotonic() - began


def test_limits_are_counted_over_all_processes(site):
    answers, began = [], time.time()

    def try_out():
        visitor = Visitor(site).sign_in("participant")
        content = b"101 Q0 limelight 1 9.5 mine 0 50\n"
        answers.extend(dry_run(visitor, content) for _ in range(9))

    trying = [threading.Thread(target=try_out) for _ in range(4)]
    for thread in trying:
        thread.start()
    for thread in trying:
        thread.join()

    assert len(answers) == 36
    assert set(answers) <= {200, 429, 503}
    windows = 1 + int(time.time() // DRY_RUNS.seconds - began // DRY_RUNS.seconds)
    assert answers.count(200) + answers.count(503) <= DRY_RUNS.most * windows
    assert answers.count(429) == 6 or windows > 1


def dry_run(visitor, content):
    path = "/campaigns/demo/ad-hoc/focused/"
    fields = {"dry-run": "yes"}
    try:
        visitor.post_file(f"{path}submit/", content, "mine", fields)
    except urllib.error.HTTPError as error:
        return error.code
    return 200
