"""The check on the site: from RECEIVED to VALID, REJECTED or FAILED."""

import json

import pytest
from django.core.files.storage import default_storage

from campaign.models import Run
from campaign.services.permissions.submitting import quota_left
from campaign.services.runs import checks
from campaign.services.runs.check_results import full_report, load_columns
from campaign.services.runs.checks import check_run
from campaign.services.runs.submissions import withdraw_run
from tests.world import BROKEN_RUN, GOOD_RUN, OVERLAPPING_RUN, checked


def test_a_good_run_becomes_valid_and_keeps_its_columns(world):
    run = checked(world.submit())

    assert run.state == Run.State.VALID
    assert (run.result_count, run.answered_topics, run.error_count, run.warning_count) == (4, 3, 0, 0)
    columns = load_columns(run)
    assert columns.topics == ("1", "2", "3")
    assert columns.offset.tolist() == [0, 0, 0, 0]


def test_a_run_that_was_withdrawn_before_its_check_is_not_checked_and_takes_no_place(world):
    world.task.quota = 1
    withdraw_run(run := world.submit())

    check_run()

    run.refresh_from_db()
    assert (run.state, run.attempts) == (Run.State.RECEIVED, 0)
    assert quota_left(world.alices, world.task) == 1


def test_columns_of_an_earlier_version_are_read_from_the_file_again(world):
    run = checked(world.submit())
    earlier = f"columns/{run.sha256[:2]}/{run.sha256}-v1.npz"
    Run.objects.filter(pk=run.pk).update(columns_file=earlier)  # written before, under the old name

    run.refresh_from_db()

    assert load_columns(run).rsv.tolist() == [9.5, 8.0, 7.0, 6.0]


def test_a_broken_file_comes_back_with_its_line_numbers(world):
    run = checked(world.submit(BROKEN_RUN))

    assert run.state == Run.State.REJECTED
    assert {problem["line"]: problem["message"] for problem in run.problems} == {
        2: "topic 1 returns a at 20-70, which overlaps line 1 (0-50). "
        "A focused run may not return the same text twice.",
        3: "the offset 'ten' isn't a whole number. Write digits only.",
    }
    assert run.problems[1]["quote"] == "1 Q0 a 3 8.0 broken ten 50"


def test_overlap_is_refused_in_a_focused_task(world):
    run = checked(world.submit(OVERLAPPING_RUN))

    assert run.state == Run.State.REJECTED
    messages = {problem["line"]: problem["message"] for problem in run.problems if problem["severity"] == "error"}
    assert messages == {
        2: "topic 1 returns a at 20-70, which overlaps line 1 (0-50). A focused run may not return the same text twice."
    }


def test_unknown_topics_and_documents_are_refused_and_missing_topics_are_mentioned(world):
    run = checked(world.submit(b"9 Q0 a 1 1.0 r 0 5\n1 Q0 z 1 1.0 r 0 5\n"))

    rules = {problem["rule"] for problem in run.problems}
    assert run.state == Run.State.REJECTED
    assert {"unknown-topic", "unknown-document", "missing-topics"} <= rules


def test_a_file_sent_before_is_pointed_out(world):
    checked(world.submit(name="first"))
    again = checked(world.submit(name="again"))
    others = checked(world.submit(name="first", user=world.bob, team=world.bobs))

    assert again.state == Run.State.VALID
    assert [problem["message"] for problem in again.problems] == [
        "This is the same file, byte for byte, as your run first."
    ]
    assert others.problems == []


def test_a_long_report_is_stored_whole_and_shown_in_part(world):
    lines = [f"1 Q0 a {rank} 1.0 r {rank} 50" for rank in range(1, 302)]
    run = checked(world.submit("\n".join(lines).encode()))

    assert run.state == Run.State.REJECTED
    assert len(run.problems) <= 200
    assert {problem["rule"] for problem in run.problems} == set(run.problem_counts)  # no rule hides another
    assert len(full_report(run)) == run.error_count + run.warning_count > 300
    assert json.load(default_storage.open(run.report_file)) == full_report(run)


def test_a_second_delivery_does_nothing(world):
    run = checked(world.submit())
    since = run.state_since

    check_run(run.pk)

    run.refresh_from_db()
    assert (run.state, run.state_since, run.attempts) == (Run.State.VALID, since, 1)


def test_a_fault_of_ours_is_not_blamed_on_the_file(world, monkeypatch):
    run = world.submit()
    default_storage.delete(run.stored_file)  # the disk has lost it

    check_run(run.pk)

    run.refresh_from_db()
    assert run.state == Run.State.RECEIVED
    assert run.will_be_retried
    assert "is missing" in run.failure
    assert run.problems == []


def test_a_worker_that_was_overtaken_writes_nothing(world, monkeypatch):
    run = world.submit()

    def slow(examined):
        Run.objects.filter(pk=run.pk).update(token="00000000-0000-0000-0000-000000000001")
        return real(examined)

    real = checks.examine
    monkeypatch.setattr(checks, "examine", slow)
    check_run(run.pk)

    run.refresh_from_db()
    assert run.state == Run.State.CHECKING


@pytest.mark.parametrize("content", [b"\x00\x01\x02", b"\xff\xfe\x00", b"<inex-submission", b"%PDF-1.4", b"\n\n\n"])
def test_rubbish_is_refused_with_a_sentence(world, content):
    run = checked(world.submit(content))

    assert run.state == Run.State.REJECTED
    assert run.problems[0]["message"].endswith(".")
    assert GOOD_RUN  # the task itself takes runs
