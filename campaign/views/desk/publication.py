"""Publication: switches, embargoes, and links for reviewers."""

from copy import copy

from django import forms
from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from campaign.forms.attempting import attempted
from campaign.models import SWITCHES, Task
from campaign.services.acting import By
from campaign.services.permissions.submitting import last_closing
from campaign.services.telling.audit import fingerprint, stale_sentence
from campaign.services.visibility import publication as service
from campaign.views.desk.frame import desk_page, render_desk
from campaign.views.desk.publishing import PLACE
from campaign.views.questions import answered, ask
from limelight.moments import spoken


class SwitchesForm(forms.ModelForm):
    """When each thing of a task becomes visible."""

    class Meta:
        model = Task
        fields = SWITCHES
        labels = {
            "own_scores_visible": "A team’s own scores",
            "other_scores_visible": "Other teams’ scores",
            "names_visible": "Names of teams and runs",
            "runs_visible": "What runs returned",
            "assessments_visible": "The assessments",
        }
        help_texts = {
            "names_visible": "",
            "runs_visible": "Ranked lists, passages, files; where scores are seen.",
            "assessments_visible": "They are the answer key.",
        }


class LinkForm(forms.Form):
    """A link for reviewers."""

    label = forms.CharField(
        label="For whom",
        max_length=200,
        help_text="“Reviewers of the overview paper”.",
        error_messages={"required": "Say for whom the link is: you see it in the list."},
    )
    shows_names = forms.BooleanField(label="Show the names of teams and runs", required=False)
    expires_at = forms.DateTimeField(
        label="Works until (UTC)",
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )


def _page(request, campaign, *, link_form=None, switches_form=None, status=200):
    tasks = list(Task.objects.filter(track__campaign=campaign).for_board().order_by("track__position", "position"))
    works = set(campaign.reviewer_links.open())
    shown = {
        "tasks": [
            (
                task,
                switches_form
                if switches_form and switches_form.instance == task
                else SwitchesForm(instance=task, prefix=f"task-{task.pk}"),
                fingerprint(service.shown_switches(task)),
                fingerprint(service.shown_publication(task)),
            )
            for task in tasks
        ],
        "unpublished": sum(task.published_at is None for task in tasks),
        "link_form": link_form or LinkForm(),
        "links": [(link, link in works) for link in campaign.reviewer_links.all()],
        "site": request.build_absolute_uri("/").rstrip("/"),
        "now": timezone.now(),
    }
    return render_desk(request, "desk/publication.html", campaign, shown, tab=PLACE, status=status)


def _task(campaign, track, task):
    return get_object_or_404(Task.objects.for_board(), track__campaign=campaign, track__slug=track, slug=task)


@desk_page
@require_safe
def publication(request, campaign):
    """Show what of a campaign is visible to whom, and from when."""
    return _page(request, campaign)


@desk_page
@require_POST
def switches(request, campaign, track, task):
    """Change when things of a task become visible; what would be public at once is asked about."""
    found, seen = _task(campaign, track, task), request.POST.get("seen", "")
    form = SwitchesForm(request.POST, instance=copy(found), prefix=f"task-{found.pk}")
    if told := stale_sentence(f"who sees what of {found.name}", service.shown_switches(found), seen):
        form.add_error(None, told)
    if not form.is_valid():
        return _page(request, campaign, switches_form=form, status=422)
    chosen = form.cleaned_data
    opened = service.opened_by(found, chosen)
    about = fingerprint({"chosen": chosen, "opened": opened})
    if opened and answered(request) != about:
        return _ask_to_open(request, campaign, found, opened, about)
    changed = attempted(form, service.set_switches, found, by=By(request.user), seen=seen)
    if form.errors:
        return _page(request, campaign, switches_form=form, status=422)
    messages.success(request, f"Saved for {found.name}." if changed else f"Nothing was changed for {found.name}.")
    return redirect(PLACE, campaign.slug)


def _ask_to_open(request, campaign, task, opened, about):
    closing = last_closing(task)
    sentences = [f"Saved like this, more of {task.name} is public at once: {'; '.join(opened)}."]
    if closing > timezone.now():
        sentences.append(f"{task.name} takes runs until {spoken(closing)}: whoever submits from now on has seen it.")
    return ask(
        request,
        campaign,
        heading=f"Show more of {task.name} now?",
        sentences=sentences,
        button="Save, and show it now",
        seen=about,
        tab=PLACE,
        changed="Something changed after you were asked, and nothing was saved." if answered(request) else "",
    )


@desk_page
@require_POST
def make_link(request, campaign):
    """Make a link for reviewers."""
    form = LinkForm(request.POST)
    if link := attempted(form, service.make_reviewer_link, campaign, by=By(request.user)):
        messages.success(request, f"The link for {link.label} is made. It stands below.")
        return redirect(f"{reverse(PLACE, args=[campaign.slug])}#links")
    return _page(request, campaign, link_form=form, status=422)


@desk_page
@require_POST
def revoke_link(request, campaign, pk):
    """Let a reviewer link work no longer."""
    link = get_object_or_404(campaign.reviewer_links.all(), pk=pk)
    service.revoke_reviewer_link(link, by=By(request.user))
    messages.success(request, f"The link for {link.label} no longer works.")
    return redirect(PLACE, campaign.slug)
