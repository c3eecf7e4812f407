"""Every deed that changes what a board can show raises the generation of its task; what else writes says why not."""

import ast
from collections.abc import Callable
from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone

from campaign.models import Rejection, Run, Task, TaskKind, Track
from campaign.services.acting import By
from campaign.services.people.teams import edit_team
from campaign.services.runs.checks import check_run
from campaign.services.runs.rechecks import recheck
from campaign.services.runs.rejections import reinstate, reject, take_back
from campaign.services.runs.renaming import make_official, make_unofficial, rename_run
from campaign.services.runs.submissions import submit_run, withdraw_run
from campaign.services.setup.campaigns import SETTINGS, change_campaign
from campaign.services.setup.task_settings import SETTINGS as TASK_SETTINGS
from campaign.services.setup.task_settings import change_task
from campaign.services.setup.topics import read_records, remove_topics, take_topics
from campaign.services.setup.tracks import change_track
from campaign.services.visibility.publication import publish, set_switches, unpublish
from evaluation.models import Evaluation
from evaluation.services import late_findings
from evaluation.services.decisions import abandon, activate, change_measures, go_live_when_ready, rebuild, roll_back
from evaluation.services.scoring import evaluate
from tests.world import BROKEN_RUN, GOOD_RUN, RICHER, score_all

TOPICS = b'<topics><topic id="%s"><title>lanterns</title></topic></topics>'


@pytest.fixture
def board(world):
    """Return a world with a live board of two teams' runs, and a second track that nothing is done to."""
    world.activate()
    world.run = world.scored()
    world.their_run = world.scored(user=world.bob, team=world.bobs, name="theirs")
    other = Track.objects.create(campaign=world.campaign, slug="other", name="Other")
    times = {"opens_at": world.task.opens_at, "closes_at": world.task.closes_at}
    world.other_task = Task.objects.create(track=other, slug="other", name="Other", kind=TaskKind.FOCUSED, **times)
    world.by = By(world.organiser)
    return world


def entered(row, names, **changed):
    return {name: getattr(row, name) for name in names} | changed


def rejected(board):
    return reject([board.run], by=board.by, reason="A copy.")


def building(board):
    """Return an edition that is built and waits for a look."""
    return activate(board.import_assessments(RICHER), waits_for_look=True)


def broken(board):
    """Return a run that had passed the check and whose file the check refuses now."""
    run, other = board.checked(name="broken"), board.submit(BROKEN_RUN, name="other")
    Run.objects.filter(pk=run.pk).update(state=Run.State.RECEIVED, stored_file=other.stored_file)
    return run


def without_findings(board):
    """Let one run be as if it was scored before findings were kept, and queue it."""
    Evaluation.objects.filter(run=board.run).update(findings_file="")
    late_findings.queue_missing()


# By what is done: what comes before, and the deed itself.
DEEDS: dict[str, tuple[Callable, Callable]] = {
    "a run is renamed": (lambda b: b.run, lambda b, run: rename_run(run, by=By(b.alice), name="better")),
    "a run is marked official": (lambda b: b.run, lambda b, run: make_official(run)),
    "the official mark is taken away": (lambda b: make_official(b.run), lambda b, _: make_unofficial(b.run)),
    "a run is withdrawn": (lambda b: b.run, lambda b, run: withdraw_run(run)),
    "a run is replaced": (lambda b: b.run, lambda b, run: replace(b, run)),
    "a run is rejected": (lambda b: None, lambda b, _: rejected(b)),
    "a run is reinstated": (rejected, lambda b, runs: reinstate(runs, by=b.by)),
    "a rejection is taken back": (rejected, lambda b, _: take_back(Rejection.objects.get(), by=b.by)),
    "a run passes the check": (lambda b: b.submit(name="new"), lambda b, run: check_run(run.pk)),
    "a run no longer passes the check": (broken, lambda b, run: check_run(run.pk)),
    "runs are checked anew": (lambda b: None, lambda b, _: recheck([b.task])),
    "a score is recorded": (lambda b: b.checked(name="new"), lambda b, run: evaluate()),
    "the last findings of a board are made up": (without_findings, lambda b, _: late_findings.find()),
    "switches are turned": (lambda b: None, lambda b, _: set_switches(b.task, by=b.by, runs_visible="at-once")),
    "results are published": (lambda b: None, lambda b, _: publish([b.task], by=b.by)),
    "results come under embargo": (
        lambda b: None,
        lambda b, _: publish([b.task], by=b.by, moment=timezone.now() + timedelta(days=1)),
    ),
    "results are unpublished": (
        lambda b: publish([b.task], by=b.by),
        lambda b, tasks: unpublish(tasks, by=b.by),
    ),
    "a task is renamed": (
        lambda b: None,
        lambda b, _: change_task(b.task, by=b.by, **entered(b.task, TASK_SETTINGS, name="Sharp")),
    ),
    "a track is renamed": (lambda b: None, lambda b, _: change_track(b.track, by=b.by, name="Sharp")),
    "a campaign is renamed": (
        lambda b: None,
        lambda b, _: change_campaign(b.campaign, by=b.by, **entered(b.campaign, SETTINGS, name="Sharp")),
    ),
    "a team is renamed": (lambda b: None, lambda b, _: edit_team(b.alices, by=By(b.alice), name="Sharp")),
    "a topic's text changes": (
        lambda b: None,
        lambda b, _: take_topics(b.track, records=read_records(BytesIO(TOPICS % b"1"))),
    ),
    "a topic is new": (lambda b: None, lambda b, _: take_topics(b.track, records=read_records(BytesIO(TOPICS % b"9")))),
    "a topic goes": (
        lambda b: take_topics(b.track, records=read_records(BytesIO(TOPICS % b"9"))),
        lambda b, _: remove_topics(b.track, by=b.by, numbers="9"),
    ),
    "documents change": (lambda b: None, lambda b, _: b.give_text(a=b"<article>another text</article>")),
    "an edition is begun": (lambda b: b.import_assessments(RICHER), lambda b, new: activate(new)),
    "an edition is abandoned": (building, lambda b, _: abandon(b.track, by=b.by)),
    "an edition goes live": (lambda b: [building(b), score_all()], lambda b, _: go_live_when_ready(b.track, by=b.by)),
    "a board is built anew": (lambda b: None, lambda b, _: rebuild([b.task], by=b.by)),
    "a board goes back": (
        lambda b: [activate(b.import_assessments(RICHER)), score_all()],
        lambda b, _: roll_back(b.task.editions.get(number=1), by=b.by),
    ),
    "a board is measured otherwise": (
        lambda b: None,
        lambda b, _: change_measures(b.task, by=b.by, profile="inex-2009", parameters={}),
    ),
}


def replace(board, run):
    upload = BytesIO(GOOD_RUN + b"# again\n")
    return submit_run(board.task, by=By(board.alice), team=board.alices, upload=upload, file_name="a.fol", replaces=run)


def generations(*tasks):
    return [Task.objects.values_list("generation", flat=True).get(pk=task.pk) for task in tasks]


@pytest.mark.parametrize("done", DEEDS)
def test_what_changes_a_board_raises_its_generation(board, done):
    prepare, deed = DEEDS[done]
    prepared = prepare(board)
    before, elsewhere = generations(board.task, board.other_task)

    deed(board, prepared)

    after, still = generations(board.task, board.other_task)
    assert after > before
    assert (still == elsewhere) == (done != "a campaign is renamed")


def test_what_is_refused_or_changes_nothing_leaves_the_generation(board):
    before = generations(board.task)

    board.submit(name="new")
    publish([board.task], by=board.by, moment=None) and unpublish([board.task], by=board.by)
    raised = generations(board.task)
    assert raised > before
    set_switches(board.task, by=board.by, names_visible=board.task.names_visible)
    unpublish([board.task], by=board.by)
    change_track(board.track, by=board.by, name=board.track.name, collection=board.collection, assessors="assessor")

    assert generations(board.task) == raised


# What writes ----------------------------------------------------------------------------------------------------------

WRITING = {
    "bulk_create",
    "bulk_update",
    "create",
    "delete",
    "enqueue",
    "finish",
    "get_or_create",
    "requeue",
    "save",
    "take_away",
    "update",
    "update_or_create",
}
# What boards show nothing of, whoever writes it.
ELSEWHERE = {
    "ApiToken",
    "AssessmentImport",
    "Collection",
    "CollectionImport",
    "Document",
    "EmailAddress",
    "Grant",
    "Invitation",
    "Membership",
    "Notification",
    "Pool",
    "PooledDocument",
    "ReviewerLink",
    "TrailEntry",
    "address",
    "default_storage",
    "membership",
    "pool",
    "prepared",
    "registration",
    "text",
    "user",
}
# Functions that write and raise nothing, each with the reason; the deeds that call them raise where there is something.
QUIET = {
    "campaign.services.documents.decisions": {
        "accept_import": "an import's own row; put_in_place checks runs anew",
        "discard_import": "an import's own row",
        "start_again": "an import's own row",
    },
    "campaign.services.documents.versions": {"_switch": "recheck_collection raises"},
    "campaign.services.generations": {"_raise": "this is it"},
    "campaign.services.people.registrations": {
        "withdraw_registration": "boards show teams that submitted, registered or not",
        "decide": "boards show teams that submitted, registered or not",
    },
    "campaign.services.people.teams": {
        "create_team": "it has no run yet",
        "_close_if_empty": "only a team without runs is deleted",
    },
    "campaign.services.runs.check_results": {"make_columns_again": "the same columns in another file"},
    "campaign.services.runs.rechecks": {
        "recheck_run": "its line stays until the check is done, which raises",
        "_another_chance": "recheck raises",
    },
    "campaign.services.runs.rejections": {
        "reject": "_held raises",
        "take_back": "_held raises",
        "_brought_back": "_held raises",
    },
    "campaign.services.runs.submissions": {"submit_run": "boards show a run when it is scored"},
    "campaign.services.setup.campaigns": {
        "create_campaign": "it has no task yet",
        "delete_campaign": "its boards go with it",
    },
    "campaign.services.setup.checklist": {"_change_reason": "the checklist is the desk's"},
    "campaign.services.setup.copying": {"_copied": "new", "_copy_track": "new"},
    "campaign.services.setup.ordering": {"move": "lists of tracks and tasks are not boards"},
    "campaign.services.setup.task_settings": {"create_task": "new", "delete_task": "its board goes with it"},
    "campaign.services.setup.topics": {"remove_topics": "recheck_track raises"},
    "campaign.services.setup.tracks": {"create_track": "new", "delete_track": "its boards go with it"},
    "campaign.services.telling.mailing": {"_change": "mail", "send_again": "mail"},
    "campaign.services.telling.notifications": {"mark_read": "notifications"},
    "campaign.services.visibility.pseudonyms": {"give_pseudonym": "given with a check, which raises"},
    "assessments.services.imports": {
        "write_version": "no board stands on it yet",
        "_make_topics": "recheck_track raises",
    },
    "assessments.services.previews": {
        "accept_import": "an import's own row",
        "discard_import": "an import's own row",
        "read_again": "an import's own row",
    },
    "assessments.services.stored_files": {"_report_again": "the report of a check is its team's"},
    "assessments.services.versions": {"change_notes": "notes are the desk's"},
    "evaluation.services.analyses": {"look_after": "pages show what is computed, which raises"},
    "evaluation.services.decisions": {
        "_rebuild": "start raises",
        "_set_paused": "boards that are live stay",
        "go_live_when_ready": "finish_building raises",
    },
    "evaluation.services.differences": {"_make_room": "request_difference raises"},
    "evaluation.services.editions": {"let_wait": "boards that are live stay"},
    "evaluation.services.late_findings": {
        "queue_missing": "a row of work; the last of a board's findings raises",
        "make_up": "a file that was damaged, made again as it was",
    },
    "evaluation.services.queue": {"queue_evaluations": "boards show a run when it is scored"},
    "evaluation.services.requested_analyses": {"_make_room": "request_analysis raises"},
    "evaluation.services.reruns": {"retry": "what failed is on no board; the score raises"},
    "evaluation.services.scoring": {
        "_send_back": "it had no score yet",
        "give_up": "a quota is the team's own matter",
    },
}


def root_of(expression):
    """Return the name that a chain of attributes and calls begins with."""
    while not isinstance(expression, ast.Name):
        expression = getattr(expression, "value", None) or getattr(expression, "func", None)
        if expression is None:
            return ""
    return expression.id


def writers():
    """Yield the functions of services that write rows of which a board may show something: module, name, and source."""
    for app in ("campaign", "assessments", "evaluation"):
        for file in sorted(Path(settings.BASE_DIR, app, "services").rglob("*.py")):
            module = ".".join(file.relative_to(settings.BASE_DIR).with_suffix("").parts)
            for function in ast.parse(file.read_text()).body:
                if isinstance(function, ast.FunctionDef) and any(map(writes, ast.walk(function))):
                    yield module, function.name, ast.unparse(function)


def writes(node):
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WRITING
    of_dictionary = is_call and node.func.attr == "update" and node.args  # rows are updated by keywords
    return is_call and not of_dictionary and root_of(node.func) not in ELSEWHERE


def test_whatever_writes_raises_the_generation_or_says_why_not():
    found = {(module, name): "raise_generation" in source for module, name, source in writers()}
    quiet = {(module, name) for module, reasons in QUIET.items() for name in reasons}

    silent = [".".join(key) for key, raises in found.items() if not raises and key not in quiet]
    assert silent == [], "Call raise_generation in the same transaction, or say in QUIET why boards show nothing of it."
    assert sorted(key for key in quiet if found.get(key, True)) == [], "These raise it, or write nothing any more."
