"""The first three of boards, as any visitor may know them: for cards and feeds."""

from dataclasses import dataclass
from itertools import groupby

from django.db.models import Count, F, Window
from django.db.models.functions import RowNumber

from campaign.models import Pseudonym
from campaign.services.permissions.visitors import names_runs, shows_scores
from evaluation.models import Evaluation, Score
from limelight.analysis.ranking import ranks as ranks_of

PLACES = 3


@dataclass(frozen=True, slots=True)
class Place:
    """One of the first on a board, called as everybody may call run and team; a slug is there where names are."""

    rank: int
    run: str
    team: str
    score: float
    code: str = ""
    team_slug: str = ""


@dataclass(frozen=True, slots=True)
class Podium:
    """The first places of a board, and how many runs stand on it."""

    places: list
    run_count: int


def podiums_of(editions, moment=None):
    """Return the podium of each edition by its key; those whose scores not everybody sees have none."""
    shown = {edition.pk: edition.task for edition in editions if shows_scores(edition.task, moment)}
    named = {pk for pk, task in shown.items() if names_runs(task, moment)}
    first_to_last = {"order_by": [F("mean").desc(), F("evaluation__run__code")]}
    rows = (
        Score.objects.filter(
            evaluation__in=Evaluation.objects.on_board().filter(edition__in=list(shown)),
            measure=F("evaluation__edition__official_measure"),
        )
        .annotate(
            place=Window(RowNumber(), partition_by=[F("evaluation__edition")], **first_to_last),
            run_count=Window(Count("pk"), partition_by=[F("evaluation__edition")]),
        )
        .filter(place__lte=PLACES)
        .select_related("evaluation__run__team")
        .order_by("evaluation__edition", "place")
    )
    aliases = _aliases(task for pk, task in shown.items() if pk not in named)
    podiums = {}
    for pk, scores in groupby(rows, key=lambda score: score.evaluation.edition_id):
        scores = list(scores)
        podiums[pk] = Podium(list(_places(scores, aliases=None if pk in named else aliases)), scores[0].run_count)
    return podiums


def _aliases(tasks):
    """Return what teams are called in anonymous tasks, by task and team."""
    rows = Pseudonym.objects.filter(task__in=list(tasks)).values_list("task_id", "team_id", "name")
    return {(task, team): name for task, team, name in rows}


def _places(scores, aliases):
    """Yield the places of one board."""
    for rank, score in zip(ranks_of([score.mean for score in scores]), scores, strict=True):
        run = score.evaluation.run
        if aliases is None:
            yield Place(rank, run.name, run.team.name, score.mean, run.code, run.team.slug)
        else:
            yield Place(rank, run.code, aliases[run.task_id, run.team_id], score.mean, run.code)
