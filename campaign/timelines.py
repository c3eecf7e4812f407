"""When what of a campaign happens; without Django."""

from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

OPENS, CLOSES, PUBLISHED = "opens", "closes", "published"
TOLD = {
    OPENS: ("opens", "open", "opened"),
    CLOSES: ("closes", "close", "closed"),
    PUBLISHED: ("will have results published", "will have results published", "had results published"),
}
"""What happens to one task, to several, and what has happened."""


@dataclass(frozen=True, slots=True)
class Happening:
    """What happens to some tasks at one moment; the next is the first that has not happened yet."""

    at: datetime
    kind: str
    tasks: list = field(default_factory=list)
    is_past: bool = False
    is_next: bool = False

    @property
    def words(self):
        """Say what happens to these tasks."""
        one, several, happened = TOLD[self.kind]
        return happened if self.is_past else one if len(self.tasks) == 1 else several


def timeline_of(tasks, now):
    """Return what happens to some tasks, the earliest first, each moment and kind once."""
    moments = []
    for task in tasks:
        moments += [(task.opens_at, OPENS, task), (task.closes_at, CLOSES, task)]
        if task.published_at is not None:
            moments.append((task.published_at, PUBLISHED, task))
    order = list(TOLD)
    moments.sort(key=lambda entry: (entry[0], order.index(entry[1])))
    happenings, is_next = [], True
    for (at, kind), entries in groupby(moments, key=lambda entry: entry[:2]):
        is_past = at <= now
        happenings.append(Happening(at, kind, [task for _, _, task in entries], is_past, is_next and not is_past))
        is_next = is_next and is_past
    return happenings
