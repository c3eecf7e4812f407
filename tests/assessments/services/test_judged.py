"""Pools and what a version of the assessments has judged: told, and left out where that is asked."""

import io

import pytest
from django.core.management import CommandError, call_command

from assessments.models import Pool
from assessments.services.judged import judged_in_pools, judged_pairs
from assessments.services.pool_summaries import summarise
from assessments.services.pools import make_pool
from campaign.models import TrailEntry
from campaign.services.refusals import Refused
from limelight.analysis.pooling import pool_runs
from tests.assessment_files import GRADED, QRELS
from tests.limelight.builders import run_columns
from tests.pages import source_of

pytestmark = pytest.mark.slow

DESK = "/desk/campaigns/small/pools/"
JUDGED = b"1 Q0 a 50 200 0 0:50\n1 Q0 c 0 200\n2 Q0 a 20 200 100 100:20\n"
"""Of pool 1 (topic 1: a, c, d, b; topic 2: c; topic 3: one) two documents."""


@pytest.fixture
def version(world):
    return world.import_assessments(JUDGED)


def test_a_pool_without_some_documents_keeps_who_brought_the_others():
    columns = [
        ("x", run_columns({"1": [("a", 0, 5), ("b", 0, 5)], "2": [("a", 0, 5)]})),
        ("y", run_columns({"1": [("b", 3, 5), ("c", 0, 5)]})),
    ]
    pooled = pool_runs(columns, 10, ["1", "2"])

    rest = pooled.only(~pooled.judged({("1", "a"), ("2", "b")}))

    assert [(rest.topics[t], rest.documents[d]) for t, d in zip(rest.topic, rest.document, strict=True)] == [
        ("1", "b"),
        ("1", "c"),
        ("2", "a"),
    ]
    assert rest.sizes.tolist() == [2, 1]
    assert (rest.run_sizes.tolist(), rest.unique_of_runs.tolist()) == ([2, 2], [1, 1])
    assert rest.shared().tolist() == [[2, 1], [1, 2]]
    assert rest.parts() == [[[0, 5], [3, 5]], [[0, 5]], [[0, 5]]]


@pytest.mark.parametrize("content", [JUDGED, QRELS, GRADED], ids=["highlights", "grades", "elements"])
def test_every_kind_of_assessments_tells_what_it_judged(world, pool, content):
    version = world.import_assessments(content)

    pairs = judged_pairs(version)

    assert ("1", "a") in pairs
    wanted = sum((row.topic.number, row.document) in pairs for row in pool.documents.select_related("topic"))
    assert judged_in_pools(world.track, version).get(pool.pk, 0) == wanted > 0


def test_a_summary_counts_what_is_judged_by_topic(world, runs, version):
    summary = summarise(world.track, runs, 2, version=version)

    assert [(topic.number, topic.size, topic.judged, topic.to_judge) for topic in summary.topics] == [
        ("1", 4, 2, 2),
        ("2", 1, 0, 1),
        ("3", 1, 0, 1),
    ]
    assert (summary.size, summary.judged, summary.to_judge) == (6, 2, 4)
    rest = summarise(world.track, runs, 2, version=version, without=version)
    assert (rest.size, rest.judged) == (4, 0)


def test_the_pages_tell_what_remains_under_the_newest_or_a_chosen_version(world, desk, pool, version):
    second = world.import_assessments(JUDGED + b"2 Q0 c 0 200\n")

    listed = source_of(desk.get(DESK))
    page = source_of(desk.get(f"{DESK}{pool.pk}/"))
    earlier = source_of(desk.get(f"{DESK}{pool.pk}/?version={version.version}"))

    assert second.version == 2
    assert "To judge, under v2" in listed and '<td class="number">3</td>' in listed
    assert "<strong>3 documents remain to be judged</strong>: v2 has judged 3 of 6 (50.0 %)." in page
    assert "<strong>4 documents remain to be judged</strong>: v1 has judged 2 of 6 (33.3 %)." in earlier
    for rubbish in ("9", "x", "-1", "²"):
        assert desk.get(f"{DESK}{pool.pk}/?version={rubbish}").status_code == 404


def test_without_a_version_the_page_says_that_nothing_is_judged(desk, pool):
    page = source_of(desk.get(f"{DESK}{pool.pk}/"))

    assert "Nothing has been judged yet: there is no version of the assessments." in page
    assert "To judge" not in source_of(desk.get(DESK))
    assert "Leave out documents" not in source_of(desk.get(f"{DESK}ad-hoc/new/"))


def test_what_remains_can_be_taken_away(desk, pool, version):
    response = desk.get(f"{DESK}{pool.pk}/pool.txt?without=1")

    assert b"".join(response.streaming_content) == b"1 d\n1 b\n2 c\n3 d\n"
    assert response["Content-Disposition"] == 'attachment; filename="small-ad-hoc-pool-1-without-v1.txt"'
    assert b"".join(desk.get(f"{DESK}{pool.pk}/pool.txt").streaming_content).count(b"\n") == 6
    assert b'file="a"' not in b"".join(desk.get(f"{DESK}{pool.pk}/pool.xml?without=1").streaming_content)
    assert b",a," not in b"".join(desk.get(f"{DESK}{pool.pk}/pool.csv?without=1").streaming_content)
    assert desk.get(f"{DESK}{pool.pk}/pool.txt?without=7").status_code == 404


def test_a_pool_is_made_without_what_is_judged(world, desk, runs, version):
    asked = {"depth": "2", "runs": [run.pk for run in runs]}
    seen = source_of(desk.post(f"{DESK}ad-hoc/new/", asked | {"preview": "yes"}))
    assert "v1 has judged 2 of them (33.3 %); 4 remain to be judged." in seen
    asked |= {"version": "1", "leaves_out": "on"}
    seen = source_of(desk.post(f"{DESK}ad-hoc/new/", asked | {"preview": "yes"}))
    assert "It would have 4 documents" in seen and "What v1 has judged is left out." in seen
    assert '<input type="hidden" name="leaves_out" value="on">' in seen

    page = source_of(desk.post(f"{DESK}ad-hoc/new/", asked | {"make": "yes"}, follow=True))

    made = Pool.objects.get()
    assert (made.without, made.documents.count()) == (version, 4)
    assert not made.documents.filter(topic__number="1", document="a").exists()
    assert "Made without what v1 of the assessments has judged." in page
    assert "<strong>4 documents remain to be judged</strong>: v1 has judged 0 of 4 (0.0 %)." in page
    assert "without what v1 has judged" in source_of(desk.get(DESK))
    assert TrailEntry.objects.get(deed="pooled").details["without"] == "what v1 has judged"
    assert not make_pool(world.track, runs=runs, depth=2, without=version).is_new
    assert make_pool(world.track, runs=runs, depth=2).is_new


def test_where_everything_is_judged_there_is_nothing_to_pool(world, runs):
    everything = b"".join(b"%d Q0 %c 0 200\n" % (topic, document) for topic in (1, 2, 3) for document in b"abcd")
    version = world.import_assessments(everything)

    with pytest.raises(Refused, match=r"^v1 has judged every document that these runs bring\."):
        make_pool(world.track, runs=runs, depth=2, without=version)


def command(*arguments):
    said = io.StringIO()
    call_command("pool", "small/ad-hoc", "--depth", "2", *arguments, stdout=said)
    return said.getvalue().splitlines()


def test_the_command_tells_what_is_judged_and_leaves_it_out(world, runs, version, tmp_path):
    world.import_assessments(JUDGED + b"2 Q0 c 0 200\n")

    newest, chosen = command("--dry-run"), command("--dry-run", "--judged-under", "1")

    assert newest[-5:] == [
        "v2 has judged 3 of them; 3 remain:",
        "  1: 2 of 4 judged, 2 left",
        "  2: 1 of 1 judged, 0 left",
        "  3: 0 of 1 judged, 1 left",
        "Nothing was stored.",
    ]
    assert "v1 has judged 2 of them; 4 remain:" in chosen
    made = command("--leave-out-judged", "--output", str(tmp_path / "rest.txt"))
    assert "What v2 has judged is left out." in made
    assert (tmp_path / "rest.txt").read_text() == "1 d\n1 b\n3 d\n"
    assert Pool.objects.get().without.version == 2
    with pytest.raises(CommandError, match=r"^Ad hoc has no v9 of its assessments\.$"):
        command("--judged-under", "9")


def test_the_command_has_nothing_to_leave_out_where_nothing_is_judged(runs):
    with pytest.raises(CommandError, match=r"^Ad hoc has no assessments yet, so nothing is judged\.$"):
        command("--leave-out-judged")
