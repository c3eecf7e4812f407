"""A board with enough topics to tell runs apart, and runs of given quality on it."""

from campaign.models import Topic
from evaluation.services.analyses import analyse, refresh_analyses

TOPICS = range(1, 13)


def give_twelve_topics(world):
    """Give a world twelve topics with the same highlighted text, and a board over them."""
    Topic.objects.bulk_create(
        Topic(track=world.track, number=str(number), position=number, title=f"topic {number}")
        for number in TOPICS
        if number > 3
    )
    world.activate(b"".join(b"%d Q0 a 50 200 0 0:50\n" % number for number in TOPICS))
    return world


def scored_run(world, name, quality, turn=7, **fields):
    """Score a run that returns 50 characters a topic, of which about the given number are highlighted."""
    lines = [
        b"%d Q0 a 1 1.0 %s %d 50\n" % (number, name.encode(), 50 - quality + (number * turn) % 5) for number in TOPICS
    ]
    return world.scored(b"".join(lines), name, **fields)


def compute_all():
    """Queue what boards lack, and compute it."""
    refresh_analyses()
    while analyse():
        pass
