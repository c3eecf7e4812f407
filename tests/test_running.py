"""Which tests are run when nobody says which, and in which order two processes take them."""

import os
import sys
from types import SimpleNamespace

import pytest

from tests.running import BROWSER, QUICK, FilesInTurn, choose

ArgsSource = pytest.Config.ArgsSource


def config(args_source=ArgsSource.TESTPATHS, **chosen):
    nothing = {"markexpr": "", "keyword": "", "everything": False, "numprocesses": None, "usepdb": False}
    return SimpleNamespace(ArgsSource=ArgsSource, args_source=args_source, option=SimpleNamespace(**nothing | chosen))


def test_pytest_alone_is_the_quick_run_on_two_processors():
    alone = config()

    choose(alone)

    assert alone.option.markexpr == QUICK == "not browser and not services and not slow"
    assert alone.option.numprocesses == 2


@pytest.mark.parametrize(
    "chosen",
    [{"args_source": ArgsSource.ARGS}, {"markexpr": "slow"}, {"keyword": "pools"}, {"everything": True}],
    ids=lambda chosen: next(iter(chosen)),
)
def test_whoever_chose_gets_what_they_chose(chosen):
    found, before = config(**chosen), config(**chosen)

    choose(found)

    assert found == before


def test_a_process_of_the_quick_run_takes_the_same_tests_and_starts_no_others():
    process = config()
    process.workerinput = {}

    choose(process)

    assert (process.option.markexpr, process.option.numprocesses) == (QUICK, None)


def test_somebody_who_debugs_stays_in_one_process():
    debugged = config(usepdb=True)

    choose(debugged)

    assert (debugged.option.markexpr, debugged.option.numprocesses) == (QUICK, None)


def test_the_browser_s_files_are_one_piece_of_work():
    scope_of = object.__new__(FilesInTurn)._split_scope

    assert scope_of(f"{BROWSER}test_a.py::test_one") == scope_of(f"{BROWSER}test_b.py::test_two")
    assert scope_of("tests/test_a.py::test_one") != scope_of("tests/test_b.py::test_one")


def test_modules_are_compiled_once_and_not_by_each_process():
    assert not sys.dont_write_bytecode
    assert "PYTHONDONTWRITEBYTECODE" not in os.environ
