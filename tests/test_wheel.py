"""The library by itself: built as a wheel, installed without the site, it scores with the same digits."""

import json
import shutil
import subprocess
import sys

import pytest

import limelight
from evaluation.__main__ import main
from evaluation.demo.passages import highlight_lines
from limelight.text.documents import read_document
from tests.folders import ROOT

pytestmark = pytest.mark.slow


DEMO = ROOT / "demo"
RUNS = [DEMO / "runs" / f"{name}.txt" for name in ("argand_par-bm25", "argand_par-article")]


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Build the wheel from what git keeps of the library, and install it into an environment with nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT / "limelight", folder / "source" / "limelight", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder / "source")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", folder, folder / "source"], check=True)
    subprocess.run([sys.executable, "-m", "venv", folder / "empty"], check=True)
    [wheel] = folder.glob("*.whl")
    python = folder / "empty" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", wheel], check=True)
    return folder / "empty" / "bin"


@pytest.fixture(scope="module")
def assessments(tmp_path_factory):
    """Write the demo's assessments, which are kept by words, with offsets."""
    texts = {}
    for file in (DEMO / "collection").glob("*.xml"):
        with file.open("rb") as stream:
            texts[file.stem] = read_document(stream, file.stem).text
    lines = [line for file in sorted((DEMO / "assessments").glob("*.toml")) for line in highlight_lines(file, texts)]
    target = tmp_path_factory.mktemp("assessments") / "demo.qrels"
    target.write_text("\n".join(lines) + "\n")
    return target


def told(*command, code=0):
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
    assert done.returncode == code, done.stderr
    return done.stdout


def test_the_environment_has_no_django_and_no_site(installed):
    for module in ("django", "celery", "campaign", "evaluation"):
        told(installed / "python", "-c", f"import {module}", code=1)


@pytest.mark.parametrize("kind", ["focused", "thorough", "relevant-in-context"])
def test_the_wheel_scores_with_the_same_digits(installed, assessments, capsys, kind):
    arguments = ["score", "--task", kind, "--measures", "all", "--per-topic", "--as-is", "--format", "json"]
    files = [str(assessments), *map(str, RUNS)]

    alone = told(installed / "limelight", *arguments, *files)

    assert main([*arguments, *files]) == 0
    assert json.loads(alone) == json.loads(capsys.readouterr().out)


FACE = """
import json, sys, limelight
kind, assessments, *runs = sys.argv[1:]
scores = limelight.score(assessments, runs, task=kind, measures="all", as_is=True)
limelight.correlate(scores)
means = {name: run.means for name, run in scores.items()}
print(json.dumps({"means": means, "tiers": limelight.compare(scores).tiers}))
"""


@pytest.mark.parametrize("kind", ["focused", "relevant-in-context"])
def test_the_face_scores_from_the_wheel_with_the_same_digits(installed, assessments, kind):
    alone = json.loads(told(installed / "python", "-c", FACE, kind, str(assessments), *map(str, RUNS)))

    scores = limelight.score(assessments, RUNS, task=kind, measures="all", as_is=True)
    assert alone["means"] == {name: run.means for name, run in scores.items()}
    assert alone["tiers"] == limelight.compare(scores).tiers


def test_the_wheel_says_that_it_is_annotated(installed):
    code = "import pathlib, limelight; print((pathlib.Path(limelight.__file__).parent / 'py.typed').exists())"

    assert told(installed / "python", "-c", code) == "True\n"


def test_the_command_knows_its_name_and_checks(installed):
    assert told(installed / "limelight", "--help").startswith("usage: limelight ")
    assert "keeps the rules" in told(installed / "limelight", "check", "--task", "focused", str(RUNS[0]))
