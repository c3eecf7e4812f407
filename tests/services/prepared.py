"""Sites that begin as others: each is prepared once a test run for each set-up, and copied from then on."""

import fcntl
import os
import shutil
from pathlib import Path

from tests.services.site import Site, create_database

TABLES = """
import io
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("createcachetable", verbosity=0)
"""
COMMANDS = {"empty": TABLES, "demo": f"{TABLES}call_command('demo', stdout=io.StringIO())\n"}


def site_with_demo(folder, setting_up):
    """Return a site that has yet to be started, with the demo in its folder and database."""
    return _copy_of("demo", folder, setting_up)


def site_without_demo(folder, setting_up="embedded"):
    """Return a site that has yet to be started with `--no-demo`: its tables are made, and empty."""
    return _copy_of("empty", folder, setting_up)


def _copy_of(name, folder, setting_up):
    site = Site(folder, setting_up)
    prepared = _prepared(name, setting_up)
    shutil.copytree(prepared, folder, dirs_exist_ok=True)
    if setting_up == "grown-up":
        create_database(site.database, template=(prepared / "template").read_text())
    return site


def _prepared(name, setting_up):
    """Return the folder of a site that has been made; the first process to ask makes it."""
    folder = Path(os.environ["LIMELIGHT_TEST_FOLDER"]) / f"prepared-{name}-{setting_up}"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            _prepare(folder, name, setting_up)
    return folder


def _prepare(folder, name, setting_up):
    """Make a site: one by its first start, as a newcomer does, the others by the commands that a first start runs."""
    in_the_making = folder.with_suffix(".making")
    shutil.rmtree(in_the_making, ignore_errors=True)
    in_the_making.mkdir()
    site = Site(in_the_making, setting_up)
    if (name, setting_up) == ("demo", "embedded"):
        site.start()
    else:
        site.python(COMMANDS[name])
    site.stop()
    site.log.unlink(missing_ok=True)
    if setting_up == "grown-up":
        (in_the_making / "template").write_text(site.database)
    in_the_making.rename(folder)
