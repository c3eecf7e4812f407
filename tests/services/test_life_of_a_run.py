"""The life of a run on a whole site: uploaded, checked, scored, exactly once, whatever is killed on the way."""

import os
import re
import signal
import time

import pytest

from campaign.models import Run
from evaluation.demo.loader import FOLDER
from limelight.scoring.evaluators import EVALUATORS
from tests.services.large import TASK_PATH, run_lines
from tests.services.site import Visitor, wait_until

pytestmark = pytest.mark.services

BOARD = "/campaigns/demo/ad-hoc/focused/"
COLUMNS = len(EVALUATORS["focused"].columns())
MEASURES = len(EVALUATORS["focused"].measures)


@pytest.fixture(scope="module")
def participant(site):
    return Visitor(site).sign_in("participant")


@pytest.fixture(scope="module")
def large(site):
    site.python("from tests.services.large import make; make()")


def evaluations(site, run):
    return site.query(f"SELECT id, state, attempts FROM evaluation_evaluation WHERE run_id = {run}")


def score_count(site, run):
    return site.query(
        "SELECT count(*) FROM evaluation_score s JOIN evaluation_evaluation e ON s.evaluation_id = e.id "
        f"WHERE e.run_id = {run}"
    )[0][0]


def test_a_demo_run_under_another_name_is_on_the_board_in_a_moment(site, participant):
    content = (FOLDER / "runs" / "argand_par-bm25.txt").read_bytes()
    started = time.monotonic()

    run = participant.submit(BOARD, content, "as-a-newcomer")
    board = wait_until(lambda: (page := Visitor(site).get(f"{BOARD}?show=all")) and "as-a-newcomer" in page and page)

    assert time.monotonic() - started < 8  # two seconds on a quiet machine; room for a loaded one
    lines = {
        name: re.findall(r"<span>([\d.]+)</span>", line)
        for line in re.findall(r"<tr.*?</tr>", board[board.index('<table class="board') :], re.DOTALL)
        for name in ("par-bm25", "as-a-newcomer")
        if re.search(rf">\s*{name}\s*<", line)
    }
    assert lines["as-a-newcomer"] == lines["par-bm25"]
    assert len(lines["par-bm25"]) == COLUMNS
    assert participant.state(run) == "scored"


@pytest.fixture(scope="module")
def kinds(site):
    site.python("from tests.services.kinds import make; make()")


@pytest.mark.parametrize("kind", EVALUATORS)
def test_a_run_of_every_kind_goes_from_upload_through_the_worker_to_the_board(site, participant, kinds, kind):
    task = f"/campaigns/kinds/ad-hoc/{kind}/"
    evaluator = EVALUATORS[kind]

    run = participant.submit(task, participant.get(f"{task}example.fol").encode(), f"example-{kind}")
    wait_until(lambda: participant.state(run) == "scored")

    board = Visitor(site).get(task)
    headings = re.findall(r'title="[^"]+">([^<]+)</a>\s*</th>', board)
    assert headings[0] == evaluator.official
    assert sorted(headings) == sorted(measure.name for measure in evaluator.columns())
    table = board[board.index('<table class="board') :]
    line = re.search(rf"<tr[^>]*>(?:(?!</tr>).)*example-{kind}.*?</tr>", table, re.DOTALL)[0]
    assert re.findall(r"<span>([\d.]+)</span>", line)[0] == "1.0000"
    assert '<svg class="curves"' in board


def test_a_broken_file_comes_back_with_its_line_numbers(participant):
    run = participant.submit(BOARD, b"101 Q0 candle 1 1.0 r 0 10\n101 Q0 candle 2 0.5 r 5 x\n", "broken")
    wait_until(lambda: participant.state(run) == "rejected")

    page = participant.get(f"/runs/{run}/")
    assert "<b>Line 2:</b>" in page
    report = participant.get(f"/runs/{run}/report.txt")
    assert report.startswith("broken.fol:2: ")


def catch_at_work(site, participant, name):
    """Submit large runs until one is caught being scored, and kill its worker outright; returns the run."""
    for attempt in range(8):
        run = participant.submit(TASK_PATH, run_lines(f"{name}{attempt}"), f"{name}{attempt}")
        connection = site.connect()
        statement = f"SELECT held_by FROM evaluation_evaluation WHERE run_id = {run} AND state = 'running'"
        held = wait_until(
            lambda c=connection, s=statement, r=run: c.execute(s).fetchone() or done(site, r),
            pause=0.0005,
            message="the evaluation",
        )
        connection.close()
        if held is True:
            continue  # it was faster than we looked
        worker = site.group_of("celery")
        os.killpg(worker, signal.SIGKILL)
        if evaluations(site, run)[0][1] == "running":
            return run
    raise AssertionError("No run was caught at work.")


def done(site, run):
    return any(state == "done" for _, state, _ in evaluations(site, run))


def test_a_worker_killed_while_scoring_is_replaced_and_the_run_is_scored_exactly_once(site, participant, large):
    run = catch_at_work(site, participant, "killed")
    started = time.monotonic()

    wait_until(lambda: participant.state(run) == "scored", seconds=40)

    assert time.monotonic() - started < 30
    [(_, state, attempts)] = evaluations(site, run)
    assert (state, attempts) == ("done", 2)
    assert score_count(site, run) == MEASURES
    assert "The worker ended (code -9); starting it again now." in site.output()


def test_messages_lost_on_the_way_are_made_good_by_the_sweep(site, participant):
    worker = site.stop_worker()  # Redis hands its message to a worker that will never read it
    run = participant.submit(BOARD, (FOLDER / "runs" / "swan_par-count.txt").read_bytes(), "lost")
    lose_messages(site)
    os.killpg(worker, signal.SIGKILL)

    wait_until(lambda: participant.state(run) == "scored", seconds=60)

    [(_, state, attempts)] = evaluations(site, run)
    assert (state, attempts) == ("done", 1)


def lose_messages(site):
    """Take away what is in the queue; what Redis has handed to the stopped worker is lost with it."""
    if site.setting_up == "grown-up":
        site.python(
            "from django.conf import settings; import redis\n"
            "redis.Redis.from_url(settings.REDIS_URL).delete('limelight')"
        )
    else:
        messages = list((site.folder / "queue" / "queue-limelight").iterdir())
        assert messages
        for message in messages:
            message.unlink()


def test_twenty_submissions_and_two_kills_are_twenty_scored_runs(site, participant):
    content = (FOLDER / "runs" / "drummond_sec-bm25.txt").read_bytes()
    runs = []
    for number in range(20):
        runs.append(participant.submit(BOARD, content + f"# {number}\n".encode(), f"storm-{number}"))
        if number in (7, 14):
            os.killpg(wait_until(lambda: site.group_of("celery")), signal.SIGKILL)

    numbers = ",".join(map(str, runs))
    counted = f"SELECT count(*) FROM evaluation_evaluation WHERE state = 'done' AND run_id IN ({numbers})"
    wait_until(lambda: site.query(counted) == [(20,)], seconds=90, pause=0.2, message="twenty scored runs")

    assert {state for (state,) in site.query(f"SELECT state FROM campaign_run WHERE id IN ({numbers})")} == {
        Run.State.VALID
    }
    assert all(score_count(site, run) == MEASURES for run in runs)


def test_the_status_of_web_worker_and_sweep_is_known(site):
    assert Visitor(site).get("/healthz") == "ok\n"
    names = {name for (name,) in site.query("SELECT name FROM campaign_heartbeat")}
    assert names == {"worker", "sweep"}


def test_stopping_leaves_nothing_behind(site):
    """Stands last in this file: it stops the site."""
    groups = [site.group_of(words) for words in ("gunicorn", "celery", "manage.py sweep")]
    assert all(groups)

    site.stop(signal.SIGINT)

    for group in groups:
        with pytest.raises(ProcessLookupError):
            os.killpg(group, 0)
    assert site.output().rstrip().endswith("Stopped.")
    assert "Traceback" not in site.output()
