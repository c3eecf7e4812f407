"""The documents say what is so."""

import re
from collections import Counter

import pytest

from tests.folders import ROOT

PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


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


DECISIONS = sorted(page for page in (ROOT / "docs" / "decisions").glob("*.md") if page.name != "README.md")


@pytest.mark.parametrize("page", DECISIONS, ids=lambda page: page.name[:4])
def test_a_decision_has_a_number_one_title_and_a_date(page):
    title, date, _ = page.read_text().split("\n\n", 2)

    assert re.fullmatch(r"\d{4}-[a-z0-9-]+\.md", page.name)
    assert re.fullmatch(r"# .*[^.]", title)
    assert len(re.findall(r"^# ", page.read_text(), re.MULTILINE)) == 1
    assert re.fullmatch(r"Decided 20\d\d-\d\d-\d\d\.( Superseded by \[\d{4}\].*\.)?", date)


def test_no_two_decisions_share_a_number():
    numbers = Counter(page.name[:4] for page in DECISIONS)

    assert [number for number, times in numbers.items() if times > 1] == []


def test_the_index_lists_every_decision_in_order_with_its_title():
    index = (ROOT / "docs" / "decisions" / "README.md").read_text()
    titles = {page: page.read_text().splitlines()[0].removeprefix("# ") for page in DECISIONS}

    listed = re.findall(r"^- (\d{4} \[.*\]\(.*?\))", index, re.MULTILINE)

    assert listed == [f"{page.name[:4]} [{title}]({page.name})" for page, title in titles.items()]


def test_the_scripts_that_others_call_are_there_and_can_be_run():
    for name in ("script/server", "script/test", "script/lint", "script/setup", "script/bench", ".ci/run", "manage.py"):
        assert (ROOT / name).exists(), name
        if name != "manage.py":
            assert (ROOT / name).stat().st_mode & 0o111, f"{name} cannot be run"
