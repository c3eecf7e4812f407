"""Organisers, workers and teams at the same moment, on both databases: every board is one edition, and whole."""

import pytest

pytestmark = [pytest.mark.services, pytest.mark.slow]

AT_ONCE = """
import os, signal, subprocess, sys, time, traceback
from datetime import timedelta
from django.db import connection
from django.db.models import F
from django.utils import timezone
from campaign.models import Campaign, Collection, Run, Task, TrailEntry
from campaign.services.acting import By
from campaign.services.runs.checks import check_run
from campaign.services.runs.rejections import reject
from campaign.services.refusals import Refused
from evaluation.models import Edition, Evaluation, Score
from evaluation.services import decisions, scoring
from evaluation.services.decisions import activate
from evaluation.services.editions import finish_building
from evaluation.services.sweep import free_dead_leases, sweep
from tests.services.threads import at_once
from tests.world import ASSESSMENTS, GOOD_RUN, World, score_run

RICHER = ASSESSMENTS + b"3 Q0 a 10 200 0 0:10\\n"

def content(number):
    return GOOD_RUN + b"3 Q0 a 2 1.0 good 0 %d\\n" % (number + 1)

def make(slug, runs=4, kinds=("focused", "thorough")):
    # Another world beside those of other tests: its people and slugs are renamed out of the way.
    from campaign.models import Team, User
    for model, field in ((User, "username"), (Campaign, "slug"), (Collection, "slug"), (Team, "slug")):
        for row in model.objects.all():
            setattr(row, field, f"{getattr(row, field)[:30]}-{row.pk}-{slug}")
            row.save()
    Collection.objects.update(line=F("slug"), version=1)
    world = World()
    world.tasks = [world.task]
    for kind in kinds[1:]:
        world.tasks.append(world.new_task(kind, closes_at=world.task.closes_at))
    world.sets = [world.import_assessments(ASSESSMENTS), world.import_assessments(RICHER)]
    world.runs = []
    for task in world.tasks:
        for number in range(runs):
            run = world.submit(content(number), task=task, name=f"run-{number}")
            check_run(run.pk)
            world.runs.append(run.pk)
    return world

def work(times=200):
    for _ in range(times):
        keys = list(Evaluation.objects.claimable().values_list("pk", flat=True))
        if not keys:
            return
        for key in keys:
            scoring.evaluate(key)

def boards(world):
    # What a visitor sees of each task: the live edition's assessments, and how many runs it lacks.
    seen = []
    for task in world.tasks:
        live = list(task.editions.live())
        assert len(live) <= 1
        lacks = Run.objects.valid().filter(task=task).exclude(
            pk__in=live[0].evaluations.on_board().values("run")).count() if live else None
        seen.append([live[0].assessment_set.version if live else None, lacks])
    return seen

def scored_once():
    return Score.objects.values("evaluation", "measure").distinct().count() == Score.objects.count()
"""


@pytest.fixture(scope="module")
def at_once(quiet_site):
    """Return a function that runs code in a site's Django, with `at_once` to call things in threads."""
    return lambda code: quiet_site.python(AT_ONCE + code)


def test_two_organisers_activate_different_versions_at_the_same_moment(at_once):
    answers = at_once("""
world = make("two")
one, two = world.sets
at_once(*[lambda: activate(one), lambda: activate(two)] * 3)
versions = "assessment_set__version"
building_ones = [list(task.editions.building().values_list(versions, flat=True)) for task in world.tasks]
numbers = [list(task.editions.order_by("number").values_list("number", flat=True)) for task in world.tasks]
at_once(work, work, work)
sweep()
print(json.dumps([building_ones, numbers, boards(world), scored_once()]))
""")

    building_ones, numbers, boards, scored_once = answers
    assert building_ones[0] == building_ones[1]
    assert len(building_ones[0]) == 1
    assert numbers == [[1, 2, 3, 4, 5, 6]] * 2
    assert boards == [[building_ones[0][0], 0]] * 2
    assert scored_once


def test_the_boards_of_a_track_switch_in_one_step(at_once):
    """Somebody looks again and again, in one statement, while six threads work and organisers change their minds."""
    answers = at_once("""
world = make("step")
one, two = world.sets
activate(one); work()
looks, over = [], []
def look():
    while not over:
        live = Edition.objects.live().filter(task__in=world.tasks)
        looks.append(sorted(live.values_list("task__slug", "assessment_set__version")))
        time.sleep(0.002)
def change():
    for chosen in (two, one, two):
        activate(chosen)
        at_once(work, work)
        sweep()
    over.append(True)
at_once(look, change)
whole = {tuple(version for _, version in seen) for seen in looks}
print(json.dumps([sorted(whole), boards(world), scored_once()]))
""")

    seen, boards, scored_once = answers
    assert set(map(tuple, seen)) <= {(1, 1), (2, 2)}
    assert boards == [[2, 0], [2, 0]]
    assert scored_once


def test_runs_that_arrive_while_an_edition_is_built_are_on_the_new_board(at_once):
    answers = at_once("""
world = make("arrive", runs=2, kinds=("focused",))
one, two = world.sets
activate(one); work()
def arrive(number):
    run = world.submit(content(100 + number), name=f"late-{number}")
    check_run(run.pk)
    score_run(run.pk)
at_once(*[lambda number=number: arrive(number) for number in range(4)], lambda: (activate(two), work()), work)
for run in Run.objects.valid().filter(task=world.task):
    score_run(run.pk)  # as the sweep wakes workers for those that came between
work(); sweep()
print(json.dumps([boards(world), Run.objects.valid().filter(task=world.task).count(), scored_once()]))
""")

    assert answers == [[[2, 0]], 6, True]


def test_a_worker_that_dies_in_the_middle_leaves_an_edition_that_is_finished(at_once):
    answers = at_once("""
world = make("dies", kinds=("focused",))
one, two = world.sets
activate(one); work()
[edition] = activate(two)
keys = list(edition.evaluations.values_list("pk", flat=True))
dying = (
    "import django, os, signal; django.setup()\\n"
    "from evaluation.services import scoring\\n"
    "scoring._record = lambda *anything: os.kill(os.getpid(), signal.SIGKILL)\\n"
    f"scoring.evaluate({keys[0]})"
)
died = subprocess.run([sys.executable, "-c", dying]).returncode
held = Evaluation.objects.get(pk=keys[0]).state
before = boards(world)
work(); sweep()
still = boards(world)
free_dead_leases(); work(); sweep()
row = Evaluation.objects.get(pk=keys[0])
print(json.dumps([died, held, before, still, boards(world), row.state, row.attempts, scored_once()]))
""")

    died, held, before, still, after, state, attempts, scored_once = answers
    assert (died, held) == (-9, "running")
    assert before == [[1, 0]]
    assert still in ([[1, 0]], [[2, 0]])  # the sweep may free the dead worker's lease before we look
    assert (after, state, attempts, scored_once) == ([[2, 0]], "done", 2, True)


def test_clicks_on_pause_resume_abandon_and_activate_leave_one_whole_board(at_once):
    answers = at_once("""
world = make("clicks")
one, two = world.sets
activate(one); work()
track = world.track
at_once(
    lambda: activate(two), lambda: decisions.pause(track), lambda: decisions.resume(track), work,
    lambda: decisions.rebuild(world.tasks), lambda: decisions.abandon(track), lambda: decisions.pause(track), work,
    lambda: decisions.change_measures(world.task, profile="inex-2009", parameters={}),
)
in_between = boards(world)
decisions.resume(track)
activate(two)
work(); sweep()
working = Evaluation.objects.unfinished().filter(run__in=world.runs).count()
print(json.dumps([in_between, boards(world), working, scored_once()]))
""")

    in_between, after, working, scored_once = answers
    assert all(lacks == 0 for _, lacks in in_between)
    assert len({version for version, _ in in_between}) == 1
    assert after == [[2, 0], [2, 0]]
    assert (working, scored_once) == (0, True)


def test_eight_workers_claim_one_evaluation_once(at_once):
    answers = at_once("""
world = make("claims", runs=1, kinds=("focused",))
activate(world.sets[0])
key = Evaluation.objects.get(run__in=world.runs).pk
claims = at_once(*[lambda: Evaluation.objects.claim(key) is not None] * 8)
print(json.dumps([claims.count("True"), Evaluation.objects.get(pk=key).attempts]))
""")

    assert answers == [1, 1]


def test_eight_clicks_on_reject_reject_once(at_once):
    answers = at_once("""
world = make("reject", runs=1, kinds=("focused",))
run = Run.objects.for_lists().get(pk=world.runs[0])
again = lambda: reject([Run.objects.for_lists().get(pk=run.pk)], by=By(world.organiser), reason="A copy.")
rejected = at_once(*[lambda: len(again())] * 8)
told = world.alice.notifications.filter(kind="rejected").count()
print(json.dumps([sorted(rejected), told, TrailEntry.objects.filter(deed="rejected", campaign=world.campaign).count()]))
""")

    assert answers == [["0"] * 7 + ["1"], 1, 1]


def test_twenty_clicks_on_one_page_make_one_set_of_editions_and_the_others_are_told(at_once):
    """Every deed that begins editions compares what was seen on the locked track."""
    answers = at_once("""
from evaluation.services.editions import newest_edition
from evaluation.services.reruns import reevaluate
world = make("twenty", runs=1)
one, two = world.sets
activate(one); work()
first = world.task.editions.get()
runs = list(Run.objects.for_lists().filter(pk__in=world.runs))
deeds = {
    "activate": lambda seen: activate(two, seen=seen),
    "rebuild": lambda seen: decisions.rebuild(list(world.tasks), seen=seen),
    "roll back": lambda seen: decisions.roll_back(first, seen=seen),
    "re-evaluate": lambda seen: reevaluate(runs, by=By(world.organiser), seen=seen),
}
told = {}
for name, deed in deeds.items():
    seen, before = newest_edition(world.track), world.task.editions.count()
    said = at_once(*[lambda: deed(seen)] * 20)
    refused = [sentence for sentence in said if "begun after you opened this page" in sentence]
    told[name] = [len(refused), world.task.editions.count() - before]
    work(); sweep()
print(json.dumps([told, boards(world)]))
""")

    told, boards = answers
    assert told == {deed: [19, 1] for deed in ("activate", "rebuild", "roll back", "re-evaluate")}
    assert [lacks for _, lacks in boards] == [0, 0]


def test_go_live_and_abandon_at_the_same_moment_are_one_of_the_two(at_once):
    answers = at_once("""
from evaluation.services.decisions import go_live_when_ready
world = make("look", runs=1)
one, two = world.sets
activate(one); work()
started = activate(two, waits_for_look=True); work(); sweep()
waited = boards(world)
at_once(*[lambda: go_live_when_ready(world.track), lambda: decisions.abandon(world.track)] * 4)
states = sorted(set(Edition.objects.filter(pk__in=[e.pk for e in started]).values_list("state", flat=True)))
told = world.organiser.notifications.filter(kind="built").count()
print(json.dumps([waited, states, boards(world), told]))
""")

    waited, states, boards, told = answers
    assert waited == [[1, 0], [1, 0]]
    assert (states, boards) in ((["live"], [[2, 0], [2, 0]]), (["abandoned"], [[1, 0], [1, 0]]))
    assert told == 1
