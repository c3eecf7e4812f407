"""Setting up tracks and tasks: defaults, dates in a zone, rules that check runs again, boards that stay."""

import re
from datetime import UTC, datetime

import pytest

from campaign.models import Campaign, Collection, Run, Task, TaskKind, Track, TrailEntry
from campaign.services.acting import By
from campaign.services.refusals import Refused
from campaign.services.runs.checks import check_run
from campaign.services.setup.task_settings import change_task
from campaign.services.setup.tracks import create_track, usable_collections
from campaign.task_defaults import BY_KEY, DEFAULTS
from limelight.scoring.evaluators import EVALUATORS, official_measure
from limelight.scoring.profiles import PROFILES
from tests.world import score_run

DESK = "/desk/campaigns/small"
TASK = f"{DESK}/tracks/ad-hoc/tasks"


@pytest.fixture
def organiser(client, world):
    client.force_login(world.organiser)
    return client


def test_defaults_cover_every_kind_with_known_profiles():
    assert {entry.kind for entry in DEFAULTS} == set(TaskKind.values)
    assert {entry.profile for entry in DEFAULTS} <= set(PROFILES)
    assert len(BY_KEY) == len(DEFAULTS)
    assert {entry.result_limit for entry in DEFAULTS} == {1500}


def test_the_budgets_of_2010():
    focused, in_context = BY_KEY["restricted-focused-2010"], BY_KEY["restricted-relevant-in-context-2010"]

    assert (focused.kind, focused.topic_budget, focused.article_budget) == ("focused", 1000, None)
    assert (in_context.kind, in_context.topic_budget, in_context.article_budget) == ("relevant-in-context", None, 500)
    assert {focused.profile, in_context.profile} == {"inex-2010"}


def test_restricted_focused_of_2010_is_ranked_by_character_precision_and_the_others_by_their_kinds_measure():
    official = {entry.key: entry.official_measure for entry in DEFAULTS}

    assert official.pop("restricted-focused-2010") == "charP"
    assert BY_KEY["restricted-focused-2010"].settings["official_measure"] == "charP"
    for key, measure in official.items():
        kind = BY_KEY[key].kind
        assert measure == (EVALUATORS[kind].official if kind in EVALUATORS else "")
        assert not measure or official_measure(kind, measure, BY_KEY[key].profile) == measure


def test_a_track_with_a_new_collection_and_assessors(organiser, world):
    sent = {"name": "Élan vital", "new_collection": "Wikipedia 2009", "assessors": "assessor, bystander@example.org"}

    response = organiser.post(f"{DESK}/tracks/new/", sent)

    assert response.url == f"{DESK}/setup/"
    track = Track.objects.get(slug="elan-vital")
    assert track.collection.slug == "wikipedia-2009"
    assert set(track.assessors.all()) == {world.assessor, world.visitor_with_account}
    assert track.position == 1
    assert TrailEntry.objects.get().subject == "track Élan vital"


@pytest.mark.parametrize(
    ("entered", "sentence"),
    [
        ({"name": ""}, "Give the track a name."),
        ({"name": "AD HOC"}, "Small has a track Ad hoc already."),
        ({"assessors": "nemo"}, "Nobody on this site has the user name or e-mail address “nemo”."),
        ({"new_collection": "N", "collection": "own"}, "Choose a collection, or name a new one: not both."),
        ({"collection": "foreign"}, "This collection is not open to you."),
    ],
)
def test_tracks_are_refused_in_sentences(organiser, world, entered, sentence):
    foreign = Collection.objects.create(slug="foreign", name="Foreign")
    keys = {"own": world.collection.pk, "foreign": foreign.pk}
    if "collection" in entered:
        entered = entered | {"collection": keys[entered["collection"]]}

    response = organiser.post(f"{DESK}/tracks/new/", {"name": "Second"} | entered)

    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert Track.objects.count() == 1


@pytest.mark.parametrize("is_gated", [True, False], ids=["gated", "open"])
def test_the_collection_of_others_cannot_be_used(world, is_gated):
    """Under a track of one's own one could open it to everyone, and lock its own organisers out of filling it."""
    other = Campaign.objects.create(slug="other", name="Other", year=2026, is_public=True, gates_collection=is_gated)
    foreign = Collection.objects.create(slug="x", name="X")
    Track.objects.create(campaign=other, slug="t", name="T", collection=foreign)

    assert usable_collections(world.organiser) == [world.collection]
    with pytest.raises(Refused, match=r"^This collection is not open to you\.$"):
        create_track(world.campaign, by=By(world.organiser), name="Second", collection=foreign)


def test_tracks_are_ordered(organiser, world):
    create_track(world.campaign, by=By(world.organiser), name="Second")

    organiser.post(f"{DESK}/tracks/second/move/", {"way": "up"})
    organiser.post(f"{DESK}/tracks/second/move/", {"way": "up"})  # at the top already

    assert [track.name for track in world.campaign.tracks.all()] == ["Second", "Ad hoc"]


def test_tasks_are_ordered_and_the_trail_tells_of_it(organiser, world):
    world.new_task(TaskKind.THOROUGH, closes_at=world.task.closes_at, position=2)
    assert organiser.get(f"{DESK}/setup/").content.decode().count("/move/") == 2

    organiser.post(f"{DESK}/tracks/ad-hoc/tasks/thorough/move/", {"way": "up"})
    organiser.post(f"{DESK}/tracks/ad-hoc/tasks/thorough/move/", {"way": "up"})  # at the top already

    assert [task.slug for task in world.track.tasks.all()] == ["thorough", "focused"]
    assert [entry.subject for entry in TrailEntry.objects.all()] == ["order of the tasks of Ad hoc"]


def test_a_track_is_deleted_without_runs(organiser, world):
    create_track(world.campaign, by=By(world.organiser), name="Second")
    organiser.post(f"{DESK}/tracks/second/delete/")
    assert [track.name for track in Track.objects.all()] == ["Ad hoc"]
    world.submit()

    response = organiser.post(f"{DESK}/tracks/ad-hoc/delete/", follow=True)

    assert "Ad hoc has 1 run. A track with runs is not deleted." in response.content.decode()
    assert Track.objects.count() == 1


def test_a_track_with_assessments_is_not_deleted(organiser, world):
    world.import_assessments()

    response = organiser.post(f"{DESK}/tracks/ad-hoc/delete/", follow=True)

    assert "Ad hoc has assessments. A track with assessments is not deleted." in response.content.decode()
    assert Track.objects.count() == 1


def task_form(**changes):
    sent = {
        "name": "Thorough",
        "kind": "thorough",
        "result_limit": "1500",
        "profile": "inex-2009",
        "opens_on": "2026-03-01T00:00",
        "closes_on": "2026-03-31T23:59",
        "zone": "aoe",
        "own_scores_visible": "at-once",
        "other_scores_visible": "at-publication",
        "names_visible": "at-once",
        "runs_visible": "at-publication",
        "assessments_visible": "at-publication",
    }
    return {name: value for name, value in (sent | changes).items() if value is not None}


def form_of(task, **changes):
    """Return what the page of a task would send."""
    sent = {name: getattr(task, name) for name in ("name", "kind", "result_limit", "profile")}
    sent |= {name: getattr(task, name) for name in task_form() if name.endswith("_visible")}
    moments = {f"{name}_on": f"{getattr(task, f'{name}_at'):%Y-%m-%dT%H:%M}" for name in ("opens", "closes")}
    return task_form(**sent, **moments, zone="utc") | changes


@pytest.mark.parametrize("defaults", DEFAULTS, ids=lambda defaults: defaults.key)
def test_every_default_makes_a_task_as_it_is_offered(organiser, defaults):
    form = organiser.get(f"{TASK}/new/?like={defaults.key}").context["form"]
    sent = {name: value for name, value in form.initial.items() if value is not None}

    response = organiser.post(f"{TASK}/new/", task_form(**sent | {"name": "The new one"}))

    assert response.status_code == 302
    made = Task.objects.get(name="The new one")
    for name, value in defaults.settings.items():
        assert name == "name" or getattr(made, name) == value


def test_dates_are_meant_in_the_zone_that_was_chosen(organiser):
    organiser.post(f"{TASK}/new/", task_form())
    organiser.post(f"{TASK}/new/", task_form(name="In UTC", zone="utc"))

    assert Task.objects.get(slug="thorough").closes_at == datetime(2026, 4, 1, 11, 59, tzinfo=UTC)
    assert Task.objects.get(slug="in-utc").closes_at == datetime(2026, 3, 31, 23, 59, tzinfo=UTC)
    page = organiser.get(f"{TASK}/thorough/").content.decode()
    assert "Now: 31 March 2026, 23:59 AoE (1 April 2026, 11:59 UTC)." in page
    assert 'value="2026-03-31T23:59"' in page


@pytest.mark.parametrize(
    ("entered", "sentence"),
    [
        ({"name": ""}, "Give the task a name."),
        ({"name": "focused"}, "Ad hoc has a task Focused already."),
        ({"closes_on": "2026-03-01T00:00"}, "A task closes after it opens."),
        ({"closes_on": "soon"}, "Write it as 2026-03-31 23:59."),
        ({"closes_on": "2026-13-31T23:59"}, "Write it as 2026-03-31 23:59."),
        ({"closes_on": ""}, "Give a date and a time."),
        ({"zone": "mars"}, "Choose UTC or anywhere on earth."),
        ({"result_limit": "0"}, "Write a whole number from 1 to 1,000,000,000."),
        ({"topic_budget": "9999999999"}, "Write a whole number from 1 to 1,000,000,000."),
        ({"quota": "0"}, "Write a whole number from 1 to 32,767."),
        ({"profile": "inex-1999"}, "There is no such profile."),
        ({"parameters": "beta"}, "Line 1 is not a parameter. Write it as: name = value"),
        ({"parameters": "overlap = new\noverlap = new"}, "Line 2: overlap was set before."),
        ({"parameters": "beta = 2"}, "There is no parameter “beta” for a thorough task."),
        ({"parameters": "overlap = maybe"}, "Parameter overlap can&#x27;t be “maybe”: it takes new or count_all."),
        ({"official_measure": "MAgP"}, "A thorough task has no measure “MAgP”. It can compute iMAP, "),
        ({"official_measure": "P[7]"}, "A thorough task has no measure “P[7]”."),
        ({"official_measure": "iMAP" * 20}, "Ensure this value has at most 40 characters"),
        (
            {"kind": "graded", "official_measure": "MAnCG"},
            "This kind of task has no measures yet, so none can rank it.",
        ),
        (
            {"kind": "graded", "parameters": "beta = 2"},
            "This kind of task has no measures yet, so it takes no parameters.",
        ),
    ],
)
def test_tasks_are_refused_in_sentences(organiser, entered, sentence):
    response = organiser.post(f"{TASK}/new/", task_form(**entered))

    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert Task.objects.count() == 1


@pytest.mark.parametrize("name", ["new", "topics", "assessments", "runs", "compare", "editions", "feed"])
def test_no_task_is_called_like_a_page(organiser, name):
    organiser.post(f"{TASK}/new/", task_form(name=name.title()))

    assert Task.objects.filter(slug=f"{name}-2").exists()


def test_an_unchanged_task_leaves_no_trace_and_rechecks_nothing(organiser, world):
    run = world.submit()
    check_run(run.pk)

    assert organiser.post(f"{TASK}/focused/", form_of(world.task)).status_code == 302

    run.refresh_from_db()
    assert run.state == Run.State.VALID
    assert not TrailEntry.objects.exists()


def test_another_limit_checks_the_runs_again_while_the_board_stays(organiser, world):
    run = world.submit()
    check_run(run.pk)
    world.activate()
    score_run(run.pk)

    asked = organiser.post(f"{TASK}/focused/", form_of(world.task, result_limit="1"))
    world.task.refresh_from_db()
    assert (asked.status_code, world.task.result_limit) == (422, 1500)
    assert "By the new rules 1 valid run would be checked again" in asked.content.decode()
    yes = re.search(r'name="sure" value="(\w+)"', asked.content.decode())[1]
    response = organiser.post(f"{TASK}/focused/", form_of(world.task, result_limit="1", sure=yes), follow=True)

    assert "The task is saved. 1 run is checked again in the background." in response.content.decode()
    run.refresh_from_db()
    assert (run.state, run.attempts) == (Run.State.RECEIVED, 0)
    assert shown_on_board(world) == ["good"]
    check_run(run.pk)
    run.refresh_from_db()
    assert run.state == Run.State.REJECTED
    assert shown_on_board(world) == []
    assert run.evaluations.get().state == "done"  # nothing is recomputed or lost


def shown_on_board(world):
    edition = world.task.editions.live().get()
    return [row.run.name for row in edition.evaluations.on_board()]


def test_a_run_that_keeps_the_new_rules_stays_valid_with_its_scores(organiser, world):
    run = world.submit()
    check_run(run.pk)
    world.activate()
    score_run(run.pk)
    scores = list(run.evaluations.get().scores.values_list("pk", flat=True))

    organiser.post(f"{TASK}/focused/", form_of(world.task, result_limit="2"))
    check_run(run.pk)
    score_run(run.pk)

    run.refresh_from_db()
    assert run.state == Run.State.VALID
    assert list(run.evaluations.get().scores.values_list("pk", flat=True)) == scores


def test_measures_of_a_task_with_a_board_are_changed_where_boards_are_built(organiser, world):
    world.activate()

    page = organiser.get(f"{TASK}/focused/").content.decode()
    response = organiser.post(f"{TASK}/focused/", form_of(world.task, profile="inex-2009", quota="7"), follow=True)

    assert 'name="profile"' not in page
    assert "/desk/campaigns/small/boards/ad-hoc/focused/measures/" in page
    assert "The task is saved." in response.content.decode()
    world.task.refresh_from_db()
    assert (world.task.profile, world.task.quota) == ("inex-2007", 7)
    fields = {name: getattr(world.task, name) for name in ("name", "kind", "parameters", "opens_at", "closes_at")}
    with pytest.raises(Refused, match=r"^This task has a board, which stands on its measures\."):
        change_task(world.task, by=By(world.organiser), profile="inex-2009", **fields)


def test_what_ranks_a_task_is_set_with_it_and_follows_its_kind_when_left_empty(organiser):
    organiser.post(f"{TASK}/new/", task_form(official_measure="P[7]", parameters="cutoffs = 7"))
    organiser.post(f"{TASK}/new/", task_form(name="Plain", official_measure=""))
    plain, ranked = Task.objects.get(slug="plain"), Task.objects.get(slug="thorough")
    page = organiser.get(f"{TASK}/thorough/").content.decode()
    form = organiser.get(f"{TASK}/plain/").context["form"]

    assert (plain.official_measure, ranked.official_measure) == ("iMAP", "P[7]")
    assert 'name="official_measure" value="P[7]"' in page
    assert form["official_measure"].value() == ""

    sent = form_of(plain, kind="relevant-in-context")
    assert organiser.post(f"{TASK}/plain/", sent).status_code == 302
    plain.refresh_from_db()
    assert plain.official_measure == "MAgP"


def test_another_measure_is_a_change_that_the_trail_tells(organiser, world):
    response = organiser.post(f"{TASK}/focused/", form_of(world.task, official_measure="charP"), follow=True)

    assert "The task is saved." in response.content.decode()
    assert "ranked by charP" in organiser.get(f"{DESK}/setup/").content.decode()
    world.task.refresh_from_db()
    assert world.task.official_measure == "charP"
    assert TrailEntry.objects.get().details["changes"] == {"official_measure": ["", "charP"]}


def test_the_official_measure_of_a_task_with_a_board_is_changed_where_boards_are_built(organiser, world):
    world.activate()

    page = organiser.get(f"{TASK}/focused/").content.decode()
    organiser.post(f"{TASK}/focused/", form_of(world.task, official_measure="charP", quota="7"))

    assert 'name="official_measure"' not in page
    world.task.refresh_from_db()
    assert (world.task.official_measure, world.task.quota) == ("", 7)
    fields = {name: getattr(world.task, name) for name in ("name", "kind", "parameters", "opens_at", "closes_at")}
    with pytest.raises(Refused, match=r"^This task has a board, which stands on its measures\."):
        change_task(world.task, by=By(world.organiser), profile="inex-2007", official_measure="charP", **fields)


def test_another_kind_for_a_task_with_a_board_and_parameters_is_refused_as_the_kind(organiser, world):
    Task.objects.update(parameters={"unmapped_size": 3}, official_measure="charP")
    world.task.refresh_from_db()
    world.activate()

    response = organiser.post(f"{TASK}/focused/", form_of(world.task, kind="best-in-context"))

    assert response.status_code == 422
    assert "This task has a board, which stands on its kind." in response.content.decode()


def test_the_kind_of_a_task_with_a_board_stays(organiser, world):
    world.activate()

    response = organiser.post(f"{TASK}/focused/", form_of(world.task, kind="thorough"))

    assert response.status_code == 422
    sentence = "This task has a board, which stands on its kind. Make another task instead."
    assert sentence in response.content.decode()


def test_parameters_that_mean_the_same_are_no_change(organiser, world):
    Task.objects.update(parameters={"cutoffs": [5, 10], "unmapped_size": 3})

    organiser.post(f"{TASK}/focused/", form_of(world.task, parameters="cutoffs = 5,10\nunmapped_size = 3"))

    assert not TrailEntry.objects.exists()


def test_a_task_is_deleted_without_runs(organiser, world):
    organiser.post(f"{TASK}/new/", task_form())
    organiser.post(f"{TASK}/thorough/delete/")
    assert Task.objects.count() == 1
    world.submit()

    response = organiser.post(f"{TASK}/focused/delete/", follow=True)

    assert "Focused has 1 run. A task with runs is not deleted." in response.content.decode()
    assert [entry.deed for entry in TrailEntry.objects.all()] == ["deleted", "created"]


def test_another_collection_asks_first_where_runs_would_be_checked_again(organiser, world):
    run = world.submit()
    check_run(run.pk)
    sent = {"name": "Ad hoc", "assessors": "assessor", "new_collection": "Empty", "collection": world.collection.pk}

    asked = organiser.post(f"{DESK}/tracks/ad-hoc/", sent)

    page = asked.content.decode()
    assert asked.status_code == 422
    assert "With other documents 1 valid run would be checked again" in page
    assert Track.objects.get().collection == world.collection
    sure = re.search(r'name="sure" value="([^"]*)"', page)[1]
    organiser.post(f"{DESK}/tracks/ad-hoc/", sent | {"sure": sure})
    assert Track.objects.get().collection.name == "Empty"


def test_the_one_task_that_hides_the_assessments_is_not_deleted(organiser, world):
    world.import_assessments()
    world.new_task(TaskKind.THOROUGH, closes_at=world.task.closes_at, assessments_visible="at-once")

    response = organiser.post(f"{TASK}/focused/delete/", follow=True)

    assert "Focused alone keeps the assessments of Ad hoc hidden" in response.content.decode()
    assert Task.objects.count() == 2
    organiser.post(f"{TASK}/thorough/delete/")
    organiser.post(f"{TASK}/focused/delete/")
    assert not Task.objects.exists()


def test_another_collection_checks_the_track_s_runs_again(organiser, world):
    run = world.submit()
    check_run(run.pk)
    sent = {"name": "Ad hoc", "assessors": "assessor", "new_collection": "Empty", "collection": world.collection.pk}

    asked = organiser.post(f"{DESK}/tracks/ad-hoc/", sent)
    sure = re.search(r'name="sure" value="([^"]*)"', asked.content.decode())[1]
    response = organiser.post(f"{DESK}/tracks/ad-hoc/", sent | {"sure": sure}, follow=True)

    assert "The track is saved. 1 run is checked again in the background." in response.content.decode()
    check_run(run.pk)
    run.refresh_from_db()
    assert run.state == Run.State.VALID  # nothing is known about documents yet


def test_other_assessors_are_told_without_checking_runs(organiser, world):
    run = world.submit()
    check_run(run.pk)
    sent = {"name": "Ad hoc", "assessors": "organiser bystander", "collection": world.collection.pk}

    assert organiser.post(f"{DESK}/tracks/ad-hoc/", sent).status_code == 302

    people = {world.organiser, world.visitor_with_account}
    assert set(world.track.assessors.all()) == people
    changes = [[world.assessor.pk], sorted(person.pk for person in people)]
    assert TrailEntry.objects.get().details == {"changes": {"assessors": changes}}
    run.refresh_from_db()
    assert run.state == Run.State.VALID


def test_what_somebody_else_saved_meanwhile_is_not_undone_unasked(organiser, world):
    page = organiser.get(f"{TASK}/focused/").content.decode()
    seen = re.search(r'name="seen" value="(\w+)"', page)[1]
    organiser.post(f"{TASK}/focused/", form_of(world.task, description="Theirs.", seen=seen))

    late = organiser.post(f"{TASK}/focused/", form_of(world.task, quota="7", seen=seen))

    assert late.status_code == 422
    assert "Somebody changed this task after you opened this page:" in late.content.decode()
    world.task.refresh_from_db()
    assert (world.task.description, world.task.quota) == ("Theirs.", None)
    fresh = re.search(r'name="seen" value="(\w+)"', late.content.decode())[1]
    assert organiser.post(f"{TASK}/focused/", form_of(world.task, quota="7", seen=fresh)).status_code == 302
    world.task.refresh_from_db()
    assert world.task.quota == 7


@pytest.mark.parametrize("address", [f"{TASK}/focused/", f"{TASK}/new/?like=focused-2007"])
def test_the_task_form_tells_all_faults_at_once(organiser, world, address):
    world.new_task("thorough", closes_at=world.task.closes_at)
    wrong = {"opens_on": "2099-01-02T00:00", "closes_on": "2099-01-01T00:00", "quota": "0", "name": "thorough"}
    wrong |= {"parameters": "beta = 1/4\ncutoffs = many\nnonsense\nnonsense again", "result_limit": "0"}

    page = organiser.post(address, form_of(world.task, **wrong)).content.decode()

    for sentence in (
        "Ad hoc has a task Thorough already.",
        "A task closes after it opens.",
        "Write a whole number from 1 to 32,767.",
        "Write a whole number from 1 to 1,000,000,000.",
        "Line 3 is not a parameter.",
        "Line 4 is not a parameter.",
    ):
        assert sentence in page
    wrong |= {"parameters": "cutoffs = many\nalpha = 2"}
    page = organiser.post(address, form_of(world.task, **wrong)).content.decode()
    assert page.count("cutoffs") > 1 and page.count("alpha") > 1
    assert "A task closes after it opens." in page
