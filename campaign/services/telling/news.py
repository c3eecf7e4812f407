"""What the teams of a campaign are told about it: results that are out, deadlines that moved; once a person."""

from collections import defaultdict
from datetime import timedelta

from django.utils import timezone

from campaign.later import boards_of
from campaign.models import Notification, Registration, Task, User
from campaign.services.telling.notifications import notify
from limelight.moments import spoken

RESULTS_ARE_NEWS = timedelta(days=2)
"""For so long results that came out by themselves are told, should the machinery have been at rest."""

Kind = Notification.Kind


def members_of_admitted_teams(campaign):
    """Return everybody who takes part in a campaign, each once."""
    admitted = {"campaign": campaign, "state": Registration.State.APPROVED}
    return User.objects.filter(memberships__team__registrations__in=Registration.objects.filter(**admitted)).distinct()


def tell_of_results(moment=None):
    """Tell of the results that came out within the last days, perhaps by the end of an embargo."""
    moment = moment or timezone.now()
    out = Task.objects.filter(published_at__lte=moment, published_at__gt=moment - RESULTS_ARE_NEWS)
    together = defaultdict(list)
    for task in out.for_board().order_by("track__position", "position"):
        if boards_of(task).are_live:
            together[task.track.campaign, task.published_at].append(task)
    for (campaign, published_at), tasks in together.items():
        _results_are_out(campaign, tasks, published_at)


def _results_are_out(campaign, tasks, published_at):
    about = f"campaign {campaign.pk}, results of {published_at.isoformat()}"
    told = Notification.objects.filter(kind=Kind.RESULTS, about=about).values("user")
    people = list(members_of_admitted_teams(campaign).exclude(pk__in=told))
    if not people:
        return
    names = [task.name for task in tasks]
    of = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    address = tasks[0].get_absolute_url() if len(tasks) == 1 else campaign.get_absolute_url()
    notify(people, Kind.RESULTS, about, f"The results of {of} are out ({campaign.name}).", address)


def deadline_moved(task, before, moment=None):
    """Tell everybody who takes part that a task closes at another time; not where both times have passed."""
    moment = moment or timezone.now()
    if max(before, task.closes_at) <= moment:
        return
    campaign = task.track.campaign
    closes = "has closed: its deadline is" if task.closes_at <= moment else "closes at another time:"
    text = f"{task.name} ({campaign.name}) {closes} {spoken(task.closes_at)}. It was {spoken(before)}."
    about = f"task {task.pk}, deadline moved {moment.isoformat()}"
    notify(members_of_admitted_teams(campaign), Kind.DEADLINE_MOVED, about, text, task.get_absolute_url())
