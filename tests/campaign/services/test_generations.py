"""Generations of a task."""

from campaign.services.generations import raise_generation
from limelight.kinds import THOROUGH


def test_the_generation_of_the_named_tasks_rises_and_no_other(world):
    other = world.new_task(THOROUGH, closes_at=world.task.closes_at)

    raise_generation(world.task)
    raise_generation(world.task)

    for task in (world.task, other):
        task.refresh_from_db()
    assert (world.task.generation, other.generation) == (3, 1)
