"""Document tasks on the site: plain TREC runs as TREC people have them, checked, pooled and scored by their scores."""

from io import BytesIO

import pytest

from assessments.services.pools import pool_columns
from campaign.models import Run, Task
from campaign.services.acting import By
from campaign.services.runs.check_results import load_ranked
from campaign.services.runs.checks import check_run, dry_run
from campaign.services.setup.task_settings import change_task, runs_to_recheck
from evaluation.models import Evaluation, Score
from evaluation.services.decisions import change_measures
from tests.world import World, score_run

SHUFFLED = b"""\
2 Q0 b 7 0.25 shuffled
1 Q0 d 1 0.5 shuffled
3 Q0 d 3 2.5 shuffled
1 Q0 a 9 1.5 shuffled
2 Q0 c 1 0.75 shuffled
1 Q0 b 4 0.75 shuffled
2 Q0 a 3 0.75 shuffled
"""


@pytest.fixture
def trec(db, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return World("document")


def checked(run):
    check_run(run.pk)
    run.refresh_from_db()
    return run


def settings_of(task, **changed):
    """Return a task's settings as its form sends them."""
    names = ("name", "kind", "profile", "parameters", "opens_at", "closes_at", "result_limit")
    return {name: getattr(task, name) for name in names} | changed


def test_lines_in_any_order_are_taken_and_scored_by_their_scores(trec):
    trec.activate()
    run = checked(trec.submit(SHUFFLED, name="shuffled"))
    score_run(run.pk)

    assert run.state == Run.State.VALID
    assert (run.error_count, run.warning_count) == (0, 2)
    assert Score.objects.get(measure="MAP").mean == 1.0  # by lines it is 0.625


def test_a_dry_run_says_the_same(trec):
    assert dry_run(trec.task, BytesIO(SHUFFLED)).is_valid


def test_a_pool_takes_the_documents_with_the_best_scores(trec):
    run = checked(trec.submit(SHUFFLED, name="shuffled"))

    pooled = pool_columns(trec.track, [run], depth=1)

    assert [pooled.documents[number] for number in pooled.document] == ["a", "c", "d"]


def test_a_task_of_the_inex_way_refuses_it(trec):
    Task.objects.update(parameters={"order": "lines"})
    run = checked(trec.submit(SHUFFLED, name="shuffled"))

    assert run.state == Run.State.REJECTED
    assert set(run.problem_counts) == {"rank-order", "rsv-order", "topic-blocks"}


def test_the_order_of_a_run_that_ranks_by_lines_is_that_of_the_file(trec):
    run = checked(trec.submit(SHUFFLED, name="shuffled"))
    Task.objects.update(parameters={"order": "lines"})
    run = Run.objects.get(pk=run.pk)

    assert load_ranked(run).line.tolist() == [1, 5, 7, 2, 4, 6, 3]


def test_another_order_sends_the_runs_through_the_check_again(trec):
    run = checked(trec.submit(SHUFFLED, name="shuffled"))
    entered = settings_of(trec.task, parameters={"order": "lines"})

    assert runs_to_recheck(trec.task, entered) == 1
    assert change_task(trec.task, by=By(trec.organiser), **entered)[1] == 1
    assert checked(run).state == Run.State.REJECTED


def test_other_measures_do_not(trec):
    checked(trec.submit(SHUFFLED, name="shuffled"))
    entered = settings_of(trec.task, parameters={"cutoffs": "5"})

    assert runs_to_recheck(trec.task, entered) == 0
    assert runs_to_recheck(trec.task, settings_of(trec.task, parameters={"order": "rank"})) == 0


def test_another_order_under_boards_checks_again_too(trec):
    trec.activate()
    run = checked(trec.submit(SHUFFLED, name="shuffled"))
    score_run(run.pk)

    change_measures(trec.task, by=By(trec.organiser), profile="inex-2007", parameters={"order": "lines"})

    assert checked(run).state == Run.State.REJECTED
    assert Evaluation.objects.filter(run=run, edition__state="live").exists()
