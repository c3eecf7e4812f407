"""`manage.py serve`: the whole site from one command, behind `script/server`."""

import logging
import socket
import sys
import time
import urllib.error
import urllib.request

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, close_old_connections
from django.utils import timezone

from campaign.machinery.heartbeats import ask_for_beat, has_beaten_since
from campaign.models import Campaign
from config.operators import warnings
from config.private import tighten
from config.settings import is_loopback
from config.supervisor import Child, Supervisor
from evaluation.demo.accounts import ACCOUNTS
from evaluation.services.sweep import free_dead_leases

logger = logging.getLogger(__name__)

ASK_WORKER_EVERY = 5


class Command(BaseCommand):
    help = "Migrate, load the demo campaign into an empty database, and run web server, worker and sweep."

    def add_arguments(self, parser):
        parser.add_argument("--host", default=settings.HOST, help=f"address to bind to ({settings.HOST})")
        parser.add_argument("--port", type=int, default=settings.PORT, help=f"port to listen on ({settings.PORT})")
        parser.add_argument("--no-demo", action="store_true", help="leave an empty database empty")
        parser.add_argument("--patience", type=int, default=90, help="seconds to wait until all answer (90)")

    def handle(self, *args, host, port, no_demo, patience, **options):
        if settings.DEBUG and not is_loopback(host):
            raise CommandError(
                f"DEBUG is on, and {host} can be reached from other machines. Set DEBUG=false (and SECRET_KEY, "
                "ALLOWED_HOSTS), or bind to 127.0.0.1."
            )
        refuse_taken_port(host, port)
        settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
        self.close_to_others()
        call_command("migrate", verbosity=0)
        call_command("createcachetable", verbosity=0)
        if not settings.DEBUG:
            call_command("collectstatic", interactive=False, verbosity=0)
        if settings.DEMO_ACCOUNTS and not no_demo and not Campaign.objects.exists():
            call_command("demo", stdout=self.stdout)

        supervisor = Supervisor(children(host, port), on_death=free_its_rows, say=self.say)
        started = timezone.now()
        try:
            supervisor.start()
            if self.wait_until_all_answer(supervisor, host, port, started, patience):
                self.greet(host, port)
            supervisor.run()
        finally:
            supervisor.stop()
            self.say("Stopped.")

    def say(self, sentence):
        self.stdout.write(sentence)
        self.stdout.flush()

    def close_to_others(self):
        """Let nobody else on the machine read what earlier versions left open."""
        database = settings.DATABASES["default"]
        is_file = database["ENGINE"] == "django.db.backends.sqlite3"
        for place in tighten(settings.DATA_DIR, database["NAME"] if is_file else None):
            self.say(
                f"Other users of this machine can read {place}: it belongs to another account. chmod 700 it there."
            )

    def wait_until_all_answer(self, supervisor, host, port, started, patience):
        """Wait for the web server, the worker and the sweep; returns whether all answered before a signal came."""
        waiting_for = {
            "web server": lambda: answers(f"http://{bracketed(host)}:{port}/healthz"),
            "worker": lambda: has_beaten_since("worker", started),
            "sweep": lambda: has_beaten_since("sweep", started),
        }
        patient_until, ask_at, asked_at = time.monotonic() + patience, 0.0, None
        while waiting_for and not supervisor.stopping:
            supervisor.watch()
            if time.monotonic() >= ask_at:
                asked_at = ask_for_beat("worker", asked_at)
                ask_at = time.monotonic() + ASK_WORKER_EVERY
            waiting_for = {name: has_answered for name, has_answered in waiting_for.items() if not has_answered()}
            if time.monotonic() > patient_until:
                raise CommandError(f"No answer from the {' and the '.join(waiting_for)} after {patience} s. Stopping.")
            time.sleep(0.1)
        return not supervisor.stopping

    def greet(self, host, port):
        lines = ["", f"  Limelight runs at http://{bracketed(host)}:{port}/", ""]
        if settings.DEMO_ACCOUNTS and any_demo_account():
            lines.append("  Demo accounts (on this machine only):")
            lines += [f"    {account.username:<12} {account.password:<12} {account.role}" for account in ACCOUNTS]
            lines.append("")
        lines += [f"  {warning}\n" for warning in warnings()]
        lines.append("  Ctrl-C stops everything.")
        self.say("\n".join(lines))


def free_its_rows(child):
    """Let other workers have what a dead one held; if the database is away, the sweep does it later."""
    try:
        close_old_connections()
        free_dead_leases()
    except DatabaseError:
        logger.exception("Could not free the rows of the %s that ended.", child.name)


def any_demo_account():
    """Return whether the demo's accounts are in this database."""
    return Campaign.objects.filter(organisers__is_demo=True).exists()


def children(host, port):
    """Name the three processes of the embedded set-up."""
    python = sys.executable
    web = [python, "-m", "gunicorn", "config.wsgi", "--bind", f"{bracketed(host)}:{port}"]
    web += ["--workers", str(settings.WEB_PROCESSES), "--worker-class", "gthread"]
    web += ["--threads", str(settings.WEB_THREADS), "--timeout", "120"]
    web += ["--log-level", "warning", "--graceful-timeout", "3", "--no-control-socket"]
    web += ["--preload"]  # read the code once for all of them
    web += ["--forwarded-allow-ips", ""]  # whom to believe about https is decided by BEHIND_PROXY alone
    worker = [python, "-m", "celery", "--quiet", "-A", "config.celery", "worker", "--loglevel", "warning"]
    worker += ["--concurrency", str(settings.WORKER_PROCESSES), "--hostname", f"limelight-{port}@%h"]
    worker += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    return [
        Child("web server", web),
        Child("worker", worker),
        Child("sweep", [python, "manage.py", "sweep"]),
    ]


def bracketed(host):
    """Write an IPv6 address as addresses on the web do."""
    return f"[{host}]" if ":" in host else host


def refuse_taken_port(host, port):
    """Say so at once when something else already listens there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(
                f"Port {port} on {host} cannot be used ({error.strerror}). Stop what listens there, or choose another: "
                "PORT=8001 script/server"
            ) from error


def answers(address):
    """Return whether a web server answers at an address."""
    try:
        with urllib.request.urlopen(address, timeout=2) as response:  # noqa: S310 - our own address
            return response.status == 200
    except (urllib.error.URLError, OSError):
        return False
