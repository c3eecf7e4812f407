"""How the machinery is, for everyone: is it alive, how much waits, since when, and when was the last run scored."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from assessments.models import AssessmentImport
from campaign.models import CollectionImport, Heartbeat, Run
from evaluation.models import Evaluation

SILENT_AFTER = {"worker": timedelta(seconds=60), "sweep": timedelta(seconds=30)}


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

    @property
    def is_well(self):
        """Tell whether everything that should be alive is."""
        return all(part.is_alive for part in self.parts)


def status(moment=None):
    """Look at heartbeats and queues."""
    moment = moment or timezone.now()
    seen = dict(Heartbeat.objects.values_list("name", "at"))
    parts = [
        Part(name, seen.get(name), name in seen and moment - seen[name] < silence)
        for name, silence in SILENT_AFTER.items()
    ]
    queues = (
        Run.objects.standing().unfinished(),
        Evaluation.objects.unfinished(),
        AssessmentImport.objects.unfinished(),
        CollectionImport.objects.unfinished(),
    )
    waiting = [queue.filter(state=queue.model.WAITING) for queue in queues]
    oldest = [queue.order_by("state_since").values_list("state_since", flat=True).first() for queue in waiting]
    last = Evaluation.objects.filter(state=Evaluation.State.DONE).order_by("-state_since").first()
    return Status(
        parts=parts,
        waiting=sum(queue.count() for queue in waiting),
        working=sum(queue.filter(state=queue.model.WORKING).count() for queue in queues),
        oldest_waiting=min(filter(None, oldest), default=None),
        last_scored=last.state_since if last else None,
    )
