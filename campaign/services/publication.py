"""Who sees what, and from when: the switches of a task, publication, embargoes and links for reviewers."""

import secrets

from django.db import transaction
from django.utils import timezone

from campaign.deadlines import spoken
from campaign.models import ReviewerLink, Task
from campaign.services import trail
from campaign.services.permissions import BoardView
from campaign.services.refusals import Refused

SWITCHES = ("own_scores_visible", "other_scores_visible", "names_visible", "assessments_visible")


def set_switches(task, *, user, **chosen):
    """Change when things of a task become visible."""
    with transaction.atomic():
        locked = Task.objects.select_for_update().get(pk=task.pk)
        before = {name: getattr(locked, name) for name in SWITCHES}
        changed = {name: (before[name], value) for name, value in chosen.items() if before[name] != value}
        if not changed:
            return False
        Task.objects.filter(pk=task.pk).update(**chosen)
        details = {name: f"{old} → {new}" for name, (old, new) in changed.items()}
        trail.record(task.track.campaign, trail.CHANGED, f"who sees what of {task.name}", actor=user, **details)
    task.refresh_from_db()
    return True


def publish(tasks, *, user, moment=None):
    """Publish tasks now, or from a moment to come, under embargo until then; returns those that were not yet."""
    now, done = timezone.now(), []
    moment = moment or now
    with transaction.atomic():
        for task in tasks:
            if task.is_published():
                if moment <= now:
                    continue  # a second click keeps the moment of the first
                raise Refused(f"{task.name} is published already. Take that back first, then set a date.")
            Task.objects.filter(pk=task.pk).update(published_at=moment)
            subject = f"the results of {task.name}" + (f" from {spoken(moment)} on" if moment > now else "")
            trail.record(task.track.campaign, trail.PUBLISHED, subject, actor=user, published_at=moment.isoformat())
            done.append(task)
    return done


def unpublish(tasks, *, user):
    """Take results back from public view; what others have copied stays copied."""
    with transaction.atomic():
        for task in tasks:
            if task.published_at is None:
                continue
            Task.objects.filter(pk=task.pk).update(published_at=None)
            trail.record(task.track.campaign, trail.UNPUBLISHED, f"the results of {task.name}", actor=user)


def view_as(task, *, team=None, moment=None):
    """Return what a visitor, or a member of a team, sees of a task's board at a moment."""
    return BoardView(
        all_scores=task.reveals(task.other_scores_visible, moment),
        own_scores=task.reveals(task.own_scores_visible, moment),
        names=task.reveals(task.names_visible, moment),
        own_teams=frozenset([team.pk] if team else []),
        is_organiser=False,
    )


def make_reviewer_link(campaign, *, user, label, shows_names=False, expires_at=None):
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
            created_by=user,
            expires_at=expires_at,
        )
        trail.record(campaign, trail.GRANTED, f"a reviewer link for {label}", actor=user, shows_names=shows_names)
    return link


def revoke_reviewer_link(link, *, user):
    """Let a reviewer link work no longer, at once and for everybody who has used it."""
    with transaction.atomic():
        if ReviewerLink.objects.filter(pk=link.pk, revoked_at=None).update(revoked_at=timezone.now()):
            trail.record(link.campaign, trail.REVOKED, f"the reviewer link for {link.label}", actor=user)


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
