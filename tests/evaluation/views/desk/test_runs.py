"""The Runs tab of the desk: find, try again, score anew, reject, queue, failures and the archive."""

import gzip
import io
import re
import zipfile

import pytest

from campaign.models import Notification, Registration, Run, Team, TrailEntry
from campaign.services.acting import By
from campaign.services.permissions.submitting import quota_left
from campaign.services.refusals import Refused
from campaign.services.runs.checks import check_run
from campaign.services.runs.rejections import reinstate, reject
from evaluation.models import Edition, Evaluation
from evaluation.services.decisions import activate
from evaluation.services.reruns import reevaluate, retry
from tests.pages import source_of, text
from tests.world import BROKEN_RUN, GOOD_RUN, RICHER, fail_all, score_all, score_run

pytestmark = pytest.mark.slow

RUNS = "/desk/campaigns/small/runs/"


@pytest.fixture
def board(world):
    """Return the world with a live edition that two runs are scored in."""
    world.activate()
    world.run = world.scored()
    world.other = world.scored(user=world.bob, team=world.bobs, name="other")
    return world


@pytest.fixture
def desk(client, board):
    client.force_login(board.organiser)
    return client


def fail_check(run):
    Run.objects.filter(pk=run.pk).update(
        state=Run.State.FAILED, failure="Traceback: KeyError", failure_reference="F00D42", columns_file="", attempts=3
    )
    run.refresh_from_db()


def names(response):
    return re.findall(r'aria-label="Tick ([^"]+)"', source_of(response))


def do(client, deed, *runs, **fields):
    """Do something to runs, and say yes where the desk asks."""
    sent = {"deed": deed, "runs": [run.pk for run in runs], **fields}
    response = client.post(f"{RUNS}deed/", sent, follow=True)
    asked = re.search(r'name="sure" value="(\w+)"', source_of(response))
    return client.post(f"{RUNS}deed/", sent | {"sure": asked[1]}, follow=True) if asked else response


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("get", RUNS, 200),
        ("get", f"{RUNS}queue/", 200),
        ("get", f"{RUNS}{{run}}/failure/", 200),
        ("get", f"{RUNS}999999/failure/", 404),
        ("get", f"{RUNS}archive.zip", 200),
        ("get", f"{RUNS}archive.zip?task=999999", 404),
        ("get", f"{RUNS}archive.zip?task=x", 404),
        ("get", f"{RUNS}grants/", 200),
        ("post", f"{RUNS}deed/", 422),
        ("post", f"{RUNS}grants/1/revoke/", 404),
    ],
)
def test_the_runs_are_for_organisers_of_the_campaign(client, board, method, path, status):
    path, call = path.format(run=board.run.pk), getattr(client, method)
    assert "/sign-in/" in call(path)["Location"]
    for user in (board.alice, board.assessor, board.visitor_with_account):
        client.force_login(user)
        assert call(path).status_code == 404
    client.force_login(board.organiser)
    assert call(path).status_code == status


def test_the_list_is_narrowed(desk, board):
    broken = board.submit(BROKEN_RUN, name="broken")
    check_run(broken.pk)

    assert names(desk.get(RUNS)) == ["broken", "other", "good"]
    assert names(desk.get(f"{RUNS}?team=delft")) == ["other"]
    assert names(desk.get(f"{RUNS}?state=rejected")) == ["broken"]
    assert names(desk.get(f"{RUNS}?state=scored&words=GOO")) == ["good"]
    assert names(desk.get(f"{RUNS}?words={board.run.sha256[:12]}")) == ["other", "good"]
    assert names(desk.get(f"{RUNS}?task={board.task.pk}")) == ["broken", "other", "good"]
    assert "No runs of this kind." in text(desk.get(f"{RUNS}?task=999"))
    assert names(desk.get(f"{RUNS}?task=²&state=x&page=99")) == ["broken", "other", "good"]
    assert desk.get(f"{RUNS}?words=%00").status_code == 200


def test_a_campaign_without_runs_teaches(client, world):
    client.force_login(world.organiser)

    assert "No runs yet. They appear here as teams submit them" in text(client.get(RUNS))
    assert "Nothing waits." in text(client.get(f"{RUNS}queue/"))


def test_failed_checks_and_scorings_are_tried_again(desk, board):
    fail_check(board.other)
    fail_all(board.task.editions.get())
    Evaluation.objects.filter(run=board.other).delete()

    page = do(desk, "retry", board.run, board.other)

    assert "2 failed steps started again." in text(page)
    board.other.refresh_from_db()
    assert (board.other.state, board.other.attempts, board.other.failure) == ("received", 0, "")
    assert Evaluation.objects.get(run=board.run).state == Evaluation.State.QUEUED
    entry = TrailEntry.objects.first()
    assert (entry.deed, entry.subject, entry.details) == ("retried", "good, other", {"runs": 2})


def test_failures_in_abandoned_editions_stay(board):
    activate(board.import_assessments(RICHER))
    fail_all(Edition.objects.building().get())
    Edition.objects.building().update(state=Edition.State.ABANDONED)

    assert retry([board.run, board.other], by=By(board.organiser)) == 0


def test_nothing_failed_says_so(desk, board):
    response = do(desk, "retry", board.run)

    assert response.status_code == 422
    assert "Nothing about these runs has failed, so there is nothing to try again." in text(response)


@pytest.mark.parametrize(("which", "count"), [("ticked", 1), ("all", 2)])
def test_re_evaluating_builds_a_new_edition_and_overwrites_nothing(desk, board, which, count):
    before = list(Evaluation.objects.order_by("pk").values_list("pk", "state_since"))

    page = do(desk, "re-evaluate", board.run, which=which)

    assert "1 new edition begun; the Boards tab shows how far." in text(page)
    assert list(Evaluation.objects.filter(edition__number=1).order_by("pk").values_list("pk", "state_since")) == before
    score_all()
    assert Edition.objects.live().get().number == 2
    assert Evaluation.objects.on_board().filter(edition__number=2).count() == 2


def test_re_evaluating_a_failed_run_starts_it_again_where_it_was(board):
    Evaluation.objects.filter(run=board.run).update(state=Evaluation.State.FAILED)

    assert reevaluate([board.run], by=By(board.organiser)) == (1, [])


def test_re_evaluating_runs_that_were_never_scored_is_refused(world):
    with pytest.raises(Refused, match=r"^None of these runs has been scored or has failed, so there is nothing to do"):
        reevaluate([world.submit()], by=By(world.organiser))


def test_rejecting_takes_a_run_off_the_boards_and_tells_the_team(desk, board):
    board.task.quota = 2
    board.task.save()
    Run.objects.filter(pk=board.run.pk).update(is_official=True)

    page = do(desk, "reject", board.run, reason="  The same as the baseline ")

    assert "1 run rejected. Its team has been told." in text(page)
    board.run.refresh_from_db()
    assert (board.run.state, board.run.rejected_by, board.run.is_official) == ("rejected", board.organiser, False)
    assert not Evaluation.objects.on_board().filter(run=board.run).exists()
    assert Evaluation.objects.filter(run=board.run, state=Evaluation.State.DONE).exists()
    assert quota_left(board.alices, board.task) == 2
    told = Notification.objects.get(user=board.alice, kind="rejected")
    assert told.text == (
        "The organisers rejected your run good (Focused): The same as the baseline. "
        "It is on no board and uses up none of your quota."
    )
    entry = TrailEntry.objects.first()
    assert (entry.deed, entry.subject, entry.actor) == ("rejected", "good of Lund in Focused", board.organiser)
    assert entry.details["was"] == {"valid": 1}
    board_page = text(desk.get("/campaigns/small/ad-hoc/focused/"))
    assert "Lund" not in board_page
    desk.force_login(board.alice)
    assert "The organisers rejected this run: The same as the baseline." in text(desk.get(f"/runs/{board.run.pk}/"))


def test_a_reason_is_needed_and_kept_on_the_page(desk, board):
    response = do(desk, "reject", board.run, reason=" ")

    assert response.status_code == 422
    assert "Say why: the team reads it." in text(response)
    assert f'value="{board.run.pk}" aria-label="Tick good" checked' in source_of(response)
    assert do(desk, "reject", reason="x").status_code == 422
    assert "A reason has at most 2,000 characters." in text(do(desk, "reject", board.run, reason="x" * 2001))
    board.run.refresh_from_db()
    assert board.run.state == "valid"


def test_rejecting_twice_is_harmless(desk, board):
    do(desk, "reject", board.run, reason="A copy.")

    response = do(desk, "reject", board.run, reason="Another reason.")

    assert "These runs are withdrawn or rejected already." in text(response)
    board.run.refresh_from_db()
    assert board.run.rejection_reason == "A copy."
    assert Notification.objects.filter(user=board.alice, kind="rejected").count() == 1


def test_a_worker_that_has_the_run_cannot_bring_it_back(board):
    run = board.submit(name="in-flight")
    held = Run.objects.claim(run.pk)
    reject([run], by=By(board.organiser), reason="Not of this campaign.")

    assert not Run.objects.held(held).exists()
    check_run(run.pk)
    score_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.evaluations.count()) == ("rejected", 0)


def test_reinstating_brings_the_run_and_its_scores_back(desk, board):
    do(desk, "reject", board.run, reason="A copy.")

    page = do(desk, "reinstate", board.run)

    assert "1 run reinstated." in text(page)
    board.run.refresh_from_db()
    assert (board.run.state, board.run.rejection_reason, board.run.rejected_by) == ("valid", "", None)
    assert Evaluation.objects.on_board().filter(run=board.run).exists()
    assert "The organisers took the rejection of your run good (Focused) back. It counts again." in set(
        Notification.objects.filter(user=board.alice).values_list("text", flat=True)
    )
    do(desk, "reject", board.run, reason="A copy after all.")
    assert Notification.objects.filter(user=board.alice, text__contains="after all").exists()


def test_a_run_that_was_in_flight_is_checked_when_reinstated(board):
    run = board.submit(name="in-flight")
    reject([run], by=By(board.organiser), reason="Not of this campaign.")

    assert reinstate([run], by=By(board.organiser)) == ([run], [])

    run.refresh_from_db()
    assert run.state == "received"
    check_run(run.pk)
    run.refresh_from_db()
    assert run.state == "valid"


def test_what_the_check_rejected_is_not_reinstated(desk, board):
    broken = board.submit(BROKEN_RUN, name="broken")
    check_run(broken.pk)

    assert "None of these runs was rejected by an organiser." in text(do(desk, "reinstate", broken))
    broken.refresh_from_db()
    assert broken.state == "rejected"


def test_a_name_that_was_taken_since_is_in_the_way(desk, board):
    do(desk, "reject", board.run, reason="A copy.")
    board.scored(content=GOOD_RUN + b"3 Q0 a 2 1.0 good 0 5\n")

    response = do(desk, "reinstate", board.run)

    sentence = "Lund has another run named good in Focused by now. Rename that one first."
    assert response.status_code == 422
    assert sentence in text(response)


def test_runs_of_another_campaign_are_out_of_reach(desk, board):
    board.track.campaign = type(board.campaign).objects.create(slug="other", name="Other", year=2026)
    board.track.save()

    assert do(desk, "reject", board.run, reason="x").status_code == 422
    assert desk.get(f"{RUNS}{board.run.pk}/failure/").status_code == 404
    board.run.refresh_from_db()
    assert board.run.state == "valid"


def test_an_unknown_deed_is_not_there(desk, board):
    assert do(desk, "explode", board.run).status_code == 404
    assert desk.get(f"{RUNS}deed/").status_code == 405
    assert desk.post(f"{RUNS}deed/", {"deed": "retry", "runs": ["x", "²", "9" * 40]}).status_code == 422


def test_the_queue_tells_what_waits_and_who_has_it(desk, board):
    board.submit(name="waiting")
    activate(board.import_assessments(RICHER))
    held = Evaluation.objects.claim(Evaluation.objects.filter(edition__number=2).first().pk)

    page = text(desk.get(f"{RUNS}queue/"))

    assert "3 checks and scorings" in page
    assert held.held_by in page
    assert "waiting Lund, Focused" in page
    assert "Queue: 3 waiting or at work" in text(desk.get(RUNS))


def test_the_failure_is_shown_with_its_traceback_to_organisers_only(desk, board):
    fail_check(board.run)

    page = text(desk.get(f"{RUNS}{board.run.pk}/failure/"))
    assert "Traceback: KeyError" in page
    assert "Given up after 3 attempts, ref. F00D42." in page
    assert names(desk.get(f"{RUNS}?words=f00d42")) == ["good"]
    desk.force_login(board.alice)
    assert "KeyError" not in source_of(desk.get(f"/runs/{board.run.pk}/"))
    desk.force_login(board.organiser)
    assert "Nothing about this run has failed on our side." in text(desk.get(f"{RUNS}{board.other.pk}/failure/"))


# The archive ----------------------------------------------------------------------------------------------------------


def archive(client, query=""):
    response = client.get(f"{RUNS}archive.zip{query}")
    return response, zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))


def test_the_archive_has_all_valid_runs_and_an_index(desk, board):
    Run.objects.filter(pk=board.run.pk).update(is_official=True)
    packed = gzip.compress(GOOD_RUN + b"3 Q0 a 2 1.0 good 0 5\n")
    board.scored(content=packed, name="packed")
    capital = board.scored(name="Good")
    broken = board.submit(BROKEN_RUN, name="broken")
    check_run(broken.pk)
    gone = board.scored(name="gone")
    reject([gone], by=By(board.organiser), reason="A copy.")
    Team.objects.filter(pk=board.bobs.pk).update(name="=Delft")

    response, found = archive(desk, f"?task={board.task.pk}")

    assert response["Content-Disposition"] == 'attachment; filename="small-ad-hoc-focused-runs.zip"'
    assert found.namelist() == [
        "lund/good.fol",
        "delft/other.fol",
        "lund/packed.fol.gz",
        "lund/Good-2.fol",
        "index.csv",
    ]
    assert found.read("lund/good.fol") == GOOD_RUN
    assert found.read("lund/packed.fol.gz") == packed
    index = found.read("index.csv").decode().splitlines()
    assert index[0] == "file,name,team,task,sha256,official"
    assert index[1] == f"lund/good.fol,good,Lund,Focused,{board.run.sha256},yes"
    assert index[2].startswith("delft/other.fol,other,'=Delft,Focused,")
    assert index[4] == f"lund/Good-2.fol,Good,Lund,Focused,{capital.sha256},no"


def test_the_archive_of_a_campaign_keeps_tasks_apart(desk, board):
    board.new_task("thorough", closes_at=board.task.closes_at)

    response, found = archive(desk)

    assert response["Content-Disposition"] == 'attachment; filename="small-runs.zip"'
    assert found.namelist() == ["ad-hoc/focused/lund/good.fol", "ad-hoc/focused/delft/other.fol", "index.csv"]


def test_an_archive_without_runs_has_its_index(client, world):
    client.force_login(world.organiser)

    _, found = archive(client)

    assert found.namelist() == ["index.csv"]
    assert Registration.objects.count() == 2
