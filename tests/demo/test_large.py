"""The large demo: made from a seed, loaded through the services that organisers and participants use."""

import hashlib
import re
from collections import Counter
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import override_settings

from assessments.models import AssessmentSet
from campaign.models import Campaign, Document, Run, Task, Team, Topic, User
from campaign.services.permissions.seeing import board_view, shows_assessments
from evaluation.demo.large import loading
from evaluation.demo.large.entrants import entries_from, team_count
from evaluation.demo.large.world import World
from evaluation.demo.loader import load_demo
from evaluation.models import Evaluation
from evaluation.services.boards import build_board

KINDS = ("focused", "relevant-in-context", "best-in-context", "thorough")
QUICK_HASHER = "django.contrib.auth.hashers.MD5PasswordHasher"
RUNS, TOPICS = 12, 10


def files_of(world):
    """Return a hash of every file of a world, by what it is."""
    files = {article.identifier: article.content for article in world.articles}
    files |= {"topics": world.topics, "v1": world.assessments(), "v2": world.assessments(second_reading=True)}
    files |= {f"{entry.team} {entry.task} {entry.name}": world.run_file(entry) for entry in world.entries}
    return {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}


def test_the_same_seed_gives_the_same_files_and_another_one_others():
    first, again, other = (files_of(World(4, 2, seed)) for seed in (7, 7, 8))

    assert first == again
    assert not set(first.values()) & set(other.values())


def test_articles_are_of_every_length_and_tell_of_what_is_asked():
    world = World(3, 2)
    lengths = sorted(len(article.content) for article in world.articles)

    assert lengths[0] < 5_000
    assert lengths[-1] > 280_000
    for number, theme in enumerate(world.themes):
        told = [
            article.text.text[start:end] for article in world.articles for *_, start, end in _stretches(article, number)
        ]
        assert told
        assert all(theme.subject in text or theme.words["words"].split()[0] in text.lower() for text in told)


def _stretches(article, number):
    return [stretch for stretch in article.themed() if stretch[0] == number]


@pytest.mark.parametrize("count", [3, 4, 10, 72, 300])
def test_as_many_runs_as_asked_for_stay_on_the_main_board(count):
    entries = [entry for entry in entries_from(1, count) if entry.task == "focused"]
    standing = [entry for entry in entries if not entry.is_withdrawn and not entry.is_rejected]
    copies = len(standing) - len({entry.system.key for entry in standing})

    assert len(standing) == count
    assert len({entry.team for entry in standing}) == team_count(count)
    assert copies >= max(1, count // 40)
    assert sum(entry.is_rejected for entry in entries) == 1
    assert sum(entry.is_withdrawn for entry in entries) == max(1, count // 30)
    assert len({(entry.team, entry.name) for entry in entries}) == len(entries)


def test_some_runs_answer_only_the_topics_that_are_read_again():
    world = World(10, 5)
    partial = [entry for entry in world.entries if entry.is_partial]
    answered = {line.split()[0].decode() for line in world.run_file(partial[0]).splitlines()}

    assert len(partial) == 1
    assert answered == set(world.topics_read_again) == {"2001", "2002", "2003"}


def test_three_hundred_runs_are_shared_out_as_in_life():
    runs = [entry for entry in entries_from(1, 300) if entry.task == "focused" and not entry.is_withdrawn]
    a_team = Counter(entry.team for entry in runs if not entry.is_rejected).values()

    assert min(a_team) <= 2
    assert max(a_team) == 15
    assert 0.1 < sum(entry.returns_elements for entry in runs) / len(runs) < 0.5
    assert {entry.query for entry in runs} == {"automatic", "manual"}
    assert {entry.system.length for entry in runs} >= {60, 1_500}
    unmarked = {entry.team for entry in runs} - {entry.team for entry in runs if entry.is_official}
    assert 0 < len(unmarked) < team_count(300) / 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--runs", "2"], "A large campaign has 3 to 1,000 runs, not 2."),
        (["--runs", "100000"], "A large campaign has 3 to 1,000 runs, not 100,000."),
        (["--topics", "0"], "A large campaign has 1 to 500 topics, not 0."),
        (["--topics", "501"], "A large campaign has 1 to 500 topics, not 501."),
        (["--runs", "5", "--seed", "-1"], "A seed is a number from 0 to 4,294,967,295, not -1."),
        (["--seed", "4"], "A seed makes a large campaign. Say how large, e.g. --runs 300 --topics 120."),
    ],
)
def test_sizes_that_make_no_campaign_are_refused_in_a_sentence(settings, arguments, sentence):
    settings.DEMO_ACCOUNTS = True

    with pytest.raises(CommandError, match=f"^{re.escape(sentence)}$"):
        call_command("demo", *arguments)


def test_the_command_says_what_it_would_load(db, settings):
    settings.DEMO_ACCOUNTS = True
    Campaign.objects.filter(slug="large").update(slug="another")  # which other tests of this file may have loaded
    output = StringIO()

    call_command("demo", "--runs", "12", "--topics", "10", "--dry-run", stdout=output)

    assert output.getvalue() == (
        "A large demo campaign would be loaded: 56 documents, 10 topics, 23 runs, 12 of them on the board of Focused, "
        "7 teams, and the accounts participant, rival, assessor, organiser.\n"
    )
    assert not Campaign.objects.filter(slug="large").exists()


@pytest.fixture(scope="module")
def said(django_db_setup, django_db_blocker, tmp_path_factory):
    """Load both demos once for this file, in a transaction that is taken back at the end; gives what was said."""
    output = StringIO()
    quick = {"MEDIA_ROOT": tmp_path_factory.mktemp("large"), "PASSWORD_HASHERS": [QUICK_HASHER], "DEMO_ACCOUNTS": True}
    with django_db_blocker.unblock(), override_settings(**quick), transaction.atomic():
        call_command("demo", "--runs", str(RUNS), "--topics", str(TOPICS), stdout=output)
        load_demo(say=lambda sentence: None)
        call_command("demo", "--runs", "3", stdout=output)
        yield output.getvalue().splitlines()
        transaction.set_rollback(True)


@pytest.fixture
def large(said, db):
    return Campaign.objects.get(slug="large")


def board_for(user, task, edition):
    return build_board(edition, board_view(user, task))


@pytest.mark.slow
def test_loading_says_what_was_loaded_and_does_so_once(said):
    assert said[0] == "Large demo: 56 documents, 10 topics."
    assert said[-2:] == [
        "Large demo: 22 runs of 7 teams scored, 1 of them withdrawn, and 1 rejected.",
        "The large demo campaign is already loaded.",
    ]


@pytest.mark.slow
def test_it_stands_beside_the_small_one_with_the_same_accounts(large):
    small = Campaign.objects.get(slug="demo")

    assert set(small.organisers.all()) == set(large.organisers.all()) == {User.objects.get(username="organiser")}
    assert Team.objects.of(User.objects.get(username="participant")).count() == 2
    assert Topic.objects.filter(track__campaign=large).count() == TOPICS
    assert Document.objects.filter(collection__tracks__campaign=large, text_file="").count() == 0


@pytest.mark.slow
def test_every_run_is_scored_in_two_editions_and_ranks_move(large):
    moved = 0
    for task in Task.objects.filter(track__campaign=large):
        live, superseded = task.editions.order_by("-number")
        assert (live.state, superseded.state) == ("live", "superseded")
        after, before = (board_for(User.objects.get(username="organiser"), task, one) for one in (live, superseded))
        assert [line.name for line in after.lines] and len(after.lines) == len(before.lines)
        moved += [line.name for line in after.lines] != [line.name for line in before.lines]
    second, first = AssessmentSet.objects.filter(track__campaign=large)

    assert moved
    assert first.highlighted_characters != second.highlighted_characters
    assert set(Evaluation.objects.filter(run__task__track__campaign=large).values_list("state", flat=True)) == {"done"}


@pytest.mark.slow
def test_the_main_board_has_ties_spread_and_both_types(large):
    task = Task.objects.get(track__campaign=large, slug="focused")
    board = board_for(User.objects.get(username="organiser"), task, task.editions.live().get())
    scores = [line.cells[0].value for line in board.lines]
    runs = Run.objects.filter(task=task)

    assert len(scores) == RUNS > len(set(scores))
    assert max(scores) - min(scores) > 0.1
    assert set(runs.valid().values_list("result_type", flat=True)) == {"passage", "element"}
    assert runs.filter(withdrawn_at__isnull=False).count() == 1
    assert runs.get(state=Run.State.REJECTED).problem_counts.keys() == {"overlap"}
    assert runs.filter(is_official=True).count() > 3
    assert runs.filter(problem_counts__has_key="same-file").count() == 1
    assert runs.get(problem_counts__has_key="missing-topics").answered_topics == TOPICS // 2


@pytest.mark.slow
def test_all_but_the_anonymous_task_are_published_and_assessments_are_open(large):
    tasks = Task.objects.filter(track__campaign=large)

    assert [task.slug for task in tasks] == list(KINDS)
    assert [task.is_published() for task in tasks] == [True, True, True, False]
    assert not [task.slug for task in tasks if task.is_open() or not shows_assessments(task)]
    anonymous = board_for(User.objects.get(username="participant"), tasks[3], tasks[3].editions.live().get())
    names = {team.name for team in Team.objects.filter(registrations__campaign=large)}
    assert anonymous.is_complete
    assert not {line.team for line in anonymous.lines if not line.is_own} & names


def test_progress_is_said_now_and_then_and_not_at_the_end(monkeypatch):
    said, clock = [], iter([0.0, 5.0, 11.0, 11.0, 22.0])
    monkeypatch.setattr(loading.time, "monotonic", lambda: next(clock))
    progress = loading.Progress(said.append, "runs scored", 3)

    for _ in range(3):
        progress.step()

    assert said == ["Large demo: 2 of 3 runs scored."]
