"""How the tests are run: `pytest` alone is the quick run, and two processes share what takes long.

Whoever names files, marks or words has chosen, and gets all that they chose. `script/test` runs everything.
"""

import pytest
from xdist.scheduler import LoadFileScheduling

SLOW = ("browser", "services", "slow")
QUICK = " and ".join(f"not {mark}" for mark in SLOW)
PROCESSES = 2
BROWSER = "tests/browser/"


def pytest_addoption(parser):
    """Let `script/test` say that it means all of them."""
    parser.addoption("--everything", action="store_true", help="run all tests, also the slow ones")


@pytest.hookimpl(wrapper=True)
def pytest_cmdline_main(config):
    """Choose for those who have not, before the processes are started."""
    choose(config)
    return (yield)


def choose(config):
    """Make it the quick run, unless somebody chose; its processes choose alike, but start no others."""
    chosen = config.option
    is_own_choice = config.args_source is config.ArgsSource.ARGS or chosen.markexpr or chosen.keyword
    if is_own_choice or chosen.everything:
        return
    chosen.markexpr = QUICK
    if chosen.numprocesses is None and not chosen.usepdb and not hasattr(config, "workerinput"):
        chosen.numprocesses = PROCESSES


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Begin with what takes longest, so that both processes end together."""
    if hasattr(config, "workerinput"):
        items.sort(key=_place)


def _place(item):
    return next((place for place, mark in enumerate(SLOW) if item.get_closest_marker(mark)), len(SLOW))


class FilesInTurn(LoadFileScheduling):
    """Hands out files in their order; those of the browser as one, since they share a site and a Chromium."""

    def _split_scope(self, nodeid):
        return BROWSER if nodeid.startswith(BROWSER) else super()._split_scope(nodeid)


@pytest.hookimpl
def pytest_xdist_make_scheduler(config, log):
    """Schedule `--dist loadfile`."""
    if config.option.dist != "loadfile":
        return None
    config.option.loadscopereorder = False
    return FilesInTurn(config, log)
