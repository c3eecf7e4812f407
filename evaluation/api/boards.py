"""Boards, scores and the state of the machinery, as the API tells them."""

import math
from datetime import datetime

from django.http import Http404
from django.shortcuts import get_object_or_404
from ninja import Field, Query, Router, Schema

from campaign.api.authentication import ANYONE, TOKEN
from campaign.api.problems import ApiProblem
from campaign.services.permissions.seeing import board_view
from campaign.views.finding import run_or_404, task_or_404
from evaluation.models import Edition
from evaluation.services.boards import build_board
from evaluation.services.columns import all_measures_of
from evaluation.services.progress import progress_of
from evaluation.services.provenance import provenance, provenance_of
from evaluation.services.status import status as current_status
from evaluation.services.topic_scores import zero_note

router = Router()


class Provenance(Schema):
    """By what scores were made: never mix those of two provenances."""

    edition: int
    edition_state: str = Field(description="live or superseded; for organisers also building.")
    live_at: datetime | None
    assessments_version: int
    assessments_sha256: str
    profile: str
    parameters: dict
    official_measure: str = Field(description="The measure that ranks the board.")
    engine: str
    axis: str = Field(description="characters, or sizes with white space merged.")
    topic_count: int


class Measure(Schema):
    """One column of a board."""

    name: str
    topic_name: str = Field(description="What it is called for a single topic: iAP for iMAP, AgP for MAgP.")
    label: str
    explanation: str
    is_official: bool = Field(description="Whether the board is ranked by it.")


class Line(Schema):
    """One run on a board, as this person may see it."""

    rank: int | None = Field(
        description="By the official measure over all runs; ties share a rank. Null where you may not see all scores."
    )
    code: str = Field(description="The run's random code: its name on every board, in every edition.")
    run: int | None = Field(description="The number of a run of my own teams; null for others.")
    name: str = Field(description="The code while names are hidden.")
    team: str = Field(description="A pseudonym of this task while names are hidden.")
    description: str
    is_official: bool | None = Field(description="Whether it is the team's official run; null while names are hidden.")
    is_own: bool
    scores: dict[str, float | None] = Field(description="Means over topics, by measure.")


class Board(Schema):
    """An edition of a task's board."""

    task: str
    provenance: Provenance
    measures: list[Measure]
    is_complete: bool = Field(description="Whether you see all runs of the board; if not, only those of your teams.")
    team_count: int | None = Field(description="Null where the board is not complete.")
    hidden: int | None = Field(description="0 where the board is complete; null where it is not: how many is not told.")
    warnings: list[str] = Field(description="What readers should know of the assessments behind this board.")
    lines: list[Line]


class TopicValues(Measure):
    """One measure of one run: the mean, and a value for each topic in the order of `topics`."""

    mean: float | None
    topic_values: list[float | None]


class Scores(Schema):
    """All scores of a run in one edition."""

    run: int
    code: str
    run_sha256: str
    provenance: Provenance
    topics: list[str]
    measures: list[TopicValues]
    note: str = Field(description="That all scores of the board are 0, and why, as far as you may know; else empty.")


class Part(Schema):
    """One part of the machinery."""

    name: str
    is_alive: bool
    last_seen: datetime | None


class Status(Schema):
    """Whether the machinery is alive, how much waits, and since when."""

    is_well: bool
    parts: list[Part]
    waiting: int
    working: int
    oldest_waiting: datetime | None
    last_scored: datetime | None
    not_entered: int = Field(description="Valid runs that are not queued for scoring yet.")
    messages: int | None = Field(description="Messages in the queue; null where the queue does not answer.")
    usual_seconds: float | None = Field(description="From arrival to scores, for the runs of the last hour.")


class EditionQuery(Schema):
    """Which edition's scores are asked for."""

    edition: int | None = Field(
        None, ge=1, le=1_000_000, description="The number of an edition; left out, the live one."
    )


@router.get(
    "/campaigns/{slug:campaign}/{slug:track}/{slug:task}/board",
    response=Board,
    auth=ANYONE,
    tags=["boards"],
    summary="The board of a task",
)
def show_board(request, campaign: str, track: str, task: str):
    """Tell a task's live edition, line by line, as this person may see it."""
    task = task_or_404(request.user, campaign, track, task)
    edition = Edition.objects.live_for(task)
    if edition is None:
        raise ApiProblem(404, "This task has no board yet. It appears when the organisers activate assessments.")
    return _board(request.user, task, edition)


@router.get(
    "/campaigns/{slug:campaign}/{slug:track}/{slug:task}/editions/{int:number}",
    response=Board,
    auth=ANYONE,
    tags=["boards"],
    summary="An edition of a board",
)
def show_edition(request, campaign: str, track: str, task: str, number: int):
    """Tell the live or an older edition by its number; organisers also one that is being built."""
    task = task_or_404(request.user, campaign, track, task)
    editions = Edition.objects.shown_to(board_view(request.user, task)).for_board()
    edition = get_object_or_404(editions, task=task, number=number)
    return _board(request.user, task, edition)


@router.get("/runs/{int:run}/scores", response=Scores, auth=TOKEN, tags=["runs"], summary="The scores of a run")
def show_scores(request, run: int, asked: Query[EditionQuery]):
    """Tell the means and the values of each topic, for all measures of the task's kind."""
    run = run_or_404(request.user, run)
    view = board_view(request.user, run.task)
    if not view.shows(run):
        raise ApiProblem(404, f"The scores of this task become visible {run.task.get_own_scores_visible_display()}.")
    editions = Edition.objects.shown_to(view) if asked.edition else Edition.objects.live()
    chosen = {"edition__number": asked.edition} if asked.edition else {}
    evaluation = (
        run.evaluations.on_board()
        .filter(edition__in=editions, **chosen)
        .select_related("edition__assessment_set", "edition__task__track__campaign")
        .first()
    )
    if evaluation is None:
        if asked.edition:
            raise Http404
        raise ApiProblem(404, f"This run has no scores. It is {progress_of(run, scores_visible=False).word}.")
    return {
        "run": run.pk,
        "code": run.code,
        "run_sha256": evaluation.run_sha256,
        "provenance": provenance_of(evaluation),
        "topics": evaluation.edition.topic_numbers,
        "measures": list(_topic_values(evaluation)),
        "note": zero_note(evaluation, request.user),
    }


@router.get("/status", response=Status, auth=ANYONE, tags=["status"], summary="Whether the machinery is alive")
def show_status(request):
    """Tell what the status page tells."""
    return current_status()


def _board(user, task, edition):
    board = build_board(edition, board_view(user, task))
    return {
        "task": "/".join(task.address),
        "provenance": provenance(edition),
        "measures": [_measure(measure, edition) for measure in board.measures],
        "is_complete": board.is_complete,
        "team_count": board.team_count,
        "hidden": 0 if board.is_complete else None,
        "warnings": board.warnings,
        "lines": [_line(line, board.measures) for line in board.lines],
    }


def _line(line, measures):
    return {
        "rank": line.rank,
        "code": line.code,
        "run": line.run.pk if line.run else None,
        "name": line.name,
        "team": line.team,
        "description": line.description,
        "is_official": line.is_official,
        "is_own": line.is_own,
        "scores": {measure.name: _number(cell.value) for measure, cell in zip(measures, line.cells, strict=True)},
    }


def _measure(measure, edition):
    return {
        "name": measure.name,
        "topic_name": measure.topic_name,
        "label": measure.label,
        "explanation": measure.explanation,
        "is_official": measure.name == edition.official_measure,
    }


def _topic_values(evaluation):
    """Yield the scores of an evaluation, the official measure first, then the board's, then the others."""
    edition = evaluation.edition
    scores = {score.measure: score for score in evaluation.scores.all()}
    for measure in all_measures_of(edition):
        if score := scores.get(measure.name):
            yield _measure(measure, edition) | {
                "mean": _number(score.mean),
                "topic_values": [_number(value) for value in score.topic_values.tolist()],
            }


def _number(value):
    """Return a number as JSON can hold it: what is not finite is null."""
    return value if value is not None and math.isfinite(value) else None
