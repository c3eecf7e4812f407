"""Who sees what, and from when: the switches of a task, publication, embargoes and links for reviewers."""

import secrets
from copy import copy
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from campaign.later import boards_of
from campaign.models import SWITCHES, ReviewerLink, Task, Visible
from campaign.services.generations import raise_generation
from campaign.services.permissions.seeing import hiding_assessments, shows_assessments
from campaign.services.permissions.submitting import last_closing
from campaign.services.refusals import Refused, Stale
from campaign.services.telling import trail
from campaign.services.telling.audit import NOTHING_DONE, fingerprint, refuse_stale, values_of
from campaign.services.telling.news import tell_of_results
from limelight.moments import spoken

THINGS = {
    "own_scores_visible": "each team’s own scores",
    "other_scores_visible": "the scores of all teams",
    "names_visible": "the names of teams and runs",
    "runs_visible": "what each run returned: ranked lists, passages and files",
    "assessments_visible": "the assessments, which are the answer key",
}
"""What each switch opens, in words."""


def shown_switches(task):
    """Return what the page shows of a task's switches."""
    return values_of(task, SWITCHES)


def set_switches(task, *, by, seen="", **chosen):
    """Change when things of a task become visible."""
    with transaction.atomic():
        locked = Task.objects.select_for_update().get(pk=task.pk)
        refuse_stale(f"who sees what of {task.name}", shown_switches(locked), seen)
        before = {name: getattr(locked, name) for name in SWITCHES}
        changed = {name: (before[name], value) for name, value in chosen.items() if before[name] != value}
        if not changed:
            return False
        raise_generation(task)
        Task.objects.filter(pk=task.pk).update(**chosen)
        details = {name: f"{old} → {new}" for name, (old, new) in changed.items()}
        trail.record(task.track.campaign, trail.CHANGED, f"who sees what of {task.name}", by=by, **details)
    task.refresh_from_db()
    return True


def opened_by(task, entered, moment=None):
    """Return in words what would be public at once if a task were changed, and is not now."""
    then = copy(task)
    for name, value in entered.items():
        setattr(then, name, value)
    before, after = _visible(task, moment), _visible(then, moment)
    return [THINGS[name] for name in SWITCHES if after[name] and not before[name]]


def _visible(task, moment):
    """Return what everybody sees of a task; what runs returned only where their scores are seen."""
    shown = {name: task.reveals(getattr(task, name), moment) for name in SWITCHES}
    shown["runs_visible"] &= shown["other_scores_visible"]
    return shown | {"assessments_visible": shows_assessments(task, moment)}


@dataclass(frozen=True, slots=True)
class Prospect:
    """What publishing a task would open, and who could still submit to it then."""

    task: Task
    runs: int
    has_board: bool
    opens: list
    open_until: object
    """The last moment at which somebody can submit; None where that has passed by then."""

    may_open_assessments: bool
    """Whether its assessments would open, too, if they were asked for although the task is open."""


def prospects(tasks, moment=None):
    """Tell what publishing tasks, now or at a moment to come, would open."""
    moment = moment or timezone.now()
    tasks = list(tasks)
    return [_prospect(task, moment, _key_stays_hidden(task, tasks, moment)) for task in tasks]


def _key_stays_hidden(task, published, moment):
    """Return whether a task of the track that is not published along keeps the assessments hidden."""
    others = [other for other in task.track.tasks.all() if other not in published]
    return bool(hiding_assessments(others, moment))


def _prospect(task, moment, key_stays_hidden):
    last = last_closing(task)
    is_open = last > moment
    opens = _opens_at_publication(task, moment)
    return Prospect(
        task=task,
        runs=task.runs.valid().count(),
        has_board=boards_of(task).are_live,
        opens=[THINGS[name] for name in opens if name != "assessments_visible" or not key_stays_hidden],
        open_until=last if is_open else None,
        may_open_assessments=(is_open and task.assessments_visible == Visible.AT_PUBLICATION and not key_stays_hidden),
    )


def _opens_at_publication(task, moment):
    """Return the switches that publishing a task at a moment would open; assessments not by a tick of their own."""
    before, after = copy(task), copy(task)
    before.published_at, after.published_at = None, moment
    before.assessments_while_open = after.assessments_while_open = False
    hidden, shown = _visible(before, moment), _visible(after, moment)
    return [name for name in SWITCHES if shown[name] and not hidden[name]]


def seen_tasks(tasks):
    """Return what a question keeps of the tasks that it asks about."""
    shown = [(task.pk, task.published_at, last_closing(task), *shown_switches(task).values()) for task in tasks]
    return fingerprint({"tasks": sorted(shown)})


def publish(tasks, *, by, moment=None, with_assessments=(), seen=""):
    """Publish tasks now, or from a moment to come, under embargo until then; returns those that were not yet.

    Those in `with_assessments` show their assessments even while somebody can still submit. `seen` is what was kept of
    the tasks when it was asked about them.
    """
    now, done = timezone.now(), []
    moment, keys = moment or now, [task.pk for task in tasks]
    with transaction.atomic():
        held = Task.objects.select_for_update(of=("self",)).filter(pk__in=keys).for_board().order_by("pk")
        if seen and seen != seen_tasks(held):
            raise Stale("The tasks changed after you were asked. Nothing was done.")
        for task in held:
            if task.is_published():
                if moment <= now:
                    continue  # a second click keeps the moment of the first
                raise Refused(f"{task.name} is published already. Take that back first, then set a date.")
            is_early = task in with_assessments and last_closing(task) > moment
            raise_generation(task)
            Task.objects.filter(pk=task.pk).update(published_at=moment, assessments_while_open=is_early)
            subject = f"the results of {task.name}" + (f" from {spoken(moment)} on" if moment > now else "")
            details = {"published_at": moment.isoformat()} | ({"assessments_while_open": True} if is_early else {})
            trail.record(task.track.campaign, trail.PUBLISHED, subject, by=by, **details)
            done.append(task)
        tell_of_results()
    return done


def unpublish(tasks, *, by, seen=""):
    """Take results back from public view; what others have copied stays copied."""
    with transaction.atomic():
        keys = [task.pk for task in tasks]
        for task in Task.objects.select_for_update(of=("self",)).filter(pk__in=keys).for_board().order_by("pk"):
            refuse_stale(f"the publication of {task.name}", shown_publication(task), seen, NOTHING_DONE)
            if task.published_at is None:
                continue
            raise_generation(task)
            Task.objects.filter(pk=task.pk).update(published_at=None, assessments_while_open=False)
            trail.record(task.track.campaign, trail.UNPUBLISHED, f"the results of {task.name}", by=by)


def shown_publication(task):
    """Return what the page shows of a task's publication."""
    return values_of(task, ("published_at",))


def make_reviewer_link(campaign, *, by, label, shows_names=False, expires_at=None):
    """Make a link that shows a campaign's boards before they are published."""
    label = label.strip()
    if not label:
        raise Refused("Say for whom the link is, so that you know later which one to revoke.", "label")
    if expires_at is not None and expires_at <= timezone.now():
        raise Refused("This moment has passed. Choose one to come, or leave it empty.", "expires_at")
    with transaction.atomic():
        link = ReviewerLink.objects.create(
            campaign=campaign,
            token=secrets.token_urlsafe(32),
            label=label,
            shows_names=shows_names,
            created_by=by.user,
            expires_at=expires_at,
        )
        trail.record(campaign, trail.GRANTED, f"a reviewer link for {label}", by=by, shows_names=shows_names)
    return link


def revoke_reviewer_link(link, *, by):
    """Let a reviewer link work no longer, at once and for everybody who has used it."""
    with transaction.atomic():
        if ReviewerLink.objects.filter(pk=link.pk, revoked_at=None).update(revoked_at=timezone.now()):
            trail.record(link.campaign, trail.REVOKED, f"the reviewer link for {link.label}", by=by)


def find_reviewer_link(token):
    """Return the link with this token, open or not, or None."""
    return ReviewerLink.objects.select_related("campaign").filter(token=token.replace("\x00", "")).first()


def note_use(link):
    """Note that somebody came in by a link."""
    ReviewerLink.objects.filter(pk=link.pk).update(last_used_at=timezone.now())


def reviewed_campaigns(keys):
    """Return the campaigns that these links, by their keys, still show: campaign -> whether with names."""
    links = ReviewerLink.objects.open().filter(pk__in=keys)
    shown = {}
    for campaign, names in links.values_list("campaign_id", "shows_names"):
        shown[campaign] = shown.get(campaign, False) or names
    return shown
