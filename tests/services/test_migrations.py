"""Migrations that fill what is there already, on both databases, one after the other in their order."""

import pytest

from tests.services.site import Site

pytestmark = [pytest.mark.services, pytest.mark.slow]

BEFORE = """
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

def go_back(app, ending):
    executor = MigrationExecutor(connection)
    [new] = [key for key in executor.loader.graph.nodes if key[0] == app and key[1].endswith(ending)]
    before = [node.key for node in executor.loader.graph.node_map[new].parents]
    executor.migrate(before)
    loader = MigrationExecutor(connection).loader
    return new, loader.project_state([key for key in loader.applied_migrations if key in loader.graph.nodes]).apps

def go_on(new):
    MigrationExecutor(connection).migrate([new])
    return MigrationExecutor(connection).loader.project_state([new]).apps

def rows(statement):
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchall()

def track_of(model, slug):
    made = model("Campaign").objects.create(slug=slug, name="Old", year=2008)
    return model("Track").objects.create(campaign=made, slug="t", name="T")

def task_of(model, track, slug="t"):
    times = {"opens_at": timezone.now(), "closes_at": timezone.now().replace(year=2099)}
    return model("Task").objects.create(track=track, slug=slug, name=slug, kind="focused", **times)

FILE = {"file_name": "f", "sha256": "0", "size": 1, "stored_file": "f", "state_since": timezone.now()}
"""

CODES = (
    BEFORE
    + """
new, apps = go_back("campaign", "a_code_for_each_run")
model = lambda name: apps.get_model("campaign", name)
task = task_of(model, track_of(model, "codes"))
team = model("Team").objects.create(slug="old", name="Old")
model("Run").objects.bulk_create(model("Run")(task=task, team=team, name=f"run-{n}", **FILE) for n in range(1500))
go_on(new)
codes = [code for code, in rows(f"SELECT code FROM campaign_run WHERE task_id = {task.pk} ORDER BY id")]
in_order = codes in (sorted(codes), sorted(codes)[::-1])
print(json.dumps([len(codes), len(set(codes)), sorted({len(code) for code in codes}), in_order]))
"""
)

PSEUDONYMS = (
    BEFORE
    + """
new, apps = go_back("campaign", "a_pseudonym_for_each_team")
model = lambda name: apps.get_model("campaign", name)
track = track_of(model, "pseudonyms")
first, second = task_of(model, track, "first"), task_of(model, track, "second")
teams = [model("Team").objects.create(slug=f"t{n}", name=f"T{n}") for n in range(40)]
submitted = [(first, team) for team in teams[1:]] + [(second, team) for team in teams[:3]] + [(first, teams[1])]
for number, (task, team) in enumerate(submitted):
    model("Run").objects.create(task=task, team=team, name=f"run-{number}", code=f"c{number}", **FILE)
model("Pseudonym").objects.create(task=first, team=teams[1], name="Team KEPT")
go_on(new)
tasks = f"{first.pk}, {second.pk}"
named = rows(f"SELECT task_id, team_id, name FROM campaign_pseudonym WHERE task_id IN ({tasks})")
kept = [name for task, team, name in named if (task, team) == (first.pk, teams[1].pk)]
counts = [sum(task == one.pk for task, _, _ in named) for one in (first, second)]
print(json.dumps([counts, len({(task, name) for task, _, name in named}), kept]))
"""
)

VERSIONS = (
    BEFORE
    + """
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
new, apps = go_back("assessments", "what_is_known_of_a_version")
track = track_of(lambda name: apps.get_model("campaign", name), "versions")
topics = {n: apps.get_model("campaign", "Topic").objects.create(track=track, number=n, position=1) for n in "1234"}
sets, judgements = (apps.get_model("assessments", name).objects for name in ("AssessmentSet", "Judgement"))
xml = default_storage.save("assessments/x", ContentFile(b"<assessments></assessments>"))
lines = default_storage.save("assessments/l", ContentFile(b"3 Q0 a 5 200 0 0:5"))
counts = dict.fromkeys(("topic_count", "judgement_count", "relevant_count", "highlighted_characters"), 0)

def version(number, stored_file, **fields):
    file = {"file_name": "f", "sha256": "0", "stored_file": stored_file}
    return sets.create(track=track, version=number, **file, **counts, **fields)

first = version(1, lines)
judged = [("3", "a", 5), ("3", "b", 0), ("2", "a", 0), ("2", "b", 7), ("4", "a", 0), ("1", "a", 1)]
for topic, document, highlighted in judged:
    judgements.create(assessment_set=first, topic=topics[topic], document=document, highlighted=highlighted)
version(2, xml)
version(3, xml, merged_into=first)
grades = version(4, lines, content="grades")
for topic, grade in [("4", 0), ("2", 1), ("4", 2)]:
    document = f"{topic}{grade}"
    judgements.create(assessment_set=grades, topic=topics[topic], document=document, highlighted=0, grade=grade)
version(5, "gone", content="elements")
version(6, "gone", axis="sizes")
version(7, "gone")
go_on(new)
kept = rows("SELECT version, was_xml, topic_numbers FROM assessments_assessmentset ORDER BY version")
print(json.dumps([[n, bool(xml), json.loads(t) if isinstance(t, str) else t] for n, xml, t in kept]))
"""
)

SWITCHED = (
    BEFORE
    + """
new, apps = go_back("campaign", "when_runs_become_visible")
model = lambda name: apps.get_model("campaign", name)
key = track_of(model, "switched").pk
task_of(model, model("Track").objects.get(pk=key), "old")
apps = go_on(new)
task_of(model, model("Track").objects.get(pk=key), "new")
print(json.dumps(dict(rows(f"SELECT slug, runs_visible FROM campaign_task WHERE track_id = {key}"))))
"""
)


@pytest.fixture(scope="module", params=["embedded", "grown-up"])
def unmigrated_site(request, tmp_path_factory):
    """Return a site with an empty database: going through all migrations takes five seconds."""
    site = Site(tmp_path_factory.mktemp(f"unmigrated-{request.param}"), request.param)
    yield site
    site.end()


def test_runs_that_are_there_already_get_a_code_each_in_no_order(unmigrated_site):
    assert unmigrated_site.python(CODES) == [1500, 1500, [10], False]


def test_teams_that_have_runs_already_get_a_pseudonym_in_each_task(unmigrated_site):
    assert unmigrated_site.python(PSEUDONYMS) == [[39, 3], 42, ["Team KEPT"]]


def test_versions_that_are_there_already_know_their_topics_and_whether_they_were_xml(unmigrated_site):
    """In the order of the assessments, without the topic that nothing is relevant for; a file may be gone."""
    assert unmigrated_site.python(VERSIONS) == [
        [1, False, ["3", "2", "1"]],
        [2, True, []],
        [3, False, []],
        [4, False, ["4", "2"]],
        [5, True, []],
        [6, True, []],
        [7, False, []],
    ]


def test_tasks_that_are_there_already_show_nobody_what_runs_returned(unmigrated_site):
    assert unmigrated_site.python(SWITCHED) == {"old": "never", "new": "at-publication"}
