"""Migrations that fill what is there already, on both databases."""

import pytest

from tests.services.site import Site

pytestmark = [pytest.mark.services, pytest.mark.slow]

CODES = """
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

executor = MigrationExecutor(connection)
[new] = [key for key in executor.loader.graph.nodes if key[0] == "campaign" and key[1].endswith("a_code_for_each_run")]
before = [key for key in executor.loader.graph.node_map[new].parents]
executor.migrate(before)
apps = executor.loader.project_state([key.key for key in before]).apps
model = lambda name: apps.get_model("campaign", name)
now = timezone.now()
made = model("Campaign").objects.create(slug="old", name="Old", year=2008)
track = model("Track").objects.create(campaign=made, slug="t", name="T")
times = {"opens_at": now, "closes_at": now.replace(year=2099)}
task = model("Task").objects.create(track=track, slug="t", name="T", kind="focused", **times)
team = model("Team").objects.create(slug="old", name="Old")
file = {"file_name": "f", "sha256": "0", "size": 1, "stored_file": "f", "state_since": now}
model("Run").objects.bulk_create(model("Run")(task=task, team=team, name=f"run-{n}", **file) for n in range(1500))
MigrationExecutor(connection).migrate([new])
with connection.cursor() as cursor:
    cursor.execute("SELECT code FROM campaign_run ORDER BY id")
    codes = [code for code, in cursor.fetchall()]
in_order = codes in (sorted(codes), sorted(codes)[::-1])
print(json.dumps([len(codes), len(set(codes)), sorted({len(code) for code in codes}), in_order]))
"""


@pytest.mark.parametrize("setting_up", ["embedded", "grown-up"])
def test_runs_that_are_there_already_get_a_code_each_in_no_order(tmp_path, setting_up):
    assert Site(tmp_path, setting_up).python(CODES) == [1500, 1500, [10], False]
