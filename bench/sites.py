"""The sites that are measured: copies of one large campaign on SQLite and on PostgreSQL, served as in production."""

import contextlib
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import psycopg
from psycopg import sql

ROOT = Path(__file__).resolve().parents[1]
DATABASE = "limelight.sqlite3"
TICKS = os.sysconf("SC_CLK_TCK")
LEFT_BEHIND = ("django_session", "limelight_cache", "campaign_heartbeat")
"""Tables whose rows belong to the site that wrote them."""

START_WITHIN, QUIET_WITHIN = 120, 300


def free_port():
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def environment_of(folder, database_url, **more):
    """Return the settings of a site in production that only this machine can reach."""
    return {
        **os.environ,
        "DEBUG": "false",
        "HTTPS": "false",
        "HOST": "127.0.0.1",
        "ALLOWED_HOSTS": "127.0.0.1",
        "SECRET_KEY": "a-key-for-a-site-that-is-measured-for-a-minute-and-then-thrown-away",
        "DATA_DIR": str(folder),
        "DATABASE_URL": database_url,
        "REDIS_URL": "",
        "LOG_LEVEL": "WARNING",
        "PYTHONUNBUFFERED": "1",
        **more,
    }


def manage(environment, *arguments):
    """Run manage.py, or stop with what it says."""
    subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, env=environment, check=True)


def make_campaign(folder, runs, topics):
    """Make the large campaign in a folder that is kept for the next time; returns the folder."""
    if not (folder / DATABASE).exists():
        making = folder.with_name(f"{folder.name}.making")
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir(parents=True)
        environment = environment_of(making, f"sqlite:///{making / DATABASE}", DEBUG="true")
        manage(environment, "migrate", "--verbosity", "0")
        manage(environment, "demo", "--runs", str(runs), "--topics", str(topics))
        making.rename(folder)
    return folder


def copied(source, folder):
    """Copy a site's folder: stored files are never changed and can be shared, the database is copied."""
    folder.mkdir()
    shutil.copytree(source / "files", folder / "files", copy_function=_linked)
    with (
        contextlib.closing(sqlite3.connect(source / DATABASE)) as old,
        contextlib.closing(sqlite3.connect(folder / DATABASE)) as new,
    ):
        old.backup(new)
    return folder


def _linked(source, target):
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


class Postgres:
    """A PostgreSQL of our own in a folder, on a port of its own; its tables are filled from an SQLite file."""

    def __init__(self, folder, programs):
        self.folder, self.programs, self.port = folder, programs, free_port()
        folder.mkdir()
        if os.getuid() == 0:
            shutil.chown(folder, "postgres")
        self._run("initdb", "-U", "limelight", "--auth=trust", "--no-sync")
        options = f"-p {self.port} -k {folder} -c listen_addresses=127.0.0.1"
        self._run("pg_ctl", "-w", "-l", str(folder / "log"), "-o", options, "start")
        self.url = f"postgres://limelight@127.0.0.1:{self.port}/postgres"

    def _run(self, program, *arguments):
        # PostgreSQL refuses to run as root.
        command = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        command += [str(self.programs / program), "-D", str(self.folder), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/")

    @property
    def process(self):
        """Return the number of its first process."""
        return int((self.folder / "postmaster.pid").read_text().split()[0])

    def fill(self, file):
        """Take over the rows of an SQLite file whose tables are the same."""
        with contextlib.closing(sqlite3.connect(file)) as source, psycopg.connect(self.url) as target:
            target.execute("SET session_replication_role = replica")  # tables come in any order
            target.execute("SET TIME ZONE 'UTC'")
            types = _column_types(target)
            target.execute(sql.SQL("TRUNCATE {}").format(sql.SQL(", ").join(map(sql.Identifier, types))))
            for table, columns in types.items():
                if table not in LEFT_BEHIND:
                    _fill_table(source, target, table, columns)
        with psycopg.connect(self.url, autocommit=True) as target:
            target.execute("ANALYZE")

    def stop(self):
        """Stop it at once; what it holds is thrown away."""
        self._run("pg_ctl", "-m", "immediate", "stop")


def postgres_programs():
    """Return the folder of PostgreSQL's programs, or None."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    return max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name), default=None)


def _column_types(target):
    """Return the columns of each table with their types."""
    found = target.execute(
        "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public' "
        "ORDER BY table_name, ordinal_position"
    )
    types = {}
    for table, column, kind in found:
        types.setdefault(table, {})[column] = kind
    return types


def _fill_table(source, target, table, columns):
    names = ", ".join(f'"{name}"' for name in columns)
    flags = [place for place, kind in enumerate(columns.values()) if kind == "boolean"]
    copy = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    with target.cursor().copy(copy) as rows:
        for row in source.execute(f'SELECT {names} FROM "{table}"'):  # noqa: S608 - the names are our own tables'
            values = list(row)
            for place in flags:
                values[place] = None if values[place] is None else bool(values[place])
            rows.write_row(values)
    if "id" in columns:
        serial = sql.SQL("SELECT setval(pg_get_serial_sequence({}, 'id'), COALESCE(MAX(id), 1)) FROM {}")
        target.execute(serial.format(sql.Literal(table), sql.Identifier(table)))


class Server:
    """The whole site, as `script/server` starts it."""

    def __init__(self, environment, log):
        self.port, self.log = free_port(), log
        with log.open("wb") as stream:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "serve", "--no-demo", "--port", str(self.port)],
                cwd=ROOT,
                env=environment,
                stdout=stream,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        give_up_at = time.monotonic() + START_WITHIN
        while "Ctrl-C stops everything." not in log.read_text():
            if self.process.poll() is not None or time.monotonic() > give_up_at:
                self.stop()
                raise RuntimeError(f"The site did not start:\n{log.read_text()}")
            time.sleep(0.1)

    def wait_until_quiet(self):
        """Wait until the workers have done what they found to do."""
        give_up_at = time.monotonic() + QUIET_WITHIN
        while time.monotonic() < give_up_at:
            before = processor_seconds(self.process.pid)
            time.sleep(2)
            if processor_seconds(self.process.pid) - before < 0.2:
                return
        raise RuntimeError(f"The site was still busy after {QUIET_WITHIN} s.")

    def web_seconds(self):
        """Return the processor time that the web server has taken."""
        return processor_seconds(self.process.pid, "gunicorn")

    def stop(self):
        """Stop it as Ctrl-C does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(timeout=30)


def processor_seconds(process, named=""):
    """Return the processor time of a process and all below it, or of those whose command has a name in it."""
    parents, seconds = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            number = int(folder.name)
            parents[number] = int(fields[1])
            if not named or named in (folder / "cmdline").read_text():
                # Of children that have ended, too: a worker that is replaced takes nothing with it.
                seconds[number] = sum(map(int, fields[11:15])) / TICKS
    return sum(taken for number, taken in seconds.items() if _is_below(number, process, parents))


def _is_below(number, process, parents):
    while number in parents:
        if number == process:
            return True
        number = parents[number]
    return False
