"""A board on which it is known how each run fared on each topic."""

import numpy as np

from campaign.models import Run
from evaluation.models import Score

NAMES = ("Lund", "Delft", "Oslo", "Turku", "Riga")
VALUES = ((0.5, 0.1, 0.9), (0.4, 0.3, 0.9), (0.3, 0.2, 0.9), (0.2, 0.4, 0.9), (0.0, 0.6, 0.9))
"""Of a run of each team, on topics 1 to 3: medians 0.3, 0.3 and 0.9; quartiles 0.2 to 0.4, 0.2 to 0.4 and 0.9."""


def with_fleet(world, teams=5):
    """Score a run of each team, and give it its values; returns the runs."""
    world.activate()
    known = {"Lund": (world.alice, world.alices), "Delft": (world.bob, world.bobs)}
    runs = []
    for name, values in zip(NAMES[:teams], VALUES, strict=False):
        user, team = known.get(name) or world.team_of(f"of-{name}", name)
        run = world.scored(name=f"run-of-{name}", user=user, team=team)
        give_values(run, *values)
        runs.append(run)
    return runs


def give_values(run, *values):
    """Let a run have scored so on topics 1 to 3, by every measure."""
    Score.objects.filter(evaluation__run=run).update(topic_values=np.array(values), mean=float(np.mean(values)))


def mark_official(run):
    Run.objects.filter(pk=run.pk).update(is_official=True)
