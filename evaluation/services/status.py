"""How the machinery is, for everyone: is it alive, how much waits, since when, and how quickly are runs scored."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from django.db.models import F
from django.utils import timezone

from campaign.machinery.heartbeats import Heartbeat
from campaign.machinery.wake import AWAY, messages_waiting
from evaluation.models import Evaluation
from evaluation.services.background import QUEUES
from evaluation.services.queue import not_entered

SILENT_AFTER = {"worker": timedelta(seconds=60), "sweep": timedelta(seconds=30)}
LATELY = timedelta(hours=1)
SLOW = timedelta(minutes=2)
"""From when on a run takes too long from its arrival to its scores, or a job waits too long for a worker."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the machinery and when it last did something."""

    name: str
    last_seen: datetime | None
    is_alive: bool


@dataclass(frozen=True, slots=True)
class Status:
    """What the status page tells."""

    parts: list
    waiting: int
    working: int
    oldest_waiting: datetime | None
    last_scored: datetime | None
    messages: int | None
    not_entered: int
    usual_seconds: float | None
    longest_wait: float

    @property
    def is_alive(self):
        """Return whether everything that should be alive is."""
        return all(part.is_alive for part in self.parts)

    @property
    def is_slow(self):
        """Return whether runs take too long, or something that a worker could do waits too long."""
        return max(self.usual_seconds or 0, self.longest_wait) > SLOW.total_seconds()

    @property
    def is_well(self):
        """Return whether everything is alive and runs are scored in good time."""
        return self.is_alive and not self.is_slow


def status(moment=None):
    """Look at heartbeats and queues."""
    moment = moment or timezone.now()
    seen = dict(Heartbeat.objects.values_list("name", "at"))
    parts = [
        Part(name, seen.get(name), name in seen and moment - seen[name] < silence)
        for name, silence in SILENT_AFTER.items()
    ]
    queues = [queue.rows.unfinished() for queue in QUEUES]
    waiting = [queue.filter(state=queue.model.WAITING) for queue in queues]
    oldest = [queue.order_by("state_since").values_list("state_since", flat=True).first() for queue in waiting]
    last = Evaluation.objects.filter(state=Evaluation.State.DONE).order_by("-state_since").first()
    return Status(
        parts=parts,
        waiting=sum(queue.count() for queue in waiting),
        working=sum(queue.filter(state=queue.model.WORKING).count() for queue in queues),
        oldest_waiting=min(filter(None, oldest), default=None),
        last_scored=last.state_since if last else None,
        messages=_messages(),
        not_entered=sum(runs.count() for _, runs in not_entered()),
        usual_seconds=usual_seconds(moment),
        longest_wait=_longest_wait(moment),
    )


def usual_seconds(moment):
    """Return how long the runs that came in the last hour usually took until they were scored; None without any.

    What counts is the board that was live when a run came; what was there before a board was scored when it was built.
    """
    done = Evaluation.objects.filter(
        state=Evaluation.State.DONE,
        run__created_at__gte=moment - LATELY,
        edition__live_at__lte=F("run__created_at"),
        state_since__gte=F("run__created_at"),
    )
    took = [
        (scored - received).total_seconds() for received, scored in done.values_list("run__created_at", "state_since")
    ]
    return median(took) if took else None


def _longest_wait(moment):
    """Return for how many seconds the first in line has waited, of what is urgent."""
    since = [queue.rows.urgent().in_line().values_list("state_since", flat=True).first() for queue in QUEUES]
    return max(((moment - at).total_seconds() for at in since if at), default=0.0)


def _messages():
    try:
        return messages_waiting()
    except AWAY:
        return None
