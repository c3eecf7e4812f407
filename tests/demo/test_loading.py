"""The demo campaign, loaded through the services that organisers and participants use."""

import re
from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import override_settings
from django.utils import timezone

from assessments.models import AssessmentSet
from campaign.models import Campaign, Document, Pseudonym, Run, Task, Team, Topic, User
from campaign.services.permissions.seeing import board_view, board_view_of
from campaign.services.permissions.submitting import may_submit
from evaluation.demo.accounts import ACCOUNTS
from evaluation.demo.loader import load_demo, runs_of_demo
from evaluation.models import Evaluation
from evaluation.services.board_asked import Asked
from evaluation.services.boards import build_board
from evaluation.services.curves import AskedCurves, curves_of
from evaluation.services.excerpts import excerpt, make_excerpt
from limelight.scoring.evaluators import EVALUATORS

pytestmark = pytest.mark.slow

KINDS = ("focused", "relevant-in-context", "best-in-context", "thorough")
POOR_RUN = "par-count"
QUICK_HASHER = "django.contrib.auth.hashers.MD5PasswordHasher"


@pytest.fixture(scope="module")
def said(django_db_setup, django_db_blocker, tmp_path_factory):
    """Load the demo once for this file, in a transaction that is taken back at the end; gives what was said."""
    sentences = []
    quick = {"MEDIA_ROOT": tmp_path_factory.mktemp("demo"), "PASSWORD_HASHERS": [QUICK_HASHER]}
    with django_db_blocker.unblock(), override_settings(**quick), transaction.atomic():
        load_demo(say=sentences.append)
        yield sentences
        transaction.set_rollback(True)


@pytest.fixture
def demo(said, db):
    return Campaign.objects.get(slug="demo")


@pytest.fixture(params=KINDS)
def task(request, demo):
    return Task.objects.get(slug=request.param, track__campaign=demo)


def board_for(username, task):
    user = User.objects.get(username=username)
    return build_board(task.editions.live().get(), board_view(user, task), Asked(show="all"))


def test_loading_says_what_was_loaded(said):
    assert said[0] == "Demo: 42 documents, 15 topics."
    assert said[-1] == f"Demo: {len(runs_of_demo()) - 1} runs of 4 teams scored, 1 rejected."


def test_the_collection_the_topics_and_two_versions_of_the_assessments_are_there(demo):
    assert Document.objects.filter(collection__tracks__campaign=demo).count() == 42
    assert Topic.objects.filter(track__campaign=demo).count() == 15
    second, first = AssessmentSet.objects.filter(track__campaign=demo)
    assert (first.version, second.version) == (1, 2)
    assert first.judgement_count > first.relevant_count >= 100
    assert second.judgement_count >= first.judgement_count
    assert second.highlighted_characters != first.highlighted_characters
    assert "42 articles" in demo.summary
    assert "15 topics, 4 teams" in demo.summary


def test_two_tasks_are_open_and_two_are_closed_and_published(demo):
    tasks = Task.objects.filter(track__campaign=demo)
    now = timezone.now()

    assert [task.slug for task in tasks] == list(KINDS)
    assert [task.is_open() for task in tasks] == [True, False, False, True]
    assert [task.published_at is not None and task.published_at < now for task in tasks] == [False, True, True, False]
    assert [task.reveals(task.runs_visible) for task in tasks] == [False, True, True, False]


def test_deadlines_follow_the_day_of_loading(demo):
    now = timezone.now()
    focused, *closed, _ = Task.objects.filter(track__campaign=demo)

    assert timedelta(days=13) < focused.closes_at - now < timedelta(days=15)
    for task in closed:
        assert timedelta(days=6) < now - task.closes_at < timedelta(days=8)
        assert task.opens_at < task.closes_at < task.published_at
    assert demo.year == now.year


def test_every_run_of_four_teams_is_valid_and_scored_without_a_warning(demo):
    everything = Run.objects.filter(task__track__campaign=demo)
    runs = everything.exclude(name="all-elements")

    assert len(everything) == len(runs) + 1 == len(runs_of_demo()) >= 12
    assert {run.team.name for run in runs} == {"Argand", "Drummond", "Fresnel", "Swan"}
    assert {run.state for run in runs} == {Run.State.VALID}
    assert {run.warning_count for run in runs} == {0}
    assert {run.answered_topics for run in runs} == {15}
    assert {evaluation.state for evaluation in Evaluation.objects.filter(run__in=runs)} == {Evaluation.State.DONE}
    assert Evaluation.objects.filter(run__in=runs, edition__state="live").count() == len(runs)
    assert Evaluation.objects.filter(run__in=runs, edition__state="superseded").count() == len(runs)


def test_the_boards_stand_on_the_second_version_and_the_first_stays_readable(task):
    live, superseded = task.editions.order_by("-number")

    assert (live.state, live.assessment_set.version) == ("live", 2)
    assert (superseded.state, superseded.assessment_set.version) == ("superseded", 1)
    before, after = (
        build_board(edition, board_view(User.objects.get(username="organiser"), task)) for edition in (superseded, live)
    )
    assert [line.name for line in before.lines] and {line.name for line in before.lines} == {
        line.name for line in after.lines
    }
    assert [line.cells[0].value for line in before.lines] != [line.cells[0].value for line in after.lines]


def test_one_run_returns_elements_and_the_others_passages(demo):
    types = {run.file_name: run.result_type for run in Run.objects.filter(task__track__campaign=demo)}

    assert types["swan_cas-elements.xml"] == "element"
    assert [name for name, kind in types.items() if kind == "element"] == ["swan_cas-elements.xml"]


def test_scores_lie_between_nought_and_one_and_tell_runs_apart(task):
    board = board_for("organiser", task)

    for position, measure in enumerate(board.measures):
        values = [line.cells[position].value for line in board.lines]
        assert all(0 <= value <= 1 for value in values), measure.name
        assert len({round(value, 6) for value in values}) > 1, measure.name
    assert [line.rank for line in board.lines] == sorted(line.rank for line in board.lines)
    assert board.measures[0].name == EVALUATORS[task.kind].official


def test_the_poor_run_is_last_or_next_to_last(demo):
    board = board_for("organiser", Task.objects.get(slug="focused", track__campaign=demo))

    assert POOR_RUN in [line.name for line in board.lines[-2:]]


def test_everybody_sees_every_run_and_its_curve(task):
    board = board_for("participant", task)
    view = board_view(User.objects.get(username="participant"), task)

    figure = curves_of(board.edition, view, AskedCurves(tuple(line.code for line in board.lines)))

    assert board.is_complete
    assert board.team_count == 4
    assert len(figure.drawn) == len(board.lines) == Run.objects.valid().filter(task=task).count()
    assert [line.team for line in board.lines if line.is_own] == ["Argand"] * sum(line.is_own for line in board.lines)


def test_the_official_runs_of_the_teams_are_marked_on_the_board(demo, client):
    board = board_for("participant", Task.objects.get(slug="focused", track__campaign=demo))

    marked = {(line.team, line.name) for line in board.lines if line.is_official}
    assert marked == {
        ("Argand", "par-article"),
        ("Drummond", "sec-bm25"),
        ("Fresnel", "win60-bm25"),
        ("Swan", "cas-mild"),
    }


def test_the_thorough_board_hides_the_others_names_until_publication(demo):
    board = board_for("participant", Task.objects.get(slug="thorough", track__campaign=demo))

    assert [line.name for line in board.lines if line.is_own] == ["tho-bm25"]
    assert not {line.team for line in board.lines} & {"Drummond", "Fresnel", "Swan"}
    assert board.team_count == 4


def found_by_numbers(client, demo):
    """Count the teams that an attacker finds: who was first on a board with names is first on the one without.

    Every number that a line tells is tried, the one that ties its curve to it and the one that names it.
    """
    lines = re.compile(r'data-curve="(.*?)".*?<th scope="row".*?>(?:<a.*?>)?(.*?)<.*?<bdi>(.*?)</bdi>', re.DOTALL)
    pages = {task.slug: client.get(task.get_absolute_url()).content.decode() for task in demo.tracks.get().tasks.all()}

    def orders(slug):
        for sign in (0, 1):
            numbered = [(re.fullmatch(r"(?:run )?(\d+)", line[sign]), line[2]) for line in lines.findall(pages[slug])]
            assert len({team for _, team in numbered}) == 4
            if all(number for number, _ in numbered):
                yield list(dict.fromkeys(team for _, team in sorted(numbered, key=lambda pair: int(pair[0][1]))))

    names = dict(Pseudonym.objects.filter(task__track__campaign=demo).values_list("name", "team__name"))
    guesses = [zip(hidden, named, strict=True) for hidden in orders("thorough") for named in orders("best-in-context")]
    return max((sum(names[pseudonym] == team for pseudonym, team in guess) for guess in guesses), default=0)


def test_no_number_on_the_anonymous_board_leads_to_a_team(demo, client):
    assert found_by_numbers(client, demo) == 0


def test_one_run_was_rejected_for_returning_text_twice(demo):
    rejected = Run.objects.get(name="all-elements", task__track__campaign=demo)

    assert rejected.state == Run.State.REJECTED
    assert set(rejected.problem_counts) == {"overlap"}


def test_the_participant_may_submit_to_the_open_task_alone(demo):
    participant, team = User.objects.get(username="participant"), Team.objects.get(slug="argand")

    allowed = [bool(may_submit(participant, team, task)) for task in Task.objects.filter(track__campaign=demo)]

    assert allowed == [True, False, False, True]


def test_a_visitor_sees_everything_of_the_pilot_and_its_text_on_the_front_page(said, db, client):
    [task] = Task.objects.filter(track__campaign__slug="demo-pilot")

    view = board_view_of(None, task)
    board = build_board(task.editions.live().get(), view)
    make_excerpt(f"{board.edition.pk}")
    made = excerpt()

    assert view.all_scores and view.names and view.runs and view.assessments
    assert not task.is_open() and task.published_at < timezone.now()
    assert (len(board.lines), board.team_count, len(board.edition.topic_numbers)) == (4, 4, 4)
    assert {kind for kind, _ in made["pieces"]} >= {"hit", "miss", "waste"}
    for path in (made["list_path"], made["document_path"], made["topic_path"], made["task_path"]):
        assert path.startswith(("/campaigns/demo-pilot/", "/collections/lamps/"))
        assert client.get(path).status_code == 200


def test_the_demo_command_refuses_a_site_in_earnest_in_one_sentence(db, settings):
    settings.DEMO_ACCOUNTS = False
    people = User.objects.count()

    with pytest.raises(
        CommandError, match=r"^The demo brings accounts with public passwords\. It loads only with DEBUG"
    ):
        call_command("demo")

    assert User.objects.count() == people


def test_the_demo_command_says_what_it_would_load(db, settings):
    settings.DEMO_ACCOUNTS = True
    Campaign.objects.filter(slug="demo").update(slug="another")  # which other tests of this file have loaded
    output = StringIO()

    call_command("demo", "--dry-run", stdout=output)

    assert output.getvalue() == (
        "The demo campaign would be loaded: 42 documents, 26 runs, 4 teams, a pilot with 4 runs, "
        "and the accounts participant, rival, assessor, organiser.\n"
    )
    assert not Campaign.objects.filter(slug="demo").exists()


def test_the_demo_command_leaves_a_loaded_demo_alone(demo, settings):
    settings.DEMO_ACCOUNTS = True
    output = StringIO()

    call_command("demo", stdout=output)

    assert output.getvalue() == "The demo campaign is already loaded.\n"


@pytest.mark.parametrize("account", ACCOUNTS, ids=lambda account: account.username)
def test_demo_accounts_sign_in_only_where_nobody_else_can_reach_them(demo, client, settings, account):
    credentials = {"username": account.username, "password": account.password}

    settings.DEMO_ACCOUNTS = True
    assert authenticate(**credentials) == User.objects.get(username=account.username)
    assert client.login(**credentials)

    settings.DEMO_ACCOUNTS = False
    assert authenticate(**credentials) is None
    assert "sign-in" in client.get("/runs/").url  # who was signed in is signed out


def test_teams_without_a_person_behind_them_have_no_password(demo):
    for username in ("demo-fresnel", "demo-swan"):
        assert not User.objects.get(username=username).has_usable_password()
