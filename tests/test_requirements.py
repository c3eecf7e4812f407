"""Every requirement is pinned, installed as pinned and named once; the library asks for no more than the site pins."""

import importlib.metadata
import re
import tomllib
from collections import Counter

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.folders import ROOT

SITE, TESTS, BENCH = "requirements.txt", "requirements-dev.txt", "requirements-bench.txt"


def named_in(file):
    lines = (ROOT / file).read_text().splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


def version_of(requirement):
    (pin,) = requirement.specifier
    return pin.version


def brought_along_by(requirement):
    for line in importlib.metadata.requires(requirement.name) or ():
        brought = Requirement(line)
        extras = requirement.extras or {""}
        if brought.marker is None or any(brought.marker.evaluate({"extra": extra}) for extra in extras):
            yield brought


@pytest.mark.parametrize("file", [SITE, TESTS, BENCH])
def test_every_requirement_is_pinned(file):
    for requirement in named_in(file):
        assert [pin.operator for pin in requirement.specifier] == ["=="], requirement
        assert "*" not in str(requirement.specifier), requirement


@pytest.mark.parametrize("file", [SITE, TESTS])
def test_every_requirement_is_installed_as_pinned(file):
    for requirement in named_in(file):
        assert importlib.metadata.version(requirement.name) == version_of(requirement), requirement


def test_every_requirement_is_named_once():
    names = Counter(canonicalize_name(one.name) for file in (SITE, TESTS, BENCH) for one in named_in(file))

    assert [name for name, times in names.items() if times > 1] == []


def test_what_a_requirement_brings_along_is_pinned_too():
    named = {canonicalize_name(one.name): one for file in (SITE, TESTS) for one in named_in(file)}

    for requirement in named.values():
        for brought in brought_along_by(requirement):
            assert canonicalize_name(brought.name) in named, f"{requirement.name} brings {brought.name} along"


def test_the_library_takes_what_the_site_pins():
    pinned = {canonicalize_name(one.name): version_of(one) for one in named_in(SITE)}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    for line in project["dependencies"]:
        wanted = Requirement(line)
        assert pinned[canonicalize_name(wanted.name)] in wanted.specifier, line


def test_the_version_stands_in_one_place():
    sources = [*ROOT.glob("*.toml"), *ROOT.glob("*.py"), *ROOT.glob("[a-z]*/**/*.py")]
    stated = re.compile(r"^\s*(__version__|version|VERSION)\s*=\s*[\"']\d+\.\d", re.MULTILINE)

    stating = [str(path.relative_to(ROOT)) for path in sources if stated.search(path.read_text())]

    assert stating == ["limelight/__init__.py"]
