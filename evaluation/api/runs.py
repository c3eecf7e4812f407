"""My runs: submitted or only tried, listed, watched, their reports read, taken back."""

from typing import Annotated, Literal

from django.http import HttpResponse
from django.urls import reverse
from ninja import Field, File, Form, Header, Query, Router, Status
from ninja.files import UploadedFile

from campaign.api.authentication import TOKEN, too_many
from campaign.api.pagination import PageQuery, paginated
from campaign.api.problems import ApiProblem, wrong
from campaign.api.schemas import DryRunReport, Report, RunLine, RunPage, RunState, SubmissionFields
from campaign.forms.participants import SubmitForm
from campaign.machinery.limits import DRY_RUNS
from campaign.models import Run, Team
from campaign.presence import presence_of
from campaign.services.acting import By
from campaign.services.permissions.submitting import may_try
from campaign.services.runs.check_results import full_report
from campaign.services.runs.checks import dry_run
from campaign.services.runs.submissions import submit_run, withdraw_run
from campaign.views.finding import changeable_run_or_404, run_or_404, task_or_404
from evaluation.services.progress import STATE_WORDS, in_state, progress_of, with_progress

router = Router(auth=TOKEN, tags=["runs"])

KEY_HELP = "A text of your own, up to 100 characters: sent again, it names the same run."


class RunQuery(PageQuery):
    """Which of my runs are asked for."""

    task: str = Field("", pattern=r"^([\w-]+/[\w-]+/[\w-]+)?$", description="campaign/track/task")
    state: Literal[("", *STATE_WORDS)] = Field("", description="The state, as the runs tell it.")


@router.get("/runs", response=RunPage, summary="My runs")
def list_runs(request, asked: Query[RunQuery]):
    """List the runs of my teams, the newest first."""
    runs = Run.objects.of_teams_of(request.user).for_lists()
    if asked.task:
        campaign, track, task = asked.task.split("/")
        runs = runs.filter(task__track__campaign__slug=campaign, task__track__slug=track, task__slug=task)
    if asked.state:
        runs = in_state(runs, asked.state)
    return paginated(
        request, runs, asked, lambda rows: [described(request, run, progress) for run, progress in with_progress(rows)]
    )


@router.get("/runs/{int:run}", response=RunLine, summary="One run")
def show_run(request, run: int):
    """Tell everything about a run but its problems and scores."""
    run = run_or_404(request.user, run)
    return described(request, run, progress_of(run, scores_visible=False))


@router.get("/runs/{int:run}/state", response=RunState, summary="The state of a run")
def show_state(request, run: int):
    """Tell where a run stands; ask again until `is_final`."""
    run = run_or_404(request.user, run)
    return state_of(run, progress_of(run, scores_visible=False))


@router.get("/runs/{int:run}/report", response=Report, summary="Everything that the check found")
def show_report(request, run: int):
    """Tell every problem of a run, errors and warnings."""
    run = run_or_404(request.user, run)
    return {
        "id": run.pk,
        "state": progress_of(run, scores_visible=False).word,
        "error_count": run.error_count,
        "warning_count": run.warning_count,
        "problems": full_report(run),
    }


@router.post("/runs/{int:run}/withdraw", response=RunLine, summary="Withdraw a run")
def withdraw(request, run: int):
    """Take a run off the board for good; doing so again changes nothing."""
    run = changeable_run_or_404(request.user, run)
    withdraw_run(run)
    return described(request, run, progress_of(run, scores_visible=False))


@router.post(
    "/campaigns/{slug:campaign}/{slug:track}/{slug:task}/runs",
    response={201: RunLine, 200: RunLine},
    summary="Submit a run",
)
def submit(
    request,
    response: HttpResponse,
    campaign: str,
    track: str,
    task: str,
    fields: Form[SubmissionFields],
    file: File[UploadedFile],
    idempotency_key: Annotated[str, Header(alias="Idempotency-Key", description=KEY_HELP)] = "",
):
    """Take a run file. Sent again under the same Idempotency-Key, it is answered with the run of the first time."""
    task = task_or_404(request.user, campaign, track, task)
    answers = cleaned(request.user, task, fields, file)
    run, is_new = submit_run(
        task, by=By(request.user), upload=file, file_name=file.name, submission_key=idempotency_key, **answers
    )
    response["Location"] = reverse("api-v1:show_run", args=[run.pk])
    if not is_new:
        response["Idempotency-Replayed"] = "true"
    return Status(201 if is_new else 200, described(request, run, progress_of(run, scores_visible=False)))


@router.post(
    "/campaigns/{slug:campaign}/{slug:track}/{slug:task}/dry-run",
    response=DryRunReport,
    summary="Check a file without submitting it",
)
def try_out(request, campaign: str, track: str, task: str, file: File[UploadedFile]):
    """Tell every problem that the check would find: nothing is stored, no quota is used and no score is told."""
    task = task_or_404(request.user, campaign, track, task)
    if not may_try(request.user, task):
        raise ApiProblem(403, f"You are not in a team that takes part in {task.track.campaign.name}.")
    if wait := DRY_RUNS.seconds_to_wait(request.user.pk):
        raise too_many("That was a lot of dry runs in a short time.", wait)
    outcome = dry_run(task, file.file, is_there=presence_of(request))
    return {
        "is_valid": outcome.is_valid,
        "result_count": outcome.result_count,
        "answered_topics": outcome.answered_topics,
        "error_count": outcome.error_count,
        "warning_count": outcome.warning_count,
        "problems": outcome.report,
    }


def cleaned(user, task, fields, file):
    """Return what was said about a file, in the words and under the rules of the form on the page."""
    teams = Team.objects.of(user)
    said = fields.dict() | {"team": fields.team or _only_team(teams, task)}
    form = SubmitForm(said, {"file": file}, teams=teams)
    form.fields["team"].to_field_name = "slug"
    form.fields["team"].error_messages = {
        "required": f"Say for which of your teams: {_slugs(teams)}.",
        "invalid_choice": f"You are in no team with this short name. Your teams: {_slugs(teams)}.",
    }
    if not form.is_valid():
        errors = [wrong(message, field) for field, messages in form.errors.items() for message in messages]
        raise ApiProblem(422, " ".join(f"{error['field']}: {error['message']}" for error in errors), errors)
    return {name: value for name, value in form.cleaned_data.items() if name != "file"}


def _only_team(teams, task):
    admitted = list(teams.admitted_to(task.track.campaign)[:2])
    return admitted[0].slug if len(admitted) == 1 else ""


def _slugs(teams):
    return ", ".join(teams.values_list("slug", flat=True)) or "none yet"


def state_of(run, progress):
    """Return where a run stands, as every answer about it begins."""
    return {
        "id": run.pk,
        "state": progress.word,
        "sentence": progress.sentence,
        "since": progress.since,
        "is_final": progress.is_final,
    }


def described(request, run, progress):
    """Return a run as its team sees it."""
    return state_of(run, progress) | {
        "name": run.name,
        "code": run.code,
        "team": run.team.slug,
        "task": "/".join(run.task.address),
        "description": run.description,
        "query": run.query,
        "topic_fields": run.topic_fields,
        "is_official": run.is_official,
        "file_name": run.file_name,
        "sha256": run.sha256,
        "size": run.size,
        "submitted_at": run.created_at,
        "withdrawn_at": run.withdrawn_at,
        "result_type": run.result_type,
        "result_count": run.result_count,
        "answered_topics": run.answered_topics,
        "error_count": run.error_count,
        "warning_count": run.warning_count,
        "page": request.build_absolute_uri(run.get_absolute_url()),
    }
