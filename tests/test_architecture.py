"""The import rules of ARCHITECTURE.md, kept true."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from django.apps import apps

from limelight.kinds import BY_NAME, DOCUMENT
from tests.folders import ROOT

APPS = ("campaign", "assessments", "evaluation")
"""In the order of their imports: an app's models and services know those before it, never those after."""

LIBRARY = sorted((ROOT / "limelight").rglob("*.py"))
"""Plain Python on arrays: it knows neither the site nor what the site is made with."""

PLAIN = sorted(
    str(path.relative_to(ROOT))
    for pattern in (
        "campaign/addresses.py",
        "campaign/calendars.py",
        "campaign/citations.py",
        "campaign/timelines.py",
        "campaign/codes.py",
        "campaign/markdown.py",
        "campaign/task_defaults.py",
        "campaign/later.py",
        "campaign/valid_runs.py",
        "campaign/machinery/processes.py",
        "campaign/machinery/whole_files.py",
        "evaluation/cards.py",
        "evaluation/demo/accounts.py",
        "evaluation/demo/passages.py",
        "evaluation/demo/large/[!_l]*.py",
        "evaluation/__main__.py",
        "demo/*.py",
    )
    for path in ROOT.glob(pattern)
)
"""Modules of the site that do without Django: the library may not know them, everybody else may."""

PURE = [*(str(path.relative_to(ROOT)) for path in LIBRARY), *PLAIN]
PURE_NAMES = {path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in PURE}
LIBRARY_PACKAGES = {"numpy", "lxml", "tqdm", "yaml"}
# The demo makes its runs with a stemmer; descriptions are Markdown, and cards are drawn.
PURE_PACKAGES = LIBRARY_PACKAGES | {"Stemmer", "markdown_it", "PIL"}

SITE = sorted(path for app in APPS for path in (ROOT / app).rglob("*.py") if "migrations" not in path.parts)
MODULES = [*LIBRARY, *SITE]


def name_of(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def tree_of(path):
    return ast.parse(path.read_text())


@cache
def imports_of(path):
    """Return the modules that a file imports, at whatever depth."""
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names if is_module(node.module, alias.name)}
    return found


def is_module(package, name):
    base = ROOT / Path(*package.split("."))
    return (base / f"{name}.py").exists() or (base / name / "__init__.py").exists()


def layer(module):
    """Return an app's module's place between PURE and the outside."""
    part = module.split(".")[1] if "." in module else ""
    if module in PURE_NAMES:
        return "pure"
    if part == "machinery":
        return "machinery"
    if part in ("models", "fields", "apps"):
        return "models"
    if part == "services" or module.startswith("evaluation.demo"):
        return "services"
    if part == "tasks":
        return "tasks"
    return "outside"


def ours(modules):
    return {module for module in modules if module.split(".")[0] in APPS and module not in APPS}


def is_pure(module):
    """Return whether an import names a PURE module or something inside one."""
    return module in PURE_NAMES or module.rpartition(".")[0] in PURE_NAMES


def may_be_imported_by_pure(module):
    package = module.split(".")[0]
    if package in (*APPS, "demo", "limelight"):
        return module == package or is_pure(module)
    return package in sys.stdlib_module_names | PURE_PACKAGES


def test_pure_modules_import_only_what_is_pure():
    assert not [
        f"{path} imports {module}"
        for path in PURE
        for module in imports_of(ROOT / path)
        if not may_be_imported_by_pure(module)
    ]


def test_the_library_knows_nothing_of_the_site():
    allowed = sys.stdlib_module_names | LIBRARY_PACKAGES | {"limelight"}
    assert not [
        f"{name_of(path)} imports {module}"
        for path in LIBRARY
        for module in imports_of(path)
        if module.split(".")[0] not in allowed
    ]


def test_pure_modules_load_without_django():
    names = [name for name in sorted(PURE_NAMES) if not name.startswith("demo") and not name.endswith("__main__")]
    code = "import sys, importlib\n"
    code += f"for name in {names!r}: importlib.import_module(name)\n"
    code += "print([name for name in sys.modules if name.split('.')[0] in ('django', 'celery', 'kombu')])"

    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.stdout.strip() == "[]", done.stderr


def later_than(path):
    return APPS[APPS.index(name_of(path).split(".")[0]) + 1 :]


def test_an_app_knows_only_earlier_apps():
    assert not [
        f"{name_of(path)} imports {module}"
        for path in SITE
        for module in ours(imports_of(path))
        if module.split(".")[0] in later_than(path)
    ]


def words_of(path):
    """Return the attributes, keywords and strings of a module with the lines they stand on; docstrings are no code."""
    tree = tree_of(path)
    prose = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield node.attr, node.lineno
        elif isinstance(node, ast.keyword) and node.arg:
            yield node.arg, node.value.lineno
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in prose:
            yield node.value, node.lineno


def reverse_names(app):
    """Return the names that an app's models give to their rows on the models of earlier apps."""
    earlier = APPS[: APPS.index(app)]
    return {
        relation.get_accessor_name()
        for label in earlier
        for model in apps.get_app_config(label).get_models()
        for relation in model._meta.related_objects
        if relation.related_model._meta.app_label == app and not relation.hidden
    }


def test_no_reverse_name_points_to_a_later_app():
    assert "editions" in reverse_names("evaluation")
    assert "assessment_sets" in reverse_names("assessments")
    assert not [
        f"{name_of(path)}:{line} says {word}"
        for path in SITE
        for later in later_than(path)
        for word, line in words_of(path)
        if word.split("__")[0] in reverse_names(later)
    ]


def test_no_name_in_quotes_points_to_a_later_app():
    assert not [
        f"{name_of(path)}:{line} says {word}"
        for path in SITE
        for word, line in words_of(path)
        if re.match(rf"({'|'.join(later_than(path)) or 'nothing'})\.\w", word)
    ]


def test_imports_inside_and_between_apps_go_one_way():
    allowed = {
        "pure": {"pure"},
        "machinery": {"pure", "machinery"},
        "models": {"pure", "machinery", "models"},
        "services": {"pure", "machinery", "models", "services"},
        "tasks": {"pure", "machinery", "models", "services"},
        "outside": {"pure", "machinery", "models", "services", "outside"},
    }
    assert not [
        f"{name_of(path)} ({layer(name_of(path))}) imports {module}"
        for path in SITE
        for module in ours(imports_of(path))
        if not is_pure(module) and layer(module) not in allowed[layer(name_of(path))]
    ]


def test_nothing_imports_tasks():
    for path in MODULES:
        assert not imports_of(path) & {f"{app}.tasks" for app in APPS}, f"{name_of(path)} imports tasks"


LEASE_COLUMNS = {"state_since", "attempts", "held_by", "held_until", "woken_at", "failure", "failure_reference"}
"""What `campaign.machinery` alone may write; of `token` and `state` other tables have some, too."""

WRITING = {"update", "create", "bulk_create", "bulk_update", "get_or_create", "update_or_create", "save"}
WRITING |= {"finish", "note", "enqueue", "requeue", "take_away"}


def columns_written(node):
    """Return the names that a piece of code writes: by assignment, in a writing call, or in a dictionary."""
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        return {node.attr}
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WRITING:
        return {keyword.arg for keyword in node.keywords}
    if isinstance(node, ast.Dict):
        return {key.value for key in node.keys if isinstance(key, ast.Constant)}
    return set()


def test_leases_are_written_by_the_machinery_alone():
    assert not [
        f"{name_of(path)}, line {node.lineno}: {sorted(written)}"
        for path in SITE
        if layer(name_of(path)) != "machinery"
        for node in ast.walk(tree_of(path))
        if (written := columns_written(node) & LEASE_COLUMNS)
    ]


THEMES = {
    "evaluation/services/test_board_choices.py",
    "limelight/commandline/test_as_is.py",
    "limelight/commandline/test_check_and_others.py",
    "limelight/commandline/test_topics_and_moved.py",
    "limelight/commandline/test_wrong_files.py",
    "limelight/face/test_face.py",
    "limelight/formats/runs/test_absent_rsv.py",
    "limelight/formats/test_damaged_files.py",
    "limelight/formats/test_files_by_fault.py",
    "limelight/formats/test_growth.py",
    "limelight/formats/test_hostile_files.py",
    "limelight/measures/test_paper_numbers.py",
    "limelight/measures/test_reference.py",
    "limelight/rules/test_growth.py",
    "limelight/scoring/test_score_order.py",
    "campaign/api/test_reading.py",
    "campaign/services/runs/test_dry_run.py",
    "campaign/services/runs/test_known_lengths.py",
    "campaign/services/runs/test_other_kinds.py",
    "campaign/services/runs/test_submission_keys.py",
    "campaign/services/telling/test_mailing_gathered.py",
    "campaign/services/visibility/test_doors.py",
    "campaign/views/test_submit_page.py",
    "assessments/services/test_import_notices.py",
    "assessments/test_import_command.py",
    "evaluation/services/test_assessment_kinds.py",
    "evaluation/services/test_axes.py",
    "evaluation/services/test_changed_boards.py",
    "evaluation/services/test_collection_versions.py",
    "evaluation/services/test_document_tasks.py",
    "evaluation/services/test_every_kind.py",
    "evaluation/services/test_looks.py",
    "evaluation/services/test_official_measure.py",
    "evaluation/services/test_warnings.py",
    "evaluation/services/test_zeros.py",
    "evaluation/views/test_reports.py",
    "config/test_forwarded.py",
    "config/test_serve.py",
}
"""Tests that are about more than one module: they are named for what they try."""


def test_a_test_module_mirrors_a_module_or_names_its_theme():
    mirrored = [ROOT / "tests" / app for app in ("limelight", *APPS, "config")]
    strays = set()
    for path in (path for folder in mirrored for path in folder.rglob("test_*.py")):
        place = path.relative_to(ROOT / "tests")
        module = ROOT / place.with_name(place.name.removeprefix("test_"))
        if not module.exists() and not module.with_suffix("").is_dir():
            strays.add(str(place))
    assert strays == THEMES


def test_no_test_module_imports_another():
    assert not [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in (ROOT / "tests").rglob("*.py")
        for module in imports_of(path)
        if re.match(r"tests\..*\btest_\w+$", module)
    ]


@pytest.mark.parametrize("app", APPS)
def test_an_app_s_init_stays_empty(app):
    assert (ROOT / app / "__init__.py").read_text() == ""


def test_no_import_stands_inside_a_function():
    must_start_fast = {path for path in MODULES if "commandline" in path.parts or path.name == "__main__.py"}
    assert not [
        f"{name_of(path)}.{node.name} imports inside"
        for path in MODULES
        if path not in must_start_fast
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and any(isinstance(inner, ast.Import | ast.ImportFrom) for inner in ast.walk(node))
    ]


def test_no_module_has_grown_past_reading():
    lengths = {name_of(path): len(path.read_text().splitlines()) for path in MODULES}
    assert not {name: lines for name, lines in lengths.items() if lines > 330}, "split these by noun"


def test_names_come_from_the_domain():
    forbidden = {"utils", "helpers", "manager", "managers", "misc", "common", "info", "data"}
    assert not [name_of(path) for path in MODULES if set(name_of(path).split(".")) & forbidden]


NAMES_KINDS = {"limelight.kinds", "bench.contenders", "bench.formats", "demo.make_runs"}
"""The table itself, and the scripts that make and measure runs of a kind they name."""


def words_in(node):
    return {inner.value for inner in ast.walk(node) if isinstance(inner, ast.Constant) and isinstance(inner.value, str)}


def compares_a_kind(node):
    """Return whether something called a kind is compared with, or given as, a name that stands there as text."""
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        return any(ast.unparse(side).endswith("kind") for side in sides) and any(
            words_in(s) & set(BY_NAME) for s in sides
        )
    return isinstance(node, ast.keyword) and node.arg in ("kind", "kind__in") and bool(words_in(node) & set(BY_NAME))


def test_kinds_of_tasks_stand_in_one_table():
    """`document` is a kind of result and a column as well: it is looked for where a kind is meant."""
    scripts = [*(ROOT / "config").rglob("*.py"), *(ROOT / "bench").rglob("*.py"), *(ROOT / "demo").rglob("*.py")]
    assert not [
        f"{name_of(path)}:{node.lineno} names a kind of task: ask limelight.kinds"
        for path in [*MODULES, *scripts]
        if name_of(path) not in NAMES_KINDS
        for node in ast.walk(tree_of(path))
        if (isinstance(node, ast.Constant) and node.value in BY_NAME.keys() - {DOCUMENT}) or compares_a_kind(node)
    ]


def test_templates_compare_no_kind_of_task():
    templates = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "static").rglob("*.js")]
    compared = re.compile(rf"kind\W*(==|!=|in)\W*[\"']?({'|'.join(BY_NAME)})\b")
    assert not [str(path) for path in templates if compared.search(path.read_text())]


PERMISSIONS = ROOT / "campaign" / "services" / "permissions"


def test_permissions_know_kinds_without_their_measures():
    paths = sorted(PERMISSIONS.glob("*.py"))
    assert paths
    assert not [path for path in paths if "limelight.scoring.evaluators" in imports_of(path)]


def test_pages_read_numbers_in_one_way():
    """`limelight.formats.fields.whole_number` knows what a database can hold and which digits are digits."""
    pages = [path for path in SITE if {"views", "api"} & set(path.parts)]
    assert pages
    assert not [name_of(path) for path in pages if re.search(r"\.is(digit|decimal|numeric)\(", path.read_text())]


def test_what_people_may_do_is_decided_in_one_package():
    assert not [
        f"{name_of(path)}.{node.name} decides who may do something: its place is campaign.services.permissions"
        for path in SITE
        if path.parent != PERMISSIONS
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef) and node.name.removeprefix("_").startswith("may_")
    ]


def deeds():
    """Return the public functions of services that say who acts, by their full names."""
    return {
        f"{name_of(path)}.{node.name}": node.args
        for path in SITE
        if layer(name_of(path)) == "services"
        for node in tree_of(path).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
        if {"by", "actor", "through"} & parameters_of(node.args)
    }


def parameters_of(args):
    return {one.arg for one in (*args.posonlyargs, *args.args, *args.kwonlyargs)}


def test_deeds_have_one_shape():
    """The line in the trail is no deed: it tells of one, and says first whose campaign, what and to what."""
    found = deeds()
    assert len(found) > 60
    assert not [
        f"{name}: write it as deed(subject, *, by, …)"
        for name, args in found.items()
        if "by" not in {one.arg for one in args.kwonlyargs}
        or parameters_of(args) & {"user", "actor", "through"}
        or (len(args.posonlyargs) + len(args.args) > 1 and name != "campaign.services.telling.trail.record")
    ]
