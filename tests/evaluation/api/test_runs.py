"""Submitting by program: the same rules as the form's, and nothing twice."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from campaign.machinery.limits import RateLimit
from campaign.models import Membership, Registration, Run, Team
from campaign.services.runs.checks import check_run
from tests.world import BROKEN_RUN, GOOD_RUN

RUNS = "/campaigns/small/ad-hoc/focused/runs"
DRY_RUN = "/campaigns/small/ad-hoc/focused/dry-run"


@pytest.fixture
def submit(world, api):
    def submit(content=GOOD_RUN, user=world.alice, key=None, path=RUNS, file_name="mine.fol", **fields):
        headers = {"Idempotency-Key": key} if key else None
        form = {"file": SimpleUploadedFile(file_name, content), **fields}
        return api(user).post(path, form, headers=headers)

    return submit


def problem(status, title, detail, *errors):
    told = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    if errors:
        told["errors"] = [{"field": field, "line": None, "message": message} for field, message in errors]
    return told


def assert_problem(response, status, *details):
    assert response["Content-Type"] == "application/problem+json"
    assert response.json() == problem(status, *details)
    assert response.status_code == status


def test_a_run_is_taken_in_with_what_its_team_says_about_it(submit, world, api):
    response = submit(
        team="lund", name="mine", description="how", query="automatic", topic_fields=["title", "narrative"]
    )

    run = Run.objects.get()
    assert (response.status_code, response["Location"]) == (201, f"/api/v1/runs/{run.pk}")
    assert "Idempotency-Replayed" not in response
    assert (run.team, run.submitted_by, run.name, run.file_name) == (world.alices, world.alice, "mine", "mine.fol")
    assert (run.description, run.query, run.topic_fields) == ("how", "automatic", ["title", "narrative"])
    told = response.json()
    assert (told["id"], told["state"], told["is_final"]) == (run.pk, "received", False)
    assert told == api(world.alice).get(f"/runs/{run.pk}").json()


def test_the_team_may_be_left_out_by_members_of_one_and_the_name_by_all(submit, world):
    assert submit(file_name="My run.fol.gz").json()["name"] == "good"  # the run id in the file

    other = Team.objects.create(slug="ghent", name="Ghent")
    Membership.objects.create(team=other, user=world.alice)
    assert submit(name="second").status_code == 201  # the other team does not take part
    Registration.objects.create(
        campaign=world.campaign, team=other, state="approved", agreement_version=1, accepted_at=timezone.now()
    )

    sentence = "Say for which of your teams: ghent, lund."
    assert_problem(submit(name="third"), 422, "Unprocessable Content", f"team: {sentence}", ("team", sentence))
    assert submit(name="third", team="ghent").json()["team"] == "ghent"


def test_everything_wrong_with_the_fields_is_said_at_once(submit):
    response = submit(team="delft", name="a b", query="telepathic", topic_fields=["mood"])

    errors = (
        ("team", "You are in no team with this short name. Your teams: lund."),
        ("name", "A run name has 1 to 64 letters, digits and . _ + - , and begins with a letter or digit."),
        ("query", "Select a valid choice. telepathic is not one of the available choices."),
        ("topic_fields", "Select a valid choice. mood is not one of the available choices."),
    )
    detail = " ".join(f"{field}: {message}" for field, message in errors)
    assert_problem(response, 422, "Unprocessable Content", detail, *errors)
    assert not Run.objects.exists()


@pytest.mark.parametrize("path", [RUNS, DRY_RUN])
def test_a_file_that_is_missing_is_named(world, api, path):
    response = api(world.alice).post(path, {"name": "mine"})

    sentence = "Send the run file in this field."
    assert_problem(response, 422, "Unprocessable Content", f"file: {sentence}", ("file", sentence))


def test_an_empty_file_is_refused(submit):
    sentence = "This file is empty."
    assert_problem(submit(b""), 422, "Unprocessable Content", sentence, ("file", sentence))


def test_a_name_that_is_taken_is_a_problem_of_the_name(submit):
    submit(name="mine")

    sentence = "Lund already has a run named mine in this task. Choose another name."
    response = submit(GOOD_RUN + b"# other\n", name="mine")
    assert_problem(response, 422, "Unprocessable Content", sentence, ("name", sentence))


@pytest.mark.parametrize("path", [RUNS, DRY_RUN])
def test_a_file_over_the_limit_is_refused_while_it_arrives(submit, settings, path):
    settings.UPLOAD_LIMIT_MB = 1

    response = submit(b"x" * 1_200_000, path=path, name="after-the-file")

    sentence = "This file is larger than 1 MB. Compress it with gzip and submit that."
    assert_problem(response, 413, "Content Too Large", sentence, ("file", sentence))
    assert not Run.objects.exists()


@pytest.mark.parametrize("path", [RUNS, DRY_RUN])
@pytest.mark.parametrize("kind", ["application/json", "text/plain", "application/x-www-form-urlencoded"])
def test_a_file_that_does_not_come_as_a_form_is_refused(world, api, path, kind):
    response = api(world.alice).post(path, "{}", content_type=kind)

    detail = "Send the run as the file of a form: multipart/form-data with a field named file."
    assert_problem(response, 415, "Unsupported Media Type", detail)


@pytest.mark.parametrize("path", [RUNS, DRY_RUN])
def test_a_form_that_cannot_be_read_is_refused(world, api, path):
    response = api(world.alice).post(path, b"rubbish", content_type="multipart/form-data")

    assert_problem(response, 400, "Bad Request", "The form cannot be read: Invalid boundary in multipart: None.")


def test_fields_beside_the_file_have_a_size_too(submit):
    response = submit(description="x" * 2_600_000)

    assert_problem(response, 413, "Content Too Large", "The fields beside the file are too long.")


def test_a_description_has_a_length(submit):
    sentence = "Ensure this value has at most 2000 characters (it has 2001)."
    response = submit(description="x" * 2001)
    assert_problem(response, 422, "Unprocessable Content", f"description: {sentence}", ("description", sentence))


@pytest.mark.parametrize("path", [RUNS, DRY_RUN, "/runs/1/withdraw"])
def test_writing_needs_a_token(api, world, path):
    response = api().post(path, {"file": SimpleUploadedFile("mine.fol", GOOD_RUN)})

    detail = "Send a token: Authorization: Bearer lml_…. You can make one on your page of API tokens."
    assert_problem(response, 401, "Unauthorized", detail)


def test_a_closed_task_takes_nothing_and_says_when_it_closed(submit, world):
    world.task.opens_at = timezone.datetime.fromisoformat("2026-03-01T00:00:00+00:00")
    world.task.closes_at = timezone.datetime.fromisoformat("2026-03-04T11:59:00+00:00")
    world.task.save()

    detail = "This task closed on 3 March 2026, 23:59 AoE (4 March 2026, 11:59 UTC)."
    assert_problem(submit(), 403, "Forbidden", detail)
    assert not Run.objects.exists()


def test_a_used_up_quota_is_said(submit, world):
    world.task.quota = 1
    world.task.save()
    assert submit(name="first").status_code == 201

    detail = (
        "Lund has used its only run for this task. "
        "Valid runs and runs in flight count; rejected runs, and runs that failed on our side, do not."
    )
    assert_problem(submit(name="second"), 403, "Forbidden", detail)


def test_whoever_is_in_no_team_is_told_so(submit, world):
    sentence = "Say for which of your teams: none yet."
    response = submit(user=world.visitor_with_account)
    assert_problem(response, 422, "Unprocessable Content", f"team: {sentence}", ("team", sentence))


def test_a_task_that_may_not_be_seen_takes_nothing(submit, world):
    world.campaign.is_public = False
    world.campaign.save()

    for path in (RUNS, DRY_RUN):
        response = submit(user=world.visitor_with_account, path=path)
        assert_problem(response, 404, "Not Found", "There is nothing at this address that you may see.")


def test_the_same_key_again_is_answered_with_the_same_run(submit, world):
    world.task.quota = 1
    world.task.save()
    first = submit(key="k1", name="mine")
    Run.objects.update(state="rejected")
    world.task.closes_at = timezone.now() - timedelta(minutes=1)
    world.task.save()

    again = submit(key="k1", name="mine")

    assert (first.status_code, again.status_code) == (201, 200)
    assert again["Idempotency-Replayed"] == "true"
    assert again["Location"] == first["Location"]
    assert (again.json()["id"], again.json()["state"]) == (first.json()["id"], "rejected")
    assert Run.objects.count() == 1


def test_a_key_that_was_used_for_something_else_is_a_conflict(submit):
    submit(key="k1", name="mine")

    sentence = "This key was used for another submission."
    response = submit(GOOD_RUN + b"# other\n", key="k1", name="mine")
    assert_problem(response, 409, "Conflict", sentence, ("Idempotency-Key", sentence))


def test_a_key_that_is_too_long_is_refused(submit):
    sentence = "A submission key has at most 100 characters."
    response = submit(key="k" * 101)
    assert_problem(response, 422, "Unprocessable Content", sentence, ("Idempotency-Key", sentence))


def test_writing_is_limited_apart_from_reading(submit, world, api, monkeypatch):
    monkeypatch.setattr("campaign.api.authentication.API_WRITES", RateLimit("api-write", most=1, seconds=600))

    statuses = [submit(name=name).status_code for name in ("one", "two")]

    assert statuses == [201, 429]
    assert api(world.alice).get("/runs").json()["count"] == 1


# Dry runs ---------------------------------------------------------------------------------------------------------


def test_a_dry_run_of_a_good_file_keeps_nothing(submit, world):
    world.task.quota = 1
    world.task.save()

    response = submit(path=DRY_RUN)

    assert response.status_code == 200
    assert response.json() == {
        "is_valid": True,
        "result_count": 4,
        "answered_topics": 3,
        "error_count": 0,
        "warning_count": 0,
        "problems": [],
    }
    assert not Run.objects.exists()


def test_a_dry_run_tells_every_problem_with_its_line_as_the_check_would(submit, world, api):
    told = submit(BROKEN_RUN, path=DRY_RUN).json()
    run = world.submit(BROKEN_RUN, name="broken")
    check_run(run.pk)

    assert (told["is_valid"], told["error_count"]) == (False, 2)
    assert told["problems"] == api(world.alice).get(f"/runs/{run.pk}/report").json()["problems"]
    assert [(found["field"], found["line"], found["rule"]) for found in told["problems"]] == [
        ("file", 2, "overlap"),
        ("file", 3, "number"),
    ]
    assert told["problems"][1]["message"] == "the offset 'ten' isn't a whole number. Write digits only."


def test_a_dry_run_leaves_no_problem_out(submit):
    lines = 700

    told = submit(b"1 Q0 a x 9.5 broken 0 50\n" * lines, path=DRY_RUN).json()

    assert {found["line"] for found in told["problems"]} >= set(range(1, lines + 1))


def test_dry_runs_are_limited_together_with_those_of_the_form(submit, monkeypatch):
    monkeypatch.setattr("evaluation.api.runs.DRY_RUNS", RateLimit("dry-run", most=1, seconds=600))
    assert submit(path=DRY_RUN).status_code == 200

    response = submit(path=DRY_RUN)

    wait = response["Retry-After"]
    detail = f"That was a lot of dry runs in a short time. Come back in {wait} seconds; nothing is lost."
    assert_problem(response, 429, "Too Many Requests", detail)


def test_dry_runs_are_for_those_who_take_part(submit, world):
    response = submit(user=world.visitor_with_account, path=DRY_RUN)

    assert_problem(response, 403, "Forbidden", "You are not in a team that takes part in Small.")


def test_an_organiser_tries_a_file_as_on_the_page(submit, world):
    world.campaign.organisers.add(world.visitor_with_account)

    assert submit(user=world.visitor_with_account, path=DRY_RUN).json()["is_valid"]


# Withdrawing ------------------------------------------------------------------------------------------------------


def test_a_run_is_withdrawn_by_its_team_once_and_for_all(submit, world, api):
    run = submit().json()["id"]
    assert api(world.bob).post(f"/runs/{run}/withdraw").status_code == 404
    assert api(world.alice).get(f"/runs/{run}/withdraw").status_code == 405

    first, second = (api(world.alice).post(f"/runs/{run}/withdraw") for _ in range(2))

    assert (first.status_code, second.status_code) == (200, 200)
    assert first.json()["state"] == "withdrawn"
    assert first.json()["sentence"] == "The team took this run back. It is on no board."
    assert first.json()["withdrawn_at"] == second.json()["withdrawn_at"] is not None
