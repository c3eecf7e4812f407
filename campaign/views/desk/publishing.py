"""Publishing, and taking it back: asked about first, with what becomes public and who could still submit."""

from copy import copy

from django import forms
from django.contrib import messages
from django.http import Http404
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from campaign.models import Task
from campaign.services.acting import By
from campaign.services.permissions.seeing import hiding_assessments
from campaign.services.refusals import Refused, Stale
from campaign.services.telling.news import members_of_admitted_teams
from campaign.services.visibility import publication as service
from campaign.views.buttons import pressed
from campaign.views.desk.frame import desk_page
from campaign.views.questions import answered, ask
from limelight.formats.fields import whole_number
from limelight.moments import distance, spoken

PLACE = "desk-publication"
CHANGED = "Something changed after you were asked, and nothing was done. This is how it stands now."


class MomentForm(forms.Form):
    """The moment up to which results are under embargo."""

    moment = forms.DateTimeField(
        label="Publish on (UTC)",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        error_messages={
            "required": "Say from when on the results are to be public.",
            "invalid": "This is no date and time. Write it like 2026-12-24 18:00.",
        },
    )

    def clean_moment(self):
        """Refuse what has passed: it would publish at once."""
        moment = self.cleaned_data["moment"]
        if moment <= timezone.now():
            raise forms.ValidationError("This moment has passed. To publish at once, press “Publish now”.")
        return moment


@desk_page
@require_POST
def publish(request, campaign):
    """Publish a task, or all, now or from a moment on, after a question."""
    form, moment = MomentForm(request.POST), None
    if "moment" in request.POST:
        if not form.is_valid():
            messages.error(request, form.errors["moment"][0])
            return redirect(PLACE, campaign.slug)
        moment = form.cleaned_data["moment"]
    tasks = _to_publish(request, campaign, moment)
    seen = service.seen_tasks(tasks)
    if any(task.is_published() for task in tasks):
        messages.error(request, f"{tasks[0].name} is published already. Take that back first, then set a date.")
        return redirect(PLACE, campaign.slug)
    if tasks and answered(request) != seen:
        return _question(request, campaign, tasks, moment, seen)
    try:
        done = service.publish(
            tasks, by=By(request.user), moment=moment, with_assessments=_ticked(request, tasks), seen=seen
        )
    except Stale:
        tasks = _to_publish(request, campaign, moment)
        return _question(request, campaign, tasks, moment, service.seen_tasks(tasks))
    except Refused as refusal:
        messages.error(request, refusal.reason)
        return redirect(PLACE, campaign.slug)
    if done:
        told = f"under embargo until {spoken(moment)}" if moment else "published"
        messages.success(request, f"{', '.join(task.name for task in done)}: {told}.")
    else:
        messages.info(request, "Nothing was left to publish.")
    return redirect(PLACE, campaign.slug)


def _to_publish(request, campaign, moment):
    """Return the tasks that are meant; no embargo is broken, and nothing published twice, by the way."""
    tasks = _chosen(request, campaign)
    if request.POST.get("task") == "all":
        return [task for task in tasks if task.published_at is None]
    return tasks if moment else [task for task in tasks if not task.is_published()]


def _ticked(request, tasks):
    keys = request.POST.getlist("with_assessments")
    return [task for task in tasks if str(task.pk) in keys]


@desk_page
@require_POST
def unpublish(request, campaign):
    """Take a task's results, or those of all, back from public view."""
    tasks = _chosen(request, campaign)
    told = f"{', '.join(task.name for task in tasks)}: no longer published."
    pressed(request, service.unpublish, tasks, by=By(request.user), seen=request.POST.get("seen", ""), told=told)
    return redirect(PLACE, campaign.slug)


def _chosen(request, campaign):
    """Return the tasks that a form names by their keys; all of the campaign where it says so."""
    tasks = Task.objects.filter(track__campaign=campaign).for_board().order_by("track__position", "position", "pk")
    if request.POST.get("task") == "all":
        return list(tasks)
    found = list(tasks.filter(pk=whole_number(request.POST.get("task", ""))))
    if not found:
        raise Http404
    return found


def _question(request, campaign, tasks, moment, seen):
    prospects = service.prospects(tasks, moment)
    what = f"the results of {tasks[0].name}" if len(tasks) == 1 else f"the results of {len(tasks)} tasks"
    when = f" on {spoken(moment)}" if moment else " now"
    return ask(
        request,
        campaign,
        heading=f"Publish {what}{when}?",
        sentences=list(_sentences(campaign, prospects, moment)),
        tables=[_table(prospects)],
        ticks=[_tick(one) for one in prospects if one.may_open_assessments],
        button="Set the date" if moment else f"Publish {what}",
        seen=seen,
        tab=PLACE,
        changed=CHANGED if answered(request) else "",
    )


def _sentences(campaign, prospects, moment):
    for one in prospects:
        if one.open_until and moment:
            early = distance(one.open_until, moment).removeprefix("in ")
            yield (
                f"{one.task.name} takes runs until {spoken(one.open_until)}, {early} after that: its results would be "
                "out while teams can still submit."
            )
        elif one.open_until:
            yield (
                f"{one.task.name} takes runs until {spoken(one.open_until)}: whoever submits from now on has seen its "
                "results."
            )
        if not one.has_board:
            yield f"{one.task.name} has no board yet, so there is nothing to see of it."
    yield from _about_assessments([one.task for one in prospects], moment or timezone.now())
    people = members_of_admitted_teams(campaign).count()
    if people:
        many = "1 person is" if people == 1 else f"{people:,} people are"
        yield f"{many} told {'on that day' if moment else 'that the results are out'}, each once."


def _about_assessments(tasks, moment):
    """Say of each track whether its answer key becomes public."""
    for track in dict.fromkeys(task.track for task in tasks):
        others = list(track.tasks.all())
        now = hiding_assessments(others)
        then = [copy(task) for task in others]
        for task in then:
            if task in tasks:
                task.published_at = moment
        hiding = hiding_assessments(then, moment)
        if not hiding and now:
            yield f"The assessments of {track.name} become public. They are the answer key of every task of the track."
        elif hiding:
            names = ", ".join(task.name for task in hiding)
            verb = "hides" if len(hiding) == 1 else "hide"
            yield f"The assessments of {track.name}, its answer key, stay hidden: {names} {verb} them."


def _table(prospects):
    rows = [
        [
            f"{one.task.name} ({one.task.track.name})",
            "open" if one.open_until else "closed",
            one.runs,
            "; ".join(one.opens) or "nothing that is not public already",
        ]
        for one in prospects
    ]
    return {"caption": "By task", "head": ["Task", "Then", "Valid runs", "Becomes public"], "rows": rows}


def _tick(prospect):
    task = prospect.task
    return {
        "name": "with_assessments",
        "value": task.pk,
        "label": f"Show the assessments, too, while {task.name} is open",
        "help": "The answer key could then be submitted as a run. Unticked, they stay hidden until nobody can submit.",
    }
