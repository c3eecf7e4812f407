"""What organisers decide about boards: activate, go back, build anew, other measures, pause, abandon, go live."""

from django.db import transaction
from django.db.models import Q

from campaign.services.acting import MACHINERY
from campaign.services.generations import raise_generation
from campaign.services.refusals import Refused
from campaign.services.runs.rechecks import recheck
from campaign.services.runs.rules import rules_of
from campaign.services.setup.task_settings import MEASURES
from campaign.services.telling import trail
from campaign.services.telling.audit import refuse_stale, values_of
from evaluation.models import Edition
from evaluation.services.editions import (
    abandon_building,
    finish_building,
    hold,
    let_wait,
    named,
    start,
    tasks_scored_by,
)
from limelight.scoring.evaluators import official_measure, ranked_by
from limelight.scoring.profiles import ParameterError, resolve

State = Edition.State


class Unseen(Refused):
    """Assessments were activated by somebody who has not seen what their import warned of."""

    def __init__(self, assessment_set):
        self.assessment_set = assessment_set
        super().__init__(f"The import of assessments v{assessment_set.version} warned of something. Look at it first.")


def activate(assessment_set, *, by=MACHINERY, notes="", seen=None, waits_for_look=False, warnings_seen=True):
    """Start new editions of all tasks of the track on an assessment set; they go live together when all is scored.

    If they are to wait for a look, they go live when an organiser says so. Editions of the track that were still being
    built are abandoned: the latest activation wins. An earlier set is activated in the same way: going back, too, makes
    new editions. Whoever activates on a page has to have seen what the import warned of.
    """
    track = assessment_set.track
    with transaction.atomic():
        hold(track, seen)
        tasks = tasks_scored_by(assessment_set)
        if assessment_set.warnings and not warnings_seen:
            raise Unseen(assessment_set)
        abandoned = abandon_building(track.tasks.all())
        started = [start(task, by=by, assessment_set=assessment_set, notes=notes) for task in tasks]
        let_wait(track, waits_for_look)
        trail.record(
            track.campaign,
            trail.ACTIVATED,
            f"assessments v{assessment_set.version} of {track.name}",
            by=by,
            notes=notes,
            editions=named(started),
            **({"abandoned": named(abandoned)} if abandoned else {}),
            **({"waits_for_look": True} if waits_for_look else {}),
        )
    finish_building(track)
    return started


def roll_back(edition, *, by=MACHINERY, notes="", seen=None):
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
        abandoned = abandon_building(track.tasks.all())
        started = []
        for old in then:
            task, rules = old.task, rules_of(old.task)
            _set_measures(task, _measures_of(old, task.kind))
            started.append(
                start(task, by=by, assessment_set=old.assessment_set, notes=notes, collection=old.collection)
            )
            if rules_of(task) != rules:
                recheck([task])
        details = {"as_in": named(then), "notes": notes, "editions": named(started)}
        details |= {"abandoned": named(abandoned)} if abandoned else {}
        trail.record(track.campaign, trail.ROLLED_BACK, f"boards of {track.name}", by=by, **details)
    finish_building(track)
    return started


def _live_at(track, moment):
    """Return the editions that were the boards of a track at a moment."""
    editions = Edition.objects.readable().filter(task__track=track, live_at__lte=moment)
    still = Q(superseded_at=None) | Q(superseded_at__gt=moment)
    return editions.filter(still).select_related("task__track", "assessment_set").order_by("task__position", "pk")


def rebuild(tasks, *, by=MACHINERY, notes="", seen=None, waits_for_look=False):
    """Build new editions of tasks of one track, with their present measures, on the same assessments.

    A task that is being built already is begun anew on the assessments it is being built on.
    """
    tasks = list(tasks)
    if not tasks:
        raise Refused("There is no task to score anew.")
    track = tasks[0].track
    with transaction.atomic():
        hold(track, seen)
        started = _rebuild(tasks, by, notes)
        let_wait(track, waits_for_look)
        subject = ", ".join(task.name for task in tasks)
        details = {"notes": notes, "editions": named(started)}
        trail.record(track.campaign, trail.REEVALUATED, subject, by=by, **details)
    finish_building(track)
    return started


def _rebuild(tasks, by, notes):
    started = []
    for task in tasks:
        current = _current(task)
        if current is None:
            raise Refused(f"{task.name} has no board yet. Activate assessments first.")
        abandon_building([task])
        edition = start(task, by=by, assessment_set=current.assessment_set, notes=notes)
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
    measures = {name: getattr(row, name) for name in MEASURES}
    return measures | {"official_measure": ranked_by(kind, measures["official_measure"])}


def _set_measures(task, measures):
    raise_generation(task)
    for name, value in measures.items():
        setattr(task, name, value)
    task.save(update_fields=list(measures))


def shown_measures(task):
    """Return what the page of a task's measures shows."""
    return values_of(task, MEASURES)


def change_measures(
    task, *, by=MACHINERY, profile, parameters, official=None, notes="", seen=None, as_shown="", waits_for_look=False
):
    """Give a task another profile, parameters or official measure, and build a new edition if it has a board.

    Without an official measure the task keeps its own; an empty one is the kind's. `seen` is the newest edition that
    was seen, `as_shown` the measures as they were shown.
    """
    if not task.traits.is_scored:
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
        started = _rebuild([task], by, notes) if current else []
        if rules_of(task) != rules:
            recheck([task])
        let_wait(task.track, waits_for_look)
        trail.record(
            task.track.campaign,
            trail.CHANGED,
            f"measures of {task.name}",
            by=by,
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


def pause(track, *, by=MACHINERY, seen=None):
    """Leave what is being built for now, except what a worker has; returns whether there was something."""
    return _set_paused(track, True, trail.PAUSED, by, seen)


def resume(track, *, by=MACHINERY, seen=None):
    """Go on building; returns whether something was paused."""
    changed = _set_paused(track, False, trail.RESUMED, by, seen)
    finish_building(track)
    return changed


def _set_paused(track, is_paused, deed, by, seen):
    with transaction.atomic():
        hold(track, seen)
        building = Edition.objects.building().filter(task__track=track, is_paused=not is_paused)
        editions = list(building.select_related("task"))
        if not editions:
            return False
        building.update(is_paused=is_paused)
        if not is_paused:
            for edition in editions:
                edition.evaluations.wake_workers()
        trail.record(track.campaign, deed, f"new boards of {track.name}", by=by, editions=named(editions))
    return True


def abandon(track, *, by=MACHINERY, seen=None):
    """Give up what is being built: the boards stay as they are; returns whether there was something."""
    with transaction.atomic():
        hold(track, seen)
        abandoned = abandon_building(track.tasks.all())
        if not abandoned:
            return False
        trail.record(track.campaign, trail.ABANDONED, f"new boards of {track.name}", by=by, editions=named(abandoned))
    return True


def go_live_despite_failures(track, *, by=MACHINERY, seen=None):
    """Switch to the new editions without the runs whose scoring failed: the organiser's decision."""
    with transaction.atomic():
        hold(track, seen)
        building = Edition.objects.building().filter(task__track=track)
        if not building.exists():
            raise Refused("Nothing is being built.")
        if building.filter(is_paused=True).exists():
            raise Refused("The building is paused. Resume it first.")
        if not finish_building(track, by=by, despite_failures=True):
            raise Refused("Some runs are still being checked or scored. The boards can switch when none is left.")


def wait_for_look(track, *, by=MACHINERY, seen=None):
    """Have new boards wait for a look when they are built; returns whether they were to go live by themselves."""
    with transaction.atomic():
        hold(track, seen)
        editions = _building(track, waits_for_look=False)
        if not editions:
            return False
        let_wait(track)
        _record(track, editions, by, waits_for_look=[False, True])
    finish_building(track)
    return True


def go_live_when_ready(track, *, by=MACHINERY, seen=None):
    """Let new boards go live, at once if all is scored; returns whether they did, None where none waited for a look."""
    with transaction.atomic():
        hold(track, seen)
        editions = _building(track, waits_for_look=True)
        if not editions:
            return None
        Edition.objects.filter(pk__in=[edition.pk for edition in editions]).update(waits_for_look=False)
        if finish_building(track, by=by):
            return True
        _record(track, editions, by, waits_for_look=[True, False])
    return False


def _building(track, **fields):
    return list(Edition.objects.building().filter(task__track=track, **fields).select_related("task"))


def _record(track, editions, by, **changes):
    subject = f"new boards of {track.name}"
    trail.record(track.campaign, trail.CHANGED, subject, by=by, changes=changes, editions=named(editions))
