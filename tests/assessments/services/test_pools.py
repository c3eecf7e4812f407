"""Pools on the desk and on the command line: who gets in, what is made, what is refused, and what is taken away."""

import io
import re
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError
from django.utils import timezone

from assessments.models import Pool, PooledDocument
from assessments.services import pools
from assessments.services.pool_exports import pool_file, pooled_documents
from assessments.services.pool_summaries import summarise
from assessments.services.pools import choose_runs, delete_pool, make_pool, poolable_runs
from campaign.models import Campaign, Run, TrailEntry
from campaign.services.acting import By
from campaign.services.refusals import Refused
from campaign.services.runs.checks import check_run
from limelight.formats.pools import read_pools
from tests.assessments.conftest import LUND
from tests.pages import source_of
from tests.world import with_text

pytestmark = pytest.mark.slow

DESK = "/desk/campaigns/small/pools/"


def rows(pool):
    return list(
        pool.documents.order_by("topic__position", "best_rank", "-run_count", "document").values_list(
            "topic__number", "document", "best_rank", "run_count", "parts"
        )
    )


def test_official_runs_come_first_and_a_limit_is_for_each_team(world, runs):
    lund, delft, more = runs

    assert poolable_runs(world.track) == [more, lund, delft]
    assert choose_runs(poolable_runs(world.track), 1) == [more, lund]
    assert choose_runs(poolable_runs(world.track)) == [more, lund, delft]
    assert poolable_runs(world.track, tasks=[]) == []


def test_only_valid_runs_that_stand_are_pooled(world, runs):
    Run.objects.filter(name="lund").update(withdrawn_at=timezone.now())
    Run.objects.filter(name="more").update(state="rejected")

    assert [run.name for run in poolable_runs(world.track)] == ["delft"]


def test_a_pool_is_made_with_its_documents_and_remembered_in_the_trail(world, runs):
    made = make_pool(world.track, by=By(world.organiser), runs=runs, depth=2)

    assert (made.is_new, made.pool.number, made.pool.depth) == (True, 1, 2)
    assert set(made.pool.runs.all()) == set(runs)
    assert rows(made.pool) == [
        ("1", "a", 1, 2, [[0, 50], [60, 40]]),
        ("1", "c", 1, 1, [[10, 20]]),
        ("1", "d", 1, 1, [[0, 20]]),
        ("1", "b", 2, 1, [[0, 50]]),
        ("2", "c", 1, 2, [[0, 10], [0, 200]]),
        ("3", "d", 1, 1, [[0, 100]]),
    ]
    entry = TrailEntry.objects.get(deed="pooled")
    assert (entry.subject, entry.actor, entry.through) == ("pool 1 of Ad hoc", world.organiser, "site")
    assert entry.details == {"depth": 2, "runs": ["Lund: lund", "Delft: delft", "Delft: more"], "documents": 6}


def test_the_same_choice_twice_is_one_pool_and_others_are_numbered(world, runs):
    first = make_pool(world.track, runs=runs, depth=2)

    again, other = make_pool(world.track, runs=runs[::-1], depth=2), make_pool(world.track, runs=runs[:1], depth=2)

    assert (again.is_new, again.pool) == (False, first.pool)
    assert (other.is_new, other.pool.number) == (True, 2)
    assert TrailEntry.objects.filter(deed="pooled").count() == 2


def test_a_pool_that_breaks_off_half_way_leaves_nothing(world, runs, monkeypatch):
    def broken(*arguments, **options):
        raise DatabaseError("the disk is full")

    monkeypatch.setattr(pools.trail, "record", broken)

    with pytest.raises(DatabaseError):
        make_pool(world.track, runs=runs, depth=2)

    assert (Pool.objects.count(), PooledDocument.objects.count()) == (0, 0)


@pytest.mark.parametrize("depth", [0, -1, 1501])
def test_a_depth_out_of_bounds_is_refused(world, runs, depth):
    with pytest.raises(Refused, match=r"^A depth is a whole number from 1 to 1,500\.$"):
        make_pool(world.track, runs=runs, depth=depth)


def test_what_no_pool_can_be_made_of_is_refused(world, runs):
    with pytest.raises(Refused, match=r"^Choose at least one run\.$"):
        make_pool(world.track, runs=[], depth=2)
    runs[0].withdrawn_at = timezone.now()
    with pytest.raises(Refused, match=r"^The run lund is not valid, or was withdrawn\. Leave it out\.$"):
        make_pool(world.track, runs=runs, depth=2)
    other = world.campaign.tracks.create(slug="other", name="Other")
    with pytest.raises(Refused, match=r"^The run delft is not of the track Other\.$"):
        make_pool(other, runs=runs[1:], depth=2)
    world.track.topics.all().delete()
    with pytest.raises(
        Refused, match=r"^These runs return nothing for the topics of Ad hoc, so there is nothing to pool"
    ):
        make_pool(world.track, runs=runs[1:], depth=2)


def test_a_summary_says_who_brought_what(world, runs):
    summary = summarise(world.track, runs, 2)

    assert [(topic.number, topic.title, topic.size, topic.share) for topic in summary.topics] == [
        ("1", "topic 1", 4, 100.0),
        ("2", "topic 2", 1, 25.0),
        ("3", "topic 3", 1, 25.0),
    ]
    assert [(line.contributor.name, line.size, line.unique, line.share) for line in summary.teams] == [
        ("Lund", 4, 2, 50.0),
        ("Delft", 4, 2, 50.0),
    ]
    assert [(line.contributor.name, line.size, line.unique) for line in summary.runs] == [
        ("lund", 4, 2),
        ("delft", 3, 1),
        ("more", 1, 1),
    ]
    assert [(line.contributor.name, shares) for line, shares in summary.overlap] == [
        ("Lund", [None, 50.0]),
        ("Delft", [50.0, None]),
    ]
    assert (summary.size, summary.smallest, summary.largest, summary.mean, summary.answered) == (6, 1, 4, 2.0, 3)


def test_a_summary_is_computed_once_for_the_same_runs(world, runs, monkeypatch):
    summarise(world.track, runs, 2)
    monkeypatch.setattr("assessments.services.pool_summaries.pool_columns", None)

    assert summarise(world.track, runs, 2).size == 6
    with pytest.raises(TypeError):
        summarise(world.track, runs, 3)


def test_a_pool_reads_the_same_as_it_is_written(world, pool):
    with_text(world)
    pool.refresh_from_db()
    pool.documents.filter(document="b").update(parts=["/article[1]/p[2]", [0, 5]])

    written = b"".join(pool_file(pool, "xml"))

    again = read_pools(io.BytesIO(written))
    assert again == list(pooled_documents(pool))
    assert [(one.topic, one.document) for one in again] == [row[:2] for row in rows(pool)]
    assert again[0].paths == (
        "/article[1]/p[1]/text()[1].0 /article[1]/p[1]/text()[1].50",
        "/article[1]/p[2]/text()[1].10 /article[1]/p[2]/text()[1].50",
    )
    assert again[3].paths[0] == "/article[1]/p[2]"


def test_without_text_the_xml_names_documents_and_paths_only(pool):
    pool.documents.filter(document="b").update(parts=["/article[1]/p[2]", [0, 5]])

    again = read_pools(io.BytesIO(b"".join(pool_file(pool, "xml"))))

    assert [one.paths for one in again] == [(), (), (), ("/article[1]/p[2]",), (), ()]


def test_a_run_with_a_number_beyond_all_numbers_is_no_run(client, world, runs):
    client.force_login(world.organiser)

    page = client.post(f"{DESK}ad-hoc/new/", {"runs": ["9" * 5000], "depth": "10"})

    assert page.status_code in (200, 422)
    assert "checked" not in source_of(page)


def test_nobody_else_sees_the_desk_s_pools(client, world, pool):
    stranger = world.person("stranger")
    other = Campaign.objects.create(slug="other", name="Other", year=2026)
    other.organisers.add(stranger)
    paths = [DESK, f"{DESK}ad-hoc/new/", f"{DESK}{pool.pk}/", f"{DESK}{pool.pk}/pool.xml"]
    people = {None: 302, world.alice: 404, world.assessor: 404, stranger: 404, world.organiser: 200}
    people[world.person("root", is_superuser=True)] = 200
    for person, status in people.items():
        client.logout()
        if person:
            client.force_login(person)
        for path in paths:
            assert client.get(path).status_code == status, (person, path)
        if status != 200:
            assert client.post(f"{DESK}{pool.pk}/delete/").status_code == status
    client.force_login(stranger)
    assert client.get(f"/desk/campaigns/other/pools/{pool.pk}/").status_code == 404
    assert client.get(f"/desk/campaigns/other/pools/{pool.pk}/pool.csv").status_code == 404
    client.post(f"/desk/campaigns/other/pools/{pool.pk}/delete/")
    assert Pool.objects.get() == pool


def test_the_list_teaches_while_it_is_empty(desk, world):
    page = source_of(desk.get(DESK))

    assert "No pool yet, and no valid run to make one of." in page
    assert "There is no valid run to make a pool of." in source_of(desk.get(f"{DESK}ad-hoc/new/"))
    assert desk.get(f"{DESK}nothing/new/").status_code == 404
    world.submit()
    check_run(Run.objects.get().pk)
    assert "No pool yet. Choose runs and a depth" in source_of(desk.get(DESK))


def test_an_organiser_looks_at_the_sizes_and_makes_the_pool(desk, runs):
    ticked = [run.pk for run in runs]

    preview = desk.post(f"{DESK}ad-hoc/new/", {"depth": "2", "runs": ticked, "preview": "yes"})

    page = source_of(preview)
    assert (preview.status_code, Pool.objects.count()) == (200, 0)
    assert "It would have 6 documents" in page
    assert "3 runs of 2 teams, depth 2: 2.0 documents a topic on average, from 1 to 4." in page
    made = desk.post(f"{DESK}ad-hoc/new/", {"depth": "2", "runs": ticked, "make": "yes"}, follow=True)
    pool = Pool.objects.get()
    assert made.redirect_chain == [(f"{DESK}{pool.pk}/", 302)]
    assert "Pool 1 is made: 6 documents to judge." in source_of(made)
    again = desk.post(f"{DESK}ad-hoc/new/", {"depth": "2", "runs": ticked, "make": "yes"}, follow=True)
    assert "Pool 1 was made of the same runs at the same depth already. Here it is." in source_of(again)
    assert "Pool 1</a>" in source_of(desk.get(DESK))


def test_a_limit_takes_the_official_run_of_a_team(desk, runs):
    fields = {"depth": "2", "runs": [run.pk for run in runs], "runs_per_team": "1", "make": "yes"}

    desk.post(f"{DESK}ad-hoc/new/", fields)

    assert {run.name for run in Pool.objects.get().runs.all()} == {"lund", "more"}


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"depth": "deep"}, "A depth is a whole number from 1 to 1,500."),
        ({"depth": "0"}, "A depth is a whole number from 1 to 1,500."),
        ({"depth": ""}, "A depth is a whole number from 1 to 1,500."),
        ({"depth": "1501"}, "A depth is a whole number from 1 to 1,500."),
        ({"runs": []}, "Choose at least one run."),
        ({"runs": ["x"]}, "Choose runs from the list."),
        ({"runs": ["999999"]}, "One of these runs has been withdrawn or is no longer valid."),
        ({"runs_per_team": "0"}, "A limit is a whole number from 1, or empty for none."),
        ({"runs_per_team": "many"}, "A limit is a whole number from 1, or empty for none."),
    ],
)
def test_a_wrong_form_answers_with_a_sentence(desk, runs, fields, sentence):
    sent = {"depth": "2", "runs": [run.pk for run in runs], "make": "yes"} | fields

    response = desk.post(f"{DESK}ad-hoc/new/", sent)

    assert response.status_code == 422
    assert sentence in source_of(response)
    assert not Pool.objects.exists()


def test_a_run_withdrawn_since_the_page_was_opened_is_not_pooled(desk, runs):
    Run.objects.filter(name="lund").update(withdrawn_at=timezone.now())

    response = desk.post(f"{DESK}ad-hoc/new/", {"depth": "2", "runs": [run.pk for run in runs], "make": "yes"})

    assert response.status_code == 422
    assert not Pool.objects.exists()


def test_runs_that_came_since_the_page_was_opened_are_told_and_ticks_stay(desk, world, runs):
    address = f"{DESK}ad-hoc/new/"
    seen = re.search(r'name="seen" value="(\w+)"', source_of(desk.get(address)))[1]
    late = world.submit(name="late")
    check_run(late.pk)
    fields = {"depth": 10, "runs": [runs[0].pk], "make": "yes"}

    page = desk.post(address, fields | {"seen": seen})

    text = source_of(page)
    assert page.status_code == 422
    assert "The runs that a pool can be made of changed after you opened this page" in text
    assert f'value="{runs[0].pk}" id="run-{runs[0].pk}" checked' in text
    assert not Pool.objects.exists()
    fresh = re.search(r'name="seen" value="(\w+)"', text)[1]
    assert desk.post(address, fields | {"seen": fresh}).status_code == 302


def test_the_tick_boxes_can_be_those_of_one_task(desk, world, runs):
    other = world.new_task("thorough", closes_at=timezone.now() + timedelta(days=1))
    made = world.submit(LUND, task=other, name="thorough")
    check_run(made.pk)

    page = source_of(desk.get(f"{DESK}ad-hoc/new/?task=thorough"))

    assert page.count(" checked") == 1
    assert f'value="{made.pk}" id="run-{made.pk}" checked' in page
    assert source_of(desk.get(f"{DESK}ad-hoc/new/")).count(" checked") == 4


def test_a_pool_s_page_has_sizes_overlap_and_unique_contributions(desk, pool):
    page = source_of(desk.get(f"{DESK}{pool.pk}/"))

    assert "6 documents · 3 runs of 2 teams · depth 2 · 2.0 a topic on average, from 1 to 4" in page
    assert "Overlap between teams" in page
    assert '<rect width="25.0" height="1"/>' in page
    assert "Nobody has begun to judge it." in page


def test_a_pool_is_downloaded_whole_and_by_topic(desk, pool):
    whole, topic, csv, text = (
        desk.get(f"{DESK}{pool.pk}/pool.{form}") for form in ("xml", "xml?topic=2", "csv", "txt?topic=1")
    )

    assert whole["Content-Disposition"] == 'attachment; filename="small-ad-hoc-pool-1.xml"'
    assert len(read_pools(io.BytesIO(b"".join(whole.streaming_content)))) == 6
    assert b"".join(topic.streaming_content) == (
        b'<?xml version="1.0" encoding="UTF-8"?>\n<pool topic="2">\n  <file file="c"></file>\n</pool>\n'
    )
    assert topic["Content-Disposition"] == 'attachment; filename="small-ad-hoc-pool-1-topic-2.xml"'
    lines = b"".join(csv.streaming_content).decode().splitlines()
    assert lines[:2] == ["topic,document,best_rank,runs,state,parts", "1,a,1,2,waiting,0:50 | 60:40"]
    assert b"".join(text.streaming_content) == b"1 a\n1 c\n1 d\n1 b\n"
    for rubbish in ("exe", "xml?topic=99"):
        assert desk.get(f"{DESK}{pool.pk}/pool.{rubbish}").status_code == 404


def test_a_pool_that_nobody_has_begun_to_judge_is_deleted_once(desk, pool):
    assert desk.get(f"{DESK}{pool.pk}/delete/").status_code == 405

    first = desk.post(f"{DESK}{pool.pk}/delete/", follow=True)
    second = desk.post(f"{DESK}{pool.pk}/delete/", follow=True)

    assert "Pool 1 of Ad hoc is deleted." in source_of(first)
    assert "This pool is gone already." in source_of(second)
    assert not PooledDocument.objects.exists()
    assert TrailEntry.objects.filter(deed="deleted", subject="pool 1 of Ad hoc").count() == 1


@pytest.mark.parametrize("state", ["started", "judged"])
def test_a_pool_whose_assessment_has_begun_stays(desk, world, pool, state):
    pool.documents.filter(document="b").update(state=state)

    response = desk.post(f"{DESK}{pool.pk}/delete/", follow=True)

    page = source_of(response)
    assert "Pool 1 stays: its assessment has begun." in page
    assert "Delete this pool" not in page
    assert Pool.objects.get() == pool
    with pytest.raises(Refused):
        delete_pool(pool, by=By(world.organiser))


def run_command(*arguments):
    said = io.StringIO()
    call_command("pool", *arguments, stdout=said)
    return said.getvalue()


def test_the_command_makes_a_pool_and_writes_it(world, runs, tmp_path):
    said = run_command("small/ad-hoc", "--depth", "2", "--output", str(tmp_path / "pool.xml"))

    assert said.splitlines() == [
        "Delft: more, delft: 4 documents, 2 of no other team",
        "Lund: lund: 4 documents, 2 of no other team",
        "Depth 2, 3 runs of 2 teams: 6 documents for 3 of 3 topics, 1 to 4 a topic.",
        "Made pool 1 of Ad hoc.",
        f"Written to {tmp_path / 'pool.xml'}.",
    ]
    assert len(read_pools((tmp_path / "pool.xml").open("rb"))) == 6
    entry = TrailEntry.objects.get(deed="pooled")
    assert (entry.actor, entry.through) == (None, "command")
    again = run_command("small/ad-hoc", "--depth", "2")
    assert again.endswith("Pool 1 of Ad hoc was made of the same runs at the same depth already.\n")


def test_the_command_only_says_how_large_the_pool_would_be(world, runs):
    said = run_command("small/ad-hoc", "--dry-run", "--runs-per-team", "1", "--task", "focused")

    assert said.endswith(
        "Depth 100, 2 runs of 2 teams: 5 documents for 3 of 3 topics, 1 to 3 a topic.\nNothing was stored.\n"
    )
    assert not Pool.objects.exists()
    assert not TrailEntry.objects.filter(deed="pooled").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["small"], "There is no track small. Write it as campaign/track, by their slugs."),
        (["small/nothing"], "There is no track small/nothing. Write it as campaign/track, by their slugs."),
        (["small/ad-hoc", "--depth", "0"], "A depth is a whole number from 1 to 1,500."),
        (["small/ad-hoc", "--runs-per-team", "0"], "--runs-per-team is a whole number from 1."),
        (["small/ad-hoc", "--task", "nothing"], "Ad hoc has no task nothing. It has focused."),
        (
            ["small/ad-hoc", "--output", "p.doc"],
            "p.doc should end in .xml, .csv or .txt: that says how the pool is written.",
        ),
        (["small/ad-hoc", "--output", "/no/p.xml"], "There is no folder /no."),
    ],
)
def test_the_command_refuses_with_a_sentence(world, runs, arguments, sentence):
    with pytest.raises(CommandError) as refused:
        run_command(*arguments)

    assert str(refused.value) == sentence
    assert not Pool.objects.exists()


def test_the_command_says_that_there_is_no_run(world):
    with pytest.raises(CommandError, match=r"^Ad hoc has no valid run to make a pool of\.$"):
        run_command("small/ad-hoc")
