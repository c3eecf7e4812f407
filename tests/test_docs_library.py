"""docs/library.md can't fall behind: its examples run, and every public name has a heading."""

import ast
import doctest
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import limelight

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "library.md"
FUNCTIONS = [name for name in limelight.__all__ if inspect.isfunction(getattr(limelight, name))]


def headings():
    return re.findall(r"^### `(\w+)`$", PAGE.read_text(), re.MULTILINE)


def section(name):
    return PAGE.read_text().partition(f"### `{name}`\n")[2].partition("\n##")[0]


def test_the_examples_run_as_they_stand(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    without_fences = re.sub(r"^```.*$", "", PAGE.read_text(), flags=re.MULTILINE)
    examples = doctest.DocTestParser().get_doctest(without_fences, {}, PAGE.name, str(PAGE), 0)

    done = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(examples)

    assert done.failed == 0
    assert done.attempted > 40


def test_every_public_name_has_a_heading_and_every_heading_a_name():
    assert sorted(headings()) == sorted(limelight.__all__)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_is_written_with_every_argument_and_its_default(name):
    signature = inspect.signature(getattr(limelight, name))
    bare = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()]
    written = str(signature.replace(parameters=bare, return_annotation=inspect.Signature.empty)).replace("'", '"')

    assert f"`limelight.{name}{written}`" in " ".join(section(name).split())


def test_type_checkers_and_python_see_the_same_names():
    tree = ast.parse((ROOT / "limelight" / "__init__.py").read_text())
    [checked] = [node for node in tree.body if isinstance(node, ast.If) and isinstance(node.body[0], ast.ImportFrom)]
    seen = {alias.asname: f"{node.module}.{alias.name}" for node in checked.body for alias in node.names}

    assert seen == {name: f"limelight.{home}.{name}" for name, home in limelight._HOMES.items()}


def test_importing_the_library_loads_nothing_slow():
    code = "import sys, limelight, limelight.__main__; print({'numpy', 'lxml'} & {*sys.modules})"

    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "set()"


def test_a_name_that_does_not_exist_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'limelight' has no attribute 'scroe'"):
        limelight.scroe  # noqa: B018
