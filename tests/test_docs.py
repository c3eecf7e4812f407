"""The documents say what is so."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text()):
        assert not target.startswith("http"), f"{target} is outside"
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_architecture_names_every_folder_and_only_folders_that_exist():
    text = (ROOT / "ARCHITECTURE.md").read_text()
    folders = {
        path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".") and path.name != "var"
    }

    assert not [folder for folder in folders if f"`{folder}/" not in text]
    for named in re.findall(r"^\| `([\w./]+)`", text, re.MULTILINE):
        if "/" in named:
            assert (ROOT / named).exists(), named


def test_every_decision_is_numbered_and_titled():
    for page in (ROOT / "docs" / "decisions").glob("0*.md"):
        assert re.fullmatch(r"\d{4}-[a-z0-9-]+\.md", page.name)
        assert page.read_text().startswith("# ")


def test_the_scripts_that_others_call_are_there_and_can_be_run():
    for name in ("script/server", "script/test", "script/lint", "script/setup", "script/bench", ".ci/run", "manage.py"):
        assert (ROOT / name).exists(), name
        if name != "manage.py":
            assert (ROOT / name).stat().st_mode & 0o111, f"{name} cannot be run"
