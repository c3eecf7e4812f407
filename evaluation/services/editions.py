"""Editions: built in the background, live all at once."""

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from assessments.models import AssessmentSet
from assessments.services.loading import load_judgements
from campaign.models import Run, Track
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


def activate(assessment_set):
    """Start new editions of all tasks of the track on an assessment set; they go live together when all is scored.

    Editions of the track that were still being built are abandoned: the latest activation wins.
    """
    track, kinds = assessment_set.track, kinds_scored_by(assessment_set)
    if not kinds:
        raise CannotScore("These assessments grade elements. Limelight has no measures for them yet.")
    topic_numbers = list(topics_that_count(load_judgements(assessment_set.columns_file, assessment_set.content)))
    with transaction.atomic():
        Track.objects.select_for_update().get(pk=track.pk)
        Edition.objects.building().filter(task__track=track).update(state=Edition.State.ABANDONED)
        started = [_start(task, assessment_set, topic_numbers) for task in track.tasks.all() if task.kind in kinds]
    finish_building(track)
    return started


def _start(task, assessment_set, topic_numbers):
    newest = task.editions.aggregate(newest=Max("number"))["newest"] or 0
    edition = Edition.objects.create(
        task=task,
        number=newest + 1,
        assessment_set=assessment_set,
        profile=task.profile,
        parameters=task.parameters,
        engine_version=ENGINE_VERSION,
        axis=assessment_set.axis,
        topic_numbers=topic_numbers,
    )
    queue_evaluations(edition, task.runs.valid())
    wake_evaluations(edition)
    return edition


def finish_building(track, despite_failures=False):
    """Move the live pointers of a track in one transaction if every building edition is complete; tells whether."""
    if not Edition.objects.building().filter(task__track=track).exists():
        return False
    with transaction.atomic():
        Track.objects.select_for_update().get(pk=track.pk)
        building = list(Edition.objects.building().filter(task__track=track))
        if not building or not all(_is_complete(edition, despite_failures) for edition in building):
            return False
        now = timezone.now()
        for edition in building:
            replaced = edition.task.editions.live().first()
            edition.task.editions.live().update(state=Edition.State.SUPERSEDED, superseded_at=now)
            Edition.objects.filter(pk=edition.pk).update(state=Edition.State.LIVE, live_at=now)
            announcements.gone_live(edition, replaced)
    return True


def _is_complete(edition, despite_failures):
    final = [Evaluation.State.DONE, *([Evaluation.State.FAILED] if despite_failures else [])]
    scored = edition.evaluations.filter(state__in=final).values("run")
    return not Run.objects.valid().filter(task=edition.task).exclude(pk__in=scored).exists()
