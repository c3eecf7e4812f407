"""Random names for the teams on an anonymous board."""

import secrets

from django.db import IntegrityError, transaction

from campaign.models import Pseudonym


def pseudonyms_of(task, teams):
    """Return a pseudonym for each team on a task's board, making those that are missing."""
    known = dict(Pseudonym.objects.filter(task=task).values_list("team_id", "name"))
    for team in teams:
        if team.pk not in known:
            known[team.pk] = _new_pseudonym(task, team)
    return known


def _new_pseudonym(task, team):
    for _ in range(20):
        name = f"Team {secrets.token_hex(2).upper()}"
        try:
            with transaction.atomic():
                return Pseudonym.objects.get_or_create(task=task, team=team, defaults={"name": name})[0].name
        except IntegrityError:
            continue  # the name is taken in this task
    raise RuntimeError(f"No free pseudonym found for team {team.pk} in task {task.pk}.")
