"""The boards of one track as the desk shows them: what is live, what is being built, and what was before."""

from dataclasses import dataclass

from campaign.models import Track
from evaluation.models import Edition
from evaluation.services.building import Building, building_of
from evaluation.services.outdated import behind_collection, behind_engine


@dataclass(frozen=True, slots=True)
class TrackBoards:
    """A track with its tasks (each with its board, and whether it can have one), its assessments and its editions.

    `behind` and `old_engine` are the boards built on other documents, or by another engine, than there are now;
    `newest` is the key of the edition that was begun last.
    """

    track: Track
    tasks: list
    building: Building | None
    behind: list
    old_engine: list
    versions: list
    live_versions: set
    history: list
    newest: int
    is_scored: bool


def track_boards(track):
    """Look at the boards of a track."""
    editions = Edition.objects.filter(task__track=track).select_related("task", "assessment_set", "started_by")
    newest = list(editions.order_by("-pk"))
    live = {edition.task_id: edition for edition in newest if edition.state == Edition.State.LIVE}
    return TrackBoards(
        track=track,
        tasks=[(task, live.get(task.pk), task.traits.is_scored) for task in track.tasks.all()],
        building=building_of(track),
        behind=behind_collection(track),
        old_engine=behind_engine(track),
        versions=list(track.assessment_sets.order_by("-version")),
        live_versions={edition.assessment_set.version for edition in live.values()},
        history=newest,
        newest=newest[0].pk if newest else 0,
        is_scored=bool(live),
    )
