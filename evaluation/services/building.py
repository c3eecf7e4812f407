"""How far the new editions of a track have come."""

from dataclasses import dataclass

from campaign.models import Run
from evaluation.models import Edition, Evaluation
from evaluation.services.editions import newest_edition


@dataclass(frozen=True, slots=True)
class Building:
    """How far the new editions of a track have come."""

    editions: list
    scored: int
    runs: int
    failed: list
    is_paused: bool
    waits_for_look: bool
    newest: int

    @property
    def percent(self):
        """Return how far it has come."""
        return round(100 * self.scored / self.runs) if self.runs else 100

    @property
    def is_built(self):
        """Return whether every run is scored, so that it only waits for somebody to look at it."""
        return self.waits_for_look and not self.is_paused and self.scored == self.runs

    @property
    def waits_for_decision(self):
        """Return whether all that is left are runs whose scoring failed."""
        return bool(self.failed) and not self.is_paused and self.scored + len(self.failed) == self.runs

    @property
    def is_under_way(self):
        """Return whether runs are still being scored, so that looking again shows more."""
        return not (self.is_paused or self.waits_for_decision or self.is_built)


def building_of(track):
    """Tell how far the new editions of a track have come; None where nothing is being built."""
    editions = list(Edition.objects.building().filter(task__track=track).select_related("task", "assessment_set"))
    if not editions:
        return None
    evaluations = Evaluation.objects.filter(edition__in=editions, run__in=Run.objects.valid())
    failed = evaluations.filter(state=Evaluation.State.FAILED).select_related("run__team", "run__task")
    runs = Run.objects.filter(task__in=[edition.task_id for edition in editions])
    return Building(
        editions=editions,
        scored=evaluations.filter(state=Evaluation.State.DONE).count(),
        runs=runs.valid().count() + runs.being_rechecked().count(),
        failed=list(failed),
        is_paused=any(edition.is_paused for edition in editions),
        waits_for_look=any(edition.waits_for_look for edition in editions),
        newest=newest_edition(track),
    )
