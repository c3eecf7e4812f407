"""Which teams have runs on boards that show them by name, and with which runs."""

from dataclasses import dataclass

from django.db.models import Count

from campaign.services.permissions.visitors import names_runs, shows_scores
from evaluation.models import Edition, Evaluation


@dataclass(frozen=True, slots=True)
class Participant:
    """A team with so many runs on boards that show it."""

    name: str
    slug: str
    affiliation: str
    run_count: int


def named_on_boards(tasks, moment=None):
    """Return the evaluations on the live boards of those tasks whose scores and names everybody sees."""
    open_to_all = [task.pk for task in tasks if shows_scores(task, moment) and names_runs(task, moment)]
    return Evaluation.objects.on_board().filter(edition__state=Edition.State.LIVE, edition__task__in=open_to_all)


def participants_of(tasks, moment=None):
    """Return the teams whose runs everybody sees on the boards of some tasks, by name."""
    of_teams = named_on_boards(tasks, moment).values_list(
        "run__team__name", "run__team__slug", "run__team__affiliation"
    )
    rows = of_teams.annotate(Count("pk")).order_by("run__team__name", "run__team__slug")
    return [Participant(*row) for row in rows]
