"""Boards, scores and the state of the machinery, as the API tells them."""

import math
from datetime import datetime

from django.http import Http404
from django.shortcuts import get_object_or_404
from ninja import Field, Query, Router, Schema

from campaign.api.authentication import ANYONE, TOKEN
from campaign.api.problems import ApiProblem
from campaign.services.permissions import board_view
from campaign.views.finding import run_or_404, task_or_404
from evaluation.evaluators import EVALUATORS
from evaluation.models import Edition
from evaluation.services.boards import build_board
from evaluation.services.progress import progress_of
from evaluation.services.status import status as current_status

router = Router()


class Provenance(Schema):
    """By what scores were made: never mix those of two provenances."""

    edition: int
    edition_state: str = Field(description="live or superseded.")
    live_at: datetime | None
    assessments_version: int
    assessments_sha256: str
    profile: str
    parameters: dict
    engine: str
    axis: str = Field(description="characters, or sizes with white space merged.")
    topic_count: int


class Measure(Schema):
    """One column of a board."""

    name: str
    label: str
    explanation: str
    is_official: bool


class Line(Schema):
    """One run on a board, as this person may see it."""

    rank: int = Field(description="By the official measure over all runs; ties share a rank.")
    run: int | None = Field(description="The number of a run of my own teams; null for others.")
    name: str
    team: str
    description: str
    is_own: bool
    scores: dict[str, float | None] = Field(description="Means over topics, by measure.")


class Board(Schema):
    """An edition of a task's board."""

    task: str
    provenance: Provenance
    measures: list[Measure]
    team_count: int
    hidden: int = Field(description="Runs that are scored, but that you may not see yet.")
    lines: list[Line]


class TopicValues(Measure):
    """One measure of one run: the mean, and a value for each topic in the order of `topics`."""

    mean: float | None
    topic_values: list[float | None]


class Scores(Schema):
    """All scores of a run in one edition."""

    run: int
    run_sha256: str
    provenance: Provenance
    topics: list[str]
    measures: list[TopicValues]


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
    edition = task.editions.live().select_related("assessment_set").first()
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
    """Tell the live or an older edition by its number."""
    task = task_or_404(request.user, campaign, track, task)
    edition = get_object_or_404(task.editions.readable().select_related("assessment_set"), number=number)
    return _board(request.user, task, edition)


@router.get("/runs/{int:run}/scores", response=Scores, auth=TOKEN, tags=["runs"], summary="The scores of a run")
def show_scores(request, run: int, asked: Query[EditionQuery]):
    """Tell the means and the values of each topic, for all measures of the task's kind."""
    found = run_or_404(request.user, run)
    if not board_view(request.user, found.task).shows(found):
        raise ApiProblem(404, f"The scores of this task become visible {found.task.get_own_scores_visible_display()}.")
    editions = Edition.objects.readable() if asked.edition else Edition.objects.live()
    chosen = {"edition__number": asked.edition} if asked.edition else {}
    evaluation = (
        found.evaluations.on_board()
        .filter(edition__in=editions, **chosen)
        .select_related("edition__assessment_set", "edition__task")
        .first()
    )
    if evaluation is None:
        if asked.edition:
            raise Http404
        raise ApiProblem(404, f"This run has no scores. It is {progress_of(found, scores_visible=False).word}.")
    return {
        "run": found.pk,
        "run_sha256": evaluation.run_sha256,
        "provenance": _provenance(evaluation.edition),
        "topics": evaluation.edition.topic_numbers,
        "measures": list(_topic_values(evaluation)),
    }


@router.get("/status", response=Status, auth=ANYONE, tags=["status"], summary="Whether the machinery is alive")
def show_status(request):
    """Tell what the status page tells."""
    return current_status()


def _board(user, task, edition):
    edition.task = task
    board = build_board(edition, board_view(user, task))
    return {
        "task": "/".join(task.address),
        "provenance": _provenance(edition),
        "measures": [_measure(measure, board.evaluator) for measure in board.measures],
        "team_count": board.team_count,
        "hidden": board.hidden,
        "lines": [_line(line, board.measures) for line in board.lines],
    }


def _line(line, measures):
    return {
        "rank": line.rank,
        "run": line.run.pk if line.run else None,
        "name": line.name,
        "team": line.team,
        "description": line.description,
        "is_own": line.is_own,
        "scores": {measure.name: _number(cell.value) for measure, cell in zip(measures, line.cells, strict=True)},
    }


def _provenance(edition):
    return {
        "edition": edition.number,
        "edition_state": edition.state,
        "live_at": edition.live_at,
        "assessments_version": edition.assessment_set.version,
        "assessments_sha256": edition.assessment_set.sha256,
        "profile": edition.profile,
        "parameters": edition.parameters,
        "engine": edition.engine_version,
        "axis": edition.axis,
        "topic_count": len(edition.topic_numbers),
    }


def _measure(measure, evaluator):
    return {
        "name": measure.name,
        "label": measure.label,
        "explanation": measure.explanation,
        "is_official": measure.name == evaluator.official,
    }


def _topic_values(evaluation):
    """Yield the scores of an evaluation, the official measure first, then the board's, then the others."""
    edition = evaluation.edition
    evaluator = EVALUATORS[edition.task.kind]
    scores = {score.measure: score for score in evaluation.scores.all()}
    on_board = {measure.name for measure in evaluator.columns(edition.profile, edition.parameters)}
    measures = sorted(
        evaluator.measures_under(edition.profile, edition.parameters),
        key=lambda measure: (measure.name != evaluator.official, measure.name not in on_board),
    )
    for measure in measures:
        if score := scores.get(measure.name):
            yield _measure(measure, evaluator) | {
                "mean": _number(score.mean),
                "topic_values": [_number(value) for value in score.topic_values.tolist()],
            }


def _number(value):
    """Return a number as JSON can hold it: what is not finite is null."""
    return value if value is not None and math.isfinite(value) else None
