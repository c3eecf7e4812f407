"""What organisers decide about editions: build anew, other parameters, pause, go on, give up, go live without some."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q

from campaign.models import Run
from campaign.services import trail
from campaign.services.changes import refuse_stale, values_of
from campaign.services.checks import rules_of
from campaign.services.rechecks import recheck
from campaign.services.refusals import Refused
from campaign.services.task_settings import MEASURES
from evaluation.models import Edition, Evaluation
from evaluation.services.editions import (
    CannotScore,
    abandon_building,
    activate,
    finish_building,
    hold,
    kinds_scored_by,
    let_wait,
    named,
    newest_edition,
    start,
    topics_of,
)
from evaluation.services.queue import wake_evaluations
from limelight.scoring.evaluators import ENGINE_VERSION, EVALUATORS, official_measure
from limelight.scoring.profiles import ParameterError, resolve

State = Edition.State


def activate_version(track, version, *, warnings_seen=True, **how):
    """Activate the assessments of a track that have a number; one that is live or was before will do as well.

    Whoever activates them on a page has to have seen what the import warned of.
    """
    found = track.assessment_sets.filter(version=version).first()
    if found is None:
        raise Refused(f"{track.name} has no assessments v{version}.", "version")
    if not any(task.kind in kinds_scored_by(found) for task in track.tasks.all()):
        raise Refused(f"No task of {track.name} can be scored with assessments v{version}.", "version")
    try:
        if found.warnings and not warnings_seen:
            raise Unseen(found)
        return activate(found, **how)
    except CannotScore as error:
        raise Refused(str(error), "version") from error


class Unseen(Refused):
    """Assessments were activated by somebody who has not seen what their import warned of."""

    def __init__(self, assessment_set):
        self.assessment_set = assessment_set
        super().__init__(f"The import of assessments v{assessment_set.version} warned of something. Look at it first.")


def roll_back(edition, *, user=None, notes="", through=None, seen=None):
    """Build the boards of a track as they were while an edition was live: its assessments and measures, and the version
    of the collection that it was scored with.

    Old editions are never made live again: these are new ones, made like them.
    """
    track = edition.task.track
    if edition.live_at is None:
        raise Refused("This edition never was a board.")
    with transaction.atomic():
        hold(track, seen)
        then = list(_live_at(track, edition.live_at))
        abandoned = abandon_building(track)
        started = []
        for old in then:
            task, rules = old.task, rules_of(old.task)
            _set_measures(task, _measures_of(old, task.kind))
            topics = topics_of(old.assessment_set)
            started.append(start(task, old.assessment_set, topics, user, notes, collection=old.collection))
            if rules_of(task) != rules:
                recheck([task])
        details = {"as_in": named(then), "notes": notes, "editions": named(started)}
        details |= {"abandoned": named(abandoned)} if abandoned else {}
        trail.record(
            track.campaign, trail.ROLLED_BACK, f"boards of {track.name}", actor=user, through=through, **details
        )
    finish_building(track)
    return started


def _live_at(track, moment):
    """Return the editions that were the boards of a track at a moment."""
    editions = Edition.objects.readable().filter(task__track=track, live_at__lte=moment)
    still = Q(superseded_at=None) | Q(superseded_at__gt=moment)
    return editions.filter(still).select_related("task__track", "assessment_set").order_by("task__position", "pk")


def rebuild(tasks, *, user=None, notes="", through=None, seen=None, waits_for_look=False):
    """Build new editions of tasks of one track, with their present measures, on the same assessments.

    A task that is being built already is begun anew on the assessments it is being built on.
    """
    tasks = list(tasks)
    if not tasks:
        raise Refused("There is no task to score anew.")
    track = tasks[0].track
    with transaction.atomic():
        hold(track, seen)
        started = _rebuild(tasks, user, notes)
        let_wait(track, waits_for_look)
        subject = ", ".join(task.name for task in tasks)
        details = {"notes": notes, "editions": named(started)}
        trail.record(track.campaign, trail.REEVALUATED, subject, actor=user, through=through, **details)
    finish_building(track)
    return started


def _rebuild(tasks, user, notes):
    started = []
    for task in tasks:
        current = _current(task)
        if current is None:
            raise Refused(f"{task.name} has no board yet. Activate assessments first.")
        task.editions.building().update(state=State.ABANDONED)
        edition = start(task, current.assessment_set, topics_of(current.assessment_set), user, notes)
        if current.state == State.BUILDING:  # as the one that it replaces
            inherited = {"is_paused": current.is_paused, "waits_for_look": current.waits_for_look}
            Edition.objects.filter(pk=edition.pk).update(**inherited)
        started.append(edition)
    return started


def _current(task):
    """Return the edition whose assessments the next one is built on."""
    return task.editions.building().first() or task.editions.live().first()


def _measures_of(row, kind):
    """Return what a task, or an edition of it, says about its measures."""
    found = {name: getattr(row, name) for name in MEASURES}
    return found | {"official_measure": found["official_measure"] or EVALUATORS[kind].official}


def _set_measures(task, measures):
    for name, value in measures.items():
        setattr(task, name, value)
    task.save(update_fields=list(measures))


def shown_measures(task):
    """Return what the page of a task's measures shows."""
    return values_of(task, MEASURES)


def change_measures(
    task, profile, parameters, official=None, *, user=None, notes="", seen=None, as_shown="", waits_for_look=False
):
    """Give a task another profile, parameters or official measure, and build a new edition if it has a board.

    Without an official measure the task keeps its own; an empty one is the kind's. `seen` is the newest edition that
    was seen, `as_shown` the measures as they were shown.
    """
    if task.kind not in EVALUATORS:
        raise Refused(f"{task.name} cannot be scored yet: there are no measures for its kind.")
    try:
        resolved = resolve(task.kind, profile, parameters)
    except ParameterError as error:
        raise Refused(str(error)) from error
    parameters = {name: _as_json(resolved[name]) for name in parameters}
    with transaction.atomic():
        hold(task.track, seen)
        task.refresh_from_db(fields=MEASURES)
        refuse_stale(f"the measures of {task.name}", shown_measures(task), as_shown)
        before, current, rules = _measures_of(task, task.kind), _current(task), rules_of(task)
        official = before["official_measure"] if official is None else official
        wanted = {"profile": profile, "parameters": parameters}
        wanted["official_measure"] = _ranked_by(task.kind, official, **wanted)
        if before == wanted == (_measures_of(current, task.kind) if current else wanted):
            return []
        _set_measures(task, wanted)
        started = _rebuild([task], user, notes) if current else []
        if rules_of(task) != rules:
            recheck([task])
        let_wait(task.track, waits_for_look)
        trail.record(
            task.track.campaign,
            trail.CHANGED,
            f"measures of {task.name}",
            actor=user,
            before=before,
            after=wanted,
            notes=notes,
            editions=named(started),
        )
    finish_building(task.track)
    return started


def _ranked_by(kind, name, profile, parameters):
    try:
        return official_measure(kind, name, profile, parameters)
    except ParameterError as error:
        raise Refused(str(error), "official_measure") from error


def _as_json(value):
    return list(value) if isinstance(value, tuple) else value


def pause(track, user=None, seen=None):
    """Leave what is being built for now: what a worker has is finished, nothing else is begun; tells whether."""
    return _set_paused(track, True, trail.PAUSED, user, seen)


def resume(track, user=None, seen=None):
    """Go on building; tells whether something was paused."""
    changed = _set_paused(track, False, trail.RESUMED, user, seen)
    finish_building(track)
    return changed


def _set_paused(track, is_paused, deed, user, seen):
    with transaction.atomic():
        hold(track, seen)
        building = Edition.objects.building().filter(task__track=track, is_paused=not is_paused)
        found = list(building.select_related("task"))
        if not found:
            return False
        building.update(is_paused=is_paused)
        if not is_paused:
            for edition in found:
                wake_evaluations(edition)
        trail.record(track.campaign, deed, f"new boards of {track.name}", actor=user, editions=named(found))
    return True


def abandon(track, user=None, seen=None):
    """Give up what is being built: the boards stay as they are; tells whether there was something."""
    with transaction.atomic():
        hold(track, seen)
        found = abandon_building(track)
        if not found:
            return False
        trail.record(track.campaign, trail.ABANDONED, f"new boards of {track.name}", actor=user, editions=named(found))
    return True


def go_live_despite_failures(track, user=None, seen=None):
    """Switch to the new editions without the runs whose scoring failed: the organiser's decision."""
    with transaction.atomic():
        hold(track, seen)
        building = Edition.objects.building().filter(task__track=track)
        if not building.exists():
            raise Refused("Nothing is being built.")
        if building.filter(is_paused=True).exists():
            raise Refused("The building is paused. Resume it first.")
        if not finish_building(track, despite_failures=True, user=user):
            raise Refused("Some runs are still being checked or scored. The boards can switch when none is left.")


def behind_collection(track):
    """Return the live editions of a track that were begun on other documents than are there now.

    Runs that came since are measured on the new documents, beside others that were not: build such a board anew.
    """
    live = Edition.objects.live().filter(task__track=track).select_related("task").order_by("task__position")
    changed_at = track.collection.changed_at if track.collection else None
    return [
        edition
        for edition in live
        if edition.collection_id != track.collection_id or (changed_at and changed_at > edition.created_at)
    ]


def behind_engine(track):
    """Return the live editions of a track that another engine built than the one that scores runs now."""
    live = Edition.objects.live().filter(task__track=track).exclude(engine_version=ENGINE_VERSION)
    return list(live.select_related("task").order_by("task__position"))


@dataclass(frozen=True, slots=True)
class Building:
    """How far the new editions of a track have come."""

    editions: list
    scored: int
    all: int
    failed: list
    is_paused: bool
    waits_for_look: bool
    newest: int

    @property
    def percent(self):
        """Return how far it has come."""
        return round(100 * self.scored / self.all) if self.all else 100

    @property
    def is_built(self):
        """Tell whether every run is scored, so that it only waits for somebody to look at it."""
        return self.waits_for_look and not self.is_paused and self.scored == self.all

    @property
    def waits_for_decision(self):
        """Tell whether all that is left are runs whose scoring failed."""
        return bool(self.failed) and not self.is_paused and self.scored + len(self.failed) == self.all


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
        all=runs.valid().count() + runs.being_rechecked().count(),
        failed=list(failed),
        is_paused=any(edition.is_paused for edition in editions),
        waits_for_look=any(edition.waits_for_look for edition in editions),
        newest=newest_edition(track),
    )
