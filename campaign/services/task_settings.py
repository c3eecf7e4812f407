"""Tasks: making, changing and deleting them under the rules that keep boards what they are."""

from django.db import IntegrityError, transaction
from django.db.models import Max, ProtectedError

from campaign.models import Task, Track
from campaign.services import trail
from campaign.services.changes import changed_fields, told
from campaign.services.notifications import counted
from campaign.services.ordering import move
from campaign.services.rechecks import recheck
from campaign.services.refusals import Refused
from campaign.services.slugs import free_slug
from evaluation.profiles import TASK_KINDS, ParameterError, resolve

TAKEN_BY_PAGES = {"new", "topics", "assessments"}
RULES = {"kind", "result_limit", "topic_budget", "article_budget"}
"""What the check of a run asks for."""

MEASURES = {"profile", "parameters"}
"""What an edition is made with."""


def create_task(*, user, track, **entered):
    """Make a task; the same form sent twice makes one."""
    _checked(entered)
    with transaction.atomic():
        Track.objects.select_for_update().get(pk=track.pk)
        if same := track.tasks.filter(name__iexact=entered["name"]).first():
            raise Refused(f"{track.name} has a task {same.name} already.", "name")
        taken = TAKEN_BY_PAGES.union(track.tasks.values_list("slug", flat=True))
        last = track.tasks.aggregate(last=Max("position"))["last"] or 0
        task = Task.objects.create(
            track=track, slug=free_slug(entered["name"], taken, "task"), position=last + 1, **entered
        )
        trail.record(
            track.campaign, trail.CREATED, f"task {task.name} of {track.name}", actor=user, kind=str(task.kind)
        )
    return task


def change_task(*, user, task, **entered):
    """Change a task's settings; returns it and how many runs are checked again.

    The measures of a task with a board are changed where its boards are built, so that the two never differ.
    """
    track = task.track
    _checked(entered)
    with transaction.atomic():
        locked = Task.objects.select_for_update(of=("self",)).select_related("track__campaign").get(pk=task.pk)
        if same := track.tasks.filter(name__iexact=entered["name"]).exclude(pk=task.pk).first():
            raise Refused(f"{track.name} has a task {same.name} already.", "name")
        if locked.kind != entered["kind"] and locked.editions.exists():
            raise Refused("This task has a board, which stands on its kind. Make another task instead.", "kind")
        if _same_parameters(locked, entered):
            entered["parameters"] = locked.parameters
        changed = changed_fields(locked, entered)
        if not changed:
            return locked, 0
        if MEASURES.intersection(changed) and locked.editions.scoring().exists():
            raise Refused("This task has a board, which stands on its measures. Change them under Boards.", "profile")
        details = {"changes": told(locked, entered, changed)}
        for name in changed:
            setattr(locked, name, entered[name])
        locked.save(update_fields=changed)
        rechecked = recheck([locked]) if RULES.intersection(changed) else 0
        details |= {"rechecked": rechecked} if rechecked else {}
        trail.record(track.campaign, trail.CHANGED, f"task {locked.name} of {track.name}", actor=user, **details)
    return locked, rechecked


def runs_to_recheck(task, entered):
    """Count the runs on the board, or on their way there, that changed rules would send through the check again."""
    if not RULES.intersection(changed_fields(task, entered)):
        return 0
    return task.runs.valid().count() + task.runs.being_rechecked().count()


def move_task(*, user, task, down):
    """Move a task one place up or down among those of its track."""
    with transaction.atomic():
        Track.objects.select_for_update().get(pk=task.track_id)
        if move(task, task.track.tasks.all(), down=down):
            trail.record(task.track.campaign, trail.CHANGED, f"order of the tasks of {task.track.name}", actor=user)


def delete_task(*, user, task):
    """Delete a task that nobody has submitted to."""
    with transaction.atomic():
        Task.objects.select_for_update().get(pk=task.pk)
        runs = task.runs.count()
        if runs:
            raise Refused(f"{task.name} has {counted(runs, 'run')}. A task with runs is not deleted.")
        trail.record(
            task.track.campaign, trail.DELETED, f"task {task.name} of {task.track.name}", actor=user, kind=task.kind
        )
        try:
            task.delete()
        except (ProtectedError, IntegrityError):
            raise Refused(f"A run of {task.name} has just come in. A task with runs is not deleted.") from None


def _checked(entered):
    if entered["closes_at"] <= entered["opens_at"]:
        raise Refused("A task closes after it opens.", "closes_on")
    kind, profile, parameters = entered["kind"], entered["profile"], entered["parameters"]
    if kind not in TASK_KINDS:
        if parameters:
            raise Refused("This kind of task has no measures yet, so it takes no parameters.", "parameters")
        return
    try:
        resolve(kind, profile, parameters)
    except ParameterError as error:
        raise Refused(str(error), "parameters") from None


def _same_parameters(task, entered):
    """Tell whether parameters written differently mean the same: 500 and “500”, say."""
    kind = entered["kind"]
    if kind not in TASK_KINDS or kind != task.kind:
        return False
    try:
        before = resolve(kind, entered["profile"], task.parameters)
    except ParameterError:
        return False
    same_names = set(task.parameters) == set(entered["parameters"])
    return same_names and before == resolve(kind, entered["profile"], entered["parameters"])
