"""Editions: built in the background, live all at once."""

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from assessments.models import AssessmentSet
from assessments.services.loading import load_judgements
from campaign.models import Run, Track
from campaign.services import trail
from evaluation.evaluators import ENGINE_VERSION, EVALUATORS, topics_that_count
from evaluation.models import Edition, Evaluation
from evaluation.profiles import DOCUMENT
from evaluation.services import announcements
from evaluation.services.queue import queue_evaluations, wake_evaluations


class CannotScore(Exception):
    """An assessment set was activated that no task can be scored with."""


def kinds_scored_by(assessment_set):
    """Return the kinds of tasks that can be scored with an assessment set."""
    return {
        AssessmentSet.Content.HIGHLIGHTS: set(EVALUATORS),
        AssessmentSet.Content.GRADES: {DOCUMENT},
        AssessmentSet.Content.ELEMENTS: set(),
    }[assessment_set.content]


def activate(assessment_set, user=None, notes="", through=None):
    """Start new editions of all tasks of the track on an assessment set; they go live together when all is scored.

    Editions of the track that were still being built are abandoned: the latest activation wins. An earlier set is
    activated in the same way: going back, too, makes new editions.
    """
    track, kinds = assessment_set.track, kinds_scored_by(assessment_set)
    if not kinds:
        raise CannotScore("These assessments grade elements. Limelight has no measures for them yet.")
    topic_numbers = topics_of(assessment_set)
    with transaction.atomic():
        hold(track)
        abandoned = abandon_building(track)
        tasks = [task for task in track.tasks.all() if task.kind in kinds]
        started = [start(task, assessment_set, topic_numbers, user, notes) for task in tasks]
        trail.record(
            track.campaign,
            trail.ACTIVATED,
            f"assessments v{assessment_set.version} of {track.name}",
            actor=user,
            through=through,
            notes=notes,
            editions=named(started),
            **({"abandoned": named(abandoned)} if abandoned else {}),
        )
    finish_building(track)
    return started


def hold(track):
    """Lock a track's row: whoever starts, stops or switches editions of the track does so one after the other."""
    Track.objects.select_for_update().get(pk=track.pk)


def abandon_building(track):
    """Leave the editions of a track that are being built; returns them. The caller holds the track."""
    building = Edition.objects.building().filter(task__track=track)
    found = list(building.select_related("task"))
    building.update(state=Edition.State.ABANDONED)
    return found


def topics_of(assessment_set):
    """Return the numbers of the topics that count under an assessment set, in their order."""
    return list(topics_that_count(load_judgements(assessment_set.columns_file, assessment_set.content)))


def named(editions):
    """Write editions for the trail."""
    return [f"{edition.task.slug}, edition {edition.number}" for edition in editions]


def start(task, assessment_set, topic_numbers, user=None, notes=""):
    """Begin an edition with a task's present profile and parameters; the caller holds the track."""
    newest = task.editions.aggregate(newest=Max("number"))["newest"] or 0
    edition = Edition.objects.create(
        task=task,
        number=newest + 1,
        assessment_set=assessment_set,
        profile=task.profile,
        parameters=task.parameters,
        engine_version=ENGINE_VERSION,
        axis=assessment_set.axis,
        collection=task.track.collection,
        topic_numbers=topic_numbers,
        started_by=user,
        notes=notes,
    )
    queue_evaluations(edition, task.runs.valid())
    wake_evaluations(edition)
    return edition


def finish_building(track, despite_failures=False, user=None, through=None):
    """Move the live pointers of a track in one transaction if every building edition is complete; tells whether.

    While the building is paused, or runs that stood on the boards are being checked again, nothing goes live.
    """
    if not Edition.objects.building().filter(task__track=track).exists():
        return False
    with transaction.atomic():
        hold(track)
        building = list(Edition.objects.building().filter(task__track=track).select_related("task", "assessment_set"))
        if not building or not all(_is_complete(edition, despite_failures) for edition in building):
            return False
        now = timezone.now()
        for edition in building:
            replaced = edition.task.editions.live().first()
            edition.task.editions.live().update(state=Edition.State.SUPERSEDED, superseded_at=now)
            Edition.objects.filter(pk=edition.pk).update(state=Edition.State.LIVE, live_at=now)
            announcements.gone_live(edition, replaced)
        _record_switch(track, building, user, through)
    return True


def _record_switch(track, building, user, through):
    failed = Evaluation.objects.filter(edition__in=building, state=Evaluation.State.FAILED)
    versions = sorted({edition.assessment_set.version for edition in building})
    trail.record(
        track.campaign,
        trail.WENT_LIVE,
        f"boards of {track.name} with assessments {', '.join(f'v{version}' for version in versions)}",
        actor=user,
        through=through,
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
