"""The life of an edition: begun, built in the background, live at once with the others of its track."""

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone

from assessments.services.axes import runs_apart
from campaign.later import Boards
from campaign.models import Run, Track
from campaign.services.acting import MACHINERY
from campaign.services.generations import raise_generation
from campaign.services.refusals import Refused
from campaign.services.telling import trail
from evaluation.models import Edition, Evaluation
from evaluation.services import announcements
from evaluation.services.queue import queue_evaluations
from limelight.formats.assessments.columns import CHARACTERS, SIZES
from limelight.kinds import scored_by
from limelight.scoring.evaluators import ENGINE_VERSION, official_measure
from limelight.wording import counted

NAMED_RUNS = 3
WAITS_FOR_LOOK = Q(waits_for_look=True, built_at__isnull=False)
"""An edition about which the organisers have been told."""


class NewerEditions(Refused):
    """Editions were begun after a page was opened on which somebody decided something about them."""


def axis_of_boards(task):
    """Return the axis that a task's boards are measured on: that of sizes where one that takes runs is."""
    return SIZES if Edition.objects.scoring().filter(task=task, axis=SIZES).exists() else CHARACTERS


def boards_of(task):
    """Return how a task stands with boards."""
    states = set(Edition.objects.filter(task=task).values_list("state", flat=True))
    return Boards(bool(states), not states.isdisjoint(Edition.TAKES_RUNS), Edition.State.LIVE in states)


def tasks_scored_by(assessment_set):
    """Return the tasks of its track that can be scored with an assessment set; refuses where there is none."""
    kinds, track = scored_by(assessment_set.content), assessment_set.track
    if not kinds:
        raise Refused("These assessments grade elements. Limelight has no measures for them yet.", "version")
    tasks = [task for task in track.tasks.all() if task.kind in kinds]
    if not tasks:
        raise Refused(f"No task of {track.name} can be scored with assessments v{assessment_set.version}.", "version")
    return tasks


def hold(track, seen=None):
    """Lock a track's row: whoever starts, stops or switches editions of the track does so one after the other.

    Whoever decided it on a page names the newest edition that was seen there; if there are newer ones, it is refused.
    """
    Track.objects.select_for_update().get(pk=track.pk)
    refuse_overtaken(seen, newest_edition(track))


def refuse_overtaken(seen, newest):
    """Refuse what somebody decided on a page where other editions were the newest; the caller holds the track."""
    if seen not in (None, "") and str(seen) != str(newest or 0):
        raise NewerEditions(
            "Nothing was done: new editions were begun after you opened this page. Here is how things stand now."
        )


def newest_edition(track):
    """Return the key of the edition of a track that was begun last, or 0."""
    return Edition.objects.filter(task__track=track).aggregate(newest=Max("pk"))["newest"] or 0


def let_wait(track, waits_for_look=True):
    """Have all that is being built of a track wait for a look, if it is to; the caller holds the track.

    One that waits makes all wait, because the boards of a track switch together.
    """
    building = Edition.objects.building().filter(task__track=track)
    if waits_for_look or building.filter(waits_for_look=True).exists():
        building.update(waits_for_look=True)


def abandon_building(tasks):
    """Leave the editions of tasks of a track that are being built; returns them. The caller holds the track."""
    building = Edition.objects.building().filter(task__in=tasks)
    abandoned = list(building.select_related("task"))
    raise_generation(*(edition.task for edition in abandoned))
    building.update(state=Edition.State.ABANDONED)
    return abandoned


def named(editions):
    """Write editions for the trail."""
    return [f"{edition.task.slug}, edition {edition.number}" for edition in editions]


def start(task, *, by, assessment_set, notes="", collection=None):
    """Begin an edition with a task's present profile, parameters and official measure; the caller holds the track.

    Its documents are those of the track, unless another version of the collection is given. What could not be scored
    is refused here: no edition is begun with runs that its assessments count differently.
    """
    _refuse_runs_apart(task, assessment_set)
    raise_generation(task)
    newest = task.editions.aggregate(newest=Max("number"))["newest"] or 0
    edition = Edition.objects.create(
        task=task,
        number=newest + 1,
        assessment_set=assessment_set,
        profile=task.profile,
        parameters=task.parameters,
        official_measure=official_measure(task.kind, task.official_measure, task.profile, task.parameters),
        engine_version=ENGINE_VERSION,
        axis=assessment_set.axis,
        collection=collection or task.track.collection,
        topic_numbers=assessment_set.topic_numbers,
        started_by=by.user,
        notes=notes,
    )
    queue_evaluations(edition, task.runs.valid())
    edition.evaluations.wake_workers()
    return edition


def _refuse_runs_apart(task, assessment_set):
    # Runs are opened while the track is held, so that none becomes valid between the look and the edition. Only for
    # assessments on sizes, and only passages: a few files; and nobody waits but who switches boards of this track.
    apart = runs_apart([task], assessment_set.axis)
    if not apart:
        return
    returning = f"{counted(len(apart), 'run')} of {task.name} {'returns' if len(apart) == 1 else 'return'} offsets"
    names = ", ".join(run.name for run in apart[:NAMED_RUNS]) + (", …" if len(apart) > NAMED_RUNS else "")
    raise Refused(
        f"{returning}, which count every character, but assessments v{assessment_set.version} only tell sizes with "
        f"white space merged ({names}). Import the collection’s text and then the assessments again, or reject them."
    )


def finish_building(track, *, by=MACHINERY, despite_failures=False):
    """Move the live pointers of a track in one transaction if every building edition is complete; returns whether.

    While the building is paused, or runs that stood on the boards are being checked again, nothing goes live. What
    waits for a look stays as it is, and the organisers are told that it is built.
    """
    building = Edition.objects.building().filter(task__track=track)
    if not (building if despite_failures else building.filter(~WAITS_FOR_LOOK)).exists():
        return False
    with transaction.atomic():
        hold(track)
        building = list(Edition.objects.building().filter(task__track=track).select_related("task", "assessment_set"))
        if not building or not all(_is_complete(edition, despite_failures) for edition in building):
            return False
        now = timezone.now()
        if any(edition.waits_for_look for edition in building) and not despite_failures:
            Edition.objects.filter(pk__in=[edition.pk for edition in building], built_at=None).update(built_at=now)
            announcements.built(track, building)
            return False
        raise_generation(*(edition.task for edition in building))
        for edition in building:
            replaced = edition.task.editions.live().first()
            edition.task.editions.live().update(state=Edition.State.SUPERSEDED, superseded_at=now)
            Edition.objects.filter(pk=edition.pk).update(state=Edition.State.LIVE, live_at=now)
            announcements.gone_live(edition, replaced)
        _record_switch(track, building, by)
    return True


def _record_switch(track, building, by):
    failed = Evaluation.objects.filter(edition__in=building, state=Evaluation.State.FAILED)
    versions = sorted({edition.assessment_set.version for edition in building})
    trail.record(
        track.campaign,
        trail.WENT_LIVE,
        f"boards of {track.name} with assessments {', '.join(f'v{version}' for version in versions)}",
        by=by,
        editions=named(building),
        without=list(failed.filter(run__in=Run.objects.valid()).values_list("run__name", flat=True)),
    )


def _is_complete(edition, despite_failures):
    runs = Run.objects.filter(task=edition.task)
    if edition.is_paused or runs.being_rechecked().exists():
        return False
    final = [Evaluation.State.DONE, *([Evaluation.State.FAILED] if despite_failures else [])]
    scored = edition.evaluations.filter(state__in=final).values("run")
    return not runs.valid().exclude(pk__in=scored).exists()
