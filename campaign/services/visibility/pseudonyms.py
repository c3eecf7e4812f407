"""Random names for the teams on an anonymous board."""

import secrets

from django.db import IntegrityError, transaction

from campaign.models import Pseudonym


def pseudonyms_of(task):
    """Return the pseudonym of each team that has had a valid run of a task."""
    return dict(Pseudonym.objects.filter(task=task).values_list("team_id", "name"))


def give_pseudonym(task, team):
    """Give a team a pseudonym in a task, unless it has one; returns it."""
    for _ in range(20):
        name = f"Team {secrets.token_hex(2).upper()}"
        try:
            with transaction.atomic():
                return Pseudonym.objects.get_or_create(task=task, team=team, defaults={"name": name})[0].name
        except IntegrityError:
            continue  # the name is taken in this task
    raise RuntimeError(f"No free pseudonym found for team {team.pk} in task {task.pk}.")
