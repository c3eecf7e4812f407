"""Tasks: making, changing and deleting them under the rules that keep boards what they are."""

from copy import copy

from django.db import IntegrityError, transaction
from django.db.models import Max, ProtectedError
from django.utils import timezone

from campaign.addresses import PAGE_NAMES
from campaign.later import boards_of, has_assessments
from campaign.models import SWITCHES, Task, Track
from campaign.services.generations import raise_generation
from campaign.services.permissions.seeing import hiding_assessments
from campaign.services.refusals import Refused
from campaign.services.runs.rechecks import recheck
from campaign.services.runs.rules import rules_of
from campaign.services.setup.ordering import move
from campaign.services.setup.tracks import shown_order
from campaign.services.slugs import free_slug
from campaign.services.telling import trail
from campaign.services.telling.audit import NOTHING_DONE, changed_fields, refuse_stale, told, values_of
from campaign.services.telling.news import deadline_moved
from campaign.services.visibility.publication import opened_by
from limelight.kinds import SCORED
from limelight.moments import spoken
from limelight.scoring.evaluators import official_measure, ranked_by
from limelight.scoring.profiles import ParameterError, resolve
from limelight.wording import counted

MEASURES = ("profile", "parameters", "official_measure")
"""What a task says and each of its editions keeps."""

SETTINGS = (
    "name",
    "kind",
    "description",
    "opens_at",
    "closes_at",
    "result_limit",
    "topic_budget",
    "article_budget",
    "quota",
    *MEASURES,
    *SWITCHES,
)


def shown_task(task):
    """Return what the page of a task shows."""
    return values_of(task, SETTINGS)


def create_task(track, *, by, **entered):
    """Make a task; the same form sent twice makes one."""
    with transaction.atomic():
        Track.objects.select_for_update().get(pk=track.pk)
        _refuse_faults(track, entered)
        entered["official_measure"] = _official(entered)
        taken = PAGE_NAMES.union(track.tasks.values_list("slug", flat=True))
        last = track.tasks.aggregate(last=Max("position"))["last"] or 0
        task = Task.objects.create(
            track=track, slug=free_slug(entered["name"], taken, "task"), position=last + 1, **entered
        )
        trail.record(track.campaign, trail.CREATED, f"task {task.name} of {track.name}", by=by, kind=str(task.kind))
    return task


def change_task(task, *, by, seen="", **entered):
    """Change a task's settings; returns it and how many runs are checked again.

    The measures of a task with a board are changed where its boards are built, so that the two never differ.
    """
    track = task.track
    with transaction.atomic():
        locked = Task.objects.select_for_update(of=("self",)).select_related("track__campaign").get(pk=task.pk)
        refuse_stale("this task", shown_task(locked), seen)
        entered.setdefault("official_measure", locked.official_measure)
        _refuse_faults(track, entered, locked)
        entered["official_measure"] = _official(entered)
        if _same_parameters(locked, entered):
            entered["parameters"] = locked.parameters
        if not locked.official_measure and entered["official_measure"] == ranked_by(locked.kind):
            entered["official_measure"] = ""
        changed = changed_fields(locked, entered)
        if not changed:
            return locked, 0
        details, closed_at, rules = {"changes": told(locked, entered, changed)}, locked.closes_at, rules_of(locked)
        for name in changed:
            setattr(locked, name, entered[name])
        raise_generation(locked)
        locked.save(update_fields=changed)
        rechecked = recheck([locked]) if rules_of(locked) != rules else 0
        details |= {"rechecked": rechecked} if rechecked else {}
        trail.record(track.campaign, trail.CHANGED, f"task {locked.name} of {track.name}", by=by, **details)
        if "closes_at" in changed:
            deadline_moved(locked, closed_at)
    return locked, rechecked


def runs_to_recheck(task, entered):
    """Count the runs on the board, or on their way there, that changed rules would send through the check again."""
    changed = copy(task)
    for name in changed_fields(task, entered):
        setattr(changed, name, entered[name])
    try:
        if rules_of(changed) == rules_of(task):
            return 0
    except ParameterError:
        return 0  # the change will be refused
    return task.runs.valid().count() + task.runs.being_rechecked().count()


def questions_about(task, entered):
    """Return what an organiser is asked before a task is changed: what many would notice, or nobody could undo."""
    questions = []
    if runs := runs_to_recheck(task, entered):
        questions.append(
            f"By the new rules {counted(runs, 'valid run')} would be checked again, and those that break them would "
            "leave the board; their teams are told."
        )
    if opened := opened_by(task, entered):
        questions.append(f"More would be public at once: {'; '.join(opened)}.")
    out_at, closes_at = task.published_at, entered["closes_at"]
    if out_at and closes_at != task.closes_at and closes_at > max(out_at, timezone.now()):
        come = "are out since" if out_at <= timezone.now() else "come out on"
        questions.append(
            f"The results {come} {spoken(out_at)}, before the new deadline, {spoken(closes_at)}: teams could submit "
            "having seen them."
        )
    return questions


def move_task(task, *, by, down, seen=""):
    """Move a task one place up or down among those of its track."""
    with transaction.atomic():
        Track.objects.select_for_update().get(pk=task.track_id)
        refuse_stale(f"the order of the tasks of {task.track.name}", shown_order(task.track.tasks), seen, NOTHING_DONE)
        if move(task, task.track.tasks.all(), down=down):
            trail.record(task.track.campaign, trail.CHANGED, f"order of the tasks of {task.track.name}", by=by)


def delete_task(task, *, by, seen=""):
    """Delete a task that nobody has submitted to."""
    with transaction.atomic():
        locked = Task.objects.select_for_update().get(pk=task.pk)
        refuse_stale("this task", shown_task(locked), seen, NOTHING_DONE)
        runs = task.runs.count()
        if runs:
            raise Refused(f"{task.name} has {counted(runs, 'run')}. A task with runs is not deleted.")
        _refuse_to_open_the_key(locked)
        trail.record(
            task.track.campaign, trail.DELETED, f"task {task.name} of {task.track.name}", by=by, kind=task.kind
        )
        try:
            task.delete()
        except (ProtectedError, IntegrityError):
            raise Refused(f"A run of {task.name} has just come in. A task with runs is not deleted.") from None


def _refuse_to_open_the_key(task):
    """Refuse to delete the one task that keeps a track's assessments hidden while others of it would show them."""
    tasks = list(task.track.tasks.all())
    if len(tasks) > 1 and hiding_assessments(tasks) == [task] and has_assessments(task.track):
        raise Refused(
            f"{task.name} alone keeps the assessments of {task.track.name} hidden: without it everybody could see "
            "them. Let another task of the track hide them first, under Publication."
        )


def _official(entered):
    """Return the official measure that was entered, or the kind's, by its name."""
    kind, official = entered["kind"], entered.get("official_measure", "")
    return official_measure(kind, official, entered["profile"], entered["parameters"]) if kind in SCORED else ""


def faults(track, entered, task=None):
    """Yield everything that is wrong with what was entered for a task: the field, and a sentence.

    What could not be read is not in `entered` and is looked at no further.
    """
    opens_at, closes_at = entered.get("opens_at"), entered.get("closes_at")
    if opens_at and closes_at and closes_at <= opens_at:
        yield "closes_on", "A task closes after it opens."
    others = track.tasks.exclude(pk=task.pk) if task else track.tasks
    if same := others.filter(name__iexact=entered.get("name", "")).first():
        yield "name", f"{track.name} has a task {same.name} already."
    if {"kind", "profile", "parameters"} <= entered.keys():
        official = entered.get("official_measure", "")
        yield from _faults_of_measures(entered["kind"], entered["profile"], entered["parameters"], official)
    if task is not None:
        yield from _faults_of_board(task, entered)


def _faults_of_measures(kind, profile, parameters, official):
    if kind not in SCORED:
        if parameters:
            yield "parameters", "This kind of task has no measures yet, so it takes no parameters."
        if official:
            yield "official_measure", "This kind of task has no measures yet, so none can rank it."
        return
    readable = {}
    for name, value in parameters.items():
        try:
            resolve(kind, profile, {name: value})
            readable[name] = value
        except ParameterError as error:
            yield "parameters", str(error)
    try:
        official_measure(kind, official, profile, readable)
    except ParameterError as error:
        yield "official_measure", str(error)


def _faults_of_board(task, entered):
    boards = boards_of(task)
    if entered.get("kind", task.kind) != task.kind and boards.are_there:
        yield "kind", "This task has a board, which stands on its kind. Make another task instead."
    elif boards.take_runs and not _same_measures(task, entered):
        yield "profile", "This task has a board, which stands on its measures. Change them under Boards."


def _same_measures(task, entered):
    same_official = ranked_by(task.kind, entered.get("official_measure", "")) == task.ranked_by
    same_profile = entered.get("profile", task.profile) == task.profile
    parameters = entered.get("parameters", task.parameters)
    same_parameters = parameters == task.parameters or _same_parameters(task, entered)
    return same_official and same_profile and same_parameters


def _refuse_faults(track, entered, task=None):
    for field, sentence in faults(track, entered, task):
        raise Refused(sentence, field)


def _same_parameters(task, entered):
    """Return whether parameters written differently mean the same: 500 and “500”, say."""
    kind = entered["kind"]
    if kind not in SCORED or kind != task.kind:
        return False
    try:
        before = resolve(kind, entered["profile"], task.parameters)
        after = resolve(kind, entered["profile"], entered["parameters"])
    except ParameterError:
        return False
    return set(task.parameters) == set(entered["parameters"]) and before == after
